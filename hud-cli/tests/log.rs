//! Looking after a log, by its commands.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::common::{example, hud, refused, shown};
use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
use hud_store::log::{Expected, Log as _};
use hud_store::sqlite::SqliteLog;
use tempfile::TempDir;

/// The session of the example.
const SESSION: &str = "3f3af1ec-ebbd-4410-ab41-7ec0d27bbfcb";

/// A directory with a log in it, and the log's path.
fn log() -> (TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("hud.db").to_str().unwrap().to_owned();
    shown(&["replay", &example(), "--db", &path]);
    (directory, path)
}

fn said(output: &std::process::Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_long_session_that_was_imported_is_not_folded_by_the_first_who_looks_at_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    let notes = |count| {
        (0..count)
            .map(|_| NewEvent::now(1, Actor::User, noted()))
            .collect::<Vec<_>>()
    };
    let [long, short] = ["long", "short"].map(|name| SessionId::new(name).unwrap());
    log.append(&long, Expected::NoStream, &notes(1200)).unwrap();
    log.append(&short, Expected::NoStream, &notes(3)).unwrap();
    drop(log);
    let lines = directory.path().join("log.jsonl");
    fs::write(&lines, shown(&["export", "--db", path.to_str().unwrap()])).unwrap();
    let copy = directory.path().join("copy.db");
    let arguments = [
        "import",
        lines.to_str().unwrap(),
        "--db",
        copy.to_str().unwrap(),
    ];
    assert!(hud(&arguments).status.success());
    let copy = rusqlite::Connection::open(&copy).unwrap();
    // Whatever sections the program has.
    let kept = "SELECT group_concat(stream || ' ' || ver) FROM snapshot";
    let kept: String = copy.query_row(kept, [], |row| row.get(0)).unwrap();
    assert_eq!(kept, "long 1200");
}

fn noted() -> NoteAdd {
    NoteAdd {
        id: "n1".into(),
        content: "tests need redis".into(),
    }
}

#[test]
fn sessions_are_listed_with_their_tasks_and_where_they_come_from() {
    let (_directory, db) = log();
    // Beginning again changes nothing.
    for _ in 0..2 {
        shown(&[
            "begin",
            "--db",
            &db,
            "--session",
            "two",
            "--resumes",
            SESSION,
        ]);
    }
    let listed = shown(&["sessions", "--db", &db]);
    assert!(
        listed.contains("336 events, 2026-09-14 08:02:11 to 2026-09-14 09:11:49"),
        "{listed}"
    );
    assert!(listed.contains(&format!("resumes {SESSION}")), "{listed}");
    assert_eq!(
        listed.matches("I want per-tenant rate limiting").count(),
        2,
        "{listed}"
    );
    let json = shown(&["sessions", "--db", &db, "--json"]);
    assert_eq!(json.lines().count(), 2);
    let hud = shown(&["render", "--db", &db, "--session", "two"]);
    assert!(
        hud.starts_with("# Task\n\n") && hud.contains("I want per-tenant rate limiting"),
        "{hud}"
    );
}

#[test]
fn the_hud_is_shown_as_it_was_and_what_changed_since() {
    let (_directory, db) = log();
    let at = shown(&["at", "--db", &db, "turn:19"]);
    assert_eq!(at, shown(&["render", "--db", &db, "--turn", "20"]));
    insta::assert_snapshot!(shown(&[
        "diff", "--db", &db, "turn:10", "turn:14", "--events"
    ]));
    assert_eq!(shown(&["diff", "--db", &db, "version:336"]), "");
}

#[test]
fn a_moment_that_has_not_come_is_refused_and_so_are_two_in_the_wrong_order() {
    let (directory, db) = log();
    let refused = |args: &[&str]| {
        refused(
            &[&[args[0], "--db", &db], &args[1..]].concat(),
            directory.path(),
        )
    };
    insta::assert_snapshot!(refused(&["at", "turn:9999"]), @"error: session 3f3af1ec-ebbd-4410-ab41-7ec0d27bbfcb has no turn 9999: ask for one from 0 to 59, which is its last");
    insta::assert_snapshot!(refused(&["at", "version:337"]), @"error: session 3f3af1ec-ebbd-4410-ab41-7ec0d27bbfcb has no version 337: ask for one from 0 to 336, which is its last");
    insta::assert_snapshot!(refused(&["diff", "turn:10", "turn:9999"]), @"error: session 3f3af1ec-ebbd-4410-ab41-7ec0d27bbfcb has no turn 9999: ask for one from 0 to 59, which is its last");
    insta::assert_snapshot!(refused(&["diff", "turn:60"]), @"error: session 3f3af1ec-ebbd-4410-ab41-7ec0d27bbfcb has no turn 60: ask for one from 0 to 59, which is its last");
    insta::assert_snapshot!(refused(&["diff", "turn:14", "turn:10"]), @"error: turn 14 is behind turn 10: give the earlier moment first");
    let nothing = hud(&["diff", "--db", &db, "turn:10", "turn:10"]);
    assert!(
        said(&nothing).contains("nothing happened"),
        "{}",
        said(&nothing)
    );
}

