//! What the frame of a turn costs: rendered, with a note that came since, and looked up where nothing happened
//! since: `cargo bench -p hud-agent --bench frame`.
//!
//! The fastest of many rounds counts: a busy machine only makes them slower. With `--test` there are two short
//! rounds.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark that fails has no figures, and its figures go to the terminal"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use hud_agent::frame::frame;
use hud_agent::last_frame::LastFrame;
use hud_agent::layout::LayoutError;
use hud_agent::placement::Placement;
use hud_agent::setup::Setup;
use hud_store::event::{
    Actor, ContextSnapshot, DecisionRecord, FileEdit, FileOpen, HudEvent, NewEvent, NoteAdd,
    SessionId, StepAdd, TaskSet,
};
use hud_store::log::{Expected, Log, state_of};
use hud_store::memory::MemoryLog;
use hud_store::state::HudState;

/// How often each is made in a round.
const TIMES: u32 = 100;

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let rounds = if is_test { 2 } else { 500 };
    let (state, setup) = (state(), Arc::new(Setup::default()));
    let placement = Placement::MessageTail;
    let rendered = || frame(&state, None, placement, &setup).unwrap();
    let mut last = LastFrame::default();
    let mut looked_up = || {
        let none = || Ok::<_, LayoutError>(None);
        last.frame(&state, None, placement, &setup, none).unwrap().0
    };
    assert_eq!(*looked_up(), rendered(), "both give the same frame");
    // Each time another note, so that something happened since.
    let noted = ["one", "other"].map(|note| {
        let mut noted = state.clone();
        noted.version += note.len() as u64;
        note.clone_into(&mut noted.notes[0].content);
        noted
    });
    let (mut after, mut turn) = (LastFrame::default(), 0);
    let mut noted = || {
        turn += 1;
        let none = || Ok::<_, LayoutError>(None);
        let state = &noted[turn % 2];
        after.frame(state, None, placement, &setup, none).unwrap().0
    };
    assert_eq!(noted().system, rendered().system);
    assert_ne!(noted().message, noted().message);
    let bytes = rendered().system.len() + rendered().message.len();
    let rendered = best(rounds, || drop(black_box(rendered())));
    let noted = best(rounds, || drop(black_box(noted())));
    let looked_up = best(rounds, || drop(black_box(looked_up())));
    println!(
        "a frame of {bytes} bytes: rendered {rendered:.1} µs, with another note {noted:.1} µs, looked up {looked_up:.3} µs"
    );
}

/// How many microseconds it takes.
fn best(rounds: u32, mut make: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        (0..TIMES).for_each(|_| make());
        start.elapsed().as_secs_f64() * 1e6 / f64::from(TIMES)
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}

/// A session in the middle of its work.
fn state() -> HudState {
    let (mut log, session) = (MemoryLog::new(), SessionId::new("s").unwrap());
    let task = TaskSet {
        description: "Add rate limiting for every tenant to the gateway".into(),
    };
    let usage = ContextSnapshot {
        used: 90_000,
        limit: Some(200_000),
        assumed: false,
        usable: None,
        model: None,
        call: None,
        provider: None,
    };
    let mut events: Vec<HudEvent> = vec![task.into(), usage.into()];
    for n in 0..8 {
        let path = format!("/home/dev/app/src/limit/part{n}/mod.rs");
        let decision = DecisionRecord {
            id: format!("d{n}"),
            summary: format!("Decision {n} about the token bucket"),
            details: Some("a fixed window lets twice the rate through at its border".into()),
            weight: None,
        };
        let note = NoteAdd {
            id: format!("n{n}"),
            content: format!("Note {n}: the integration tests need a redis on port 6379"),
        };
        let step = StepAdd {
            id: format!("s{n}"),
            description: format!("Step {n} of the plan with some words"),
        };
        let opened = FileOpen::of(path.clone());
        let edited = FileEdit::of(path);
        events.extend([
            decision.into(),
            note.into(),
            step.into(),
            opened.into(),
            edited.into(),
        ]);
    }
    for event in events {
        let event = NewEvent::now(1, Actor::Agent, event);
        log.append(&session, Expected::Any, &[event]).unwrap();
    }
    state_of(&log, &session).unwrap()
}
