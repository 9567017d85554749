//! A project and a home of a client's own, with the HUD installed.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use hud_store::log::{Log, project};
use hud_store::sqlite::SqliteLog;
use hud_store::state::HudState;
use tempfile::TempDir;

use super::{hud, log_of};

/// A project, a home, and the hooks in it.
pub(crate) struct Place {
    directory: TempDir,
    pub(crate) client: OsString,
}

impl Place {
    /// A place for the client that a variable names; none where there is no client. What is installed
    /// is installed with `flags`.
    pub(crate) fn new(variable: &str, name: &str, flags: &[&str]) -> Option<Self> {
        let Some(client) = std::env::var_os(variable) else {
            println!("skipped: {variable} is not set");
            return None;
        };
        let place = Self {
            directory: tempfile::tempdir().unwrap(),
            client,
        };
        for folder in ["home", "project"] {
            fs::create_dir(place.path(folder)).unwrap();
        }
        fs::write(place.path("project/a.txt"), "hello\n").unwrap();
        if name == "gemini" {
            fs::create_dir(place.path("home/.gemini")).unwrap();
            let settings = r#"{"security":{"auth":{"selectedType":"gemini-api-key"}}}"#;
            fs::write(place.path("home/.gemini/settings.json"), settings).unwrap();
        }
        let installed = place
            .command(hud().into_os_string())
            .args(["install", name, "--yes"])
            .args(flags)
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(installed.success());
        Some(place)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Has the client start another program, which `files` name.
    pub(crate) fn instead_of_hud(&self, files: &[&str], program: &str) {
        for file in files {
            let file = self.path(file);
            let text = fs::read_to_string(&file).unwrap();
            let own = hud().canonicalize().unwrap();
            let text = text.replace(own.to_str().unwrap(), program);
            assert!(text.contains(program), "{text}");
            fs::write(file, text).unwrap();
        }
    }

    /// A command in the project that knows nothing of this machine.
    pub(crate) fn command(&self, program: OsString) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.path("project"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path("home"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        command
    }

    /// Where the project's log is.
    pub(crate) fn log(&self) -> PathBuf {
        log_of(&mut self.command(hud().into_os_string()))
    }

    pub(crate) fn state(&self) -> HudState {
        let log = SqliteLog::open_read_only(self.log()).unwrap();
        let sessions = log.sessions().unwrap();
        project(&log, &sessions[0].id).unwrap()
    }
}
