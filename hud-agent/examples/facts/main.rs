//! How much of what an agent must know its HUD holds, and how much of what would mislead it.
//!
//! ```text
//! cargo run --release -p hud-agent --example facts -- FACTS SESSIONS
//!     [--with-calls FILE]      play in the calls of the `hud` tool that a model would have made
//!     [--after-summary FILE]   compact at each state that FILE has a summary of, and compare the summary
//!                              with the HUD behind it, which has as many characters as the summary
//!     [--summaries FILE]       score the summaries themselves: what a plain summary holds
//!     [--texts FILE]           score other texts, too: JSON lines with `session`, `turn`, `name` and `text`
//!     [--chars N]              at the fullest density that takes at most N characters
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
//! With `--features hud-core/bpe` the tokens are counted exactly, and estimated without.
//!
//! FACTS is a file of JSON lines, each a fact about one session after one turn: `session` (a file in
//! the directory SESSIONS), `turn`, `id`, `kind`, `want` (`show` or `not`), `weight`, and the regular
//! expressions `all` and `any`. A fact with `show` holds if all of `all` and, where there are some, one
//! of `any` match the HUD without its markdown escapes; one with `not` holds if they do not.
#![allow(
    clippy::print_stdout,
    reason = "the figures are what the example is for"
)]

