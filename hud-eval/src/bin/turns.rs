//! Measures the HUDs in the turns of recorded sessions.
//!
//! ```text
//! cargo run --release -p hud-eval --bin turns -- SESSION...
//! ```
//!
//! It prints a line for each session:
//!
//! - its turns, the characters of all its whole and full HUDs, and the number of backslashes in them; and the
//!   same if all punctuation with a possible meaning were escaped;
//! - the bytes of the messages after the first HUD, for a client that keeps them; and the same if they
//!   included the changes that the agent made or read itself.
#![allow(
    clippy::print_stdout,
    reason = "the figures are what the example is for"
)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hud_agent::frame::{Frame, frame};
use hud_agent::known::known;
use hud_agent::layout::Layout;
use hud_agent::placement::Placement;
use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_clients::transcript::Transcript;
use hud_core::gfm::SerializeOptions;
use hud_core::{Density, Renderer};
use hud_observe::observation::Observation;
use hud_store::event::SessionId;
use hud_store::log::{Expected, Log as _};
use hud_store::memory::MemoryLog;
use hud_store::state::HudState;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Outcome<()> {
    let sessions: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if sessions.is_empty() {
        return Err("usage: turns SESSION...".into());
    }
    println!(
        "{:>6} {:>11} {:>11} {:>11} {:>11} {:>7} {:>7}",
        "turns", "characters", "backslashes", "if escaped", "backslashes", "deltas", "if all"
    );
    let mut all = Shown::default();
    for path in &sessions {
        let shown = shown(path)?;
        shown.print(&path.file_stem().unwrap_or_default().to_string_lossy());
        all.add(&shown);
    }
    all.print("all of them");
    Ok(())
}

/// The sizes of a session's HUDs.
#[derive(Default)]
struct Shown {
    turns: usize,
    /// The whole HUDs with minimal escapes, and with all escapes.
    whole: [Text; 2],
    /// The bytes of the deltas: with the changes that the agent does not know, and with all changes.
    deltas: [usize; 2],
}

/// The size of texts.
#[derive(Clone, Copy, Default)]
struct Text {
    characters: usize,
    backslashes: usize,
}

impl Text {
    fn add(&mut self, text: &str) {
        self.characters += text.chars().count();
        self.backslashes += text.matches('\\').count();
    }
}

impl Shown {
    fn add(&mut self, other: &Self) {
        self.turns += other.turns;
        for (own, other) in self.whole.iter_mut().zip(other.whole) {
            own.characters += other.characters;
            own.backslashes += other.backslashes;
        }
        for (own, other) in self.deltas.iter_mut().zip(other.deltas) {
            *own += other;
        }
    }

    fn print(&self, name: &str) {
        let [sparing, escaped] = self.whole;
        println!(
            "{:>6} {:>11} {:>11} {:>11} {:>11} {:>7} {:>7}  {name}",
            self.turns,
            sparing.characters,
            sparing.backslashes,
            escaped.characters,
            escaped.backslashes,
            self.deltas[0],
            self.deltas[1],
        );
    }
}

/// Measures the HUD before each model call of a session, and at its end.
fn shown(path: &Path) -> Outcome<Shown> {
    let setups = [Setup::default(), escaping()];
    let session = SessionId::new(Transcript::session_name(path)?)?;
    let mut replay = Replay::new(session.clone());
    let mut log = MemoryLog::new();
    // The last shown state of each kind of delta.
    let mut last: [Option<HudState>; 2] = [None, None];
    let mut shown = Shown::default();
    let mut take = |state: &HudState, log: &MemoryLog| -> Outcome<()> {
        shown.turns += 1;
        for (whole, setup) in shown.whole.iter_mut().zip(&setups) {
            whole.add(&Frame::whole(state, Some(Density::Full), setup)?.system);
        }
        let known = match &last[0] {
            // Everything in a transcript is part of the conversation.
            Some(last) => Some(known(log, &session, last, |_| Some(true))?),
            None => None,
        };
        let befores = [known, last[1].clone()];
        for ((last, before), bytes) in last.iter_mut().zip(befores).zip(&mut shown.deltas) {
            let delta = frame(state, before.as_ref(), Placement::Delta, &setups[0])?.message;
            if before.is_none() {
                *last = Some(state.clone());
            } else if !delta.is_empty() {
                *bytes += delta.len();
                *last = Some(state.clone());
            }
        }
        Ok(())
    };
    Transcript::open(path)?.read(&mut |entry| {
        if matches!(entry.observation, Observation::ModelCall) {
            take(replay.state(), &log)?;
        }
        let events = replay.observe(entry);
        log.append(&session, Expected::Any, &events)?;
        Ok::<(), Box<dyn Error>>(())
    })?;
    take(replay.state(), &log)?;
    Ok(shown)
}

/// Returns a setup that escapes all punctuation with a possible meaning.
fn escaping() -> Setup {
    let options = SerializeOptions {
        sparing: false,
        ..SerializeOptions::hud()
    };
    let renderer = Renderer::default().with_options(options);
    Setup::default().with_layout(Layout::default().with_renderer(renderer))
}
