//! What `ARCHITECTURE.md` says of files: which there are, and how many of them a change takes.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Other names for the types of sections, which a section does not need.
const RE_EXPORTS: [&str; 2] = ["hud-store/src/event/mod.rs", "hud-store/src/state/mod.rs"];

/// The folders of the code besides the sources of the crates.
const BESIDES: [&str; 3] = ["examples", "hud-core/examples", "integrations"];

/// The crate of measures, which is no part of a release.
const MEASURES: &str = "hud-eval";

/// The sources of all crates of a release, and what is beside them.
fn folders() -> Vec<PathBuf> {
    let entries = fs::read_dir(root()).unwrap();
    let sources = entries
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name != MEASURES)
        .map(|name| Path::new(&name).join("src"))
        .filter(|folder| root().join(folder).is_dir());
    sources.chain(BESIDES.map(PathBuf::from)).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A row of the table.
struct Change {
    what: String,
    examples: Vec<String>,
    before: Files,
    today: Files,
}

/// A cell of the table: `2: a/{b,c}.rs`.
struct Files {
    count: usize,
    paths: BTreeSet<String>,
}

impl Files {
    fn read(cell: &str) -> Self {
        let (count, paths) = cell.split_once(": ").unwrap();
        Self {
            count: count.trim().parse().unwrap(),
            paths: quoted(paths).iter().flat_map(|path| each(path)).collect(),
        }
    }
}

/// What is between backticks.
fn quoted(text: &str) -> Vec<String> {
    let parts = text.split('`').skip(1).step_by(2);
    parts.map(ToOwned::to_owned).collect()
}

/// The paths that one with braces is short for.
fn each(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else {
        return vec![path.to_owned()];
    };
    let (names, after) = rest.split_once('}').unwrap();
    let names = names.split(',');
    names.map(|name| format!("{before}{name}{after}")).collect()
}

fn architecture() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

fn changes() -> Vec<Change> {
    let text = architecture();
    let (_, section) = text.split_once("\n## What a change takes\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(2);
    let change = |row: &str| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [what, examples, before, today] = cells[..] else {
            panic!("this row has no four cells: {row}");
        };
        Change {
            what: what.trim().to_owned(),
            examples: quoted(examples),
            before: Files::read(before),
            today: Files::read(today),
        }
    };
    rows.map(change).collect()
}

/// The files of the code with what they say, without comments and tests.
fn code() -> Vec<(String, String)> {
    let mut code = Vec::new();
    for folder in folders() {
        read(&root(), &folder, &mut code);
    }
    code
}

fn read(root: &Path, folder: &Path, code: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let path = folder.join(entry.unwrap().file_name());
        let name = path.to_str().unwrap().replace('\\', "/");
        if root.join(&path).is_dir() {
            read(root, &path, code);
        } else if name.ends_with(".rs") && !name.ends_with("/tests.rs") || name.ends_with(".js") {
            let text = fs::read_to_string(root.join(&path)).unwrap();
            code.push((name, without_tests(&text)));
        }
    }
}

/// A file's lines of code up to its tests, which are its end.
fn without_tests(text: &str) -> String {
    let end = text.match_indices("\n#[cfg(test)]\n").find(|(at, mark)| {
        let next = text[at + mark.len()..].lines().next();
        next.is_some_and(|line| !line.ends_with(';'))
    });
    let code = &text[..end.map_or(text.len(), |(at, _)| at)];
    let lines = code.lines();
    let lines: Vec<&str> = lines
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    lines.join("\n")
}

/// Whether a text has a word that is no part of a longer one.
fn names(text: &str, word: &str) -> bool {
    let is_inner = |char: char| char.is_alphanumeric() || char == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_inner) && !text[at + word.len()..].starts_with(is_inner)
    })
}

#[test]
fn each_of_the_ten_changes_takes_as_many_files_as_are_named() {
    let changes = changes();
    assert_eq!(changes.len(), 10);
    for Change {
        what,
        before,
        today,
        ..
    } in changes
    {
        assert_eq!(before.count, before.paths.len(), "{what}, before");
        assert_eq!(today.count, today.paths.len(), "{what}, today");
        for path in today.paths {
            assert!(root().join(&path).is_file(), "{what}: there is no {path}");
        }
    }
}

#[test]
fn the_code_names_an_example_in_the_files_of_its_change_only() {
    let code = code();
    for change in changes() {
        let found: BTreeSet<&str> = code
            .iter()
            .filter(|(_, text)| change.examples.iter().any(|word| names(text, word)))
            .map(|(path, _)| path.as_str())
            .filter(|path| !RE_EXPORTS.contains(path))
            .collect();
        let named: BTreeSet<&str> = change.today.paths.iter().map(String::as_str).collect();
        assert!(
            !found.is_empty() && found.is_subset(&named),
            "{}: {:?} takes {found:?}",
            change.what,
            change.examples
        );
    }
}

#[test]
fn the_files_and_folders_that_the_architecture_names_exist() {
    let text = architecture();
    // Of a change, what was before is no longer there.
    let lines = text.lines().filter(|line| !line.contains(".rs` | "));
    let named: Vec<String> = lines
        .flat_map(quoted)
        .filter(|path| path.contains('/') && !path.contains(' '))
        .flat_map(|path| each(&path))
        .filter(|path| {
            let first = path.split('/').next();
            first.is_some_and(|first| root().join(first).is_dir())
        })
        .collect();
    assert!(named.len() > 20, "{named:?}");
    for path in named {
        assert!(root().join(&path).exists(), "there is no {path}");
    }
}