#[test]
fn what_was_said_is_found() {
    let (_directory, db) = log();
    insta::assert_snapshot!(shown(&["search", "--db", &db, "token", "bucket"]));
    let notes = shown(&["search", "--db", &db, "--kind", "note", "--json", "idle"]);
    assert!(
        notes.lines().all(|line| line.contains("\"kind\":\"note.")),
        "{notes}"
    );
    let nothing = hud(&["search", "--db", &db, "\"AND ( nothing*"]);
    assert!(nothing.status.success());
    assert!(said(&nothing).contains("nothing that was recorded"));
}

#[test]
fn events_are_listed_by_what_they_are_about() {
    let (_directory, db) = log();
    let decisions = shown(&["log", "--db", &db, "--section", "decisions", "--item", "d2"]);
    let kinds: Vec<_> = decisions
        .lines()
        .filter_map(|line| line.split_whitespace().nth(6))
        .collect();
    assert_eq!(kinds, ["decision.record", "decision.remove"]);
    let call = "toolu_01Z6jRhmVhTNLpp8awcHYZkM";
    let caused = shown(&["log", "--db", &db, "--cause", call]);
    assert_eq!(caused.lines().count(), 1, "{caused}");
    assert!(
        caused.contains("turn 13") && caused.contains("derived  file.edit"),
        "{caused}"
    );
    let all = shown(&["log", "--db", &db, "--all"]);
    assert_eq!(all.lines().count(), 336);
    assert!(
        !hud(&["log", "--db", &db, "--section", "steps"])
            .status
            .success()
    );
}

#[test]
fn a_log_goes_out_as_lines_and_comes_back() {
    let (directory, db) = log();
    let lines = shown(&["export", "--db", &db]);
    let file = directory.path().join("events.jsonl");
    fs::write(&file, &lines).unwrap();
    let other = directory
        .path()
        .join("other.db")
        .to_str()
        .unwrap()
        .to_owned();
    for reported in [
        "336 events added, 0 there already",
        "0 events added, 336 there already",
    ] {
        let output = hud(&["import", "--db", &other, file.to_str().unwrap()]);
        assert!(said(&output).contains(reported), "{}", said(&output));
    }
    assert_eq!(shown(&["export", "--db", &other]), lines);

    let bad = directory.path().join("bad.jsonl");
    fs::write(&bad, lines.clone() + "{}\n").unwrap();
    let new = directory.path().join("new.db");
    let error = refused(
        &[
            "import",
            "--db",
            new.to_str().unwrap(),
            bad.to_str().unwrap(),
        ],
        directory.path(),
    );
    assert!(
        error.contains("bad.jsonl: line 337 is no event (missing field `session`"),
        "{error}"
    );
    assert!(!new.exists(), "a log was made for nothing");
}

#[test]
fn a_log_is_backed_up_and_checked() {
    let (directory, db) = log();
    let copy = directory
        .path()
        .join("copy.db")
        .to_str()
        .unwrap()
        .to_owned();
    shown(&["backup", "--db", &db, &copy]);
    let report = shown(&["doctor", "--db", &copy]);
    assert!(
        report.contains("336 events in 1 session, 0 of them archived"),
        "{report}"
    );
    assert!(report.contains("sound: "), "{report}");
    let error = refused(&["backup", "--db", &db, &copy], directory.path());
    assert_eq!(
        error,
        "error: copy.db is there already: give a path where nothing is\n"
    );

    let mut bytes = fs::read(&copy).unwrap();
    let at = bytes
        .windows(9)
        .position(|window| window == b"rejected\"")
        .unwrap();
    bytes[at] = b'R';
    fs::write(&copy, bytes).unwrap();
    let damaged = hud(&["doctor", "--db", &copy]);
    assert_eq!(damaged.status.code(), Some(1));
    let report = String::from_utf8(damaged.stdout).unwrap();
    assert!(report.contains("it doesn't match its checksum"), "{report}");
    assert!(report.contains("save what is sound"), "{report}");
}

#[cfg(unix)]
#[test]
fn others_can_not_read_a_log_or_what_comes_out_of_it() {
    use std::os::unix::fs::PermissionsExt;

    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let (directory, db) = log();
    let db_path = std::path::Path::new(&db);
    assert_eq!(mode(db_path), 0o600);
    fs::set_permissions(&db, fs::Permissions::from_mode(0o644)).unwrap();
    let reported = said(&hud(&["doctor", "--db", &db]));
    assert!(reported.contains("only its owner can now"), "{reported}");
    assert_eq!(mode(db_path), 0o600);
    assert_eq!(said(&hud(&["doctor", "--db", &db])), "", "it is said once");

    // As a shell makes it for `hud export > events.jsonl`.
    let lines = directory.path().join("events.jsonl");
    let file = fs::File::create(&lines).unwrap();
    fs::set_permissions(&lines, fs::Permissions::from_mode(0o644)).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["export", "--db", &db])
        .stdout(file)
        .status();
    assert!(status.unwrap().success());
    assert_eq!(mode(&lines), 0o600);
}

