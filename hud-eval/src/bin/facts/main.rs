//! Measures the facts that a HUD holds of those that an agent must know, and those that it keeps out.
//!
//! ```text
//! cargo run --release -p hud-eval --bin facts -- FACTS SESSIONS
//!     [--with-calls FILE]      play in the calls of the `hud` tool that a model would have made
//!     [--after-summary FILE]   compact at each state that FILE has a summary of, and compare the summary
//!                              with the HUD behind it, which has as many characters as the summary
//!     [--summaries FILE]       score the summaries themselves: what a plain summary holds
//!     [--texts FILE]           score other texts, too: JSON lines with `session`, `turn`, `name` and `text`
//!     [--chars N]              at the fullest density that takes at most N characters
//!     [--tokens N]             in at most N tokens of o200k, beside as many tokens of what user and agent said last
//!     [--handoff N]            the same right after a compaction at each state
//!     [--last N]               score the last N characters of what user and agent said, too
//!     [--curve]                score by budget, from 60 to 800 tokens, beside as many tokens of what user and
//!                              agent said last; fail unless more tokens hold more, and more than those
//!     [--least HELD OUT]       fail where a HUD holds less than HELD percent of the facts, or keeps out
//!                              less than OUT percent of the wrong things
//!     [--keep PERCENT]         with --after-summary: fail where less than PERCENT percent is kept of what the
//!                              summaries hold
//!     [--without NAMES]        leave out sections, by their names with commas between
//!     [--memory]               score with memory (what is at hand, dependencies) and without it, whole and by length;
//!                              fail where a kind is lower with it
//!     [--written]              with --memory: the agent wrote its task, its plan and its files into core memory and
//!                              knowledge, too, which takes room of its own; fail where a whole HUD has less
//!     [--ablate]               print the scores without each rule of deriving and each section, of all sessions
//!                              and of each half
//!     [--show]                 print what is scored
//!     [--misses]               name each fact that is missing, and each wrong thing that is shown
//! ```
//!
//! The tokens are counted exactly with `--features hud-core/bpe`, and estimated without it.
//!
//! FACTS is a JSON Lines file. Each line is a fact about one session after one turn. Its fields are `session`,
//! `turn`, `id`, `kind`, `want` (`show` or `not`), `weight`, and the regular expressions `all` and `any`.
//! `session` is a file in the directory SESSIONS, which may be gzipped there with `.gz` after its name. A fact
//! with `show` holds if the HUD without its markdown escapes matches each regex of `all`, and one of `any` if
//! there are some. A fact with `not` holds if it does not.
#![allow(
    clippy::print_stdout,
    reason = "the figures are what the example is for"
)]

