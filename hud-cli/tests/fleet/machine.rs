//! A machine that has a project and a log.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
use hud_store::log::{Expected, Log};
use hud_store::sqlite::{Durability, Remote, SqliteLog};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use tempfile::TempDir;

use crate::common;
use crate::nodes::Nodes;

/// A machine: a project, and a folder for state.
pub(crate) struct Machine {
    pub(crate) dir: TempDir,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("project/.hud")).unwrap();
        fs::create_dir_all(dir.path().join("project/.git")).unwrap();
        Self { dir }
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut hud = Command::new(env!("CARGO_BIN_EXE_hud"));
        hud.args(args)
            .current_dir(self.dir.path().join("project"))
            .env("XDG_STATE_HOME", self.dir.path())
            .env("XDG_CONFIG_HOME", self.dir.path())
            .env_remove("HUD_DB")
            .env_remove("PGPASSWORD")
            .stdin(Stdio::null());
        hud
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// What a command that must succeed writes, and what it says.
    pub(crate) fn ok(&self, args: &[&str]) -> (String, String) {
        let output = self.run(args);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (written, said) = (text(output.stdout), text(output.stderr));
        assert!(output.status.success(), "{args:?}: {said}");
        (written, said)
    }

    /// What a command says that must fail.
    pub(crate) fn refused(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    pub(crate) fn log(&self) -> PathBuf {
        common::log_of(&self.dir.path().join("project"), self.dir.path())
    }

    /// Records notes in a session.
    pub(crate) fn note(&self, name: &str, count: u32) {
        let path = self.log();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut log = SqliteLog::open(path).unwrap();
        let events: Vec<_> = (0..count)
            .map(|n| {
                let note = NoteAdd {
                    id: format!("n{n}"),
                    content: format!("note {n} of {name}"),
                };
                NewEvent::now(1, Actor::Agent, note)
            })
            .collect();
        let session = SessionId::new(name).unwrap();
        log.append(&session, Expected::Any, &events).unwrap();
    }

    /// Records what happens in a day, in three sessions: so many events of 4 KiB.
    pub(crate) fn day(&self, count: i64) {
        let mut log = SqliteLog::open(self.log()).unwrap();
        log.set_durability(Durability::Fast).unwrap();
        let now = Timestamp::now();
        let said = "x".repeat(4096);
        for n in 0..count {
            let ago = SignedDuration::from_hours(24) / i32::try_from(count).unwrap()
                * i32::try_from(count - n).unwrap();
            let note = NoteAdd {
                id: format!("n{n}"),
                content: format!("note {n} {said}"),
            };
            let event = NewEvent {
                at: now.checked_sub(ago).unwrap(),
                ..NewEvent::now(1, Actor::Agent, note)
            };
            let session = SessionId::new(format!("s{}", n % 3)).unwrap();
            log.append(&session, Expected::Any, &[event]).unwrap();
        }
    }

    /// The ids of a session's events, in order.
    pub(crate) fn ids(&self, name: &str) -> Vec<String> {
        let mut ids = Vec::new();
        let log = SqliteLog::open(self.log()).unwrap();
        let session = SessionId::new(name).unwrap();
        log.read(&session, 1, &mut |event| {
            ids.push(event.id.to_string());
            ControlFlow::Continue(())
        })
        .unwrap();
        ids
    }

    /// Notes that the server of an address answered once.
    pub(crate) fn answered_once(&self, address: &str) {
        let log = SqliteLog::open(self.log()).unwrap();
        let known = Remote {
            at: Some("2026-11-23T20:00:00Z".parse().unwrap()),
            ..Remote::default()
        };
        log.set_remote(address, &known).unwrap();
    }

    /// Writes the settings of the project.
    pub(crate) fn set(&self, settings: &str) {
        fs::write(self.dir.path().join("project/.hud/config.toml"), settings).unwrap();
    }
}

/// The address of a new log, as it is written.
pub(crate) fn made(nodes: &Nodes, machine: &Machine) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("fleet_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let url = format!(
        "postgres://postgres@127.0.0.1:{}/postgres?log={name}",
        nodes.nodes[0].port
    );
    machine.ok(&["fleet", "init", "--db", &url]);
    url
}

pub(crate) fn status(machine: &Machine) -> Value {
    serde_json::from_str(&machine.ok(&["fleet", "status", "--json"]).0).unwrap()
}
