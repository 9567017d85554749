//! Removes outputs of tools from a conversation to make room. The least needed outputs are removed together,
//! when the gain suffices.
//!
//! The log keeps each removed output, and a [placeholder](Placeholder) replaces it in the conversation. The
//! placeholder shows how to read it again, and contains its [outline](hud_derive::outline::outline). A removal
//! changes the conversation from that point on, and the provider has to read the cached text again. So outputs
//! become due by their age and [class](hud_store::state::OutputClass), and the due outputs are removed
//! together ([`rule`]).
//!
//! `hud-eval` measures the loss for a model in recorded sessions.

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

/// The default age of a due file in requests ([`Prune::age`]).
pub const AGE: u64 = 9;

/// The default minimum gain in tokens while the context is yellow ([`Prune::minimum`]).
pub const MINIMUM: u64 = 20_000;

/// The default minimum gain while it is red ([`Prune::minimum_red`]).
pub const MINIMUM_RED: u64 = 5_000;

/// The default minimum gain when the provider's cache is cold ([`Prune::minimum_cold`]).
pub const MINIMUM_COLD: u64 = 1_000;

/// The default lifetime of a provider's cache in seconds. It applies if neither the
/// [profile](crate::cost::Profile) nor a setting ([`Prune::cache_seconds`]) has one.
pub const CACHE_SECONDS: u64 = 300;

/// The default tools whose outputs are never removed ([`Prune::protected_tools`]).
pub const PROTECTED_TOOLS: &[&str] = &["skill"];

/// The maximum number of characters of the tool and target in a placeholder.
const TARGET: usize = 80;

/// The replacement of a removed output: its source, the call that reads it again, and its outline. The same
/// output always has the same placeholder.
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
    /// The version by which `recall` finds the output. It is the same in every log, and in a fork of the
    /// conversation. `None` if only the call identifies the output.
    pub version: Option<u64>,
    /// The client's id of the call.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// The target of the call, such as a file.
    pub target: Option<String>,
    /// The number of lines; 0 if it is unknown.
    pub lines: u64,
    /// The number of characters.
    pub chars: u64,
    /// The lines of the outline.
    pub outline: Option<String>,
}

impl Placeholder {
    /// Returns the placeholder of a removed output with so many characters.
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
