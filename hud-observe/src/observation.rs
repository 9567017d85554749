//! Observations of a running or recorded session.

use std::borrow::Cow;

use hud_secret::{mask, mask_text};
use hud_store::event::CallTokens;
use hud_store::text::floor_char_boundary;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::Action;
use crate::change::Change;
use crate::window::Window;

/// An occurrence in a session, which a client's hook, a plugin or a transcript reports. A `Deriver` of
/// `hud-derive` makes events of it.
///
/// As JSON it is an object with a `type`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Observation {
    /// The session's own name. No event follows from it.
    #[serde(skip)]
    Session {
        /// The name.
        name: String,
    },
    /// The directory in which the agent works from here on. No event follows from it.
    Directory {
        /// Its absolute path.
        path: String,
    },
    /// A rewind of the recorded conversation: the user went back, and later messages are no longer part of it.
    /// It requires the earlier states, which a replay has. A running session is rewound by `Session::follow`.
    #[serde(skip)]
    Rewind {
        /// The key of the first removed [`User`](Self::User).
        key: String,
    },
    /// A message of the user.
    User {
        /// The text.
        text: String,
    },
    /// A call of the model, which begins a turn.
    ModelCall,
    /// A message of the agent to the user in the current turn. Reasoning is not reported.
    Agent {
        /// The text.
        text: String,
    },
    /// The agent's last message, which was reported before, possibly by another process. The user's next
    /// message may answer it. No event follows from it.
    AgentBefore {
        /// The text.
        text: String,
    },
    /// The texts in the arguments of the next tool call, as a recording has them. They serve measurements of
    /// the text that a session used. No event follows from them.
    #[serde(skip)]
    Arguments {
        /// The texts, in their order.
        texts: Vec<String>,
    },
    /// A call of a tool.
    ToolCall {
        /// The id of the call, which its result has too.
        call: String,
        /// The actions of the call.
        #[serde(flatten)]
        actions: Actions,
    },
    /// The result of a call.
    ToolResult {
        /// The call's id.
        call: String,
        /// The actions of the call, for clients that report the call with its result. Empty if the call was
        /// reported before.
        #[serde(flatten)]
        actions: Actions,
        /// The text that the agent reads.
        #[serde(default)]
        content: String,
        /// True if the client reports that the tool failed. SWE-agent records no exit codes, so the text of
        /// the result decides there.
        #[serde(default)]
        is_error: bool,
        /// The reason that the call was not run, if the client has a field for it. The text of the result is
        /// not evidence.
        #[serde(default)]
        not_run: Option<NotRun>,
        /// The client's number of a [step](Action::AddStep) that the call added.
        #[serde(default)]
        task: Option<String>,
        /// The change of the only file of the call, for clients that report it with the result.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change: Option<Change>,
    },
    /// The token usage of one model call, reported after the call.
    Usage {
        /// The tokens.
        #[serde(flatten)]
        usage: Usage,
        /// The model.
        #[serde(default)]
        model: Option<String>,
        /// The model's window, if the client knows it.
        #[serde(default)]
        window: Option<Window>,
        /// The provider of the model, as the client names it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider: Option<String>,
    },
    /// The start of a compaction of the conversation.
    CompactionBegins {
        /// The trigger of the compaction.
        #[serde(default)]
        trigger: Option<String>,
        /// The tokens in the context before, if the client reports them.
        #[serde(default)]
        tokens_before: Option<u64>,
    },
    /// The end of a compaction of the conversation.
    CompactionEnds {
        /// The model's summary, without the client's text around it.
        #[serde(default)]
        summary: Option<String>,
        /// The first message of the conversation from now on, if the client leaves it to the HUD to drop the
        /// earlier messages.
        #[serde(default)]
        boundary: Option<String>,
    },
    /// The cause of the next reports: a message or a tool call of the conversation. See `Session::follow`.
    Cause {
        /// The client's id of the cause, which is the same in a copy of the conversation.
        name: String,
    },
    /// The model of the next calls.
    Model {
        /// The model.
        model: String,
        /// The model's window, if the client knows it.
        #[serde(default)]
        window: Option<Window>,
    },
    /// The removal of a tool's output from the conversation. The output is kept for recall, but only once.
    OutputLeaves {
        /// The call.
        #[serde(default)]
        call: Option<String>,
        /// The tool.
        tool: String,
        /// The target of the call.
        #[serde(default)]
        target: Option<String>,
        /// The text of the output.
        content: String,
    },
}

