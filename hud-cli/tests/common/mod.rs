//! The binary, as its users run it.
#![allow(dead_code, reason = "not every file of tests uses all of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

pub(crate) fn hud(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(args)
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap()
}

/// What a command that must succeed writes.
pub(crate) fn shown(args: &[&str]) -> String {
    let output = hud(args);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a command that must fail says, with the directory left out.
pub(crate) fn refused(args: &[&str], directory: &Path) -> String {
    let output = hud(args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "", "{args:?}");
    let errors = String::from_utf8(output.stderr).unwrap();
    errors.replace(&format!("{}/", directory.display()), "")
}

pub(crate) fn example() -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl");
    path.to_str().unwrap().to_owned()
}

/// A directory with files in it, and the path of one of them.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    fs::write(&path, content).unwrap();
    (directory, path)
}
