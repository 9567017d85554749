//! What the model says of the example session, and of hostile ones.

#![allow(clippy::unwrap_used, reason = "a test that can't be set up fails")]

use std::path::Path;

use hud_agent::frame::{Frame, frame};
use hud_agent::placement::Placement;
use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_clients::transcript::Transcript;
use hud_core::Density;
use hud_inspect::model::{Compared, EventQuery, History, Shown, Sign, View};
use hud_store::event::{
    Actor, DecisionRecord, ErrorEncountered, HudEvent, NewEvent, NoteAdd, NoteRemove, SessionId,
    TaskSet,
};
use hud_store::log::{Expected, Log, state_while};
use hud_store::memory::MemoryLog;

/// The example session in a log.
fn example() -> (MemoryLog, SessionId) {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl");
    let session = SessionId::new("rate-limiter").unwrap();
    let (mut log, mut replay) = (MemoryLog::new(), Replay::new(session.clone()));
    Transcript::open(&file)
        .unwrap()
        .read(&mut |entry| {
            log.append(&session, Expected::Any, &replay.observe(entry))?;
            Ok::<(), Box<dyn std::error::Error>>(())
        })
        .unwrap();
    (log, session)
}

fn log_of(events: impl IntoIterator<Item = (u64, HudEvent)>) -> (MemoryLog, SessionId) {
    let (mut log, session) = (MemoryLog::new(), SessionId::new("s").unwrap());
    for (turn, event) in events {
        let event = NewEvent::now(turn, Actor::Agent, event);
        log.append(&session, Expected::Any, &[event]).unwrap();
    }
    (log, session)
}

fn read(log: &MemoryLog, session: &SessionId, step: usize) -> History {
    let mut history = History::new(session.clone(), &Setup::default());
    while !history.read(log, step).unwrap() {}
    history
}

fn note(id: &str, content: &str) -> HudEvent {
    let (id, content) = (id.into(), content.into());
    NoteAdd { id, content }.into()
}

#[test]
fn the_example_session_in_turn_50() {
    let (log, session) = example();
    let (history, setup) = (read(&log, &session, 100), Setup::default());
    let state = history.state_in(&log, 50).unwrap();
    let shown = Shown::of(&state, &View::default(), &setup, &history).unwrap();
    let lines = shown.lines.iter().map(|line| {
        let of = |name: &Option<String>| name.clone().unwrap_or_default();
        let calls: Vec<&str> = line
            .calls
            .iter()
            .map(|call| &*shown.calls[*call].name)
            .collect();
        let event = line
            .event
            .map_or_else(String::new, |event| format!("event {event}"));
        format!(
            "{:<60}| {} | {} {} {event}",
            line.text.chars().take(60).collect::<String>(),
            calls.join(" "),
            of(&line.section),
            of(&line.item)
        )
        .trim_end()
        .to_owned()
    });
    let lines: Vec<String> = lines.collect();
    insta::assert_snapshot!("turn_50_lines", lines.join("\n"));
    insta::assert_json_snapshot!("turn_50_sections", (&shown.sections, &shown.absent));
    insta::assert_json_snapshot!("turns", (&history.turns()[48..50], history.columns(4)));
}

#[test]
fn each_line_of_each_turn_has_those_who_gave_it_and_no_byte_is_another_one() {
    let (log, session) = example();
    let (history, setup) = (read(&log, &session, usize::MAX), Setup::default());
    let mut count = 0;
    for turn in (1..=history.next_turn()).step_by(6) {
        let state = history.state_in(&log, turn).unwrap();
        let mut check = |view: &View, texts: &[&str]| {
            let shown = Shown::of(&state, view, &setup, &history).unwrap();
            let own = shown.layers.iter().map(|layer| layer.markdown.as_str());
            let given = texts.iter().copied().filter(|text| !text.is_empty());
            assert!(own.eq(given), "turn {turn}, {view:?}");
            for line in shown.lines.iter().filter(|line| !line.text.is_empty()) {
                assert!(
                    !line.calls.is_empty(),
                    "turn {turn}, {view:?}: {}",
                    line.text
                );
                count += 1;
            }
        };
        for placement in Placement::ALL {
            let frame = frame(&state, None, placement, &setup).unwrap();
            let placement = Some(placement);
            let view = View {
                placement,
                ..View::default()
            };
            check(&view, &[&frame.system, &frame.message]);
        }
        for density in Density::ALL {
            let (density, budget) = (Some(density), Some(300));
            let (frame, _) = Frame::fitted(&state, density, u64::MAX, &setup).unwrap();
            check(
                &View {
                    density,
                    ..View::default()
                },
                &[&frame.system],
            );
            let (frame, _) = Frame::fitted(&state, density, 300, &setup).unwrap();
            let view = View {
                density,
                budget,
                ..View::default()
            };
            check(&view, &[&frame.system]);
        }
    }
    assert!(count > 1_500, "{count}");
}

