//! Which outputs of tools leave a conversation to make room: those that are needed least, together, and
//! when it is worth it.
//!
//! An output that leaves is kept in the log, and a [placeholder](Placeholder) takes its place: it says how
//! it is read again, and has an [outline](hud_derive::outline::outline) of it. That makes the conversation another one from
//! there on, and the provider reads anew what it had cached; so what may leave is marked by its age and
//! [class](hud_store::state::OutputClass), and leaves together with others ([`rule`]).
//!
//! `hud-eval` measures the loss for a model on recorded sessions.

pub mod entry;
mod live;
pub mod rule;

use std::fmt;

use hud_components::text::line;
use hud_store::state::PrunedOutput;
use serde_json::json;

pub(crate) use self::live::class_of;
pub use self::live::{Listed, Now, Output, PLACEHOLDER, clearable, leaving};
#[cfg(doc)]
use crate::settings::Prune;

/// After how many requests a file may leave, by default ([`Prune::age`]).
pub const AGE: u64 = 9;

/// Tokens that must be gained while the context is yellow, by default ([`Prune::minimum`]).
pub const MINIMUM: u64 = 20_000;

/// The same while it is red ([`Prune::minimum_red`]).
pub const MINIMUM_RED: u64 = 5_000;

/// The same where the provider has forgotten the conversation ([`Prune::minimum_cold`]).
pub const MINIMUM_COLD: u64 = 1_000;

/// Seconds for which a provider remembers a conversation, where neither its [profile](crate::cost::Profile) nor a
/// setting ([`Prune::cache_seconds`]) says that.
pub const CACHE_SECONDS: u64 = 300;

/// Tools whose outputs never leave, by default ([`Prune::protected_tools`]).
pub const PROTECTED_TOOLS: &[&str] = &["skill"];

/// Characters of what an output is of that a placeholder has.
const TARGET: usize = 80;

/// What takes the place of an output that left: what it was, how it is read again, and its outline. The
/// same output has the same placeholder for ever.
///
/// ```
/// use hud_agent::prune::Placeholder;
///
/// let placeholder = Placeholder {
///     version: Some(42),
///     call: "c7".to_owned(),
///     tool: "Read".to_owned(),
///     target: Some("src/main.rs".to_owned()),
///     lines: 1_200,
///     chars: 48_000,
///     outline: Some("12 fn main() {\n".to_owned()),
/// };
/// assert_eq!(
///     placeholder.to_string(),
///     "[Taken out to make room: 48000 characters, 1200 lines, of Read src/main.rs. \
///      The hud tool has them: {\"tool\":\"recall\",\"args\":{\"version\":42}}]\n\
///      Some of its lines:\n12 fn main() {\n",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The version by which `recall` finds the output: the same in every log, and in a fork of the
    /// conversation. `None` where only the call names it.
    pub version: Option<u64>,
    /// The call whose output it is, as the client names it.
    pub call: String,
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

impl Placeholder {
    /// That of an output which left, and has so many characters.
    pub fn of(left: &PrunedOutput, chars: u64) -> Self {
        Self {
            version: left.version,
            call: left.call.clone(),
            tool: left.tool.clone(),
            target: left.target.clone(),
            lines: left.rows,
            chars,
            outline: left.outline.clone(),
        }
    }
}

impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[Taken out to make room: {} characters", self.chars)?;
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
        let args = match self.version {
            Some(version) => json!({ "version": version }),
            None => json!({ "call": self.call }),
        };
        write!(
            f,
            ". The hud tool has them: {{\"tool\":\"recall\",\"args\":{args}}}]"
        )?;
        match &self.outline {
            Some(outline) => write!(f, "\nSome of its lines:\n{outline}"),
            None => Ok(()),
        }
    }
}
