//! What a client reports of a session, whether it runs or was recorded.

use std::borrow::Cow;

use hud_secret::{mask, mask_text};
use hud_store::event::CallTokens;
use hud_store::text::floor_char_boundary;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::Action;
use crate::change::Change;
use crate::window::Window;

/// Something that happened in a session, as a client's hook, a plugin or a transcript reports it. A
/// `Deriver` of `hud-derive` makes events of it.
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
    /// The agent works in a directory from here on. No event follows from it.
    Directory {
        /// Its absolute path.
        path: String,
    },
    /// The user went back in the recorded conversation: what was said since is no longer part of it.
    /// Only who has the earlier states can follow it (a replay); a session that
    /// runs is taken back by `Session::follow`.
    #[serde(skip)]
    Rewind {
        /// The key of the first [`User`](Self::User) that no
        /// longer holds.
        key: String,
    },
    /// The user said something.
    User {
        /// What.
        text: String,
    },
    /// The model is called: a turn begins.
    ModelCall,
    /// The agent says something to the user, in the turn that goes on. What it thinks is not said.
    Agent {
        /// What.
        text: String,
    },
    /// What the agent said last, which was reported before, by another process perhaps. No event follows
    /// from it: it is what the user answers next.
    AgentBefore {
        /// What.
        text: String,
    },
    /// The texts in the arguments of the call of a tool that comes next, as a recording has them. No event
    /// follows from it: it is for whoever measures what a session used.
    #[serde(skip)]
    Arguments {
        /// The texts, in their order.
        texts: Vec<String>,
    },
    /// The agent calls a tool.
    ToolCall {
        /// Names the call, for its result.
        call: String,
        /// What the call does.
        #[serde(flatten)]
        actions: Actions,
    },
    /// A tool has its result.
    ToolResult {
        /// The call's id.
        call: String,
        /// What the call does, for clients that report the call and its result at once; nothing where
        /// the call was reported before.
        #[serde(flatten)]
        actions: Actions,
        /// What the agent reads.
        #[serde(default)]
        content: String,
        /// Whether the tool failed, as the client says. SWE-agent records no exit codes: there it is
        /// what its own words say.
        #[serde(default)]
        is_error: bool,
        /// Why the call was not carried out, if the client marks that with a field of its own. What a
        /// tool said is no mark.
        #[serde(default)]
        not_run: Option<NotRun>,
        /// The number that the client gave to a [step](Action::AddStep) that the call added.
        #[serde(default)]
        task: Option<String>,
        /// What changed in the one file that the call is on, for clients that say so with the result.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change: Option<Change>,
    },
    /// The token usage of one call of the model, reported once the call is over.
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
        /// Whose model it is, as the client calls it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider: Option<String>,
    },
    /// The conversation is about to be compacted.
    CompactionBegins {
        /// What asked for it.
        #[serde(default)]
        trigger: Option<String>,
        /// Tokens in the context before, if the client says so.
        #[serde(default)]
        tokens_before: Option<u64>,
    },
    /// The conversation was compacted.
    CompactionEnds {
        /// What the model kept, without what the client says around it.
        #[serde(default)]
        summary: Option<String>,
        /// The message that the conversation begins with from now on, where the client leaves it to
        /// us to drop those before.
        #[serde(default)]
        boundary: Option<String>,
    },
    /// What is reported from now on was led to by this message of the conversation or call of a tool,
    /// as the client names it: see `Session::follow`.
    Cause {
        /// The name, which is the same in a copy of the conversation.
        name: String,
    },
    /// The model that is called from now on.
    Model {
        /// The model.
        model: String,
        /// The model's window, if the client knows it.
        #[serde(default)]
        window: Option<Window>,
    },
    /// A tool's output leaves the conversation, and is kept for recall. One that left already is
    /// not kept again.
    OutputLeaves {
        /// The call.
        #[serde(default)]
        call: Option<String>,
        /// The tool.
        tool: String,
        /// What it worked on.
        #[serde(default)]
        target: Option<String>,
        /// What it said.
        content: String,
    },
}

/// How many bytes of what an agent says are reported at most.
const LONGEST_SAID: usize = 64 * 1024;

impl Observation {
    /// Something that the agent says; nothing if that is blank. Of a very long text it is the
    /// beginning, 64 KiB.
    pub fn said(text: &str) -> Option<Self> {
        let text = text.trim();
        let said = &text[..floor_char_boundary(text, LONGEST_SAID)];
        (!said.is_empty()).then(|| Self::Agent {
            text: said.to_owned(),
        })
    }
}

impl Observation {
    /// The result of a call that was reported before, where a recording says no more of it.
    pub fn result(call: impl Into<String>, content: String, is_error: bool) -> Self {
        Self::ToolResult {
            call: call.into(),
            actions: Actions::default(),
            content,
            is_error,
            not_run: None,
            task: None,
            change: None,
        }
    }

    /// The texts in the arguments of a call; nothing where there are none.
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

    /// The same with its [secrets](hud_secret) masked, but for actions and what a tool printed: who reads them
    /// masks them. Actions are made their own by then, and most of what is printed is never read.
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

    /// Puts another text in the place of the one that was said.
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

/// Why a call was not carried out, as the client itself marks it: by a field of its own, never by what
/// the result says, as any tool can print the client's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotRun {
    /// The user did not want it.
    Declined {
        /// What the user said instead.
        #[serde(default)]
        said: Option<String>,
    },
    /// The user interrupted, or a call beside it failed: that says nothing about the work.
    Cancelled,
    /// The client refused it: wrong arguments, a rule. The result says why.
    Refused,
    /// The client has no such tool, skill or agent: that says nothing about the work.
    NoSuchTool,
    /// It was begun and goes on in the background: its outcome is not known.
    Unfinished,
}

/// Token usage of one call of the model, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Sent and neither read from nor written to a cache.
    #[serde(default)]
    pub input: u64,
    /// Sent and written to the provider's cache.
    #[serde(default)]
    pub cache_write: u64,
    /// Those of them that the provider keeps for an hour, where it has a price for that.
    #[serde(default)]
    pub cache_write_hour: u64,
    /// Sent and read from the provider's cache.
    #[serde(default)]
    pub cache_read: u64,
    /// Written by the model.
    #[serde(default)]
    pub output: u64,
}

impl Usage {
    /// All that is in the context after the call.
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
            // No more than all of them.
            cache_write_hour: cache_write_hour.min(cache_write),
            cache_read,
            output,
        }
    }
}

/// The actions of a call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Actions {
    #[serde(default)]
    actions: Vec<Action>,
}

impl Actions {
    /// The actions, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Action> {
        self.actions.iter()
    }

    /// Whether the call was reported before, or does nothing.
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
