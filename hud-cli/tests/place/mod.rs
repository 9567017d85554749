//! A project and a home for `hud install`, which knows nothing of this machine.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

pub(crate) mod program;

/// A project and a home.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for folder in ["project", "home"] {
            fs::create_dir(place.path(folder)).unwrap();
        }
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, with the folders around it.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes a program, with the folders around it.
    pub(crate) fn program(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        program::write(&path, text);
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn hud(&self, arguments: &[&str]) -> Output {
        self.run(env!("CARGO_BIN_EXE_hud").as_ref(), arguments)
    }

    /// Runs a copy of the binary.
    pub(crate) fn run(&self, program: &Path, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.path("project"))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.path("home"));
        command.output().unwrap()
    }

    /// What a command that must go well said.
    pub(crate) fn done(&self, arguments: &[&str]) -> String {
        said(&self.hud(arguments))
    }

    /// What a command that must fail said.
    pub(crate) fn refused(&self, arguments: &[&str]) -> String {
        let output = self.hud(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// Everything that is there, with its bytes.
    pub(crate) fn everything(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut all = BTreeMap::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(self.0.path()).unwrap().to_owned();
                if path.is_symlink() {
                    let to = fs::read_link(&path).unwrap();
                    all.insert(name, to.into_os_string().into_encoded_bytes());
                } else if path.is_dir() {
                    all.insert(name, Vec::new());
                    folders.push(path);
                } else {
                    let mut bytes = fs::read(&path).unwrap();
                    #[cfg(unix)]
                    {
                        use std::os::unix::fs::PermissionsExt;

                        let mode = fs::metadata(&path).unwrap().permissions().mode();
                        bytes.extend(mode.to_le_bytes());
                    }
                    bytes.push(0);
                    all.insert(name, bytes);
                }
            }
        }
        all
    }
}

/// What a command that must have gone well said.
pub(crate) fn said(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    format!("{}{errors}", String::from_utf8_lossy(&output.stdout))
}
