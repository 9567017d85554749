//! The `hud` binary as its users run it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{example, file, hud, refused, shown};

const USER: &str = r#"{"type":"user","sessionId":"s1","uuid":"u1","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"Fix the parser"}}"#;
const CALL: &str = r#"{"type":"assistant","sessionId":"s1","uuid":"u2","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m1","model":"claude-x","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/a/b.rs"}}],"usage":{"input_tokens":1000,"output_tokens":50}}}"#;

#[test]
fn replay_shows_the_hud_at_the_end() {
    insta::assert_snapshot!(shown(&["replay", &example()]));
}

#[test]
fn replay_shows_the_hud_of_a_turn_as_its_context_demands() {
    insta::assert_snapshot!(
        "turn_20_full",
        shown(&["replay", &example(), "--turn", "20"])
    );
    insta::assert_snapshot!(
        "turn_40_compact",
        shown(&["replay", &example(), "--turn", "40"])
    );
    insta::assert_snapshot!(
        "turn_50_minimal",
        shown(&["replay", &example(), "--turn", "50"])
    );
}

#[test]
fn a_density_can_be_forced() {
    let minimal = shown(&["replay", &example(), "--density", "minimal"]);
    assert!(minimal.lines().count() <= 3, "{minimal}");
    let full = shown(&["replay", &example(), "--turn", "50", "--density", "full"]);
    assert!(full.contains("> **Warning:**"), "{full}");
}

#[test]
fn every_turn_can_be_paged_through() {
    let every = shown(&["replay", &example(), "--every", "20"]);
    let dividers: Vec<&str> = every
        .lines()
        .filter(|line| line.starts_with("──"))
        .collect();
    assert_eq!(dividers.len(), 3, "{dividers:?}");
    assert!(dividers[0].starts_with("── turn 20, "), "{dividers:?}");
    let json = shown(&["replay", &example(), "--every", "--json"]);
    assert_eq!(json.lines().count(), 60);
    assert!(
        json.lines()
            .all(|line| line.starts_with('{') && line.ends_with('}'))
    );
}

#[test]
fn the_parts_of_a_hud_are_listed_for_machines() {
    let json = shown(&["replay", &example(), "--json", "--density", "compact"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let parts = json["parts"].as_array().unwrap();
    let named = |name: &str| parts.iter().find(|part| part["name"] == name).unwrap();
    let task = named("task");
    assert_eq!(
        (&task["layer"], &task["density"]),
        (&"static".into(), &"compact".into())
    );
    assert_eq!(named("warning")["chars"], 0);
    assert_eq!(named("context")["layer"], "dynamic");
    let markdown = json["markdown"].as_str().unwrap();
    let mut pieces = markdown.lines().flat_map(|line| line.split(" │ "));
    let context = pieces.find(|piece| piece.contains("**Context:**")).unwrap();
    assert_eq!(named("context")["chars"], context.chars().count());
}

#[test]
fn a_log_that_is_kept_can_be_rendered_and_read() {
    let directory = tempfile::tempdir().unwrap();
    let db = directory.path().join("hud.db");
    let db = db.to_str().unwrap();
    let replayed = shown(&["replay", &example(), "--db", db]);
    assert_eq!(shown(&["render", "--db", db]), replayed);
    assert_eq!(
        shown(&["render", "--db", db, "--turn", "30"]),
        shown(&["replay", &example(), "--turn", "30"])
    );
    let log = shown(&["log", "--db", db]);
    assert_eq!(shown(&["replay", &example(), "--db", db]), replayed);
    assert_eq!(
        shown(&["log", "--db", db]),
        log,
        "a second replay adds nothing"
    );
    let decisions = shown(&["log", "--db", db, "--kind", "decision"]);
    assert_eq!(decisions.lines().count(), 8, "{decisions}");
    let json = shown(&["log", "--db", db, "--json", "--kind", "task.set"]);
    assert!(json.starts_with(r#"{"seq":2,"#), "{json}");
}

#[test]
fn a_session_that_has_grown_is_continued() {
    let (directory, path) = file("s.jsonl", format!("{USER}\n"));
    let db = directory.path().join("hud.db");
    let args = [
        "replay",
        path.to_str().unwrap(),
        "--db",
        db.to_str().unwrap(),
    ];
    shown(&args);
    fs::write(&path, format!("{USER}\n{CALL}\n")).unwrap();
    assert!(shown(&args).contains("b.rs"));
}

#[test]
fn output_is_plain_where_no_terminal_is() {
    assert!(!shown(&["replay", &example()]).contains('\u{1b}'));
    let forced = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["replay", &example()])
        .env("CLICOLOR_FORCE", "1")
        .output()
        .unwrap();
    assert!(String::from_utf8(forced.stdout).unwrap().contains('\u{1b}'));
    let refused = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["replay", &example()])
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(
        !String::from_utf8(refused.stdout)
            .unwrap()
            .contains('\u{1b}')
    );
}

#[test]
fn a_last_line_that_is_cut_short_is_skipped_and_reported() {
    let (directory, path) = file("s.jsonl", format!("{USER}\n{}", &CALL[..80]));
    let output = hud(&["replay", path.to_str().unwrap()]);
    assert!(output.status.success());
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("Fix the parser")
    );
    let errors = String::from_utf8(output.stderr).unwrap();
    let errors = errors.replace(&format!("{}/", directory.path().display()), "");
    assert!(
        errors.contains("s.jsonl:2: the last line is cut short: skipped"),
        "{errors}"
    );
}

#[test]
fn lines_of_an_unknown_type_are_skipped_and_counted() {
    let odd = r#"{"type":"hologram","message":5,"sessionId":[]}"#;
    let (_directory, path) = file("s.jsonl", format!("{USER}\n{odd}\n{odd}\n{CALL}\n"));
    let output = hud(&["replay", path.to_str().unwrap()]);
    assert!(output.status.success());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("skipped 2 of unknown type `hologram`"),
        "{errors}"
    );
}