#[test]
fn the_doctor_finds_a_guard_missing_and_makes_it_anew() {
    let (directory, db) = log();
    rusqlite::Connection::open(&db)
        .unwrap()
        .execute_batch("DROP TRIGGER event_is_never_updated")
        .unwrap();
    let report = hud(&["doctor", "--db", &db]);
    assert_eq!(report.status.code(), Some(1));
    let report = String::from_utf8(report.stdout).unwrap();
    assert!(
        report.contains("`event_is_never_updated` is missing"),
        "{report}"
    );
    let error = refused(&["redact", "--db", &db, "42", "--yes"], directory.path());
    assert!(
        error.contains("`doctor --rebuild` puts that right"),
        "{error}"
    );
    shown(&["doctor", "--db", &db, "--rebuild"]);
    shown(&["redact", "--db", &db, "42", "--yes"]);
}

#[test]
fn what_is_derived_is_made_anew_by_the_doctor() {
    let (_directory, db) = log();
    shown(&["search", "--db", &db, "bucket"]);
    shown(&["doctor", "--db", &db, "--rebuild"]);
    let json = shown(&["doctor", "--db", &db, "--json"]);
    assert!(json.contains("\"problems\":[]"), "{json}");
}

#[test]
fn redaction_is_asked_for_twice_and_reported() {
    let (directory, db) = log();
    let unasked = hud(&["redact", "--db", &db, "79"]);
    assert_eq!(unasked.status.code(), Some(1));
    assert!(said(&unasked).contains("say --yes"), "{}", said(&unasked));
    assert!(shown(&["log", "--db", &db]).contains("The edge strips"));

    let done = hud(&["redact", "--db", &db, "79", "--reason", "not ours", "--yes"]);
    assert!(
        said(&done).contains("some of its words are in event"),
        "{}",
        said(&done)
    );
    let listed = shown(&["log", "--db", &db, "--all", "--kind", "event"]);
    assert!(
        listed.contains("kind=decision.record reason=not ours version=79"),
        "{listed}"
    );
    shown(&["doctor", "--db", &db]);
    let error = refused(&["redact", "--db", &db, "4200", "--yes"], directory.path());
    assert!(error.contains("hud.db has no event 4200"), "{error}");
}

#[test]
fn an_archive_says_the_same() {
    let (_directory, db) = log();
    let before = shown(&["export", "--db", &db]);
    let done = hud(&["archive", "--db", &db, "--vacuum"]);
    assert!(said(&done).contains("275 events packed"), "{}", said(&done));
    assert_eq!(shown(&["export", "--db", &db]), before);
    shown(&["doctor", "--db", &db]);
}

#[test]
fn events_of_other_processes_are_followed() {
    let (directory, db) = log();
    let mut follower = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["log", "--db", &db, "--all", "--follow", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    for _ in shown(&["export", "--db", &db]).lines() {
        lines.next().unwrap().unwrap();
    }
    let mut import = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["import", "--db", &db])
        .stdin(Stdio::piped())
        .current_dir(directory.path())
        .spawn()
        .unwrap();
    let event = r#"{"session":"s","id":"00000000-0000-0000-0000-000000000001","turn":1,"at":"2026-11-20T12:00:00Z","actor":"agent","kind":"note.add","v":1,"payload":{"id":"n1","content":"hello"}}"#;
    import
        .stdin
        .take()
        .unwrap()
        .write_all(event.as_bytes())
        .unwrap();
    assert!(import.wait().unwrap().success());
    let line = lines.next().unwrap().unwrap();
    follower.kill().unwrap();
    follower.wait().unwrap();
    assert!(line.contains("\"content\":\"hello\""), "{line}");
    assert!(
        line.starts_with("{\"seq\":337,\"session\":\"s\",\"version\":1"),
        "{line}"
    );
}

#[test]
fn a_log_that_is_not_there_is_never_made_by_looking() {
    let directory = tempfile::tempdir().unwrap();
    let db = directory.path().join("no.db").to_str().unwrap().to_owned();
    for command in [
        &["sessions"][..],
        &["log"],
        &["at", "turn:1"],
        &["diff", "turn:1"],
        &["search", "x"],
        &["export"],
        &["backup", "x.db"],
        &["doctor"],
        &["doctor", "--rebuild"],
        &["redact", "1", "--yes"],
        &["archive"],
    ] {
        let error = refused(&[command, &["--db", &db]].concat(), directory.path());
        assert!(
            error.contains("there is no log at no.db"),
            "{command:?}: {error}"
        );
    }
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
}
