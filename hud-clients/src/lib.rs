//! The clients: the programs that run agents.
//!
//! Each client has a file or a folder. It recognises and reads the client's events, maps each of its
//! tools to an [`Action`], forms its answers, and knows its compaction, its refusals and its
//! [`transcript`]. Only that module knows the client's format, and no client's tool is translated into
//! another's. To add a client, add a file here and a row in [`CLIENTS`]. `hud install` needs a file and
//! a row in `hud-cli/src/install/`.
//!
//! Callers pass texts. Files are opened through a [`Host`], so that a client's format can be tested
//! without a machine. Only [`transcript`] and the readers below it open files themselves: those of the recording
//! that they are asked to read. [`report()`] reads a report as JSON, and [`lenient`] reads JSON that is torn.

pub mod aider;
pub mod chat;
pub mod claude_code;
pub mod cline;
pub mod codex;
mod command_hook;
pub mod copilot;
pub mod gemini;
pub mod goose;
mod host;
mod inferred;
mod json;
pub mod lenient;
pub mod mini_swe_agent;
pub mod opencode;
pub mod openhands;
pub mod pi;
mod placed;
mod printed;
mod recorded;
mod report;
pub mod swe_agent;
mod texts;
pub mod tools;
pub mod transcript;

use std::fmt::Debug;
use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hud_observe::action::Action;
use hud_observe::observation::Observation;
use hud_observe::reported::Reported;
use jiff::Timestamp;
use serde_json::Value;

pub(crate) use self::chat::first_keys;
pub use self::host::{Host, Source};
pub use self::report::{observation, report};
pub use self::tools::Tool;
use crate::transcript::{Entry, Summary, TranscriptError};

/// All clients. The first one that recognises an event or a transcript gets it, so the clients with the
/// most specific marks come first.
pub const CLIENTS: &[&dyn Client] = &[
    &mini_swe_agent::MiniSweAgent,
    &opencode::Opencode,
    &cline::Cline,
    &goose::Goose,
    &gemini::Gemini,
    &codex::Codex,
    &copilot::Copilot,
    &pi::Pi,
    &openhands::OpenHands,
    &aider::Aider,
    &chat::Chat,
    &swe_agent::SweAgent,
    &claude_code::ClaudeCode,
];

/// Returns the client with a [name](Client::name).
pub fn named(name: &str) -> Option<&'static dyn Client> {
    CLIENTS.iter().copied().find(|client| client.name() == name)
}

/// Returns the client whose hook sent an event.
pub fn of_event(event: &Value) -> Option<&'static dyn Client> {
    CLIENTS.iter().copied().find(|client| client.owns(event))
}

/// Returns the actions of a call of an unknown client. The first of [`CLIENTS`] that has such a tool
/// with such arguments decides; otherwise they are inferred from the name and the arguments.
pub fn actions(tool: &str, input: &Value) -> Vec<Action> {
    let is_known = |actions: &Vec<Action>| !matches!(actions[..], [Action::Other { .. }]);
    let by_table =
        |client: &&dyn Client| tools::actions(client.tools(), tool, client.own_name(tool), input);
    let mut known = CLIENTS.iter().map(by_table);
    known
        .find(is_known)
        .unwrap_or_else(|| inferred::actions(tool, input))
}

/// A program that runs an agent.
pub trait Client: Debug + Sync {
    /// Returns its name, as `hud install` takes it.
    fn name(&self) -> &'static str;

    /// Returns all of its built-in tools.
    fn tools(&self) -> &'static [Tool];

