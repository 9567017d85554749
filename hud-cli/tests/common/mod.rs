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
        .env_remove("HUD_DB")
        .output()
        .unwrap()
}

/// Where the log of the project in a directory is, in a folder for state.
pub(crate) fn log_of(directory: &Path, state: &Path) -> PathBuf {
    let output = Command::new(env!("CARGO_BIN_EXE_hud"))
        .arg("where")
        .current_dir(directory)
        .env("XDG_STATE_HOME", state)
        .env("XDG_CONFIG_HOME", state)
        .env_remove("HUD_DB")
        .output()
        .unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().trim_end().into()
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
