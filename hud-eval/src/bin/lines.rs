//! Prints the lines of some sections in the HUDs of recorded sessions, for a reader to judge.
//!
//! ```text
//! cargo run --release -p hud-eval --bin lines -- [--sections NAMES] [--tokens N] SESSION...
//! ```
//!
//! Each distinct line of a section is printed once, as a JSON object with the `session`, the `section`, the
//! `line`, the `turn` after which it is first shown, and the one after which it is last shown (`last`). The
//! default sections are those that interpret events. NAMES replaces them, separated by commas. The HUD is the
//! whole one at full density, or with `--tokens` the part that fits into so many tokens. A session may be
//! gzipped.
#![allow(clippy::print_stdout, reason = "the lines are what the example is for")]

#[path = "facts/session.rs"]
mod session;

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use hud_agent::frame::Frame;
use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_clients::transcript::Transcript;
use hud_core::Density;
use hud_observe::observation::Observation;
use hud_store::event::SessionId;
use hud_store::state::HudState;
use serde::Serialize;

use self::session::SessionFile;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The sections that interpret events.
const SECTIONS: &str = "Rules,Open Errors,Failing,Decisions";

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
    const USAGE: &str = "usage: lines [--sections NAMES] [--tokens N] SESSION...";
    let (mut names, mut tokens, mut sessions) = (SECTIONS.to_owned(), None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--sections" => names = arguments.next().ok_or(USAGE)?,
            "--tokens" => tokens = Some(arguments.next().ok_or(USAGE)?.parse()?),
            flag if flag.starts_with("--") => return Err(USAGE.into()),
            _ => sessions.push(argument),
        }
    }
    if sessions.is_empty() {
        return Err(USAGE.into());
    }
    let wanted: Vec<&str> = names.split(',').map(str::trim).collect();
    for session in &sessions {
        for shown in shown(Path::new(session), &wanted, tokens)? {
            println!("{}", serde_json::to_string(&shown)?);
        }
    }
    Ok(())
}

/// A line of a HUD.
#[derive(Serialize)]
struct Shown {
    session: String,
    section: String,
    line: String,
    turn: u64,
    last: u64,
}

/// Returns the distinct lines of a session's HUDs under some headings, in the order of their first appearance.
fn shown(path: &Path, wanted: &[&str], tokens: Option<u64>) -> Outcome<Vec<Shown>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name).to_owned();
    let folder = path.parent().unwrap_or(Path::new("."));
    let file = SessionFile::open(folder, &name)?;
    let mut replay = Replay::new(SessionId::new(Transcript::session_name(file.path())?)?);
    let mut lines: Vec<Shown> = Vec::new();
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    let mut take = |turn: u64, state: &HudState| -> Outcome<()> {
        for (section, line) in lines_of(&text(state, tokens)?, wanted) {
            match places.get(&(section.clone(), line.clone())) {
                Some(place) => {
                    if let Some(shown) = lines.get_mut(*place) {
                        shown.last = turn;
                    }
                }
                None => {
                    places.insert((section.clone(), line.clone()), lines.len());
                    lines.push(Shown {
                        session: name.clone(),
                        section,
                        line,
                        turn,
                        last: turn,
                    });
                }
            }
        }
        Ok(())
    };
    Transcript::open(file.path())?.read(&mut |entry| {
        if matches!(entry.observation, Observation::ModelCall) {
            take(replay.turn(), replay.state())?;
        }
        replay.observe(entry);
        Ok::<(), Box<dyn Error>>(())
    })?;
    take(replay.turn(), replay.state())?;
    Ok(lines)
}

/// Renders the HUD of a state.
fn text(state: &HudState, tokens: Option<u64>) -> Outcome<String> {
    let (density, setup) = (Some(Density::Full), Setup::default());
    let frame = match tokens {
        Some(most) => Frame::fitted(state, density, most, &setup)?.0,
        None => Frame::whole(state, density, &setup)?,
    };
    Ok(frame.system)
}

/// Returns the lines under headings with these names, which may have a number after them. An indented line
/// belongs to the line before.
fn lines_of(markdown: &str, wanted: &[&str]) -> Vec<(String, String)> {
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut section = None;
    for line in markdown.lines().filter(|line| !line.trim().is_empty()) {
        if line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim();
            let heading = heading.split(" (").next().unwrap_or(heading);
            section = wanted.iter().find(|name| **name == heading);
            continue;
        }
        let Some(section) = section else {
            continue;
        };
        match lines.last_mut() {
            Some((of, last)) if of == section && line.starts_with([' ', '\t']) => {
                last.push('\n');
                last.push_str(line.trim());
            }
            _ => lines.push(((*section).to_owned(), line.to_owned())),
        }
    }
    lines
}
