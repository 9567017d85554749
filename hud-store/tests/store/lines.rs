//! Events as lines of JSON, out of a log and into one.

use hud_store::event::NewEvent;
use hud_store::jsonl::{ImportError, export};
use hud_store::log::{Expected, Log, LogError};
use hud_store::sqlite::SqliteLog;
use proptest::prelude::*;

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
            good.clone()
                + &good
                    .lines()
                    .next()
                    .unwrap()
                    .replace("\"kind\":\"note.add\",", ""),
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
    for (reported, text) in cases {
        let mut log = SqliteLog::open_in_memory().unwrap();
        log.append(&session("a"), Expected::Any, &[note(50)])
            .unwrap();
        let before = contents(&log);
        let error = log.import_lines(&mut text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(reported), "{reported}: {error}");
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
    let endless = vec![b'['; 40 * 1024 * 1024];
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

/// A line with a payload as it is given.
fn line(n: u64, kind: &str, payload: &str) -> String {
    format!(
        r#"{{"session":"s","id":"{}","turn":1,"at":"2026-11-20T12:00:00Z","actor":"agent","kind":"{kind}","v":1,"payload":{payload}}}"#,
        note(n).id
    ) + "\n"
}

/// The payloads of lines, as they are there.
fn payloads(lines: &str) -> Vec<String> {
    let parsed = lines.lines().map(|line| {
        let line: hud_store::jsonl::Line = serde_json::from_str(line).unwrap();
        line.payload.get().to_owned()
    });
    parsed.collect()
}

#[test]
fn what_this_program_does_not_know_goes_through_unchanged() {
    let given = [
        (
            "note.add",
            r#"{"id":"n1","content":"x","colour":"red","n":18446744073709551616}"#,
        ),
        ("todo.sync", r#"{"n":18446744073709551616,"big":1e400}"#),
        ("todo.sync", r#"{ "a" : 1.0, "a": 2, "\u0041": "\/" }"#),
    ];
    let lines_in: String = (1..)
        .zip(given)
        .map(|(n, (kind, payload))| line(n, kind, payload))
        .collect();
    let mut log = SqliteLog::open_in_memory().unwrap();
    log.import_lines(&mut lines_in.as_bytes()).unwrap();
    let out = lines(&log);
    assert_eq!(payloads(&out), given.map(|(_, payload)| payload.to_owned()));
    let state = hud_store::log::state_of(&log, &session("s")).unwrap();
    assert_eq!(state.notes[0].content, "x", "what is known of it is folded");

    let mut copy = SqliteLog::open_in_memory().unwrap();
    copy.import_lines(&mut out.as_bytes()).unwrap();
    assert_eq!(lines(&copy), out);
    let spaced = out.replace(
        ":{\"id\":\"n1\",\"content\"",
        ": { \"id\": \"n1\", \"content\"",
    );
    assert_ne!(spaced, out);
    let again = copy.import_lines(&mut spaced.as_bytes()).unwrap();
    assert_eq!(again.duplicates, 3, "white space is no other content");
    let other = out.replace("18446744073709551616", "18446744073709551617");
    let error = copy.import_lines(&mut other.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("other content"), "{error}");
}

#[test]
fn what_a_line_says_beside_its_event_is_not_left_out_in_silence() {
    let more = line(1, "note.add", r#"{"id":"n1","content":"x"}"#).replacen(
        "\"turn\"",
        "\"tags\":[1],\"turn\"",
        1,
    );
    let mut log = SqliteLog::open_in_memory().unwrap();
    let error = log.import_lines(&mut more.as_bytes()).unwrap_err();
    assert!(
        error.to_string().contains("unknown field `tags`"),
        "{error}"
    );
}

#[test]
fn a_payload_that_could_not_be_read_again_is_refused() {
    let deep = format!("{}{}", "[".repeat(128), "]".repeat(128));
    for (kind, payload, reported) in [
        ("todo.sync", deep.clone(), "nested 128 deep"),
        (
            "note.add",
            format!(r#"{{"id":"n1","content":"x","more":{deep}}}"#),
            "nested 129 deep",
        ),
        (
            "note.add",
            r#"{"id":"n1"}"#.to_owned(),
            "missing field `content`",
        ),
    ] {
        let mut log = SqliteLog::open_in_memory().unwrap();
        let error = log
            .import_lines(&mut line(1, kind, &payload).as_bytes())
            .unwrap_err();
        assert!(error.to_string().contains(reported), "{error}");
        assert_eq!(contents(&log), []);
    }
}

/// Any JSON, as a text that a program may have written: with white space, numbers of any size, names
/// more than once, and characters escaped or not.
fn any_json() -> impl Strategy<Value = String> {
    let space = || "[ \t]{0,2}";
    let number = "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?";
    let string = "\"([ a-zé☂]|\\\\u00[0-7][0-9a-f]|\\\\[\"\\\\/bfnrt]){0,8}\"";
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        number,
        string
    ];
    leaf.prop_recursive(4, 32, 4, move |inner| {
        let items = prop::collection::vec((space(), inner.clone(), space()), 0..4);
        let fields = prop::collection::vec((string, space(), inner, space()), 0..4);
        prop_oneof![
            items.prop_map(|items| {
                let items: Vec<_> = items.iter().map(|(a, b, c)| format!("{a}{b}{c}")).collect();
                format!("[{}]", items.join(","))
            }),
            fields.prop_map(|fields| {
                let fields: Vec<_> = fields
                    .iter()
                    .map(|(name, a, value, b)| format!("{a}{name}:{value}{b}"))
                    .collect();
                format!("{{{}}}", fields.join(","))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn payloads_come_out_as_they_went_in(payloads_in in prop::collection::vec(any_json(), 1..8)) {
        let mut given = Vec::new();
        for (n, payload) in payloads_in.iter().enumerate() {
            given.push(("todo.sync", payload.clone()));
            given.push(("note.add", format!(r#"{{"more":{payload},"id":"n{n}","content":"x"}}"#)));
        }
        let lines_in: String = (1..)
            .zip(&given)
            .map(|(n, (kind, payload))| line(n, kind, payload))
            .collect();
        let mut log = SqliteLog::open_in_memory().unwrap();
        log.import_lines(&mut lines_in.as_bytes()).unwrap();
        let last = u64::try_from(given.len()).unwrap();
        log.archive(&session("s"), last / 2, &mut |_| ()).unwrap();
        let out = lines(&log);
        let expected: Vec<_> = given.into_iter().map(|(_, payload)| payload).collect();
        prop_assert_eq!(payloads(&out), expected);
        let mut copy = SqliteLog::open_in_memory().unwrap();
        copy.import_lines(&mut out.as_bytes()).unwrap();
        prop_assert_eq!(lines(&copy), out);
    }
}