    /// Returns the client's built-in name of a tool, without the prefix that it puts before those of
    /// servers and extensions.
    fn own_name<'t>(&self, tool: &'t str) -> &'t str {
        tool
    }

    /// Returns the actions of a call of one of its tools or of a server's. There is at least one.
    fn actions(&self, tool: &str, input: &Value) -> Vec<Action> {
        let own = self.own_name(tool);
        let is_own = self.tools().iter().any(|known| known.name == own);
        let actions = tools::actions(self.tools(), tool, own, input);
        match actions[..] {
            [Action::Other { .. }] if !is_own => inferred::actions(tool, input),
            _ => actions,
        }
    }

    /// True if a hook event comes from this client.
    fn owns(&self, event: &Value) -> bool {
        let _ = event;
        false
    }

    /// Reads a hook event, and the related data in the client's files.
    fn read(&self, event: &Value, host: &dyn Host) -> HookEvent {
        let _ = (event, host);
        HookEvent::default()
    }

    /// Returns the response to an event that shows the HUD to the model. `session` is the session's key,
    /// for a client that adds it to the calls of the `hud` tool.
    fn answer(&self, event: &Value, hud: &str, session: &str) -> Value {
        let _ = (event, hud, session);
        Value::Null
    }

    /// Returns the maximum number of bytes of the HUD in a response; the client cuts longer ones. `None`
    /// if no limit is known.
    fn most_bytes(&self) -> Option<usize> {
        None
    }

    /// True if its calls of the `hud` tool identify their session without the agent's help.
    fn says_session(&self) -> bool {
        true
    }

    /// Returns the key in the `_meta` of a request to an MCP server that has the name of the session.
    fn session_key(&self) -> Option<&'static str> {
        None
    }

    /// Returns the key in the `_meta` of a call of an MCP server's tool that has the id of the call. The
    /// conversation and its forks use the same id.
    fn call_key(&self) -> Option<&'static str> {
        None
    }

    /// Returns the observations after an offset of its transcript for which it runs no hook, such as the
    /// agent's texts, and the offset at which the transcript ends. The client defines the unit of
    /// offsets, which start at 0. `None` if hooks report everything that matters.
    fn missed(&self, transcript: &Path, from: u64, host: &dyn Host) -> Option<(Vec<Found>, u64)> {
        let _ = (transcript, from, host);
        None
    }

    /// Returns the ids of the messages and calls in the text at the beginning of a transcript. A fork
    /// has the ids of its original.
    fn copied_names(&self, beginning: &str) -> Vec<String> {
        let _ = beginning;
        Vec::new()
    }

    /// Returns the client's name of the session that a conversation was forked from, from the text at
    /// the beginning of the fork's transcript, if that has it.
    fn original(&self, beginning: &str) -> Option<String> {
        let _ = beginning;
        None
    }

    /// True if a file that begins with these bytes is a transcript of this client.
    fn recognises(&self, beginning: &[u8]) -> bool {
        let _ = beginning;
        false
    }

    /// Returns the way to record a session from an SQLite database that begins with these bytes. `None`
    /// if the database is not one of this client.
    fn database(&self, beginning: &[u8]) -> Option<&'static str> {
        let _ = beginning;
        None
    }

    /// Opens the recording of a session that the client stores as a folder, as one file. `None` if the
    /// folder is not such a recording.
    fn open_folder(&self, folder: &Path) -> Option<io::Result<Box<dyn Read>>> {
        let _ = folder;
        None
    }

    /// Returns the places of its recordings on a machine, and in a project.
    fn kept(&self, host: &dyn Host, project: &Path) -> Vec<Kept> {
        let _ = (host, project);
        Vec::new()
    }

    /// Passes each entry of a transcript that it [recognises](Self::recognises) to `sink`, ordered by
    /// time, until `sink` breaks.
    ///
    /// # Errors
    ///
    /// As [`Transcript::read`](crate::transcript::Transcript::read).
    fn read_transcript(
        &self,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        let _ = (file, sink);
        Err(TranscriptError::Foreign {
            path: path.to_owned(),
            found: "a file of a client that records nothing",
        })
    }

    /// Reads one of several conversations in a file, given its number, counted from 1. By default, there
    /// is one.
    ///
    /// # Errors
    ///
    /// As [`read_transcript`](Self::read_transcript), and [`TranscriptError::NoConversation`].
    fn read_conversation(
        &self,
        number: u64,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        match number {
            1 => self.read_transcript(path, file, sink),
            _ => Err(TranscriptError::NoConversation {
                path: path.to_owned(),
                number,
                count: 1,
            }),
        }
    }
}

