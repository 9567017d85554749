//! Tests of full-text search.

use super::{nth, session};
use crate::event::{ErrorEncountered, HudEvent, NoteAdd, OutputKeep};
use crate::log::{Expected, Hit, Query, Search};

/// Tests the promises of [`Search`] on an empty log.
///
/// # Panics
///
/// If a promise is not kept, with the difference.
#[track_caller]
pub fn check_search<L: Search>(mut log: L) {
    let note = |n: u64, content: &str| {
        HudEvent::from(NoteAdd {
            id: format!("n{n}"),
            content: content.into(),
        })
    };
    let kept = OutputKeep {
        call: None,
        tool: "Read".to_owned(),
        target: None,
        content: "listening on the bucket\n".into(),
        outline: None,
    };
    let error = ErrorEncountered {
        id: "e1".into(),
        message: "redis refused".into(),
        tool: None,
        target: None,
        attempted: None,
    };
    for (n, name, event) in [
        (
            1,
            "a",
            note(1, "The tests need redis: see ci.yml, 100% of them"),
        ),
        (2, "b", note(2, "redis is cold_cache at /srv/redis")),
        (3, "a", error.into()),
        (4, "a", kept.into()),
    ] {
        log.append(&session(name), Expected::Any, &[nth(n, event)])
            .unwrap();
    }
    let seqs = |query: &Query| {
        let hits = log.search(query).unwrap();
        let mut found: Vec<u64> = hits.iter().map(|hit| hit.event.seq).collect();
        found.sort_unstable();
        found
    };
    for (text, expected) in [
        ("redis", &[1, 2, 3][..]),
        ("REDIS", &[1, 2, 3]),
        ("redis see", &[1]),
        ("redis: ci", &[1]),
        ("redi", &[1, 2, 3]),
        ("cold_cache", &[2]),
        ("100", &[1]),
        ("the", &[1, 4]),
        ("bucket", &[4]),
        ("redis OR bucket", &[]),
        ("redis' & !cold:*", &[2]),
        ("\\ ' | ( <->", &[]),
        ("", &[]),
    ] {
        assert_eq!(seqs(&Query::new(text)), expected, "{text:?}");
        // The second search finds the entries that the first one indexed.
        assert_eq!(seqs(&Query::new(text)), expected, "{text:?}");
    }
    let query = Query::new("redis");
    let of_session = Query {
        session: Some(session("a")),
        ..query.clone()
    };
    assert_eq!(seqs(&of_session), [1, 3]);
    for kind in ["note", "note.add"] {
        let of_kind = Query {
            kind: Some(kind.into()),
            ..query.clone()
        };
        assert_eq!(seqs(&of_kind), [1, 2]);
    }
    let of_no_kind = Query {
        kind: Some("not".into()),
        ..query.clone()
    };
    assert!(seqs(&of_no_kind).is_empty());
    let two = Query {
        limit: 2,
        ..query.clone()
    };
    assert_eq!(log.search(&two).unwrap().len(), 2);

    let marked = |hit: &Hit| {
        let pieces = hit.snippet.iter().filter(|piece| piece.matched);
        pieces.map(|piece| piece.text.clone()).collect::<Vec<_>>()
    };
    let hits = log.search(&Query::new("see")).unwrap();
    assert_eq!(hits.iter().map(marked).collect::<Vec<_>>(), [["see"]]);
    let text: String = hits[0]
        .snippet
        .iter()
        .map(|piece| piece.text.as_str())
        .collect();
    assert!(text.contains("redis: see ci.yml"), "{text}");

    // The next search finds events appended after the last one.
    log.append(
        &session("c"),
        Expected::Any,
        &[nth(5, note(5, "redis again"))],
    )
    .unwrap();
    assert_eq!(log.search(&query).unwrap().len(), 4);
}
