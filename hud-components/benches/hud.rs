//! One full HUD from state, against `write!` of the same text by hand: `cargo bench -p hud-components`.
//!
//! Both are timed in turns, and the fastest of many rounds counts: a busy machine only makes them slower.
//! With `--test` there are two short rounds.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark's figures go to the terminal"
)]

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use hud_components::Hud;
use hud_core::{Density, render, rsx};
use hud_store::event::Actor;
use hud_store::state::{
    ActiveFile, ContextUsage, Decision, FileStatus, HudState, Note, Step, StepStatus, Task,
};
use jiff::Timestamp;

/// How often each is written in a round.
const TIMES: u32 = 100;

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let state = state();
    let text = written(&state);
    assert_eq!(rendered(&state), text, "both write the same text");
    let (mut layout, mut hand) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..if is_test { 2 } else { 500 } {
        layout = layout.min(round(&state, rendered));
        hand = hand.min(round(&state, written));
    }
    println!(
        "the full HUD of a state, {} bytes: {layout:.1} µs; `write!` by hand {hand:.2} µs; ratio {:.1}",
        text.len(),
        layout / hand
    );
}

/// How many microseconds it takes to write a state.
fn round(state: &HudState, write: impl Fn(&HudState) -> String) -> f64 {
    let start = Instant::now();
    for _ in 0..TIMES {
        black_box(write(black_box(state)));
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(TIMES)
}

#[allow(clippy::unwrap_used, reason = "the built-in nodes all have rules")]
fn rendered(state: &HudState) -> String {
    render(&rsx! { <Hud state /> }, Density::Full).unwrap()
}

/// The same text for this state only: nothing is escaped, cut or left out.
#[allow(clippy::unwrap_used, reason = "writing to a string cannot fail")]
fn written(state: &HudState) -> String {
    let mut out = String::new();
    let task = state.task.as_ref().unwrap();
    write!(out, "# Task\n\n{}\n", task.description).unwrap();
    let context = state.context.as_ref().unwrap();
    write!(
        out,
        "\n## Context\n\n{}% (~{}k/{}k), growing\n",
        context.percentage().unwrap(),
        context.used / 1000,
        context.limit.unwrap() / 1000
    )
    .unwrap();
    write!(out, "\n## Decisions ({})\n\n", state.decisions.len()).unwrap();
    for Decision {
        summary, details, ..
    } in &state.decisions
    {
        writeln!(out, "- {summary}: {}", details.as_ref().unwrap()).unwrap();
    }
    write!(
        out,
        "\n## Active Files ({}) in /home/dev/app/src/limit\n\n",
        state.active_files.len()
    )
    .unwrap();
    for file in state.active_files.iter().rev() {
        let path = file.path.strip_prefix("/home/dev/app/src/limit/").unwrap();
        writeln!(out, "- `{path}` (editing)").unwrap();
    }
    write!(
        out,
        "\n## Next Steps (0/{} done)\n\n",
        state.next_steps.len()
    )
    .unwrap();
    for (index, step) in state.next_steps.iter().enumerate() {
        writeln!(out, "{}. [ ] {}", index + 1, step.description).unwrap();
    }
    write!(out, "\n## Notes ({})\n\n", state.notes.len()).unwrap();
    for note in &state.notes {
        writeln!(out, "- {}", note.content).unwrap();
    }
    out
}

fn state() -> HudState {
    let at = Timestamp::UNIX_EPOCH;
    HudState {
        task: Some(Task {
            description: "Add rate limiting for every tenant to the gateway".into(),
            latest_request: None,
            by: Actor::User,
            restated: None,
            offer: None,
            done: false,
            pinned: false,
            set_at: at,
            updated_at: at,
            turn: 0,
        }),
        decisions: (0..8)
            .map(|n| Decision {
                id: format!("d{n}"),
                summary: format!("Decision {n} about the token bucket"),
                details: Some("a fixed window lets twice the rate through at its border".into()),
                by: Actor::Agent,
                turn: 1,
                recorded_at: at,
                weight: None,
            })
            .collect(),
        active_files: (0..10)
            .map(|n| {
                let path = format!("/home/dev/app/src/limit/part{n}/mod.rs");
                ActiveFile::new(path, FileStatus::Editing, at, n)
            })
            .collect(),
        next_steps: (0..7)
            .map(|n| Step {
                id: format!("s{n}"),
                description: format!("Step {n} of the plan with some words"),
                status: StepStatus::Pending,
                summarised: false,
                by: Actor::Derived,
                turn: 0,
            })
            .collect(),
        notes: (0..8)
            .map(|n| Note {
                id: format!("n{n}"),
                content: format!("Note {n}: the integration tests need a redis on port 6379"),
                updated_at: at,
                by: Actor::Agent,
                turn: 0,
            })
            .collect(),
        context: Some(ContextUsage {
            used: 90_000,
            limit: Some(200_000),
            assumed: false,
            usable: None,
            model: None,
            at,
            readings: vec![80_000, 90_000],
        }),
        ..HudState::default()
    }
}
