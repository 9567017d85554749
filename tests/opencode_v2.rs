//! The plugin in opencode 2.x, which is played by a script that hands it what that version's plugin
//! package declares. Needs `node`; without it the tests are skipped.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::clients::{finish, hud, start};
use serde_json::{Value, json};

/// What a session of the script gave.
fn session(compact: &str) -> Option<Value> {
    let node = Command::new("node").arg("--version").output();
    if node.is_err() {
        println!("skipped: there is no node");
        return None;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = tempfile::tempdir().unwrap();
    let project = directory.path().join("project");
    fs::create_dir(&project).unwrap();
    let mut script = Command::new("node");
    script
        .arg(here.join("opencode/v2.mjs"))
        .arg(here.join("../integrations/opencode/hud.js"))
        .arg(project)
        .arg(hud())
        .arg(compact)
        .env("XDG_STATE_HOME", directory.path())
        .env_remove("HUD_DB")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    Some(serde_json::from_str(&finish(start(&mut script))).unwrap())
}

/// The text of the last of a list of messages or parts.
fn last(list: &Value) -> &str {
    let last = list.as_array().unwrap().last().unwrap();
    let text = last["text"].as_str();
    text.or(last["content"][0]["text"].as_str()).unwrap()
}

#[test]
fn version_2_shows_the_hud_and_lets_the_agent_write() {
    let Some(got) = session("summary") else {
        return;
    };
    assert_eq!(
        last(&got["first"]["system"]),
        "<hud>\n# Task\n\ndo the things\n</hud>"
    );
    assert_eq!(got["noted"], json!({ "content": r#"{"id":"n1"}"# }));
    assert_eq!(got["tools"]["hud"]["options"], json!({ "codemode": false }));
    insta::assert_snapshot!(last(&got["second"]["messages"]), @r"
    <hud>
    **Advice:** compact when convenient │ **Context:** 75% (~24k)

    **Files:** editing `project/a.txt`

    **Open errors:** `cargo test`: no such test

    **Checks:** `cargo test` failed

    **Findings:** The root cause is that parse() in src/a.rs:12 drops the last line.

    **Notes:** tests need redis
    </hud>
    ");
}

#[test]
fn version_2_compacts_with_the_hud_in_the_request() {
    let Some(got) = session("summary") else {
        return;
    };
    assert_eq!(
        got["compactions"],
        json!([{ "sessionID": "ses_v2", "delivery": "steer" }])
    );
    let asked = last(&got["compaction"]["messages"]);
    assert!(asked.contains("survives this compaction") && asked.contains("- tests need redis"));
    let third = last(&got["third"]["messages"]);
    assert!(
        third.contains("half is done") && third.contains("- tests need redis"),
        "{third}"
    );
}

#[test]
fn version_2_compacts_to_the_hud_without_asking_the_model() {
    let Some(got) = session("drop") else { return };
    let summary = got["compaction"]["result"]["summary"].as_str().unwrap();
    assert!(
        summary.starts_with("# Task\n\ndo the things\n"),
        "{summary}"
    );
    assert!(summary.contains("- tests need redis"), "{summary}");
}
