//! The clients: the programs that run agents.
//!
//! Each has a file or a folder: how to recognise and read its events, the [`Action`] of each of its tools, the form of an
//! answer, its compaction, its refusals, its [`transcript`]. Nothing else knows a client's format, and no client's tool
//! is translated into another's. A new client is a file here and a row in [`CLIENTS`]; a file and a row in
//! `hud-cli/src/install/` are how `hud install` configures it.
//!
//! Callers pass texts: files are opened through a [`Host`], so that a client's format can be tested without a machine.
//! Only [`transcript`] opens the files of the recording that it is asked to read. [`report()`] reads a report as JSON, and [`lenient`]
//! JSON that is torn.

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

/// All clients. An event or a transcript is of the first that says so, hence those come first that are
/// recognised by something that the others do not have.
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

/// The client with that [name](Client::name).
pub fn named(name: &str) -> Option<&'static dyn Client> {
    CLIENTS.iter().copied().find(|client| client.name() == name)
}

/// The client whose hook an event is of.
pub fn of_event(event: &Value) -> Option<&'static dyn Client> {
    CLIENTS.iter().copied().find(|client| client.owns(event))
}

/// What a call does that is of a client which is not known: as the first of [`CLIENTS`] says that has
/// such a tool with such arguments, else as its name and arguments say.
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
    /// Its name, as `hud install` has it.
    fn name(&self) -> &'static str;

    /// All of its own tools.
    fn tools(&self) -> &'static [Tool];

    /// Its own name of a tool, without what it puts before those of servers and extensions.
    fn own_name<'t>(&self, tool: &'t str) -> &'t str {
        tool
    }

    /// The actions of a call of one of its tools, or of a server's: at least one.
    fn actions(&self, tool: &str, input: &Value) -> Vec<Action> {
        let own = self.own_name(tool);
        let is_own = self.tools().iter().any(|known| known.name == own);
        let actions = tools::actions(self.tools(), tool, own, input);
        match actions[..] {
            [Action::Other { .. }] if !is_own => inferred::actions(tool, input),
            _ => actions,
        }
    }

    /// Whether an event of a hook is one of its own.
    fn owns(&self, event: &Value) -> bool {
        let _ = event;
        false
    }

    /// Reads an event of a hook, and what its files say of it.
    fn read(&self, event: &Value, host: &dyn Host) -> HookEvent {
        let _ = (event, host);
        HookEvent::default()
    }

    /// Answers an event, so that the model sees the HUD. `session` is the word for the session, for a
    /// client that adds it to the calls of the `hud` tool.
    fn answer(&self, event: &Value, hud: &str, session: &str) -> Value {
        let _ = (event, hud, session);
        Value::Null
    }

    /// The number of bytes of the HUD that an answer has at most: the client cuts longer ones. None where no such limit is
    /// known.
    fn most_bytes(&self) -> Option<usize> {
        None
    }

    /// Whether its calls of the `hud` tool say of which session they are, in another way than by the
    /// agent's saying so.
    fn says_session(&self) -> bool {
        true
    }

    /// The key in the `_meta` of a request to an MCP server under which it names its session.
    fn session_key(&self) -> Option<&'static str> {
        None
    }

    /// The key in the `_meta` of a call of an MCP server's tool under which it names the call, as its
    /// conversation and a copy of that do.
    fn call_key(&self) -> Option<&'static str> {
        None
    }

    /// What happened behind a place of its transcript of which it runs no hook, as what the agent says,
    /// and how far the transcript goes now. A place is as the client counts it, from 0 on. Nothing if it
    /// runs a hook for everything that matters.
    fn missed(&self, transcript: &Path, from: u64, host: &dyn Host) -> Option<(Vec<Found>, u64)> {
        let _ = (transcript, from, host);
        None
    }

    /// The names of the messages and calls in the text at the beginning of a transcript; those of a copy
    /// are those of the original.
    fn copied_names(&self, beginning: &str) -> Vec<String> {
        let _ = beginning;
        Vec::new()
    }

    /// Its name of the session that a conversation is a copy of, by the text at the beginning of the copy's
    /// transcript, if that has it.
    fn original(&self, beginning: &str) -> Option<String> {
        let _ = beginning;
        None
    }

    /// Whether a file that begins with these bytes is a transcript of its own.
    fn recognises(&self, beginning: &[u8]) -> bool {
        let _ = beginning;
        false
    }

    /// The way to a recording of a session in an SQLite database that begins with these bytes; nothing if the database is
    /// none of its own.
    fn database(&self, beginning: &[u8]) -> Option<&'static str> {
        let _ = beginning;
        None
    }

    /// Opens the recording of a session that the client keeps as a folder, as one file; nothing if the folder is none of
    /// these.
    fn open_folder(&self, folder: &Path) -> Option<io::Result<Box<dyn Read>>> {
        let _ = folder;
        None
    }

    /// The places of its recordings on a machine, and in a project.
    fn kept(&self, host: &dyn Host, project: &Path) -> Vec<Kept> {
        let _ = (host, project);
        Vec::new()
    }

    /// Gives each entry of a transcript that it [recognises](Self::recognises) to `sink`, in the order of
    /// time, until it breaks.
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

    /// The same of one of several conversations in a file, by its number from 1 on. By default there is
    /// one.
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
    /// The name on each level below it, in which one `*` stands for any text.
    pub names: &'static [&'static str],
}

