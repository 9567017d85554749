//! Finding what was said.

use hud_store::event::{
    DecisionRecord, ErrorEncountered, FileEdit, HudEvent, NewEvent, NoteAdd, OutputKeep, TaskSet,
};
use hud_store::log::{Expected, Hit, Log, Query, Search as _};
use hud_store::sqlite::SqliteLog;
use hud_store::state::Attempted;
use proptest::prelude::*;

use crate::given::{nth, session};

fn events() -> Vec<NewEvent> {
    let events: Vec<HudEvent> = vec![
        TaskSet {
            description: "Rate limits for each tenant".into(),
        }
        .into(),
        DecisionRecord {
            id: "d1".into(),
            summary: "Token bucket, not a fixed window".into(),
            details: Some("Tenants burst at the full hour.".into()),
            weight: None,
        }
        .into(),
        NoteAdd {
            id: "n1".into(),
            content: "The limits live in limits.toml: read_config()".into(),
        }
        .into(),
        ErrorEncountered {
            id: "e1".into(),
            message: "connection refused (os error 111)".into(),
            tool: Some("Bash".into()),
            target: Some("cargo test".into()),
            attempted: Some(Attempted::Run),
        }
        .into(),
        OutputKeep {
            call: None,
            tool: "Read".into(),
            target: Some("src/limit.rs".into()),
            content: "fn take(&mut self) -> bool { self.tokens >= 1.0 }".into(),
            outline: None,
        }
        .into(),
        FileEdit::of("tenant.rs").into(),
    ];
    (1..).zip(events).map(|(n, event)| nth(n, event)).collect()
}

fn log() -> SqliteLog {
    let mut log = SqliteLog::open_in_memory().unwrap();
    log.append(&session("s"), Expected::Any, &events()).unwrap();
    log
}

fn seqs(log: &SqliteLog, query: &Query) -> Vec<u64> {
    let mut seqs: Vec<u64> = log
        .search(query)
        .unwrap()
        .iter()
        .map(|hit| hit.event.seq)
        .collect();
    seqs.sort_unstable();
    seqs
}

#[test]
fn hits_of_any_number_come_best_first() {
    let mut log = SqliteLog::open_in_memory().unwrap();
    let notes: Vec<_> = (1..=600)
        .map(|n| {
            let (id, times) = (format!("n{n}"), usize::try_from(n % 7).unwrap() + 1);
            let content = "redis ".repeat(times) + "is needed";
            nth(n, NoteAdd { id, content })
        })
        .collect();
    log.append(&session("s"), Expected::Any, &notes).unwrap();
    log.archive(&session("s"), 400, &mut |_| ()).unwrap();
    let all = log
        .search(&Query {
            limit: 1000,
            ..Query::new("redi")
        })
        .unwrap();
    assert_eq!(all.len(), 600);
    let few = log.search(&Query::new("redi")).unwrap();
    assert_eq!(few[..], all[..20]);
    let times = |hit: &Hit| hit.event.seq % 7;
    assert_eq!((times(&all[0]), times(&all[599])), (6, 0));
    let marked = all.iter().all(|hit| {
        let mut pieces = hit.snippet.iter();
        pieces.any(|piece| piece.matched && piece.text == "redis")
    });
    assert!(marked);
}

#[test]
fn every_section_that_has_words_is_found_by_them() {
    let log = log();
    for (text, found) in [
        ("tenant", &[1, 2][..]),
        ("bursting", &[2]),
        ("limits toml", &[3]),
        ("read_config", &[3]),
        ("cargo refus", &[4]),
        ("os error 111", &[4]),
        ("tokens src/limit.rs", &[5]),
        ("tok", &[2, 5]),
        ("tok ", &[]),
        ("nothing", &[]),
        ("", &[]),
        ("-- ()", &[]),
    ] {
        assert_eq!(seqs(&log, &Query::new(text)), found, "{text}");
    }
}

#[test]
fn a_search_can_be_narrowed() {
    let mut log = log();
    let other = nth(
        9,
        NoteAdd {
            id: "n9".into(),
            content: "tenant tenant".into(),
        },
    );
    log.append(&session("t"), Expected::Any, &[other]).unwrap();
    let everywhere = Query::new("tenant");
    assert_eq!(seqs(&log, &everywhere), [1, 2, 7]);
    assert_eq!(
        log.search(&everywhere).unwrap()[0].event.seq,
        7,
        "it says it twice in few words"
    );
    let here = Query {
        session: Some(session("s")),
        ..everywhere.clone()
    };
    assert_eq!(seqs(&log, &here), [1, 2]);
    let decisions = Query {
        kind: Some("decision".into()),
        ..everywhere.clone()
    };
    assert_eq!(seqs(&log, &decisions), [2]);
    let exactly = Query {
        kind: Some("note.add".into()),
        ..everywhere.clone()
    };
    assert_eq!(seqs(&log, &exactly), [7]);
    let one = Query {
        limit: 1,
        ..everywhere
    };
    assert_eq!(seqs(&log, &one), [7]);
}

#[test]
fn a_snippet_shows_where_the_words_are() {
    let hits = log().search(&Query::new("bucket")).unwrap();
    let shown: String = hits[0]
        .snippet
        .iter()
        .map(|piece| {
            if piece.matched {
                format!("[{}]", piece.text)
            } else {
                piece.text.clone()
            }
        })
        .collect();
    assert!(
        shown.contains("Token [bucket], not a fixed window"),
        "{shown}"
    );
}

#[test]
fn a_log_that_can_only_be_read_is_searched_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    log.append(&session("s"), Expected::Any, &events()).unwrap();
    let reader = SqliteLog::open_read_only(&path).unwrap();
    assert_eq!(seqs(&reader, &Query::new("tenant")), [1, 2]);
    let more = nth(
        9,
        NoteAdd {
            id: "n9".into(),
            content: "tenant 9".into(),
        },
    );
    log.append(&session("s"), Expected::Any, &[more]).unwrap();
    assert_eq!(seqs(&reader, &Query::new("tenant")), [1, 2, 7]);
    assert_eq!(seqs(&log, &Query::new("tenant")), [1, 2, 7]);
    assert_eq!(
        seqs(&reader, &Query::new("tenant")),
        [1, 2, 7],
        "now by the index in the file"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(ProptestConfig::default().cases / 4) })]

    #[test]
    fn any_text_is_a_query(text in any::<String>(), operators in "[-a\"'*^:(){}+ ORNEAD]{0,12}") {
        let log = log();
        for text in [text, operators] {
            log.search(&Query::new(text))?;
        }
    }

    #[test]
    fn what_a_note_says_finds_it(content in "[a-zA-Z0-9é_(){}'\" .,:-]{1,30}") {
        let mut log = log();
        let note = NoteAdd { id: "n".into(), content: content.clone() };
        log.append(&session("s"), Expected::Any, &[nth(9, note)])?;
        let has_words = content.chars().any(char::is_alphanumeric) || content.contains('_');
        let found = seqs(&log, &Query { limit: 100, ..Query::new(content) });
        prop_assert_eq!(found.contains(&7), has_words);
    }
}
