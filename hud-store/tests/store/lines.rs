//! Events as lines of JSON, out of a log and into one.

use hud_store::event::NewEvent;
use hud_store::jsonl::{ImportError, export};
use hud_store::log::{Expected, Log, LogError};
use hud_store::sqlite::SqliteLog;

use crate::given::{contents, note, session};

fn log() -> SqliteLog {
    let mut log = SqliteLog::open_in_memory().unwrap();
    for n in 1..=6 {
        let name = if n % 2 == 1 { "a" } else { "b" };
        log.append(&session(name), Expected::Any, &[note(n)])
            .unwrap();
    }
    log
}

fn lines(log: &SqliteLog) -> String {
    let mut out = Vec::new();
    export(log, None, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn an_export_can_be_imported_twice() {
    let first = log();
    let lines = lines(&first);
    let mut second = SqliteLog::open_in_memory().unwrap();
    for (added, duplicates) in [(6, 0), (0, 6)] {
        let done = second.import_lines(&mut lines.as_bytes()).unwrap();
        assert_eq!((done.added, done.duplicates), (added, duplicates));
        assert_eq!(contents(&second), contents(&first));
    }
}

#[test]
fn one_session_can_be_exported_alone_into_a_log_with_others() {
    let mut out = Vec::new();
    assert_eq!(export(&log(), Some(&session("b")), &mut out).unwrap(), 3);
    let mut other = SqliteLog::open_in_memory().unwrap();
    other
        .append(&session("b"), Expected::Any, &[note(90)])
        .unwrap();
    other.import_lines(&mut out.as_slice()).unwrap();
    let versions: Vec<_> = contents(&other).iter().map(|event| event.version).collect();
    assert_eq!(versions, [1, 2, 3, 4]);
}

#[test]
fn a_bad_line_is_named_and_nothing_is_imported() {
    let good = lines(&log());
    let cases: [(&str, String); 6] = [
        ("line 7", good.clone() + "{\"session\":"),
        (
            "missing field `kind`",
            good.clone() + &good.lines().next().unwrap().replace("\"kind\"", "\"k\""),
        ),
        ("note.add v1", good.replacen("\"content\"", "\"text\"", 1)),
        ("line 1", good.replacen("\"a\"", "\"\"", 1)),
        ("line 2", "\n\u{feff}x".to_owned()),
        (
            "other content",
            good.clone()
                + &good
                    .lines()
                    .next()
                    .unwrap()
                    .replace("\"turn\":1", "\"turn\":2"),
        ),
    ];
    for (told, text) in cases {
        let mut log = SqliteLog::open_in_memory().unwrap();
        log.append(&session("a"), Expected::Any, &[note(50)])
            .unwrap();
        let before = contents(&log);
        let error = log.import_lines(&mut text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(told), "{told}: {error}");
        assert!(error.to_string().contains("line "), "{error}");
        assert_eq!(contents(&log), before);
    }
}

#[test]
fn bytes_that_are_no_text_and_lines_without_end_are_refused() {
    let mut log = SqliteLog::open_in_memory().unwrap();
    let error = log
        .import_lines(&mut &b"{\"session\":\"\xff\"}\n"[..])
        .unwrap_err();
    assert!(
        matches!(error, ImportError::Line { line: 1, .. }),
        "{error}"
    );
    let endless = vec![b'['; 20 * 1024 * 1024];
    let error = log.import_lines(&mut endless.as_slice()).unwrap_err();
    assert!(error.to_string().contains("bytes or more"), "{error}");
}

#[test]
fn an_event_that_is_too_large_is_refused() {
    let mut large = note(1);
    large.event = hud_store::event::NoteAdd {
        id: "n".into(),
        content: "x".repeat(17 << 20),
    }
    .into();
    let mut log = SqliteLog::open_in_memory().unwrap();
    let error = log
        .append(&session("s"), Expected::Any, &[note(2), large])
        .unwrap_err();
    assert!(matches!(error, LogError::Invalid { .. }), "{error}");
    assert!(error.to_string().contains("16777216"), "{error}");
    assert_eq!(contents(&log), []);
}

#[test]
fn an_export_says_what_an_event_has() {
    let mut log = SqliteLog::open_in_memory().unwrap();
    let event = NewEvent {
        cause: Some(note(9).id),
        ..note(1)
    };
    log.append(&session("s"), Expected::Any, &[event]).unwrap();
    insta::assert_snapshot!(lines(&log), @r#"{"seq":1,"session":"s","version":1,"id":"00000000-0000-0000-0000-000000000001","turn":1,"at":"1970-01-01T00:00:01Z","actor":"agent","cause":"00000000-0000-0000-0000-000000000009","kind":"note.add","v":1,"payload":{"id":"n1","content":"note 1"}}"#);
}