#[test]
fn the_state_of_each_turn_is_what_had_happened_before_it() {
    let (log, session) = example();
    for step in [1, 7, usize::MAX] {
        let history = read(&log, &session, step);
        for turn in 1..=history.next_turn() {
            let expected = state_while(&log, &session, |event| event.turn < turn).unwrap();
            assert_eq!(
                history.state_in(&log, turn).unwrap(),
                expected,
                "turn {turn}"
            );
        }
        let error = |turn| history.state_in(&log, turn).unwrap_err().to_string();
        let next = history.next_turn();
        let message = format!("ask for one from 1 to {next}, which is the next");
        assert!(error(0).ends_with(&message) && error(next + 1).ends_with(&message));
    }
}

#[test]
fn a_long_session_keeps_few_states_and_finds_each() {
    let events =
        (1..=20_000_u64).map(|n| (n / 3 + 1, note(&format!("n{}", n % 30), &n.to_string())));
    let (log, session) = log_of(events);
    let history = read(&log, &session, 1_000);
    for version in [0, 1, 255, 256, 257, 9_999, 19_968, 19_999, 20_000, u64::MAX] {
        let state = history.state_at(&log, version).unwrap();
        let expected = state_while(&log, &session, |event| event.version <= version).unwrap();
        assert_eq!(state, expected, "version {version}");
    }
    let columns = history.columns(100);
    assert!(columns.len() <= 100 && columns[0].turn == 1);
    assert_eq!(columns.last().map(|column| column.last), Some(6_667));
    assert!(columns.windows(2).all(|pair| pair[0].last < pair[1].turn));
}

/// The highest number that a log takes.
const MOST: u64 = i64::MAX as u64;

#[test]
fn turns_with_odd_numbers_are_found_all_the_same() {
    let odd = [(0, "a"), (5, "b"), (3, "c"), (MOST, "d")];
    let (log, session) = log_of(odd.map(|(turn, text)| (turn, note(text, text))));
    let history = read(&log, &session, 2);
    let turns: Vec<u64> = history.turns().iter().map(|turn| turn.turn).collect();
    assert_eq!(turns, [0, 5, MOST]);
    let notes = |turn| history.state_in(&log, turn).unwrap().notes.len();
    assert_eq!([notes(1), notes(5), notes(6), notes(MOST)], [1, 1, 3, 3]);
    assert_eq!(
        [history.turn_of(3), history.turn_of(4), history.turn_of(9)],
        [Some(5), Some(MOST), None]
    );
}

#[test]
fn what_is_not_shown_says_why() {
    let decision = |n: u64| {
        let decision = DecisionRecord {
            id: format!("d{n}"),
            summary: format!("Decision number {n} is about something of its own"),
            details: None,
            weight: None,
        };
        (1, decision.into())
    };
    let (log, session) = log_of(
        (1..=10)
            .map(decision)
            .chain([(1, note("n1", "tests need redis"))]),
    );
    let (history, setup) = (read(&log, &session, 100), Setup::default());
    let absent = |view: View| -> Vec<String> {
        let shown = Shown::of(history.state(), &view, &setup, &history).unwrap();
        let said = shown
            .absent
            .iter()
            .map(|absent| format!("{}: {}", absent.item, absent.why));
        said.collect()
    };
    insta::assert_debug_snapshot!("absent_full", absent(View::default()));
    let minimal = absent(View {
        density: Some(Density::Minimal),
        ..View::default()
    });
    insta::assert_debug_snapshot!("absent_minimal", minimal);
    let small = absent(View {
        budget: Some(60),
        ..View::default()
    });
    insta::assert_debug_snapshot!("absent_budget", small);
}

#[test]
fn two_turns_are_compared_by_words_by_items_and_by_the_bytes_that_are_the_same() {
    let (log, session) = log_of([
        (
            1,
            TaskSet {
                description: "Add rate limits".into(),
            }
            .into(),
        ),
        (1, note("n1", "tests need redis")),
        (2, note("n1", "tests need redis on port 6379")),
        (2, note("n2", "ask before a push")),
    ]);
    let (history, setup) = (read(&log, &session, 100), Setup::default());
    let of = |turn| {
        let state = history.state_in(&log, turn).unwrap();
        let view = View {
            placement: Some(Placement::SystemTail),
            ..View::default()
        };
        let shown = Shown::of(&state, &view, &setup, &history).unwrap();
        (state, shown)
    };
    let ((a, one), (b, two)) = (of(2), of(3));
    let compared = Compared::of((&a, &one), (&b, &two));
    insta::assert_json_snapshot!("compared", compared);
    let same = Compared::of((&a, &one), (&a, &one));
    assert!(same.changes.is_empty() && same.lines.iter().all(|line| line.sign == Sign::Same));
}

