//! Each line of the HUDs of recorded sessions is explained, and each item of a state is in a line or says why not.
//!
//! `HUD_DATA` names a folder with recorded sessions; the example session is always tried.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that can't be set up fails, and one that is not tried says so"
)]

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_clients::transcript::Transcript;
use hud_core::Density;
use hud_inspect::model::{EventQuery, History, Line, Shown, View};
use hud_store::event::SessionId;
use hud_store::log::{Expected, Log as _};
use hud_store::memory::MemoryLog;
use hud_store::section::Sections;
use hud_store::state::changes;

/// How many turns of a session are looked at.
const TURNS: u64 = 6;

/// What was looked at.
#[derive(Debug, Default)]
struct Seen {
    sessions: usize,
    lines: usize,
    items: usize,
    absent: usize,
    /// What is not explained.
    faults: Vec<String>,
}

fn recorded(file: &Path) -> (MemoryLog, History) {
    let session = SessionId::new("s").unwrap();
    let (mut log, mut replay) = (MemoryLog::new(), Replay::new(session.clone()));
    let mut events = Vec::new();
    Transcript::open(file)
        .unwrap()
        .read(&mut |entry| {
            events.extend(replay.observe(entry));
            Ok::<(), Box<dyn std::error::Error>>(())
        })
        .unwrap();
    log.append(&session, Expected::Any, &events).unwrap();
    let mut history = History::new(session, &Setup::default());
    while !history.read(&log, usize::MAX).unwrap() {}
    (log, history)
}

fn look(file: &Path, seen: &mut Seen) {
    let (log, history) = recorded(file);
    let next = history.next_turn();
    seen.sessions += 1;
    let turns: BTreeSet<u64> = (1..=TURNS).map(|nth| (next * nth / TURNS).max(1)).collect();
    for turn in turns {
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
            let place = format!("{}, turn {turn}, {density:?}", file.display());
            look_at(&log, &history, turn, &view, (&place, seen));
        }
    }
}

/// Notes what is not explained in a turn.
fn look_at(
    log: &MemoryLog,
    history: &History,
    turn: u64,
    view: &View,
    (place, seen): (&str, &mut Seen),
) {
    let state = history.state_in(log, turn).unwrap();
    let shown = Shown::of(&state, view, &Setup::default(), history).unwrap();
    let mut fault = |what: &str, of: &dyn Debug| {
        seen.faults.push(format!("{place}: {what}: {of:?}"));
    };
    let mut told = BTreeSet::new();
    for line in shown
        .lines
        .iter()
        .filter(|line| !line.text.trim().is_empty())
    {
        seen.lines += 1;
        if line.calls.is_empty() || line.section.is_none() {
            fault("no component gave the line", &line.text);
        }
        let (Some(section), Some(item)) = (&line.section, &line.item) else {
            if is_keyed(&shown, line) {
                fault("the line is an item's and does not say which", line);
            }
            continue;
        };
        seen.items += 1;
        told.insert((section.as_str(), item.as_str()));
        let query = EventQuery {
            from: line.event.unwrap_or(u64::MAX),
            limit: 1,
            ..EventQuery::default()
        };
        let events = history.events(log, &query).unwrap().events;
        let named = EventQuery {
            section: Some(section.clone()),
            item: Some(item.clone()),
            ..EventQuery::default()
        };
        let is_named = history.events(log, &named).unwrap().total > 0;
        let is_about = events.first().is_some_and(|event| {
            event.section.as_ref() == Some(section)
                && (event.item.as_deref().unwrap_or_default() == item || !is_named)
                && event.version <= state.version
        });
        if !is_about {
            fault("the event behind the item is about something else", line);
        }
    }
    let absent: BTreeSet<(&str, &str)> = shown
        .absent
        .iter()
        .map(|absent| (&*absent.section, &*absent.item))
        .collect();
    seen.absent += absent.len();
    for both in told.intersection(&absent) {
        fault("an item is in a line, and said not to be", both);
    }
    for item in changes(&Sections::new().empty_state(), &state) {
        let name = (item.section, &*item.id);
        if !told.contains(&name) && !absent.contains(&name) {
            fault("an item is in no line, and nothing says why", &name);
        }
    }
    for absent in &shown.absent {
        if absent.why.to_string().len() < 20 || absent.event.is_none() {
            fault("too little is said of an item that is not shown", absent);
        }
    }
}

/// Whether a node around a line has the key of an item.
fn is_keyed(shown: &Shown, line: &Line) -> bool {
    line.calls.iter().any(|call| {
        let around = std::iter::successors(Some(*call), |call| shown.calls[*call].within);
        let mut props = around.flat_map(|call| &shown.calls[call].props);
        props.any(|(name, _)| name == "key")
    })
}

#[test]
fn each_line_of_the_example_session_is_explained() {
    let file = "../examples/sessions/rate-limiter.jsonl";
    let mut seen = Seen::default();
    look(&Path::new(env!("CARGO_MANIFEST_DIR")).join(file), &mut seen);
    assert!(
        seen.lines > 200 && seen.items > 100 && seen.absent > 10,
        "{seen:?}"
    );
}

#[test]
fn each_line_of_recorded_sessions_is_explained() {
    let Some(data) = std::env::var_os("HUD_DATA").filter(|data| !data.is_empty()) else {
        eprintln!("skipped: HUD_DATA names no folder with recorded sessions");
        return;
    };
    let folders = ["claude-code", "swe-agent", "tau-bench"];
    let files = folders.iter().flat_map(|folder| {
        let folder = Path::new(&data).join("sessions").join(folder);
        std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
    });
    let is_session = |file: &PathBuf| file.extension().is_some();
    let files: BTreeSet<PathBuf> = files.filter(is_session).collect();
    let mut seen = Seen::default();
    for file in files {
        look(&file, &mut seen);
    }
    println!(
        "{} lines, {} of items, {} items in no line",
        seen.lines, seen.items, seen.absent
    );
    assert!(
        seen.faults.is_empty(),
        "{} faults: {:#?}",
        seen.faults.len(),
        seen.faults
    );
    assert!(
        seen.sessions > 20 && seen.lines > 5_000 && seen.items > 2_000,
        "{seen:?}"
    );
}