/// A place of recordings: a folder, and the names of files or folders below it.
///
/// ```
/// use hud_clients::Kept;
///
/// let kept = Kept::new("/home/ada/.codex/sessions", &["*", "*", "*", "rollout-*.jsonl"]);
/// assert!(kept.names.last().is_some_and(|name| Kept::is_name(name, "rollout-1.jsonl")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The folder.
    pub folder: PathBuf,
    /// The pattern of the name on each level below the folder. One `*` matches any text.
    pub names: &'static [&'static str],
}

impl Kept {
    /// Returns the place in a folder.
    pub fn new(folder: impl Into<PathBuf>, names: &'static [&'static str]) -> Self {
        let folder = folder.into();
        Self { folder, names }
    }

    /// True if a name matches a pattern.
    pub fn is_name(pattern: &str, name: &str) -> bool {
        match pattern.split_once('*') {
            None => pattern == name,
            Some((begin, end)) => {
                name.len() >= begin.len() + end.len()
                    && name.starts_with(begin)
                    && name.ends_with(end)
            }
        }
    }
}

/// Returns the folder that a variable names, or else the folder with a name in the user's home folder.
fn home_in(host: &dyn Host, variable: &str, name: &str) -> Option<PathBuf> {
    let named = host.variable(variable);
    named.or_else(|| Some(host.home()?.join(name)))
}

/// The contents of a client's hook event.
#[derive(Debug, Default)]
pub struct HookEvent {
    /// The client's name of the session.
    pub session: String,
    /// The directory that the client works in.
    pub directory: Option<PathBuf>,
    /// The observations that the event reports.
    pub observations: Vec<Observation>,
    /// The time of the event, if it has one.
    pub at: Option<Timestamp>,
    /// The change in the session's lifecycle.
    pub step: Step,
    /// The client's id of the message or call that caused the observations. A fork of the conversation
    /// has the same id.
    pub cause: Option<String>,
    /// True if the session begins as a fork of another one.
    pub is_fork: bool,
    /// The transcript, if it may name the session that the conversation was forked from.
    pub copied: Option<PathBuf>,
    /// The transcript, if it may contain what the hooks [missed](Client::missed).
    pub missed: Option<PathBuf>,
    /// The observations from the client's own files that no hook event contains.
    pub found: Vec<Found>,
    /// The agent's last text, as the event contains it.
    pub said: Option<Found>,
    /// The context use: an [`Observation::Usage`], and the time of the model's response.
    pub usage: Option<Reported>,
    /// The part of the HUD that the model sees now.
    pub shows: Portion,
    /// True if the event is about a call of the `hud` tool.
    pub is_of_hud: bool,
    /// True if it comes from the conversation of a sub-agent, which the session's agent does not see.
    pub is_of_sub_agent: bool,
    /// True if the client needs a response even if there is nothing to show.
    pub wants_answer: bool,
}

/// Observations from a client's own files.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The client's id, or another unique name. Each name is imported once.
    pub name: String,
    /// The time, if the file has it.
    pub at: Option<Timestamp>,
    /// The observations.
    pub observations: Vec<Observation>,
}

impl Found {
    /// Returns a text of the agent. It is imported once, even if it is also found elsewhere.
    fn said(text: &str, at: Option<Timestamp>) -> Option<Self> {
        let said = Observation::said(text)?;
        Some(Self {
            name: format!("said {}", text.trim()),
            at,
            observations: vec![said],
        })
    }
}

/// The change of a session's lifecycle in its client's process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Step {
    /// The session begins, beside those that already run.
    Begins,
    /// The client switches to this session and leaves its other ones.
    Switches,
    /// The session continues.
    #[default]
    Runs,
    /// The session ends.
    Ends,
}

impl Step {
    /// Returns the step of a session start, from the `source` of its event.
    fn begins(event: &Value) -> Self {
        match event["source"].as_str() {
            // One process shows one conversation at a time, so any other source replaces the current
            // one.
            Some(source) if source != "startup" => Self::Switches,
            _ => Self::Begins,
        }
    }
}