/// The maximum number of bytes of a message of the agent.
const LONGEST_SAID: usize = 64 * 1024;

impl Observation {
    /// Returns a message of the agent, or `None` if it is blank. A very long text is cut to its first 64 KiB.
    pub fn said(text: &str) -> Option<Self> {
        let text = text.trim();
        let said = &text[..floor_char_boundary(text, LONGEST_SAID)];
        (!said.is_empty()).then(|| Self::Agent {
            text: said.to_owned(),
        })
    }
}

impl Observation {
    /// Returns the result of a call that was reported before, with the fields that every recording has.
    pub fn result(
        call: impl Into<String>,
        content: String,
        is_error: bool,
        not_run: Option<NotRun>,
    ) -> Self {
        Self::ToolResult {
            call: call.into(),
            actions: Actions::default(),
            content,
            is_error,
            not_run,
            task: None,
            change: None,
        }
    }

    /// Returns the texts in the arguments of a call, or `None` if there are none.
    pub fn arguments(input: Value) -> Option<Self> {
        fn gather(value: Value, texts: &mut Vec<String>) {
            match value {
                Value::String(text) => texts.push(text),
                Value::Array(values) => values.into_iter().for_each(|value| gather(value, texts)),
                Value::Object(values) => {
                    values.into_values().for_each(|value| gather(value, texts));
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        let mut texts = Vec::new();
        gather(input, &mut texts);
        (!texts.is_empty()).then_some(Self::Arguments { texts })
    }

    /// Returns the observation with masked [secrets](hud_secret), except in actions and tool output. The
    /// actions are masked when they are made, and tool output when it is read, because most of it never is.
    pub fn masked(&self) -> Cow<'_, Self> {
        let mut masked = Cow::Borrowed(self);
        match self {
            Self::User { text }
            | Self::Agent { text }
            | Self::AgentBefore { text }
            | Self::CompactionEnds {
                summary: Some(text),
                ..
            } => {
                if let Cow::Owned(text) = mask(text) {
                    masked.to_mut().set_text(text);
                }
            }
            Self::ToolResult { change, .. } => {
                if let Some(change) = change
                    && change
                        .names
                        .iter()
                        .chain([&change.diff])
                        .any(|text| matches!(mask(text), Cow::Owned(_)))
                    && let Self::ToolResult {
                        change: Some(change),
                        ..
                    } = masked.to_mut()
                {
                    change.names.iter_mut().for_each(mask_text);
                    mask_text(&mut change.diff);
                }
                let said = match masked.as_ref() {
                    Self::ToolResult {
                        not_run: Some(NotRun::Declined { said: Some(said) }),
                        ..
                    } => mask(said).into_owned(),
                    _ => return masked,
                };
                if let Self::ToolResult { not_run, .. } = masked.to_mut() {
                    *not_run = Some(NotRun::Declined { said: Some(said) });
                }
            }
            Self::OutputLeaves {
                target, content, ..
            } => {
                if let Cow::Owned(text) = mask(content) {
                    masked.to_mut().set_text(text);
                }
                if let Some(Cow::Owned(text)) = target.as_deref().map(mask)
                    && let Self::OutputLeaves { target, .. } = masked.to_mut()
                {
                    *target = Some(text);
                }
            }
            Self::Session { .. }
            | Self::Directory { .. }
            | Self::Rewind { .. }
            | Self::Arguments { .. }
            | Self::ToolCall { .. }
            | Self::ModelCall
            | Self::Usage { .. }
            | Self::CompactionBegins { .. }
            | Self::CompactionEnds { summary: None, .. }
            | Self::Cause { .. }
            | Self::Model { .. } => {}
        }
        masked
    }

    /// Replaces the text.
    fn set_text(&mut self, said: String) {
        match self {
            Self::User { text }
            | Self::Agent { text }
            | Self::AgentBefore { text }
            | Self::OutputLeaves { content: text, .. } => *text = said,
            Self::CompactionEnds { summary, .. } => *summary = Some(said),
            _ => {}
        }
    }
}

/// The reason that a call was not run, from a field of the client. The text of the result is never evidence,
/// because any tool can print the client's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotRun {
    /// The user declined it.
    Declined {
        /// The user's message instead.
        #[serde(default)]
        said: Option<String>,
    },
    /// The user interrupted it, or a parallel call failed. It is no evidence about the work.
    Cancelled,
    /// The client refused it because of wrong arguments or a rule. The result has the reason.
    Refused,
    /// The client has no such tool, skill or agent. It is no evidence about the work.
    NoSuchTool,
    /// It continues in the background, and its outcome is unknown.
    Unfinished,
}

/// The token usage of one model call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// The tokens that were sent and neither read from nor written to a cache.
    #[serde(default)]
    pub input: u64,
    /// The tokens that were sent and written to the provider's cache.
    #[serde(default)]
    pub cache_write: u64,
    /// The part of `cache_write` with a lifetime of an hour, if the provider has a price for that.
    #[serde(default)]
    pub cache_write_hour: u64,
    /// The tokens that were sent and read from the provider's cache.
    #[serde(default)]
    pub cache_read: u64,
    /// The tokens that the model wrote.
    #[serde(default)]
    pub output: u64,
}

