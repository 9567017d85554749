//! Rows that are not what was written: each is named, and what comes from it on is not folded.

use hud_store::event::{Content, OutputKeep};
use hud_store::log::{Expected, Log, LogError, state_of};
use hud_store::state::HudState;

use crate::given::{note, read, session};
use crate::nodes::{Nodes, open, shared};

/// What a statement of the owner does to a log of two sessions, `s` with the seqs 1, 3, 5 and `t` with 2, 4, 6.
fn damaged(nodes: &Nodes, sql: &str) -> Box<dyn Log> {
    let address = nodes.made();
    let mut log = open(&address);
    for n in 1..=6 {
        let name = if n % 2 == 1 { "s" } else { "t" };
        log.append(&session(name), Expected::Any, &[note(n)])
            .unwrap();
    }
    nodes.sql(&format!(
        "SET search_path = {}; ALTER TABLE event DISABLE TRIGGER ALL; {sql}",
        address.log()
    ));
    Box::new(log)
}

/// The seqs that can be read of the session `s`, and which one is named as damaged.
fn of_session(log: &dyn Log) -> (Vec<u64>, Option<u64>) {
    let (events, outcome) = read(|each| log.read(&session("s"), 1, each));
    (
        events.iter().map(|event| event.seq).collect(),
        named(outcome),
    )
}

/// The same of the whole log.
fn of_log(log: &dyn Log) -> (Vec<u64>, Option<u64>) {
    let (events, outcome) = read(|each| log.read_all(1, each));
    (
        events.iter().map(|event| event.seq).collect(),
        named(outcome),
    )
}

fn named(outcome: Result<(), LogError>) -> Option<u64> {
    match outcome {
        Ok(()) => None,
        Err(LogError::Corrupt { seq, .. }) => Some(seq),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_row_that_was_changed_in_any_column_is_named() {
    let Some(nodes) = shared() else { return };
    let log = damaged(&nodes, "");
    assert_eq!(of_session(&*log), (vec![1, 3, 5], None));
    assert_eq!(of_log(&*log), ((1..=6).collect(), None));
    for change in [
        "id = gen_random_uuid()",
        "turn = 9",
        "ts = ts + 1",
        "kind = 'note.remove'",
        "v = 2",
        "actor = 'user'",
        "cause = gen_random_uuid()",
        "payload = replace(payload, 'note', 'vote')",
        "sum = sha256(sum)",
    ] {
        let log = damaged(&nodes, &format!("UPDATE event SET {change} WHERE seq = 3"));
        assert_eq!(of_session(&*log), (vec![1], Some(3)), "{change}");
        assert_eq!(of_log(&*log), (vec![1, 2], Some(3)), "{change}");
        let folded = state_of(&*log, &session("s"));
        assert!(
            matches!(folded, Err(LogError::Corrupt { seq: 3, .. })),
            "{change}"
        );
    }
}

#[test]
fn a_row_that_was_removed_moved_or_put_in_is_noticed() {
    let Some(nodes) = shared() else { return };
    for (change, session, log) in [
        (
            "DELETE FROM event WHERE seq = 3",
            (vec![1], Some(5)),
            (vec![1, 2], Some(3)),
        ),
        (
            "DELETE FROM event WHERE seq >= 5",
            (vec![1, 3], Some(5)),
            (vec![1, 2, 3, 4], Some(6)),
        ),
        (
            "UPDATE event SET seq = 9 WHERE seq = 3; UPDATE event SET seq = 3 WHERE seq = 4; \
             UPDATE event SET seq = 4 WHERE seq = 9",
            (vec![1], Some(4)),
            (vec![1, 2], Some(3)),
        ),
        (
            "UPDATE event SET ver = 9 WHERE seq = 3; UPDATE event SET ver = 2 WHERE seq = 5; \
             UPDATE event SET ver = 3 WHERE seq = 3",
            (vec![1], Some(5)),
            (vec![1, 2], Some(3)),
        ),
        (
            "INSERT INTO event SELECT 7, gen_random_uuid(), stream, 4, turn, ts, kind, v, actor, cause, payload, \
             sent_by, sum FROM event WHERE seq = 5",
            (vec![1, 3, 5], Some(7)),
            ((1..=6).collect(), Some(7)),
        ),
        (
            "DELETE FROM session WHERE stream = 's'",
            (vec![1, 3, 5], Some(0)),
            ((1..=6).collect(), None),
        ),
        (
            "UPDATE head SET seq = 5",
            (vec![1, 3, 5], None),
            ((1..=6).collect(), Some(5)),
        ),
    ] {
        let found = damaged(&nodes, change);
        assert_eq!(of_session(&*found), session, "{change}");
        assert_eq!(of_log(&*found), log, "{change}");
    }
}

#[test]
fn a_snapshot_is_what_was_saved_or_not_used() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let mut log = open(&address);
    let s = session("s");
    let events: Vec<_> = (1..=1200).map(note).collect();
    log.append(&s, Expected::Any, &events).unwrap();
    let state = state_of(&log, &s).unwrap();
    assert_eq!(log.snapshot(&s).map(|state| state.version), Some(1200));
    assert_eq!(log.snapshot(&s), Some(state));
    log.save_snapshot(
        &s,
        &HudState {
            version: 7,
            ..HudState::default()
        },
    );
    assert_eq!(
        log.snapshot(&s).map(|state| state.version),
        Some(1200),
        "an older one took its place"
    );
    nodes.sql(&format!(
        "UPDATE {}.snapshot SET state = replace(state, 'note 1200', 'vote 1200')",
        address.log()
    ));
    assert_eq!(log.snapshot(&s), None);
}

#[test]
fn a_text_with_nul_is_kept_by_its_hash_and_another_in_its_place_is_none() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let mut log = open(&address);
    let content = Content::from("\0 binary \u{1f980}");
    let mut event = note(1);
    event.event = OutputKeep {
        call: None,
        tool: "Read".to_owned(),
        target: None,
        content: content.clone(),
        outline: None,
    }
    .into();
    log.append(&session("s"), Expected::Any, &[event]).unwrap();
    let kept = |log: &dyn Log| log.content(&content.hash).unwrap();
    assert_eq!(kept(&log).as_deref(), content.text());
    let mut lines = Vec::new();
    log.lines(None, &mut |line| {
        lines.push(line.content);
        std::ops::ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(lines, [content.text().map(str::to_owned)]);
    nodes.sql(&format!(
        "UPDATE {}.content SET body = 'another'",
        address.log()
    ));
    assert_eq!(kept(&log), None);
}
