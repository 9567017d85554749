//! The recordings of clients on a machine are listed, and those of a project are imported once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A home with recordings of three clients, all of which worked in the project `kit` in it, and one elsewhere, too. In one
/// of the chats nothing was said.
struct Machine {
    folder: TempDir,
}

impl Machine {
    fn new() -> Self {
        let machine = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let project = fs::canonicalize(machine.folder.path()).unwrap().join("kit");
        fs::create_dir_all(project.join(".git")).unwrap();
        let project = project.display();
        let pi = |id: &str, cwd: &str| {
            format!(
                "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"timestamp\":\"2026-11-20T10:00:00Z\",\"cwd\":\"{cwd}\"}}\n\
                 {{\"type\":\"message\",\"id\":\"a1\",\"parentId\":null,\"timestamp\":\"2026-11-20T10:00:01Z\",\"message\":{{\"role\":\"user\",\"content\":\"Add a parser\"}}}}\n"
            )
        };
        machine.write(
            ".pi/agent/sessions/kit/1.jsonl",
            &pi("pi-1", &format!("{project}/src")),
        );
        machine.write(
            ".pi/agent/sessions/other/2.jsonl",
            &pi("pi-2", "/srv/other"),
        );
        machine.write(
            ".copilot/session-state/c/events.jsonl",
            &format!(
                "{{\"type\":\"session.start\",\"data\":{{\"sessionId\":\"copilot-1\",\"context\":{{\"cwd\":\"{project}\"}}}},\"id\":\"1\",\"timestamp\":\"2026-11-20T10:00:00Z\",\"parentId\":null}}\n\
                 {{\"type\":\"user.message\",\"data\":{{\"content\":\"Make the tests pass\"}},\"id\":\"2\",\"timestamp\":\"2026-11-20T10:00:01Z\",\"parentId\":\"1\"}}\n"
            ),
        );
        machine.write(
            "kit/.aider.chat.history.md",
            "# aider chat started at 2026-11-20 10:00:00\n\n#### Say hello  \n\nHello.\n\n\
             # aider chat started at 2026-11-20 18:00:00\n\n> Aider v0.86.2  \n\n\
             # aider chat started at 2026-11-21 10:00:00\n\n#### Say goodbye  \n\nGoodbye.\n",
        );
        machine
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The output of a command in the project, and its notes.
    fn hud(&self, args: &[&str]) -> (String, String) {
        let home = self.folder.path();
        let output = Command::new(env!("CARGO_BIN_EXE_hud"))
            .args(args)
            .current_dir(home.join("kit"))
            .env_clear()
            .env("HOME", home)
            .env("XDG_STATE_HOME", home.join("state"))
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let errors = text(output.stderr);
        assert!(output.status.success(), "{args:?}: {errors}");
        (text(output.stdout), errors)
    }
}

fn last(notes: &str) -> &str {
    let line = notes.lines().last().unwrap();
    line.split_once("hud.db: ").unwrap().1
}

#[test]
fn recordings_are_listed_by_client_with_their_directory() {
    let machine = Machine::new();
    let (list, _) = machine.hud(&["sessions", "--recorded", "--json"]);
    let listed: Vec<Value> = { list.lines() }
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let field = |key: &str| -> Vec<&str> {
        let values = listed.iter().map(|recording| &recording[key]);
        values.filter_map(Value::as_str).collect()
    };
    assert_eq!(field("client"), ["copilot", "pi", "pi", "aider"]);
    assert_eq!(field("session")[..3], ["copilot-1", "pi-1", "pi-2"]);
    assert!(
        field("directory")
            .iter()
            .any(|path| Path::new(path) == "/srv/other")
    );
    assert!(
        listed
            .iter()
            .all(|recording| recording["bytes"].as_u64() > Some(50))
    );
    let (table, _) = machine.hud(&["sessions", "--recorded"]);
    let clients: Vec<&str> = table
        .lines()
        .filter(|line| !line.starts_with(' '))
        .collect();
    assert_eq!(clients, ["copilot", "pi", "aider"]);
}

#[cfg(unix)]
#[test]
fn no_link_leads_to_a_recording() {
    let machine = Machine::new();
    let sessions = machine.folder.path().join(".pi/agent/sessions");
    std::os::unix::fs::symlink(sessions.join("kit"), sessions.join("linked")).unwrap();
    let (list, _) = machine.hud(&["sessions", "--recorded"]);
    assert!(!list.contains("linked"), "{list}");
}

#[test]
fn the_recordings_of_a_project_are_imported_once() {
    let machine = Machine::new();
    let import = || machine.hud(&["import", "--all"]).1;
    let (first, second) = (import(), import());
    assert!(
        last(&first).starts_with("4 sessions imported with"),
        "{first}"
    );
    assert_eq!(
        last(&second),
        "0 sessions imported with 0 new events, 4 sessions there already"
    );
    let more = "{\"type\":\"message\",\"id\":\"a2\",\"parentId\":\"a1\",\"timestamp\":\"2026-11-20T10:00:02Z\",\"message\":{\"role\":\"user\",\"content\":\"Test it\"}}\n";
    let file = machine.folder.path().join(".pi/agent/sessions/kit/1.jsonl");
    let longer = fs::read_to_string(&file).unwrap() + more;
    fs::write(&file, longer).unwrap();
    let third = import();
    assert!(
        last(&third).starts_with("1 session imported with"),
        "{third}"
    );
    assert!(
        last(&third).ends_with("3 sessions there already"),
        "{third}"
    );
    let (sessions, _) = machine.hud(&["sessions"]);
    for (name, task) in [
        ("pi-1", "Add a parser"),
        ("copilot-1", "Make the tests pass"),
    ] {
        assert!(
            sessions.contains(name) && sessions.contains(task),
            "{sessions}"
        );
    }
    assert!(!sessions.contains("pi-2"), "{sessions}");
}

#[test]
fn a_session_that_was_reported_while_it_ran_is_not_imported_again() {
    let machine = Machine::new();
    let file = machine.folder.path().join(".pi/agent/sessions/kit/1.jsonl");
    let recording = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    machine.hud(&["import", "--all"]);
    machine.hud(&["begin", "--session", "pi-1", "--resumes", "copilot-1"]);
    fs::write(&file, recording).unwrap();
    let (_, notes) = machine.hud(&["import", "--all"]);
    assert_eq!(
        last(&notes),
        "0 sessions imported with 0 new events, 4 sessions there already"
    );
}
