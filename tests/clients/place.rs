//! A project and a home of a client's own, with the HUD installed.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use hud_store::log::{Log, state_of};
use hud_store::sqlite::SqliteLog;
use hud_store::state::HudState;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{hud, log_of};

/// What may be wrong with `hud`.
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    /// What is there instead of it; `None`: nothing.
    script: Option<&'static str>,
    /// Whether it can be started.
    runs: bool,
}

/// Faults with which `hud` ends at once, or never begins.
pub(crate) const FAULTS: [Fault; 5] = [
    Fault {
        name: "missing",
        script: None,
        runs: false,
    },
    Fault {
        name: "not executable",
        script: Some("#!/bin/sh\n"),
        runs: false,
    },
    Fault {
        name: "no program",
        script: Some("\u{7f}ELF\n"),
        runs: true,
    },
    Fault {
        name: "panicking",
        script: Some("#!/bin/sh\necho \"thread 'main' panicked\" >&2\nexit 101\n"),
        runs: true,
    },
    Fault {
        name: "ending with 2",
        script: Some("#!/bin/sh\necho 'error: unexpected argument' >&2\nexit 2\n"),
        runs: true,
    },
];

/// A program that never ends by itself.
pub(crate) const HANGING: Fault = Fault {
    name: "hanging",
    script: Some("#!/bin/sh\nexec sleep 600\n"),
    runs: true,
};

/// A project, a home, and the hooks in it.
pub(crate) struct Place {
    directory: TempDir,
    pub(crate) client: OsString,
    /// Where Cline's process that serves others listens: that of another test is not to serve this one.
    port: u16,
}

impl Place {
    /// A place for the client that a variable names; none where there is no client. What is installed
    /// is installed with `flags`.
    pub(crate) fn new(variable: &str, name: &str, flags: &[&str]) -> Option<Self> {
        let place = Self::without_hooks(variable, name)?;
        place.install(name, flags);
        Some(place)
    }

    /// A place in which `hud` is on the path, and nothing of the client's is configured for it.
    pub(crate) fn without_hooks(variable: &str, name: &str) -> Option<Self> {
        let Some(client) = std::env::var_os(variable) else {
            println!("skipped: {variable} is not set");
            return None;
        };
        let place = Self {
            directory: tempfile::tempdir().unwrap(),
            client,
            port: free_port(),
        };
        for folder in ["home", "project", "bin"] {
            fs::create_dir(place.path(folder)).unwrap();
        }
        fs::copy(hud(), place.hud()).unwrap();
        fs::write(place.path("project/a.txt"), "hello\n").unwrap();
        if name == "gemini" {
            fs::create_dir(place.path("home/.gemini")).unwrap();
            let settings = r#"{"security":{"auth":{"selectedType":"gemini-api-key"}}}"#;
            fs::write(place.path("home/.gemini/settings.json"), settings).unwrap();
            place.trusted(
                "home/.gemini/trustedFolders.json",
                |project| json!({ project: "TRUST_FOLDER" }),
            );
        }
        if name == "claude" {
            place.trusted(
                "home/.claude.json",
                |project| json!({ "projects": { project: { "hasTrustDialogAccepted": true } } }),
            );
        }
        Some(place)
    }

    fn install(&self, name: &str, flags: &[&str]) {
        let mut install = self.command(self.hud().into_os_string());
        install
            .args(["install", name, "--yes"])
            .args(flags)
            .stderr(Stdio::null());
        let installed = loop {
            match install.status() {
                // A process that another test starts at this moment has the copy open for a while.
                Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                    thread::sleep(Duration::from_millis(10));
                }
                installed => break installed.unwrap(),
            }
        };
        assert!(installed.success());
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes to a client's file that the user trusts the project, as the client does once it has asked.
    fn trusted(&self, file: &str, said: impl FnOnce(String) -> Value) {
        let project = self.path("project").canonicalize().unwrap();
        let said = said(project.to_str().unwrap().to_owned());
        fs::write(self.path(file), said.to_string()).unwrap();
    }

    /// The binary that is installed: a copy, which is on the path.
    pub(crate) fn hud(&self) -> PathBuf {
        self.path("bin/hud")
    }

    /// Has the client find something else where `hud` was.
    pub(crate) fn instead_of_hud(&self, fault: &Fault) {
        fs::remove_file(self.hud()).unwrap();
        if let Some(script) = fault.script {
            fs::write(self.hud(), script).unwrap();
            if fault.runs {
                let mode = fs::metadata(hud()).unwrap().permissions();
                fs::set_permissions(self.hud(), mode).unwrap();
            }
        }
    }

    /// A command in the project that knows nothing of this machine.
    pub(crate) fn command(&self, program: OsString) -> Command {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(self.path("bin")).chain(std::env::split_paths(&path));
        let mut command = Command::new(program);
        command
            .current_dir(self.path("project"))
            .env_clear()
            .env("PATH", std::env::join_paths(path).unwrap())
            .env("HOME", self.path("home"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("CLINE_HUB_PORT", self.port.to_string())
            // How long a turn waits for the HUD, on a machine that is busy with other things.
            .envs(std::env::var_os("HUD_DEADLINE_MS").map(|time| ("HUD_DEADLINE_MS", time)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        command
    }

    /// Where the project's log is.
    pub(crate) fn log(&self) -> PathBuf {
        log_of(&mut self.command(hud().into_os_string()))
    }

    /// The state of the first session.
    pub(crate) fn state(&self) -> HudState {
        self.states().remove(0)
    }

    /// The state of each session, in the order in which they began.
    pub(crate) fn states(&self) -> Vec<HudState> {
        let log = SqliteLog::open_read_only(self.log()).unwrap();
        let sessions = log.sessions().unwrap().into_iter();
        sessions
            .map(|session| state_of(&log, &session.id).unwrap())
            .collect()
    }
}

/// A port that nobody listens at.
fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().port()
}

/// Cline leaves a process behind that would serve others. It ends with this.
pub(crate) struct Daemon(PathBuf);

impl Daemon {
    /// The one of a place, if there comes to be one: of Cline only.
    pub(crate) fn of(place: &Place) -> Self {
        Self(place.path("home/.cline/data/locks/hub/production.json"))
    }

    /// Its process id, once it has begun.
    fn pid(&self) -> Option<Pid> {
        let text = fs::read(&self.0).ok()?;
        let pid = serde_json::from_slice::<Value>(&text).ok()?["pid"].as_i64()?;
        Pid::from_raw(pid.try_into().ok()?)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if !self
            .0
            .ancestors()
            .nth(4)
            .is_some_and(std::path::Path::exists)
        {
            return;
        }
        // It begins some time after the client has ended.
        for _ in 0..100 {
            if let Some(pid) = self.pid() {
                let _ = kill_process(pid, Signal::TERM);
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}
