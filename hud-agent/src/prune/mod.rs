//! Which outputs of tools leave a conversation to make room: those that are needed least, together, and
//! when it is worth it.
//!
//! An output that leaves is kept in the log, and a [placeholder](Placeholder) takes its place: it says how
//! it is read again, and has an [outline](outline()) of it. That makes the conversation another one from
//! there on, and the provider reads anew what it had cached; so what may leave is marked by its age and
//! [class](hud_store::state::OutputClass), and leaves together with others ([`rule`]).
//!
//! What that takes from a model is measured on recorded sessions: a [`trace`] has what was sent, what was
//! [needed](mod@need) of it afterwards shows in what the model did, and a [simulation](simulate()) says
//! what a policy would have removed, missed and saved, beside what [others](peers) do.

pub mod class;
pub mod entry;
pub mod interval;
pub mod need;
mod outline;
pub mod peers;
pub mod rule;
mod simulate;
mod spoken;
pub mod trace;

use std::fmt;

use hud_components::text::line;
use hud_store::state::Lines;
use serde::Deserialize;

pub use self::outline::{Whole, outline};
pub use self::simulate::{Figures, Moment, Policy, Prices, Step, Subject, simulate};
pub use self::spoken::Spoken;
use crate::settings::Prune;

/// Tokens of the most recent outputs that stay in any case, by default ([`Prune::protect`]).
pub const PROTECT: u64 = 40_000;

/// After how many requests a file may leave, by default ([`Prune::age`]).
pub const AGE: u64 = 9;

/// Tokens that must be gained while the context is yellow, by default ([`Prune::minimum`]).
pub const MINIMUM: u64 = 20_000;

/// The same while it is red ([`Prune::minimum_red`]).
pub const MINIMUM_RED: u64 = 5_000;

/// The same where the provider has forgotten the conversation ([`Prune::minimum_cold`]).
pub const MINIMUM_COLD: u64 = 1_000;

/// Seconds for which a provider remembers a conversation ([`Prune::cache_seconds`]).
pub const CACHE_SECONDS: u64 = 300;

/// Tools whose outputs never leave, by default ([`Prune::protected_tools`]).
pub const PROTECTED_TOOLS: &[&str] = &["skill"];

/// Characters of what an output is of that a placeholder has.
const TARGET: usize = 80;

/// A tool's output in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Output {
    /// The call, as the client names it.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// How many characters it has.
    pub chars: u64,
    /// Whether it left already.
    #[serde(default)]
    pub pruned: bool,
}

/// The outputs that are to leave, newest first; `outputs` are those of the conversation, oldest first.
///
/// From the newest on, [`protect`](Prune::protect) tokens stay, and in any case the newest `unread` outputs,
/// which the model has not seen yet. What is older leaves, up to where outputs left before, if that gains
/// at least [`minimum`](Prune::minimum) tokens.
pub fn leaving<'o, I>(
    outputs: I,
    unread: usize,
    prune: &Prune,
) -> impl Iterator<Item = &'o Output> + use<'o, I>
where
    I: IntoIterator<Item = &'o Output>,
    I::IntoIter: DoubleEndedIterator,
{
    let (mut seen, mut gained) = (0_u64, 0_u64);
    let mut leaving = Vec::new();
    for (index, output) in outputs.into_iter().rev().enumerate() {
        if output.pruned {
            break;
        }
        if prune.protected_tools.contains(&output.tool) {
            continue;
        }
        let tokens = output.chars.saturating_add(4 / 2) / 4;
        seen = seen.saturating_add(tokens);
        if seen > prune.protect && index >= unread {
            gained = gained.saturating_add(tokens);
            leaving.push(output);
        }
    }
    if gained < prune.minimum || !prune.on {
        leaving.clear();
    }
    leaving.into_iter()
}

/// Whether a newer output of a file has all the lines that an older one has; nothing is for all lines.
pub fn covers(newer: Option<Lines>, older: Option<Lines>) -> bool {
    match (newer, older) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(newer), Some(older)) => newer.first <= older.first && newer.last >= older.last,
    }
}

/// What takes the place of an output that left: what it was, how it is read again, and its outline. The
/// same output has the same placeholder for ever.
///
/// ```
/// use hud_agent::prune::Placeholder;
///
/// let placeholder = Placeholder {
///     seq: 42,
///     tool: "Read".to_owned(),
///     target: Some("src/main.rs".to_owned()),
///     lines: 1_200,
///     chars: 48_000,
///     outline: Some("12 fn main() {\n".to_owned()),
/// };
/// assert_eq!(
///     placeholder.to_string(),
///     "[Taken out to make room: 48000 characters, 1200 lines, of Read src/main.rs. \
///      The hud tool has them: {\"tool\":\"recall\",\"args\":{\"seq\":42}}]\n\
///      Some of its lines:\n12 fn main() {\n",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The seq of the event that keeps the output.
    pub seq: u64,
    /// The tool.
    pub tool: String,
    /// What the output is of.
    pub target: Option<String>,
    /// How many lines it had; 0 where that is not known.
    pub lines: u64,
    /// How many characters it had.
    pub chars: u64,
    /// Lines of it that stay.
    pub outline: Option<String>,
}

impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seq, chars, .. } = self;
        write!(f, "[Taken out to make room: {chars} characters")?;
        if self.lines > 0 {
            write!(f, ", {} lines,", self.lines)?;
        }
        let what = match &self.target {
            Some(target) => format!("{} {target}", self.tool),
            None => self.tool.clone(),
        };
        if !what.trim().is_empty() {
            write!(f, " of {}", line(&what, TARGET))?;
        }
        write!(
            f,
            ". The hud tool has them: {{\"tool\":\"recall\",\"args\":{{\"seq\":{seq}}}}}]"
        )?;
        match &self.outline {
            Some(outline) => write!(f, "\nSome of its lines:\n{outline}"),
            None => Ok(()),
        }
    }
}