mod ablation;
mod curve;
mod memory;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use fancy_regex::{Regex, RegexBuilder};
use hud_agent::action::Action;
use hud_agent::frame::Frame;
use hud_agent::observation::{Actions, Observation};
use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_agent::transcript::{Entry, Transcript};
use hud_core::Density;
use hud_store::event::SessionId;
use hud_store::state::HudState;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::ablation::{Ablation, without};
use self::curve::Curve;
use self::memory::{Memory, remember};

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
    let mut ablation = options.ablate.then(|| Ablation::new(options.chars));
    let setup = without(options.without.iter().map(String::as_str));
    let mut curve = options.curve.then(|| Curve::new(setup.clone()));
    let mut memory = options.memory.then(|| Memory::new(options.written));
    for (number, session) in sessions.into_iter().enumerate() {
        let wanted: Vec<u64> = facts
            .keys()
            .filter(|(name, _)| name == session)
            .map(|(_, turn)| *turn)
            .collect();
        let path = options.sessions.join(session);
        let played = Played {
            calls: &calls,
            summaries: &summaries,
            remembers: options.written,
        };
        let states = |setup: &Setup| states(&path, session, &wanted, &played, setup);
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
            for (name, text) in shown(&state, options.chars, &setup)? {
                if options.show {
                    println!("=== {session} after turn {turn}, {name}\n{text}");
                }
                sheet.score(&name, &place, &text, facts, options.misses)?;
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

/// What a HUD holds of what its summary holds.
#[derive(Default)]
struct Kept {
    share: Share,
}

impl Kept {
    fn add(
        &mut self,
        hud: &str,
        summary: &str,
        facts: &[Fact],
        (session, turn): &(String, u64),
        misses: bool,
    ) -> Outcome<()> {
        for fact in facts.iter().filter(|fact| fact.want == Want::Show) {
            if !fact.holds(summary)? {
                continue;
            }
            let holds = fact.holds(hud)?;
            self.share = self.share.add(Share::of(fact, holds));
            if misses && !holds {
                println!(
                    "lost of its summary: {session} t{turn} {} ({})",
                    fact.id, fact.kind
                );
            }
        }
        Ok(())
    }
}

/// What was asked for.
struct Options {
    facts: PathBuf,
    sessions: PathBuf,
    with_calls: Option<PathBuf>,
    after_summary: Option<PathBuf>,
    summaries: Option<PathBuf>,
    texts: Option<PathBuf>,
    chars: Option<usize>,
    last: Option<usize>,
    least: Option<(f64, f64)>,
    keep: Option<f64>,
    misses: bool,
    show: bool,
    without: Vec<String>,
    ablate: bool,
    curve: bool,
    memory: bool,
    written: bool,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Outcome<Self> {
        const USAGE: &str = "usage: facts FACTS SESSIONS [--with-calls FILE] [--after-summary FILE] \
                             [--summaries FILE] [--texts FILE] [--chars N] [--last N] \
                             [--curve] [--least HELD OUT] [--keep PERCENT] [--without NAMES] \
                             [--memory [--written]] [--ablate] [--show] [--misses]";
        let mut places = Vec::new();
        let (mut with_calls, mut after_summary) = (None, None);
        let (mut summaries, mut texts) = (None, None);
        let (mut chars, mut last, mut least, mut keep) = (None, None, None, None);
        let (mut misses, mut show, mut ablate) = (false, false, false);
        let (mut curve, mut memory, mut written) = (false, false, false);
        let mut without = Vec::new();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(USAGE);
            match argument.as_str() {
                "--with-calls" => with_calls = Some(value()?.into()),
                "--after-summary" => after_summary = Some(value()?.into()),
                "--summaries" => summaries = Some(value()?.into()),
                "--texts" => texts = Some(value()?.into()),
                "--chars" => chars = Some(value()?.parse()?),
                "--last" => last = Some(value()?.parse()?),
                "--least" => least = Some((value()?.parse()?, value()?.parse()?)),
                "--keep" => keep = Some(value()?.parse()?),
                "--without" => without.extend(value()?.split(',').map(str::to_owned)),
                "--ablate" => ablate = true,
                "--curve" => curve = true,
                "--memory" => memory = true,
                "--written" => written = true,
                "--misses" => misses = true,
                "--show" => show = true,
                flag if flag.starts_with("--") => return Err(USAGE.into()),
                _ => places.push(PathBuf::from(argument)),
            }
        }
        let [facts, sessions] = <[PathBuf; 2]>::try_from(places).map_err(|_| USAGE)?;
        Ok(Self {
            facts,
            sessions,
            with_calls,
            after_summary,
            summaries,
            texts,
            chars,
            last,
            least,
            keep,
            misses,
            show,
            without,
            ablate,
            curve,
            memory,
            written,
        })
    }
}

/// Something that is about one session after one turn.
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
struct Fact {
    session: String,
    turn: u64,
    id: String,
    kind: String,
    want: Want,
    weight: u64,
    #[serde(default)]
    all: Vec<String>,
    #[serde(default)]
    any: Vec<String>,
    why: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Want {
    Show,
    Not,
}

impl Fact {
    fn holds(&self, text: &str) -> Outcome<bool> {
        let matches = |pattern: &String| -> Outcome<bool> {
            let regex: Regex = RegexBuilder::new(pattern)
                .case_insensitive(true)
                .dot_matches_new_line(true)
                .build()
                .map_err(|error| format!("{}, fact {}: {error}", self.session, self.id))?;
            Ok(regex.is_match(text)?)
        };
        for pattern in &self.all {
            if !matches(pattern)? {
                return Ok(self.want == Want::Not);
            }
        }
        for pattern in &self.any {
            if matches(pattern)? {
                return Ok(self.want == Want::Show);
            }
        }
        Ok((self.want == Want::Show) == self.any.is_empty())
    }
}

#[derive(Deserialize)]
struct Summary {
    session: String,
    turn: u64,
    long: String,
    short: String,
}

/// What somebody else has of a session at a turn.
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

/// What is played into the sessions besides.
struct Played<'p> {
    calls: &'p ByState<Call>,
    summaries: &'p ByState<Summary>,
    /// Whether the agent wrote into its memory by then.
    remembers: bool,
}

/// States after a turn, with what was said so far.
type States = Vec<(u64, HudState, String)>;

/// The states after the turns that are wanted, once their tools' results came in.
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
                false => compacted(replay, turn, summary),
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

/// The agent makes a call of the `hud` tool, and it is answered.
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

/// The state behind a compaction that left a summary; as it is without one.
fn compacted(replay: &Replay, turn: u64, summary: Option<&Summary>) -> HudState {
    let Some(summary) = summary else {
        return replay.state().clone();
    };
    let mut replay = replay.clone();
    let begins = Observation::CompactionBegins {
        trigger: None,
        tokens_before: None,
    };
    let ends = Observation::CompactionEnds {
        summary: Some(summary.long.clone()),
        boundary: None,
    };
    for (part, observation) in [("begins", begins), ("ends", ends)] {
        replay.observe(entry(format!("compaction {turn} {part}"), observation));
    }
    replay.state().clone()
}

/// The HUD at each density, by name; or, where the number of characters is limited, the most of it that
/// fits.
fn shown(state: &HudState, chars: Option<usize>, setup: &Setup) -> Outcome<Vec<(String, String)>> {
    if let Some(most) = chars {
        return Ok(vec![(format!("within {most}"), hud(state, chars, setup)?)]);
    }
    let mut all = Vec::new();
    for density in [Density::Full, Density::Compact, Density::Minimal] {
        let frame = Frame::whole(state, Some(density), setup)?;
        all.push((density.to_string(), unescaped(&frame.system)));
    }
    Ok(all)
}

/// The HUD in at most so many characters; else the full one.
fn hud(state: &HudState, chars: Option<usize>, setup: &Setup) -> Outcome<String> {
    let frame = match chars {
        Some(most) => Frame::within(state, most, setup)?,
        None => Frame::whole(state, Some(Density::Full), setup)?,
    };
    Ok(unescaped(&frame.system))
}

/// A text without the backslashes that keep markdown's characters from meaning something.
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

/// The scores of several texts, by name.
#[derive(Default)]
struct Sheet {
    scores: BTreeMap<String, Score>,
    order: Vec<String>,
}

#[derive(Default)]
struct Score {
    states: u64,
    chars: usize,
    kinds: BTreeMap<(Want, String), Share>,
}

impl Score {
    /// The share of the facts of one kind that hold, by weight, in percent.
    fn of(&self, want: Want, kind: &str) -> f64 {
        let share = self.kinds.get(&(want, kind.to_owned()));
        share.copied().unwrap_or_default().percent()
    }

    /// The share of the facts of one sort that hold, by weight, in percent.
    fn percent(&self, want: Want) -> f64 {
        let shares = self.kinds.iter().filter(|((of, _), _)| *of == want);
        shares
            .fold(Share::default(), |sum, (_, share)| sum.add(*share))
            .percent()
    }
}

/// Facts that hold, of all: how many, and what they weigh.
#[derive(Clone, Copy, Default)]
struct Share {
    held: u64,
    all: u64,
    held_weight: u64,
    all_weight: u64,
}

impl Share {
    fn of(fact: &Fact, holds: bool) -> Self {
        Self {
            held: holds.into(),
            all: 1,
            held_weight: if holds { fact.weight } else { 0 },
            all_weight: fact.weight,
        }
    }

    fn add(self, other: Self) -> Self {
        Self {
            held: self.held + other.held,
            all: self.all + other.all,
            held_weight: self.held_weight + other.held_weight,
            all_weight: self.all_weight + other.all_weight,
        }
    }

    fn percent(self) -> f64 {
        match self.all_weight {
            0 => 100.0,
            all => 100.0 * self.held_weight as f64 / all as f64,
        }
    }
}

impl Sheet {
    fn score(
        &mut self,
        name: &str,
        (session, turn): &(String, u64),
        text: &str,
        facts: &[Fact],
        misses: bool,
    ) -> Outcome<()> {
        if !self.scores.contains_key(name) {
            self.order.push(name.to_owned());
        }
        let score = self.scores.entry(name.to_owned()).or_default();
        score.states += 1;
        score.chars += text.chars().count();
        for fact in facts {
            let holds = fact.holds(text)?;
            let share = score
                .kinds
                .entry((fact.want, fact.kind.clone()))
                .or_default();
            *share = share.add(Share::of(fact, holds));
            if misses && !holds {
                let wrong = match fact.want {
                    Want::Show => "misses",
                    Want::Not => "shows wrongly",
                };
                println!(
                    "{name}: {session} t{turn} {wrong} {} ({}, {}): {}",
                    fact.id, fact.kind, fact.weight, fact.why
                );
            }
        }
        Ok(())
    }

    /// Fails where a HUD holds less of the facts, or keeps out less of what is wrong, in percent. The
    /// anchors are no HUDs.
    fn holds(&self, (held, out): (f64, f64)) -> Outcome<()> {
        for (name, score) in &self.scores {
            let is_anchor = name.starts_with("summary") || name.starts_with("the last");
            if !is_anchor && (score.percent(Want::Show) < held || score.percent(Want::Not) < out) {
                return Err(format!("{name}: less than {held} % held or {out} % kept out").into());
            }
        }
        Ok(())
    }

    /// The kinds of a text's facts.
    fn kinds(&self, name: &str) -> Vec<(Want, String)> {
        let score = self.scores.get(name);
        score.map_or_else(Vec::new, |score| score.kinds.keys().cloned().collect())
    }

    /// The share of the facts of one kind that hold in a text, by weight, in percent.
    fn percent(&self, name: &str, want: Want, kind: &str) -> f64 {
        let score = self.scores.get(name);
        score.map_or(0.0, |score| score.of(want, kind))
    }

    fn print(&self) {
        for name in &self.order {
            let Some(score) = self.scores.get(name) else {
                continue;
            };
            println!(
                "{name}: {} states of {} characters, facts held {:.1} %, wrong things kept out {:.1} %",
                score.states,
                score.chars / score.states.max(1) as usize,
                score.percent(Want::Show),
                score.percent(Want::Not)
            );
            for ((want, kind), share) in &score.kinds {
                let what = match want {
                    Want::Show => "held",
                    Want::Not => "kept out",
                };
                println!(
                    "  {kind:<12} {what:<9} {:>5.1} %  {:>3} of {:<3}",
                    share.percent(),
                    share.held,
                    share.all
                );
            }
        }
    }
}
