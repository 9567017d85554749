//! Every file of tests is part of a program: cargo finds none on its own where `autotests` is off.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fs;
use std::path::Path;

#[test]
fn every_file_of_tests_is_a_target_or_a_module_of_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut modules = 0;
    for folder in fs::read_dir(root).unwrap() {
        let package = folder.unwrap().path();
        let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
        if !manifest.contains("autotests = false") {
            continue;
        }
        let lines = manifest.lines();
        let targets: Vec<&str> = lines
            .filter_map(|line| line.strip_prefix("path = \"")?.strip_suffix('"'))
            .collect();
        let sources = targets.iter().map(|path| package.join(path));
        let sources: String = sources
            .map(|path| fs::read_to_string(path).unwrap())
            .collect();
        // The package of this test has its files at its root.
        let tests = match package.join("tests") {
            tests if tests.is_dir() => tests,
            _ => package.clone(),
        };
        for file in fs::read_dir(tests).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let path = file.strip_prefix(&package).unwrap().to_str().unwrap();
            let declaration = format!("mod {};", file.file_stem().unwrap().to_str().unwrap());
            let is_module = sources.lines().any(|line| line == declaration);
            assert!(
                is_module || targets.contains(&path),
                "{} is in no program: add `{declaration}` to main.rs beside it",
                file.display()
            );
            modules += usize::from(is_module);
        }
    }
    assert!(modules > 50, "{modules}");
}
