//! Settings of derivation, and of the windows that it reads.

mod models;
pub mod pattern;
mod rules;
mod within;

use std::collections::BTreeSet;

use hud_core::Bands;
use hud_observe::window;
use hud_store::event::HudEvent;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

pub use self::models::Models;
pub use self::rules::Rule;
pub use self::within::Within;

/// More tokens than any window has.
const TOKENS: i64 = 1_000_000_000;

/// More turns than any session has.
const TURNS: i64 = 1_000_000;

/// The settings that a [`Deriver`](crate::Deriver) reads.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// The bands of context use.
    pub bands: Bands,
    /// Assumptions about context windows.
    pub context: Context,
    /// The windows of models.
    pub models: Models,
    /// Rules and records.
    pub derive: Derive,
    /// Reminders to record something.
    pub reminder: Reminder,
}

impl Settings {
    /// The settings of those five tables.
    pub const fn new(
        bands: Bands,
        context: Context,
        models: Models,
        derive: Derive,
        reminder: Reminder,
    ) -> Self {
        Self {
            bands,
            context,
            models,
            derive,
            reminder,
        }
    }
}

/// What is taken for true of a context window where the client does not say it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Context {
    /// The window in tokens of a model of which nothing is known. It is shown as assumed; 0 is for none.
    #[serde(with = "Within::<0, TOKENS>")]
    pub assumed_window: u64,
    /// Tokens that a client keeps free for what the model writes, where the window for the input is known
    /// by itself.
    #[serde(with = "Within::<0, TOKENS>")]
    pub compaction_buffer: u64,
    /// Tokens that a model writes at most, where that is not known or more.
    #[serde(with = "Within::<0, TOKENS>")]
    pub output_max: u64,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            assumed_window: 200_000,
            compaction_buffer: window::COMPACTION_BUFFER,
            output_max: window::OUTPUT_MAX,
        }
    }
}

/// What is recorded by itself of what the agent does. What the agent says with the `hud` tool is recorded
/// in any case, and so are compactions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Derive {
    /// The task, the requests and the rules, from what the user says.
    pub task: bool,
    /// The active files, from what tools read, edit, move and remove.
    pub files: bool,
    /// The plan, from the client's own tools for plans.
    pub plan: bool,
    /// Open errors, from tools that fail.
    pub errors: bool,
    /// Notes of what the user declines.
    pub notes: bool,
    /// The use of the context, from what the client reports of it.
    pub context: bool,
    /// The record: what the user, the agent and sub-agents say, what commands print, answers and refusals.
    pub record: bool,
    /// After how many turns an error that was only in passing (a file that is not there, a slip in a shell
    /// line) is over.
    #[serde(with = "Within::<1, TURNS>")]
    pub passing_turns: u64,
    /// What becomes of keys, tokens and passwords in what is recorded.
    pub secrets: Secrets,
    /// Rules by which nothing is derived.
    pub without: BTreeSet<Rule>,
}

/// When the agent is asked to record something: once for each thing, where it recorded nothing for long and
/// something is worth a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Reminder {
    /// Whether it is.
    pub on: bool,
    /// After how many turns without a record by the agent; a third of them where a compaction is near, and
    /// twice as many after each time that nothing was recorded.
    #[serde(with = "Within::<1, TURNS>")]
    pub turns: u64,
}

impl Default for Reminder {
    fn default() -> Self {
        Self {
            on: true,
            turns: 15,
        }
    }
}

/// What becomes of [secrets](hud_secret) in what is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Secrets {
    /// They are masked before anything of them is in the log.
    #[default]
    Mask,
    /// They are kept as they are.
    Keep,
}

impl JsonSchema for Secrets {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Secrets".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": ["mask", "keep"] })
    }
}

impl Default for Derive {
    fn default() -> Self {
        Self {
            task: true,
            files: true,
            plan: true,
            errors: true,
            notes: true,
            context: true,
            record: true,
            passing_turns: 5,
            secrets: Secrets::default(),
            without: BTreeSet::new(),
        }
    }
}

impl Derive {
    /// Whether something is derived by a rule.
    pub fn by(&self, rule: Rule) -> bool {
        !self.without.contains(&rule)
    }

    /// Whether an event that follows from what the agent does is recorded.
    ///
    /// ```
    /// use hud_derive::settings::Settings;
    /// use hud_store::event::FileOpen;
    ///
    /// let mut derive = Settings::default().derive;
    /// let opened = FileOpen::of("src/main.rs").into();
    /// assert!(derive.records(&opened));
    /// derive.files = false;
    /// assert!(!derive.records(&opened));
    /// ```
    pub fn records(&self, event: &HudEvent) -> bool {
        match event.kind().as_bytes().split(|byte| *byte == b'.').next() {
            Some(b"task" | b"request" | b"constraint") => self.task,
            Some(b"file") => self.files,
            Some(b"step") => self.plan,
            Some(b"error") => self.errors,
            Some(b"note") => self.notes,
            Some(b"context") => self.context,
            Some(b"record") => self.record,
            _ => true,
        }
    }
}
