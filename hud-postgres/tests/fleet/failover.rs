//! Servers that fail: nothing that was acknowledged is lost or moved, and nothing is acknowledged that may be.

use std::slice;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use hud_store::event::EventId;
use hud_store::log::{Expected, Log, LogError};

use crate::given::{contents, note, session};
use crate::nodes::{Nodes, alone, open, open_within, until};

const WRITERS: u64 = 8;

/// How often the primary is killed: `HUD_FLEET_ROUNDS`.
fn rounds() -> u64 {
    let rounds = std::env::var("HUD_FLEET_ROUNDS");
    rounds
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(2)
}

/// An event as its append was acknowledged to the writer: its id, its seq, and the version of its session.
type Told = (EventId, u64, u64);

#[test]
fn a_primary_that_is_killed_takes_nothing_with_it_that_was_acknowledged() {
    let _alone = alone();
    let Some(nodes) = Nodes::three() else { return };
    let address = nodes.made();
    let (is_over, acknowledged, doubts) =
        (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let write = |writer: u64| {
        let mut log = open_within(&address, Duration::from_secs(5));
        let name = session(&format!("s{writer}"));
        let mut told: Vec<Told> = Vec::new();
        for n in 1.. {
            let event = note(writer * 1_000_000 + n);
            loop {
                if is_over.load(Ordering::Relaxed) {
                    return told;
                }
                match log.append(&name, Expected::Any, slice::from_ref(&event)) {
                    Ok(done) => {
                        told.push((event.id, done.first_seq, done.version));
                        acknowledged.fetch_add(1, Ordering::Relaxed);
                        break;
                    }
                    Err(LogError::Unconfirmed { .. }) => {
                        doubts.fetch_add(1, Ordering::Relaxed);
                    }
                    Err(
                        LogError::Unavailable { .. }
                        | LogError::ReadOnly { .. }
                        | LogError::Busy { .. },
                    ) => {
                        thread::sleep(Duration::from_millis(20));
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        }
        told
    };
    let (mut primary, mut pauses) = (0, Vec::new());
    let told: Vec<Told> = thread::scope(|scope| {
        let writers: Vec<_> = (1..=WRITERS)
            .map(|writer| scope.spawn(move || write(writer)))
            .collect();
        let more = |count| {
            let known = acknowledged.load(Ordering::Relaxed);
            until(|| acknowledged.load(Ordering::Relaxed) >= known + count);
        };
        for _ in 0..rounds() {
            more(50);
            nodes.nodes[primary].kill();
            let killed = Instant::now();
            let gone = primary;
            primary = nodes.fail_over(gone);
            more(1);
            pauses.push(killed.elapsed());
            nodes.rejoin(gone, primary);
            nodes.nodes[primary].await_standbys(2);
        }
        more(50);
        is_over.store(true, Ordering::Relaxed);
        writers
            .into_iter()
            .flat_map(|writer| writer.join().unwrap())
            .collect()
    });
    let all = contents(&open(&address));
    assert!(all.iter().map(|event| event.seq).eq(1..=all.len() as u64));
    let mut ids: Vec<_> = all.iter().map(|event| event.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all.len(), "an id is there twice");
    for (id, seq, version) in &told {
        let found = all.get(usize::try_from(seq - 1).unwrap());
        let found = found.map(|event| (event.id, event.version));
        assert_eq!(
            found,
            Some((*id, *version)),
            "{id} was acknowledged as {seq}"
        );
    }
    pauses.sort_unstable();
    eprintln!(
        "{} rounds: {} acknowledged, 0 lost or moved, {} in doubt; writes went on after {:?} to {:?}",
        rounds(),
        told.len(),
        doubts.into_inner(),
        pauses.first().unwrap(),
        pauses.last().unwrap()
    );
}

#[test]
fn without_a_quorum_nothing_is_acknowledged_and_with_one_it_goes_on() {
    let _alone = alone();
    let Some(nodes) = Nodes::three() else { return };
    let address = nodes.made();
    let mut log = open_within(&address, Duration::from_secs(3));
    let s = session("s");
    log.append(&s, Expected::Any, &[note(1)]).unwrap();

    // One of two standbys is enough.
    nodes.nodes[2].kill();
    log.append(&s, Expected::Any, &[note(2)]).unwrap();

    // Without both standbys, the error is reported to the writer that waits, and to those behind it.
    nodes.nodes[1].kill();
    let refused = log.append(&s, Expected::Any, &[note(3)]);
    assert!(
        matches!(refused, Err(LogError::Unconfirmed { .. })),
        "{refused:?}"
    );
    let refused = log.append(&s, Expected::Any, &[note(3)]);
    assert!(matches!(refused, Err(LogError::Busy { .. })), "{refused:?}");

    nodes.nodes[1].start();
    nodes.nodes[0].await_standbys(1);
    let mut again = log.append(&s, Expected::Any, &[note(3)]);
    until(|| {
        again = log.append(&s, Expected::Any, &[note(3)]);
        again.is_ok()
    });
    let again = again.unwrap();
    assert_eq!((again.first_seq, again.duplicates), (3, 1));
    assert_eq!(contents(&log).len(), 3);
}

#[test]
fn a_commit_whose_wait_was_cancelled_is_in_doubt_and_so_is_its_repetition() {
    let _alone = alone();
    let Some(nodes) = Nodes::three() else { return };
    let address = nodes.made();
    let s = session("s");
    open(&address)
        .append(&s, Expected::Any, &[note(1)])
        .unwrap();
    nodes.nodes[1].kill();
    nodes.nodes[2].kill();
    // Each waits for a standby that is not there, and its operator cancels that.
    for _ in 0..2 {
        let refused = thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let mut log = open_within(&address, Duration::from_secs(60));
                log.append(&s, Expected::Any, &[note(2)])
            });
            let cancel = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
            until(|| nodes.sql(cancel).trim() == "1");
            waiting.join().unwrap()
        });
        assert!(
            matches!(refused, Err(LogError::Unconfirmed { .. })),
            "{refused:?}"
        );
    }
    nodes.nodes[1].start();
    nodes.nodes[0].await_standbys(1);
    let again = open(&address)
        .append(&s, Expected::Any, &[note(2)])
        .unwrap();
    assert_eq!((again.first_seq, again.duplicates), (2, 1));
}