mod ablation;
mod curve;
mod memory;
mod options;
mod room;
mod score;
mod session;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use hud_agent::frame::Frame;
use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_clients::transcript::{Entry, Transcript};
use hud_core::Density;
use hud_core::tokens::Encoding;
use hud_observe::action::Action;
use hud_observe::observation::{Actions, Observation};
use hud_store::event::SessionId;
use hud_store::state::HudState;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::ablation::{Ablation, without};
use self::curve::Curve;
use self::memory::{Memory, remember};
use self::options::Options;
use self::room::{Room, counting, last};
use self::score::{Fact, Kept, Sheet};
use self::session::SessionFile;

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
    let options = Options::parse(std::env::args().skip(1))?;
    let facts = by_state(read_lines::<Fact>(&options.facts)?);
    let summaries = by_state(lines_of::<Summary>(options.after_summary.as_deref())?);
    let plain = by_state(lines_of::<Summary>(options.summaries.as_deref())?);
    let calls = by_state(lines_of::<Call>(options.with_calls.as_deref())?);
    let texts = by_state(lines_of::<Text>(options.texts.as_deref())?);
    let (mut sheet, mut kept) = (Sheet::default(), Kept::default());
    let sessions: Vec<&String> = {
        let mut names: Vec<&String> = facts.keys().map(|(session, _)| session).collect();
        names.dedup();
        names
    };
    let mut ablation = options.ablate.then(|| Ablation::new(options.room));
    let setup = without(options.without.iter().map(String::as_str));
    let mut curve = options.curve.then(|| Curve::new(setup.clone()));
    let mut memory = options.memory.then(|| Memory::new(options.written));
    for (number, session) in sessions.into_iter().enumerate() {
        let wanted: Vec<u64> = facts
            .keys()
            .filter(|(name, _)| name == session)
            .map(|(_, turn)| *turn)
            .collect();
        let file = SessionFile::open(&options.sessions, session)?;
        let played = Played {
            calls: &calls,
            summaries: &summaries,
            remembers: options.written,
            compacts: options.room.is_some_and(Room::is_handoff),
        };
        let states = |setup: &Setup| states(file.path(), session, &wanted, &played, setup);
        if let Some(ablation) = &mut ablation {
            ablation.score((number, session), states, &facts)?;
            continue;
        }
        let states = states(&setup)?;
        for (turn, state, said) in states {
            let place = (session.clone(), turn);
            let Some(facts) = facts.get(&place) else {
                continue;
            };
            if let Some(summary) = summaries.get(&place).and_then(|all| all.first()) {
                let chars = summary.long.chars().count();
                let frame = Frame::within(&state, chars, &Setup::default())?;
                let text = unescaped(&frame.system);
                if options.show {
                    println!("=== {session} after turn {turn}, behind its summary\n{text}");
                }
                sheet.score("behind its summary", &place, &text, facts, options.misses)?;
                sheet.score("summary, long", &place, &summary.long, facts, false)?;
                let both = format!("{}\n{text}", summary.long);
                sheet.score("summary, long, and the HUD", &place, &both, facts, false)?;
                kept.add(&text, &summary.long, facts, &place, options.misses)?;
            }
            for other in texts.get(&place).into_iter().flatten() {
                sheet.score(&other.name, &place, &other.text, facts, options.misses)?;
            }
            if options.after_summary.is_some() {
                continue;
            }
            if let Some(curve) = &mut curve {
                curve.score(&state, &said, facts)?;
                continue;
            }
            if let Some(memory) = &mut memory {
                memory.score(&place, &state, facts)?;
                continue;
            }
            for (name, text) in shown(&state, options.room, &setup)? {
                if options.show {
                    println!("=== {session} after turn {turn}, {name}\n{text}");
                }
                sheet.score(&name, &place, &text, facts, options.misses)?;
            }
            if let Some(most) = options.room.and_then(Room::tokens) {
                let setup = counting(setup.clone());
                let end = last(&said, most, setup.counters.of(Encoding::O200k))?;
                let name = format!("the last {most} tokens of the conversation");
                sheet.score(&name, &place, end, facts, false)?;
            }
            if let Some(most) = options.last {
                let before = said.chars().count().saturating_sub(most);
                let end: String = said.chars().skip(before).collect();
                let name = format!("the last {most} characters of the conversation");
                sheet.score(&name, &place, &end, facts, false)?;
            }
            for summary in plain.get(&place).into_iter().flatten() {
                sheet.score("summary, short", &place, &summary.short, facts, false)?;
                sheet.score("summary, long", &place, &summary.long, facts, false)?;
            }
        }
    }
    if let Some(ablation) = ablation {
        ablation.print();
    }
    if let Some(curve) = curve {
        curve.print();
        return curve.check();
    }
    if let Some(memory) = memory {
        return memory.print();
    }
    sheet.print();
    if options.after_summary.is_some() {
        println!(
            "of what the summaries hold, the HUD behind them holds {:.1} % in no more characters",
            kept.share.percent()
        );
    }
    if let Some(least) = options.keep
        && kept.share.percent() < least
    {
        return Err(format!("less than {least} % kept of what the summaries hold").into());
    }
    match options.least {
        Some(least) => sheet.holds(least),
        None => Ok(()),
    }
}

/// A record about one session after one turn.
trait Placed {
    fn place(&self) -> (String, u64);
}

macro_rules! placed {
    ($($name:ident),*) => {
        $(impl Placed for $name {
            fn place(&self) -> (String, u64) {
                (self.session.clone(), self.turn)
            }
        })*
    };
}
placed!(Fact, Summary, Call, Text);

#[derive(Deserialize)]
struct Summary {
    session: String,
    turn: u64,
    long: String,
    short: String,
}

/// Another text about a session at a turn.
#[derive(Deserialize)]
struct Text {
    session: String,
    turn: u64,
    name: String,
    text: String,
}

#[derive(Deserialize)]
struct Call {
    session: String,
    turn: u64,
    input: Value,
}

fn read_lines<T: DeserializeOwned>(path: &Path) -> Outcome<Vec<T>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line)
                .map_err(|error| format!("{}:{}: {error}", path.display(), number + 1).into())
        })
        .collect()
}

fn lines_of<T: DeserializeOwned>(path: Option<&Path>) -> Outcome<Vec<T>> {
    path.map_or_else(|| Ok(Vec::new()), read_lines)
}

fn by_state<T: Placed>(all: Vec<T>) -> BTreeMap<(String, u64), Vec<T>> {
    let mut sorted: BTreeMap<_, Vec<T>> = BTreeMap::new();
    for one in all {
        sorted.entry(one.place()).or_default().push(one);
    }
    sorted
}

type ByState<T> = BTreeMap<(String, u64), Vec<T>>;