impl Kept {
    /// The place in a folder.
    pub fn new(folder: impl Into<PathBuf>, names: &'static [&'static str]) -> Self {
        let folder = folder.into();
        Self { folder, names }
    }

    /// True if a name is one that a pattern stands for.
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

/// The folder that a variable names, else the one of that name in the user's folder.
fn home_in(host: &dyn Host, variable: &str, name: &str) -> Option<PathBuf> {
    let named = host.variable(variable);
    named.or_else(|| Some(host.home()?.join(name)))
}

/// What an event of a client's hook says.
#[derive(Debug, Default)]
pub struct HookEvent {
    /// The client's name of the session.
    pub session: String,
    /// The directory that the client works in.
    pub directory: Option<PathBuf>,
    /// What happened.
    pub observations: Vec<Observation>,
    /// When, if the event says that.
    pub at: Option<Timestamp>,
    /// What becomes of the session.
    pub step: Step,
    /// What the client calls the message or call that the observations follow from. It is the same in a
    /// copy of the conversation.
    pub cause: Option<String>,
    /// Whether the session begins as a copy of another one.
    pub is_fork: bool,
    /// The transcript, where it may say of which session the conversation is a copy.
    pub copied: Option<PathBuf>,
    /// The transcript, where it may say what was [missed](Client::missed).
    pub missed: Option<PathBuf>,
    /// What is in the client's own files, and in no event of a hook.
    pub found: Vec<Found>,
    /// What the agent said last, by the event itself.
    pub said: Option<Found>,
    /// How full the context is: an [`Observation::Usage`], and when the model's answer to that request came.
    pub usage: Option<Reported>,
    /// Which part of the HUD the model is to see now.
    pub shows: Portion,
    /// Whether the event is of a call of the `hud` tool.
    pub is_of_hud: bool,
    /// Whether it happened in the conversation of a sub-agent, which the session's agent does not see.
    pub is_of_sub_agent: bool,
    /// Whether the client is answered even if there is nothing to show.
    pub wants_answer: bool,
}

/// Something that was found in a client's own files.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What the client calls it: it is taken in once.
    pub name: String,
    /// When it happened, if the file says that.
    pub at: Option<Timestamp>,
    /// What happened.
    pub observations: Vec<Observation>,
}

impl Found {
    /// Something that the agent says. It is taken in once, wherever else it is found.
    fn said(text: &str, at: Option<Timestamp>) -> Option<Self> {
        let said = Observation::said(text)?;
        Some(Self {
            name: format!("said {}", text.trim()),
            at,
            observations: vec![said],
        })
    }
}

/// What becomes of a session in its client's process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Step {
    /// It begins, beside those that run already.
    Begins,
    /// The client goes on with it, and with no other.
    Switches,
    /// Something happens in it.
    #[default]
    Runs,
    /// It is over.
    Ends,
}

impl Step {
    /// The step of an event that says that a session starts, by what it says it comes from.
    fn begins(event: &Value) -> Self {
        match event["source"].as_str() {
            // Whatever it goes on from, one conversation is shown at a time.
            Some(source) if source != "startup" => Self::Switches,
            _ => Self::Begins,
        }
    }
}

/// Which part of the HUD the model is to see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Portion {
    /// Nothing.
    #[default]
    Nothing,
    /// The whole HUD, for good: from then on only changes are shown.
    Whole,
    /// What changed since it was shown last.
    Changes,
    /// The whole HUD, for one call of the model only.
    Once,
}

/// Whether a tool is one of ours: what it does is recorded where it is done. Clients put the name of our
/// server before it.
pub fn is_hud(tool: &str) -> bool {
    let name = tool.rsplit("__").next().unwrap_or(tool);
    let name = name.strip_prefix("mcp_hud_").unwrap_or(name);
    name == "hud" || name == "hud_compact"
}

/// The HUD in the tag that clients without a mark of their own show it in.
fn wrapped(hud: &str) -> String {
    format!("<hud>\n{}\n</hud>", hud.trim_end())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use hud_observe::change::Change;

    /// Checks all tools of a client: each has a row, each row is tried, and a tool that nobody knows is
    /// another.
    pub(super) fn assert_tools(client: &dyn Client, tried: &[(&str, Value, &[Action])]) {
        for (tool, input, actions) in tried {
            // The lines of a change are tried where they are compared.
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
