//! What is shown in the turns of recorded sessions, in characters.
//!
//! ```text
//! cargo run --release -p hud-agent --example turns -- SESSION...
//! ```
//!
//! A line for each session: its turns, the characters of all its HUDs, whole and full, and how many of
//! these are backslashes; and the same if all punctuation were escaped that could mean something.
#![allow(
    clippy::print_stdout,
    reason = "the figures are what the example is for"
)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hud_agent::frame::Frame;
use hud_agent::layout::{Layout, LayoutError};
use hud_agent::observation::Observation;
use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_agent::transcript::Transcript;
use hud_core::gfm::Options;
use hud_core::{Density, Renderer};
use hud_store::event::SessionId;
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
        "{:>6} {:>11} {:>11} {:>11} {:>11}",
        "turns", "characters", "backslashes", "if escaped", "backslashes"
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

/// What was shown of a session.
#[derive(Default)]
struct Shown {
    turns: usize,
    /// As it is, and with all escapes.
    whole: [Text; 2],
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
    }

    fn print(&self, name: &str) {
        let [sparing, escaped] = self.whole;
        println!(
            "{:>6} {:>11} {:>11} {:>11} {:>11}  {name}",
            self.turns,
            sparing.characters,
            sparing.backslashes,
            escaped.characters,
            escaped.backslashes,
        );
    }
}

/// What is shown before each call of the model of a session, and at its end.
fn shown(path: &Path) -> Outcome<Shown> {
    let setups = [Setup::default(), escaping()];
    let mut replay = Replay::new(SessionId::new(Transcript::session_name(path)?)?);
    let mut shown = Shown::default();
    let mut take = |state: &HudState| -> Result<(), LayoutError> {
        shown.turns += 1;
        for (whole, setup) in shown.whole.iter_mut().zip(&setups) {
            whole.add(&Frame::whole(state, Some(Density::Full), setup)?.system);
        }
        Ok(())
    };
    Transcript::open(path)?.read(&mut |entry| {
        if matches!(entry.observation, Observation::ModelCall) {
            take(replay.state())?;
        }
        replay.observe(entry);
        Ok::<(), Box<dyn Error>>(())
    })?;
    take(replay.state())?;
    Ok(shown)
}

/// What shows a HUD with a backslash before all punctuation that could mean something.
fn escaping() -> Setup {
    let options = Options {
        sparing: false,
        ..Options::hud()
    };
    let renderer = Renderer::default().with_options(options);
    Setup::default().with_layout(Layout::default().with_renderer(renderer))
}
