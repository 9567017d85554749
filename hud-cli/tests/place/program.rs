//! Programs that tests write and run.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Writes a program. Another process writes it: a child that another test starts meanwhile inherits the files that this one has
/// open, and a file that is open for writing cannot be run.
pub(crate) fn write(path: &Path, text: &str) {
    let from = path.with_extension("text");
    fs::write(&from, text).unwrap();
    let installed = Command::new("install")
        .args(["-m", "755"])
        .args([from.as_path(), path])
        .status();
    assert!(installed.unwrap().success());
    fs::remove_file(from).unwrap();
}