#[test]
fn a_damaged_line_is_named_and_the_rest_is_read() {
    for damaged in [
        "{\"type\":",
        "{\"type\":\"user\"}",
        "\0\0\0",
        "Error: write ENOSPC",
    ] {
        let (directory, path) = file("s.jsonl", format!("{USER}\n{damaged}\n{CALL}\n"));
        let output = hud(&["replay", path.to_str().unwrap()]);
        assert!(output.status.success());
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(shown.contains("Fix the parser"), "{shown}");
        let errors = String::from_utf8(output.stderr).unwrap();
        let errors = errors.replace(&format!("{}/", directory.path().display()), "");
        let note =
            "s.jsonl:2: skipped what cannot be read of 1 damaged line, of which this is the first";
        assert!(errors.contains(note), "{errors}");
        assert!(errors.contains("1 turn,"), "{errors}");
    }
}

#[test]
fn what_is_no_session_is_refused_with_the_reason() {
    let replayed = |name: &str, content: &[u8]| {
        let (directory, path) = file(name, content);
        refused(&["replay", path.to_str().unwrap()], directory.path())
    };
    let directory = tempfile::tempdir().unwrap();
    let inside = directory.path().join("inside");
    fs::create_dir(&inside).unwrap();
    let missing = directory.path().join("missing.jsonl");
    let messages = [
        replayed("empty.jsonl", b""),
        replayed("blank.jsonl", b"\n\n"),
        replayed("notes.md", b"# Notes\n"),
        replayed("other.jsonl", b"{\"event\":1}\n"),
        replayed("types.jsonl", b"{\"type\":\"strange\"}\n"),
        replayed("binary", b"\x7fELF\0\0"),
        replayed("chat.json", b"[{\"role\":\"system\",\"content\":\"a\"}]"),
        replayed(
            "export.json",
            b"{\"info\":{\"id\":\"ses_1\"},\"messages\":[{\"parts\":[]}]}",
        ),
        replayed("name.jsonl", USER.replace("s1", "a\\u0007").as_bytes()),
        replayed("hud.db", b"SQLite format 3\0 and so on"),
        replayed("cut.traj", b"{\"history\": [{\"role\": \"user\""),
        replayed("info.traj", b"{\"info\": {}}"),
        refused(&["replay", inside.to_str().unwrap()], directory.path()),
        refused(&["replay", missing.to_str().unwrap()], directory.path()),
    ];
    insta::assert_snapshot!(messages.concat());
}

#[test]
fn a_database_that_is_no_log_is_refused_and_left_alone() {
    let (directory, text) = file(
        "notes.txt",
        "no database, but long enough to be taken for one",
    );
    let missing = directory.path().join("missing.db");
    let messages = [
        refused(
            &["render", "--db", text.to_str().unwrap()],
            directory.path(),
        ),
        refused(
            &["log", "--db", missing.to_str().unwrap()],
            directory.path(),
        ),
        refused(
            &["replay", &example(), "--db", text.to_str().unwrap()],
            directory.path(),
        ),
    ];
    insta::assert_snapshot!(messages.concat());
    assert!(!missing.exists(), "reading makes no file");
    assert!(
        fs::read_to_string(&text)
            .unwrap()
            .starts_with("no database")
    );
}

/// A log whose header says that another program, or a newer version of this one, made it.
fn changed_log(directory: &Path, offset: usize, value: u32) -> PathBuf {
    let path = directory.join("hud.db");
    shown(&["replay", &example(), "--db", path.to_str().unwrap()]);
    let mut bytes = fs::read(&path).unwrap();
    bytes[offset..offset + 4].copy_from_slice(&value.to_be_bytes());
    fs::write(&path, &bytes).unwrap();
    path
}

#[test]
fn a_database_of_another_application_or_a_newer_version_is_refused_and_left_alone() {
    // Where SQLite's header keeps `user_version` and `application_id`.
    for (offset, value, reason) in [
        (60, 99, "has schema 99"),
        (68, 0x1234, "is not a log of agent-hud"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let path = changed_log(directory.path(), offset, value);
        let before = fs::read(&path).unwrap();
        let args = ["replay", &example(), "--db", path.to_str().unwrap()];
        let message = refused(&args, directory.path());
        assert!(message.contains(reason), "{message}");
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[test]
fn a_turn_or_a_session_that_is_not_there_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let db = directory.path().join("hud.db");
    let db = db.to_str().unwrap();
    shown(&["replay", &example(), "--db", db, "--session", "mine"]);
    let messages = [
        refused(&["render", "--db", db, "--turn", "99"], directory.path()),
        refused(&["render", "--db", db, "--turn", "0"], directory.path()),
        refused(
            &["render", "--db", db, "--session", "yours"],
            directory.path(),
        ),
    ];
    insta::assert_snapshot!(messages.concat());
}
