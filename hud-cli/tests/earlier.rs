//! The earlier sessions of a project, as hooks and commands show them.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A machine with a home, a folder for state, and projects.
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        for folder in ["home", "project/.git", "project/deep/inside"] {
            fs::create_dir_all(machine.path(folder)).unwrap();
        }
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn hud(&self, directory: &Path) -> Command {
        let mut hud = Command::new(env!("CARGO_BIN_EXE_hud"));
        hud.current_dir(directory)
            .env("HOME", self.path("home"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env_remove("HUD_DB");
        hud
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut hud = self.hud(&self.path("project"));
        hud.args(arguments).output().unwrap()
    }

    /// Hands an event to a hook in a directory, and gives what it has the model read.
    fn hook(&self, directory: &str, session: &str, event: Value) -> String {
        let directory = self.path(directory);
        let mut whole = json!({ "session_id": session, "cwd": directory });
        let fields = event.as_object().unwrap().clone();
        whole.as_object_mut().unwrap().extend(fields);
        let mut child = self
            .hud(&directory)
            .arg("hook")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        write!(child.stdin.take().unwrap(), "{whole}").unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    }

    fn begins(&self, directory: &str, session: &str, source: &str) -> String {
        let event = json!({ "hook_event_name": "SessionStart", "source": source });
        self.hook(directory, session, event)
    }

    /// A session in which the user sets a rule and asks for something, and the agent has a plan.
    fn works(&self, directory: &str, session: &str) {
        let prompt =
            |prompt: &str| json!({ "hook_event_name": "UserPromptSubmit", "prompt": prompt });
        self.hook(
            directory,
            session,
            prompt("Rotate the tokens of the gateway."),
        );
        self.hook(
            directory,
            session,
            prompt("Never commit without running the tests."),
        );
        let todos = json!([
            { "content": "look at jwt.rs", "status": "completed", "activeForm": "looking" },
            { "content": "write the rotation", "status": "in_progress", "activeForm": "writing" },
        ]);
        let plan = json!({ "hook_event_name": "PostToolUse", "tool_name": "TodoWrite", "tool_use_id": "c1",
                           "tool_input": { "todos": todos }, "tool_response": {} });
        self.hook(directory, session, plan);
    }
}

const RULE: &str = "Never commit without running the tests.";
const LEFT: &str = "from the session of today; `sessions.resume` to go on with it";

#[test]
fn a_cleared_session_is_shown_the_rules_and_what_is_unfinished() {
    let machine = Machine::new();
    let first = machine.begins("project", "monday", "startup");
    assert!(!first.contains("Earlier Sessions"), "{first}");
    machine.works("project", "monday");
    // In a folder of the project as well.
    let cleared = machine.begins("project/deep/inside", "tuesday", "clear");
    for shown in [RULE, LEFT, "write the rotation", "Earlier Sessions"] {
        assert!(cleared.contains(shown), "{shown}: {cleared}");
    }
    assert!(!cleared.contains("look at jwt.rs"), "it is done: {cleared}");
    // A client that goes on with a session is not told of it again, nor is it in another project.
    let gone_on = machine.begins("project", "tuesday", "resume");
    assert_eq!(gone_on.matches("Earlier Sessions").count(), 1, "{gone_on}");
}

#[test]
fn a_session_that_runs_keeps_its_work() {
    let machine = Machine::new();
    machine.begins("project", "monday", "startup");
    machine.works("project", "monday");
    let beside = machine.begins("project", "beside", "startup");
    assert!(beside.contains("(still running)"), "{beside}");
    assert!(beside.contains(RULE), "{beside}");
    assert!(!beside.contains("write the rotation"), "{beside}");
    let end = |session| {
        let event = json!({ "hook_event_name": "SessionEnd", "reason": "exit" });
        machine.hook("project", session, event)
    };
    end("beside");
    end("monday");
    let later = machine.begins("project", "later", "startup");
    assert!(later.contains("write the rotation"), "{later}");
}

#[test]
fn nothing_is_inherited_in_the_home_directory_nor_by_another_project() {
    let machine = Machine::new();
    machine.begins("home", "monday", "startup");
    machine.works("home", "monday");
    let next = machine.begins("home", "tuesday", "clear");
    assert!(!next.contains(RULE) && !next.contains("Earlier"), "{next}");

    machine.begins("project", "a", "startup");
    machine.works("project", "a");
    // A worktree, and the folder under another name.
    fs::create_dir(machine.path("worktree")).unwrap();
    fs::write(
        machine.path("worktree/.git"),
        "gitdir: ../project/.git/worktrees/w",
    )
    .unwrap();
    let worktree = machine.begins("worktree", "b", "startup");
    assert!(!worktree.contains("Earlier"), "{worktree}");
    fs::rename(machine.path("project"), machine.path("moved")).unwrap();
    let moved = machine.begins("moved", "c", "startup");
    assert!(!moved.contains("Earlier"), "{moved}");
}

#[test]
fn what_a_clone_ships_is_never_inherited() {
    let machine = Machine::new();
    machine.begins("project", "monday", "startup");
    machine.works("project", "monday");
    let log = machine.run(&["where"]);
    let log = String::from_utf8(log.stdout).unwrap();
    fs::create_dir_all(machine.path("clone/.git")).unwrap();
    fs::create_dir_all(machine.path("clone/.hud")).unwrap();
    fs::copy(log.trim_end(), machine.path("clone/.hud/hud.db")).unwrap();
    fs::write(
        machine.path("clone/HUD.md"),
        format!("# Rules\n\n- {RULE}\n"),
    )
    .unwrap();
    let begun = machine.begins("clone", "tuesday", "startup");
    assert!(
        !begun.contains(RULE) && !begun.contains("Earlier"),
        "{begun}"
    );
}

#[test]
fn a_person_has_the_session_that_runs_go_on_with_an_earlier_one() {
    let machine = Machine::new();
    let none = machine.run(&["resume"]);
    assert!(!none.status.success());
    machine.begins("project", "monday", "startup");
    machine.works("project", "monday");
    machine.begins("project", "tuesday", "clear");
    let resumed = machine.run(&["resume"]);
    let said = String::from_utf8(resumed.stderr).unwrap();
    assert!(
        said.contains("tuesday goes on with: Rotate the tokens of the gateway."),
        "{said}"
    );
    let shown = machine.run(&["render", "--session", "tuesday"]);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("[ ] write the rotation"), "{shown}");
    assert!(!shown.contains("sessions.forget"), "{shown}");
}

#[test]
fn who_deletes_a_session_is_told_which_ones_inherited_of_it() {
    let machine = Machine::new();
    machine.begins("project", "monday", "startup");
    machine.works("project", "monday");
    machine.begins("project", "tuesday", "clear");
    let deleted = machine.run(&["sessions", "--delete", "monday", "--yes"]);
    let said = String::from_utf8(deleted.stderr).unwrap();
    assert!(said.contains("tuesday comes from it"), "{said}");
    // Nobody inherits from a deleted session; inherited items stay until they are redacted.
    machine.run(&["sessions", "--delete", "tuesday", "--yes"]);
    let later = machine.begins("project", "later", "clear");
    assert!(!later.contains(RULE), "{later}");
}