impl Usage {
    /// Returns the tokens in the context after the call.
    pub const fn total(&self) -> u64 {
        self.input
            .saturating_add(self.cache_write)
            .saturating_add(self.cache_read)
            .saturating_add(self.output)
    }
}

impl From<Usage> for CallTokens {
    fn from(usage: Usage) -> Self {
        let Usage {
            input,
            cache_write,
            cache_write_hour,
            cache_read,
            output,
        } = usage;
        Self {
            input,
            cache_write,
            // The part can't exceed the whole.
            cache_write_hour: cache_write_hour.min(cache_write),
            cache_read,
            output,
        }
    }
}

/// The actions of a tool call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Actions {
    #[serde(default)]
    actions: Vec<Action>,
}

impl Actions {
    /// Iterates over the actions in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Action> {
        self.actions.iter()
    }

    /// True if there are no actions, because the call was reported before or does nothing.
    pub const fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }
}

impl From<Vec<Action>> for Actions {
    fn from(actions: Vec<Action>) -> Self {
        Self { actions }
    }
}

impl From<Action> for Actions {
    fn from(action: Action) -> Self {
        vec![action].into()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_written_down_is_read_again() {
        let observed = Observation::ToolResult {
            call: "c".to_owned(),
            actions: Action::edit("a").into(),
            content: "done".to_owned(),
            is_error: false,
            not_run: Some(NotRun::Declined { said: None }),
            task: None,
            change: None,
        };
        let text = serde_json::to_string(&observed).unwrap();
        assert_eq!(
            serde_json::from_str::<Observation>(&text).unwrap(),
            observed
        );
        let usage = json!({ "type": "usage", "input": 7, "cache_write": u64::MAX, "model": "m" });
        let Observation::Usage { usage, .. } = serde_json::from_value(usage).unwrap() else {
            unreachable!("it is a usage");
        };
        assert_eq!((usage.input, usage.total()), (7, u64::MAX));
    }
}