/// The additional records to play into the sessions.
struct Played<'p> {
    calls: &'p ByState<Call>,
    summaries: &'p ByState<Summary>,
    /// True if the agent has written into its memory by then.
    remembers: bool,
    /// True if the conversation is compacted at that turn, also without a summary.
    compacts: bool,
}

/// The states after turns, with the conversation so far.
type States = Vec<(u64, HudState, String)>;

/// Returns the states after the wanted turns, including the results of their tools.
fn states(
    path: &Path,
    session: &str,
    wanted: &[u64],
    played: &Played<'_>,
    setup: &Setup,
) -> Outcome<States> {
    let transcript = Transcript::open(path)?;
    let mut replay = Replay::new(SessionId::new(Transcript::session_name(path)?)?).with(setup);
    let mut states = Vec::new();
    let mut said = String::new();
    let mut take = |turn: u64, replay: &Replay, said: &str| {
        if wanted.contains(&turn) {
            let place = (session.to_owned(), turn);
            let summary = played.summaries.get(&place).and_then(|all| all.first());
            let state = match played.remembers {
                true => {
                    let mut replay = replay.clone();
                    remember(&mut replay, turn);
                    replay.state().clone()
                }
                false if played.compacts || summary.is_some() => compacted(replay, turn, summary),
                false => replay.state().clone(),
            };
            states.push((turn, state, said.to_owned()));
        }
    };
    transcript.read(&mut |entry| {
        let begins = matches!(entry.observation, Observation::ModelCall);
        if begins {
            take(replay.turn(), &replay, &said);
        }
        if let Observation::User { text } | Observation::Agent { text } = &entry.observation {
            said.push_str(text);
            said.push('\n');
        }
        replay.observe(entry);
        if begins {
            let place = (session.to_owned(), replay.turn());
            let calls = played.calls.get(&place).into_iter().flatten();
            for (number, call) in calls.enumerate() {
                play(&mut replay, number, call);
            }
        }
        Ok::<(), Box<dyn Error>>(())
    })?;
    take(replay.turn(), &replay, &said);
    Ok(states)
}

/// Adds a call of the `hud` tool by the agent, with its answer.
fn play(replay: &mut Replay, number: usize, call: &Call) {
    let id = format!("call {} {number}", call.turn);
    let hud = Action::Hud {
        call: call.input.clone(),
    };
    let made = Observation::ToolCall {
        call: id.clone(),
        actions: hud.into(),
    };
    let answered = Observation::ToolResult {
        call: id.clone(),
        actions: Actions::default(),
        content: "{}".to_owned(),
        is_error: false,
        not_run: None,
        task: None,
        change: None,
    };
    for (part, observation) in [("made", made), ("answered", answered)] {
        replay.observe(entry(format!("{id} {part}"), observation));
    }
}

fn entry(key: String, observation: Observation) -> Entry {
    Entry {
        place: 0,
        key,
        at: None,
        bytes: 0,
        observation,
    }
}

/// Returns the state right after a compaction, which may have a summary.
fn compacted(replay: &Replay, turn: u64, summary: Option<&Summary>) -> HudState {
    let mut replay = replay.clone();
    let begins = Observation::CompactionBegins {
        trigger: None,
        tokens_before: None,
    };
    let ends = Observation::CompactionEnds {
        summary: summary.map(|summary| summary.long.clone()),
        boundary: None,
    };
    for (part, observation) in [("begins", begins), ("ends", ends)] {
        replay.observe(entry(format!("compaction {turn} {part}"), observation));
    }
    replay.state().clone()
}

/// Renders the HUD at each density, by name. If its size is limited, renders only the part that fits.
fn shown(state: &HudState, room: Option<Room>, setup: &Setup) -> Outcome<Vec<(String, String)>> {
    if let Some(room) = room {
        return Ok(vec![(
            format!("within {room}"),
            hud(state, Some(room), setup)?,
        )]);
    }
    let mut all = Vec::new();
    for density in [Density::Full, Density::Compact, Density::Minimal] {
        let frame = Frame::whole(state, Some(density), setup)?;
        all.push((density.to_string(), unescaped(&frame.system)));
    }
    Ok(all)
}

/// Renders the HUD in at most that size; without a limit, the full one.
fn hud(state: &HudState, room: Option<Room>, setup: &Setup) -> Outcome<String> {
    let frame = match room {
        Some(room) => room.frame(state, setup)?,
        None => Frame::whole(state, Some(Density::Full), setup)?,
    };
    Ok(unescaped(&frame.system))
}

/// Returns a text without the backslashes that escape markdown.
fn unescaped(markdown: &str) -> String {
    let mut text = String::with_capacity(markdown.len());
    let mut characters = markdown.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\\' && characters.peek().is_some_and(char::is_ascii_punctuation) {
            continue;
        }
        text.push(character);
    }
    text
}
