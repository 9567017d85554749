//! Bits that flip in a file that nobody has open.

use std::fs;
use std::ops::ControlFlow;

use hud_store::event::StoredEvent;
use hud_store::log::{Expected, Log, LogError, Query, Search as _, state_of};
use hud_store::sqlite::SqliteLog;

use crate::given::{notes, read, session};

/// Everything that can be asked of a log.
#[derive(PartialEq)]
struct Told {
    log: Vec<StoredEvent>,
    sessions: Vec<hud_store::log::SessionInfo>,
    each: Vec<Vec<StoredEvent>>,
    states: Vec<hud_store::state::HudState>,
    found: Vec<StoredEvent>,
}

fn tell(path: &std::path::Path) -> Result<Told, LogError> {
    let log = SqliteLog::open_read_only(path)?;
    let mut all = Vec::new();
    log.read_all(1, &mut |event| {
        all.push(event);
        ControlFlow::Continue(())
    })?;
    let sessions = log.sessions()?;
    let names = || [session("a"), session("b")].into_iter();
    Ok(Told {
        log: all,
        sessions,
        each: names()
            .map(|name| read(&log, &name))
            .collect::<Result<_, _>>()?,
        states: names()
            .map(|name| state_of(&log, &name))
            .collect::<Result<_, _>>()?,
        found: log
            .search(&Query {
                limit: 50,
                ..Query::new("note")
            })?
            .into_iter()
            .map(|hit| hit.event)
            .collect(),
    })
}

/// A generator of numbers that are the same each time.
fn numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    }
}

/// `HUD_ROT_TRIALS=4000` for a longer run.
#[test]
fn a_flipped_bit_is_found_or_does_no_harm() {
    let trials = std::env::var("HUD_ROT_TRIALS").map_or(400, |trials| trials.parse().unwrap());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    for at in (0..600).step_by(20) {
        let name = if at % 40 == 0 { "a" } else { "b" };
        log.append(&session(name), Expected::Any, &notes(at + 1..=at + 20))
            .unwrap();
    }
    log.append(&session("a"), Expected::Any, &notes(1001..=2100))
        .unwrap();
    log.archive(&session("b"), 200, &mut |_| ()).unwrap();
    state_of(&log, &session("a")).unwrap();
    log.search(&Query::new("note")).unwrap();
    log.vacuum(&mut |_| ()).unwrap();
    drop(log);
    let sound = fs::read(&path).unwrap();
    let expected = tell(&path).unwrap_or_else(|error| panic!("{error}"));

    let mut number = numbers(7);
    let (mut found, mut checked, mut harmless, mut silent) = (0, 0, 0, Vec::new());
    for _ in 0..trials {
        let (byte, bit) = (number(sound.len()), number(8));
        let mut rotten = sound.clone();
        rotten[byte] ^= 1 << bit;
        fs::write(&path, rotten).unwrap();
        match tell(&path) {
            Err(_) => found += 1,
            Ok(reported) if reported == expected => harmless += 1,
            // The index for searching is a cache without seals: it may miss what is there, until
            // somebody looks after the log.
            Ok(reported) if reported.found != expected.found && is_found_by_checking(&path) => {
                checked += 1
            }
            Ok(_) => silent.push((byte, bit)),
        }
    }
    println!(
        "{trials} flipped bits: {found} found by reading, {checked} by checking, {harmless} \
         harmless, {} silent",
        silent.len()
    );
    assert!(found > 0 && silent.is_empty(), "silent: {silent:?}");
}

fn is_found_by_checking(path: &std::path::Path) -> bool {
    let log = SqliteLog::open_read_only(path).unwrap();
    let report = log.check(&mut |_| ());
    report.is_err() || report.is_ok_and(|report| !report.problems.is_empty())
}
