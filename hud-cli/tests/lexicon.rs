//! `hud lexicon` as its users run it.

use std::fs;
use std::process::{Command, Output};

fn check(text: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pl.toml"), text).unwrap();
    Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["lexicon", "check", "pl.toml"])
        .current_dir(folder.path())
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap()
}

#[test]
fn a_file_without_faults_is_counted() {
    let output = check("withdraw = [\"nieważne\", \"jednak nie\"]\nthanks = [\"dziękuję\"]\n");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(shown.starts_with("pl.toml: 3 phrases for 2 of "), "{shown}");
    assert!(shown.contains("without a phrase: misread, "), "{shown}");
}

#[test]
fn a_fault_is_reported_with_its_line_and_the_fix() {
    let output = check("# Polish.\nwithdrew = [\"nieważne\"]\n");
    let shown = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let fault = "pl.toml, line 2: no intent is named `withdrew`. Did you mean `withdraw`?";
    assert!(shown.contains(fault), "{shown}");
    assert!(shown.contains("pl.toml has 1 fault"), "{shown}");
}
