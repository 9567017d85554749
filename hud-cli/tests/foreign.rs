//! Memory that other programs kept is taken over.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fs;
use std::path::Path;

use crate::common::{hud, shown};

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A folder as opencode-working-memory keeps it, and a log beside it.
fn folder() -> (tempfile::TempDir, String, String) {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join(".opencode");
    write(
        &root,
        "memory-core/ses_1.json",
        r#"{ "sessionID": "ses_1", "updatedAt": "2026-02-01T10:00:00Z", "blocks": {
            "goal": { "content": "Rate limits per tenant", "chars": 22, "maxChars": 1000 },
            "progress": { "content": "- [x] parser\n- [ ] key", "chars": 22, "maxChars": 2000 },
            "context": { "content": "", "chars": 0, "maxChars": 1500 } } }"#,
    );
    write(
        &root,
        "memory-working/ses_1.json",
        r##"{ "sessionID": "ses_1", "eventCounter": 7, "slots": {
            "error": [{ "content": "TypeError at line 42", "source": "auto" }],
            "decision": [{ "content": "Token bucket" }],
            "todo": [{ "content": "Write the middleware" }],
            "dependency": [{ "content": "redis" }] },
            "pool": [{ "type": "file-path", "content": "src/a.rs", "mentionCount": 2 },
                     { "type": "other", "content": "# Port 6379\n- is taken" }] }"##,
    );
    write(
        &root,
        "memory-working/ses_1_pressure.json",
        r#"{ "sessionID": "ses_1", "level": "high", "percentage": 91 }"#,
    );
    write(
        &root,
        "memory-working/ses_0.json",
        r#"{ "sessionID": "ses_0", "items": [{ "type": "decision", "content": "Old one" }, { "content": "kept" }] }"#,
    );
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let db = path(&directory.path().join("hud.db"));
    (directory, path(&root), db)
}

#[test]
fn memory_of_opencode_working_memory_is_taken_over_once() {
    let (_directory, root, db) = folder();
    let output = hud(&["import", &root, "--db", &db]);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("which is counted anew"), "{said}");
    let first = shown(&["render", "--db", &db, "--session", "ses_1"]);
    insta::assert_snapshot!(first);
    let old = shown(&["render", "--db", &db, "--session", "ses_0"]);
    assert!(old.contains("- Old one") && old.contains("- kept"), "{old}");
    let again = hud(&["import", &root, "--db", &db]);
    let said = String::from_utf8(again.stderr).unwrap();
    assert!(
        !said.contains("1 event") && !said.contains("2 events"),
        "{said}"
    );
    assert_eq!(shown(&["render", "--db", &db, "--session", "ses_1"]), first);
}

#[test]
fn the_hud_of_open_memory_is_taken_over() {
    let directory = tempfile::tempdir().unwrap();
    write(
        directory.path(),
        "s.json",
        r##"{ "sessionId": "ses_abc", "projectPath": "/p", "lastUpdated": 1, "currentTask": "Auth middleware",
            "keyDecisions": ["RS256, not HS256"], "activeFiles": ["src/auth.ts"], "notes": ["TTL: 7 days"],
            "blockers": ["No staging"], "nextSteps": ["JWT validation"],
            "compactedContext": "# Login works\nend to end" }"##,
    );
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let db = path("hud.db");
    assert!(
        hud(&["import", &path("s.json"), "--db", &db])
            .status
            .success()
    );
    insta::assert_snapshot!(shown(&["render", "--db", &db, "--session", "ses_abc"]));
}

#[test]
fn hostile_files_are_named_and_the_others_are_taken_over() {
    let (directory, root, db) = folder();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (name, text) in [
        ("memory-core/bad1.json", "{ \"blocks\": 7 }"),
        (
            "memory-core/bad2.json",
            "{ \"blocks\": { \"goal\": { \"content\": [] } } }",
        ),
        ("memory-core/bad3.json", "not json"),
        ("memory-core/bad4.json", &deep),
        (
            "memory-core/bad5.json",
            "{ \"sessionID\": \"\\u0000\", \"blocks\": {} }",
        ),
        ("memory-core/bad6.json", "{ \"hello\": 1 }"),
        ("memory-core/bad7.json", ""),
    ] {
        write(Path::new(&root), name, text);
    }
    fs::write(Path::new(&root).join("memory-core/bad8.json"), [0xff, 0xfe]).unwrap();
    let output = hud(&["import", &root, "--db", &db]);
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    for n in 1..=8 {
        assert!(said.contains(&format!("bad{n}.json")), "bad{n}: {said}");
    }
    assert!(
        said.contains("`blocks` is a number, and has to be an object"),
        "{said}"
    );
    assert!(said.contains("8 of 12 files not taken over"), "{said}");
    let hud = shown(&["render", "--db", &db, "--session", "ses_1"]);
    assert!(hud.contains("Token bucket"), "{hud}");
    drop(directory);
}

#[test]
fn what_a_session_has_already_is_not_replaced_and_that_is_said() {
    let (directory, root, db) = folder();
    assert!(hud(&["import", &root, "--db", &db]).status.success());
    let other = directory.path().join("other.json");
    fs::write(
        &other,
        r#"{ "blocks": { "goal": { "content": "Something else" } } }"#,
    )
    .unwrap();
    let other = other.to_str().unwrap();
    let output = hud(&["import", other, "--session", "ses_1", "--db", &db]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the session has one of its own"), "{said}");
    let shown = shown(&["render", "--db", &db, "--session", "ses_1"]);
    assert!(shown.contains("Rate limits per tenant"), "{shown}");
}
