//! The hooks for goose as they are installed for all projects, in two projects at once.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Runs a command in a directory, as a shell does that was started there, and gives what it says.
fn shell(directory: &Path, home: &Path, command: &str, input: &str) -> String {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(directory)
        .env("HOME", home)
        .env_remove("XDG_STATE_HOME")
        .env_remove("HUD_DB")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It need not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

#[test]
fn no_project_is_shown_what_is_done_in_another() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().join("home");
    let projects = ["a", "b"].map(|name| directory.path().join(name));
    for folder in projects.iter().chain([&home]) {
        fs::create_dir(folder).unwrap();
    }
    let hud = env!("CARGO_BIN_EXE_hud");
    let install = format!("'{hud}' install goose --user --yes");
    let said = shell(&projects[0], &home, &install, "");
    // The variable as the note has it, in the shell that goose is started from.
    let (_, variable) = said.split_once("GOOSE_MOIM_MESSAGE_FILE=").unwrap();
    let (variable, _) = variable.split_once(" goose").unwrap();
    let shown = |project: &Path| {
        let command = format!("file={variable}; cat \"$file\"");
        shell(project, &home, &command, "")
    };
    let hooks = home.join(".agents/plugins/agent-hud/hooks/hooks.json");
    let hooks: Value = serde_json::from_str(&fs::read_to_string(hooks).unwrap()).unwrap();
    let hook = |project: &Path, name: &str, message: &str| {
        let command = &hooks["hooks"][name][0]["hooks"][0]["command"];
        let event = json!({ "event": name, "session_id": "s", "working_dir": project,
                            "message": message });
        // goose runs it wherever it was started itself.
        let command = command.as_str().unwrap();
        assert_eq!(
            shell(directory.path(), &home, command, &event.to_string()),
            ""
        );
    };
    for name in ["SessionStart", "UserPromptSubmit"] {
        for (project, message) in projects.iter().zip(["the secret of a", "the work of b"]) {
            hook(project, name, message);
        }
    }
    let (a, b) = (shown(&projects[0]), shown(&projects[1]));
    assert!(
        a.contains("the secret of a") && !a.contains("the work of b"),
        "{a}"
    );
    assert!(b.contains("the work of b") && !b.contains("secret"), "{b}");
}