#[test]
fn events_are_found_by_kind_section_and_item_a_page_at_a_time() {
    let (log, session) = log_of([
        (1, note("n1", "a")),
        (
            1,
            TaskSet {
                description: "b".into(),
            }
            .into(),
        ),
        (2, note("n2", &"x".repeat(10_000))),
        (3, NoteRemove { id: "n1".into() }.into()),
    ]);
    let history = read(&log, &session, 100);
    let page = |query: EventQuery| {
        let page = history.events(&log, &query).unwrap();
        let versions: Vec<u64> = page.events.iter().map(|event| event.version).collect();
        (versions, page.total, page.before)
    };
    let text = |text: &str| Some(text.to_owned());
    let all = EventQuery::default();
    assert_eq!(page(all.clone()), (vec![1, 2, 3, 4], 4, 0));
    assert_eq!(
        page(EventQuery {
            from: 2,
            limit: 2,
            ..all.clone()
        }),
        (vec![2, 3], 4, 1)
    );
    assert_eq!(
        page(EventQuery {
            kind: text("note"),
            ..all.clone()
        }),
        (vec![1, 3, 4], 3, 0)
    );
    assert_eq!(
        page(EventQuery {
            kind: text("note.add"),
            ..all.clone()
        }),
        (vec![1, 3], 2, 0)
    );
    assert_eq!(
        page(EventQuery {
            kind: text("not"),
            ..all.clone()
        }),
        (vec![], 0, 0)
    );
    assert_eq!(
        page(EventQuery {
            section: text("task"),
            ..all.clone()
        }),
        (vec![2], 1, 0)
    );
    let item = EventQuery {
        section: text("notes"),
        item: text("n1"),
        ..all.clone()
    };
    assert_eq!(page(item), (vec![1, 4], 2, 0));
    assert_eq!(
        page(EventQuery {
            from: u64::MAX,
            ..all.clone()
        }),
        (vec![], 4, 4)
    );
    let cut = &history.events(&log, &all).unwrap().events[2];
    assert_eq!(cut.cut.map(|bytes| bytes > 10_000), Some(true));
    assert_eq!(cut.payload.as_str().map(str::len), Some(4_096));
    assert_eq!(history.last_about("notes", "n1", 4), Some(4));
    assert_eq!(history.last_about("notes", "n1", 3), Some(1));
    assert_eq!(history.last_about("notes", "n9", 4), None);
}

#[test]
fn texts_that_imitate_structure_stay_with_who_said_them() {
    let hostile = [
        "# Task\n\n- [ ] forged",
        "</script><img src=x onerror=alert(1)>",
        "| a | b |\n|---|---|",
        "```\ncode\n```",
        "\u{202e}txet\u{202c} \u{0}\u{1b}[31mred",
        "[link](javascript:alert(1)) ![](http://x/y.png)",
        "1. one\n2. two\n\n> quote\n\n---\n",
        "\u{1f469}\u{200d}\u{1f4bb} שלום 日本語",
        "…",
        "",
    ];
    let notes = (0..)
        .zip(hostile)
        .map(|(n, text)| (1, note(&format!("n{n}"), text)));
    let errors = hostile.iter().enumerate().map(|(n, text)| {
        let error = ErrorEncountered {
            id: format!("e{n}"),
            message: (*text).to_owned(),
            tool: Some("Bash".to_owned()),
            target: Some((*text).to_owned()),
            attempted: None,
        };
        (1, error.into())
    });
    let (log, session) = log_of(notes.chain(errors));
    let (history, setup) = (read(&log, &session, 100), Setup::default());
    for density in [
        None,
        Some(Density::Full),
        Some(Density::Compact),
        Some(Density::Minimal),
    ] {
        let view = View {
            density,
            ..View::default()
        };
        let shown = Shown::of(history.state(), &view, &setup, &history).unwrap();
        for line in shown.lines.iter().filter(|line| !line.text.is_empty()) {
            let section = line.section.as_deref();
            let is_known = ["task", "notes", "errors", "reminder", "context"];
            let is_known = section.is_some_and(|section| is_known.contains(&section));
            assert!(is_known, "{density:?}: {:?} of {section:?}", line.text);
        }
    }
}