/// The part of the HUD that the model sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Portion {
    /// Nothing.
    #[default]
    Nothing,
    /// The whole HUD, permanently. From then on, only changes are shown.
    Whole,
    /// The changes since the HUD was last shown.
    Changes,
    /// The whole HUD, for one model call only.
    Once,
}

/// True if a tool is one of our own. The tool itself records its effects. Clients put the name of our
/// server before its name.
pub fn is_hud(tool: &str) -> bool {
    let name = tool.rsplit("__").next().unwrap_or(tool);
    let name = name.strip_prefix("mcp_hud_").unwrap_or(name);
    name == "hud" || name == "hud_compact"
}

/// Returns the HUD within the tag that is used for clients without their own tag.
fn wrapped(hud: &str) -> String {
    format!("<hud>\n{}\n</hud>", hud.trim_end())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use hud_observe::change::Change;

    /// Checks all tools of a client: each has a row, each row is tried, and an unknown tool is `other`.
    pub(super) fn assert_tools(client: &dyn Client, tried: &[(&str, Value, &[Action])]) {
        for (tool, input, actions) in tried {
            // Other tests cover the lines of a change.
            let mut called = client.actions(tool, input);
            for action in &mut called {
                if let Action::Edit { change, .. } | Action::Write { change, .. } = action {
                    change.diff.clear();
                }
            }
            assert_eq!(called, *actions, "{tool}");
            let own = client.own_name(tool);
            assert!(
                client.tools().iter().any(|known| known.name == own),
                "{tool} has no row"
            );
        }
        for known in client.tools() {
            let is_tried = tried
                .iter()
                .any(|(tool, ..)| client.own_name(tool) == known.name);
            assert!(is_tried, "{} is not tried", known.name);
        }
        let unknown = client.actions("party", &json!({ "path": "a" }));
        assert!(matches!(&unknown[..], [Action::Other { tool, .. }] if tool == "party"));
    }

    pub(super) fn reads(path: &str) -> Action {
        Action::read(path)
    }

    pub(super) fn writes(path: &str) -> Action {
        Action::write(path)
    }

    pub(super) fn makes(path: &str) -> Action {
        Action::Write {
            path: path.to_owned(),
            change: Change {
                created: true,
                ..Change::default()
            },
        }
    }

    pub(super) fn edits(path: &str) -> Action {
        Action::edit(path)
    }

    pub(super) fn runs(command: &str) -> Action {
        Action::Run {
            command: command.to_owned(),
        }
    }

    pub(super) fn asks(tool: &str) -> Action {
        Action::Ask {
            tool: tool.to_owned(),
            target: None,
        }
    }

    pub(super) fn looks(tool: &str, target: Option<&str>) -> Action {
        Action::Look {
            tool: tool.to_owned(),
            target: target.map(ToOwned::to_owned),
        }
    }

    pub(super) fn delegates(tool: &str, target: Option<&str>) -> Action {
        Action::Delegate {
            tool: tool.to_owned(),
            target: target.map(ToOwned::to_owned),
        }
    }

    pub(super) fn other(tool: &str, target: Option<&str>) -> Action {
        Action::Other {
            tool: tool.to_owned(),
            target: target.map(ToOwned::to_owned),
        }
    }

    #[test]
    fn names_are_distinct_and_found() {
        for client in CLIENTS {
            assert_eq!(named(client.name()).map(Client::name), Some(client.name()));
        }
    }

    #[test]
    fn no_call_is_too_odd_for_a_client() {
        let odd = [
            json!(null),
            json!([]),
            json!("x"),
            json!({}),
            json!({ "command": [], "path": 7 }),
            json!({ "files": { "path": [] }, "commands": [[], {}, "x"], "todos": [7, {}] }),
            json!({ "plan": {}, "patchText": 7, "input": [], "content": {}, "include": [[]] }),
        ];
        for client in CLIENTS {
            for tool in client.tools() {
                for input in &odd {
                    assert!(
                        !client.actions(tool.name, input).is_empty(),
                        "{}",
                        tool.name
                    );
                }
            }
        }
    }
}