#[test]
fn a_server_that_was_restarted_between_two_calls_is_not_noticed() {
    let Some(nodes) = Nodes::one() else { return };
    let mut log = nodes.log();
    let s = session("s");
    log.append(&s, Expected::Any, &[note(1)]).unwrap();
    nodes.nodes[0].restart();
    log.append(&s, Expected::Any, &[note(2)]).unwrap();
    nodes.nodes[0].kill();
    nodes.nodes[0].start();
    assert_eq!(contents(&log).len(), 2);
}

#[test]
fn a_primary_that_takes_writes_no_more_is_left_for_the_one_that_does() {
    let _alone = alone();
    let Some(nodes) = Nodes::three() else { return };
    let address = nodes.made();
    let mut log = open(&address);
    let s = session("s");
    log.append(&s, Expected::Any, &[note(1)]).unwrap();
    let newest = nodes.fail_over(0);
    nodes.nodes[newest].await_standbys(1);
    // It runs still, and so does our connection.
    nodes.sql("ALTER SYSTEM SET default_transaction_read_only = on");
    nodes.sql("SELECT pg_reload_conf()");
    until(|| nodes.sql("SHOW transaction_read_only").trim() == "on");
    let done = log.append(&s, Expected::Exact(1), &[note(2)]).unwrap();
    assert_eq!((done.first_seq, done.duplicates), (2, 0));
    let found = format!("SELECT count(*) FROM {}.event", address.log());
    assert_eq!(nodes.nodes[newest].sql(&found).trim(), "2");
    assert_eq!(nodes.sql(&found).trim(), "1");
}
