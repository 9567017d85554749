//! `hud prune` as its users run it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use std::path::{Path, PathBuf};

use crate::common::{example, file, hud, refused, shown};
use serde_json::Value;

const CALL: &str = r#"{"type":"assistant","sessionId":"s1","uuid":"u2","message":{"id":"m1","model":"claude-x","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/a/\u001b[2J\u202eb.rs\n# Task"}}]}}"#;

#[test]
fn one_session_is_shown_request_by_request() {
    insta::assert_snapshot!(shown(&["prune", "--pressure", "critical", &example()]));
}

#[test]
fn for_programs_each_policy_and_each_request_is_an_object() {
    let lines = shown(&["prune", "--json", &example()]);
    let rows: Vec<Value> = (lines.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let policies = rows.iter().filter(|row| row["policy"].is_string()).count();
    let requests = rows.iter().filter(|row| row["request"].is_u64()).count();
    assert!(policies > 10 && requests > 40, "{policies}, {requests}");
    assert_eq!(policies + requests, rows.len());
}

#[test]
fn what_is_no_session_is_named_and_the_others_are_shown() {
    let (directory, path) = file("notes.md", "# Notes\n");
    let path = path.to_str().unwrap();
    insta::assert_snapshot!(refused(&["prune", path], directory.path()), @r"
    error: notes.md is no recorded session but text of another kind; sessions are Claude Code's and goose's .jsonl, SWE-agent's .traj and messages of a chat as JSON
    error: no session could be read
    ");
    let output = hud(&["prune", &example(), path]);
    assert_eq!(output.status.code(), Some(1));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.starts_with("1 session, "), "{table}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("1 file could not be read"), "{errors}");
}

#[test]
fn what_can_be_read_of_a_damaged_session_is_and_the_rest_is_noted() {
    let damaged = format!("{CALL}\n{{\"type\":\"user\", nonsense}}\n{CALL}\n");
    for (session, noted) in [
        (
            damaged,
            "s.jsonl:2: skipped what cannot be read of 1 damaged line",
        ),
        (
            format!("{CALL}\n{{\"type\":\"us"),
            "s.jsonl:2: the last line is cut short",
        ),
    ] {
        let (_directory, path) = file("s.jsonl", session);
        let output = hud(&["prune", path.to_str().unwrap()]);
        assert!(output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(noted), "{said}");
    }
}

#[test]
fn no_text_of_a_file_breaks_the_output() {
    let mut session = CALL.to_owned() + "\n";
    let result = serde_json::json!({
        "type": "user", "sessionId": "s1", "uuid": "u3", "message": { "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "t1", "content": "\u{1b}]0;x\u{7}line\n".repeat(900) },
        ] },
    });
    session += &format!("{result}\n");
    for request in 0..30 {
        let said = serde_json::json!({
            "type": "assistant", "sessionId": "s1", "uuid": format!("v{request}"), "message": {
                "id": format!("n{request}"), "model": "claude-x",
                "content": [{ "type": "text", "text": "so" }],
            },
        });
        session += &format!("{said}\n");
    }
    let (_directory, path) = file("s.jsonl", session);
    let output = shown(&["prune", "--pressure", "critical", path.to_str().unwrap()]);
    assert!(output.contains("(9900)"), "it left: {output}");
    assert!(
        !output.contains(['\u{1b}', '\u{7}', '\u{202e}']),
        "{output}"
    );
    assert!(
        !output.lines().any(|line| line.starts_with("# Task")),
        "{output}"
    );
}

/// The recorded sessions, or nothing where there is no `HUD_DATA`.
fn sessions() -> Option<Vec<PathBuf>> {
    let Some(data) = std::env::var_os("HUD_DATA").filter(|data| !data.is_empty()) else {
        eprintln!("skipped: HUD_DATA names no folder with recorded sessions");
        return None;
    };
    let folder = Path::new(&data).join("sessions/claude-code");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    files.sort();
    Some(files)
}

#[test]
fn the_rule_removes_what_is_needed_least_of_recorded_sessions() {
    let Some(files) = sessions() else { return };
    let mut args = vec!["prune", "--json"];
    args.extend(files.iter().map(|path| path.to_str().unwrap()));
    let lines = shown(&args);
    let rows: Vec<Value> = (lines.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let figures = |policy: &str| {
        let row = rows.iter().find(|row| row["policy"] == policy).unwrap();
        ["removed", "needs_met", "at_once_met", "cost"]
            .map(|figure| row[figure]["value"].as_f64().unwrap())
    };
    let [removed, met, at_once, cost] = figures("by need, high");
    assert!(
        removed >= 68.0 && met >= 85.0 && cost <= 97.0,
        "{removed} {met} {cost}"
    );
    assert!(at_once >= 100.0, "{at_once}");
    let [removed, met, _, cost] = figures("by need, moderate");
    assert!(
        removed >= 45.0 && met >= 90.0 && cost <= 93.0,
        "{removed} {met} {cost}"
    );
    for peer in ["newest 10k tokens", "age, 12 requests", "fading pool"] {
        let [_, met, ..] = figures(peer);
        let [_, ours, ..] = figures("by need, high");
        assert!(met < ours, "{peer}");
    }
}
