//! Compactions, and what leaves the conversation.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::outputs::{OutputClass, SeenEvent, recalled_by};
use super::{Happened, Item, Pace, Section, with};
use crate::event::{Content, EventRedacted, HudEvent, NoEvents, RedactionEvent, SessionId};
use crate::state::{Change, HudState};

crate::events! {@built_in
    /// What happens to the whole conversation.
    pub enum CompactEvent {
        /// the conversation is about to be compacted.
        "compact.before" 2 Before(
            /// A compaction begins.
            CompactBefore {
                /// The state at this moment: a witness to compare with, never folded back.
                state: Box<HudState>,
                /// What asked for it, as the client says (`auto`, `manual`).
                #[serde(skip_serializing_if = "Option::is_none")]
                trigger: Option<String>,
                /// Tokens in use before.
                #[serde(skip_serializing_if = "Option::is_none")]
                tokens_before: Option<u64>,
            }
        ),
        /// the conversation was compacted.
        "compact.after" 1 After(
            /// A compaction ended.
            CompactAfter {
                /// What the model keeps of the conversation.
                #[serde(skip_serializing_if = "Option::is_none")]
                summary: Option<String>,
                /// What of the summary no section has; without it, nothing of it is known to be in one.
                #[serde(skip_serializing_if = "Option::is_none")]
                rest: Option<String>,
                /// Tokens in use after.
                #[serde(skip_serializing_if = "Option::is_none")]
                tokens_after: Option<u64>,
                /// The message that the conversation begins with from now on, as the client names it,
                /// where the client leaves it to us to drop those before.
                #[serde(skip_serializing_if = "Option::is_none")]
                boundary: Option<String>,
            }
        ) words [summary],
    }
}

crate::events! {@built_in
    /// What happens to the outputs of tools.
    pub enum OutputEvent {
        /// what a tool said is kept for recall.
        "output.keep" 2 Keep(
            /// Keeps what a tool said, for the day it is no longer in the conversation. It is searched
            /// for and read again; the state has only which calls have lost theirs.
            OutputKeep {
                /// The call whose output was taken out of the conversation, as the client names it.
                #[serde(skip_serializing_if = "Option::is_none")]
                call: Option<String>,
                /// The tool.
                tool: String,
                /// What it worked on: a file, a command.
                #[serde(skip_serializing_if = "Option::is_none")]
                target: Option<String>,
                /// What it said. A log keeps it once by its hash, for as long as somebody may ask for it.
                content: Content,
                /// Lines of it that stay in the conversation.
                #[serde(skip_serializing_if = "Option::is_none")]
                outline: Option<String>,
            }
        ) words [tool, target, content],
    }
}

/// A compaction that began and has not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Compacting {
    /// When it began.
    pub at: Timestamp,
    /// The turn in which it began.
    #[serde(default)]
    pub turn: u64,
    /// What asked for it, as the client says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
    /// Tokens in use before: as the event says, else the last reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
}

/// What remains of the conversation before the last compaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompactedContext {
    /// What the model kept, if the client says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What of the summary no section has; without it, nothing of it is known to be in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    /// When the last compaction ended.
    pub at: Timestamp,
    /// The turn in which it ended.
    #[serde(default)]
    pub turn: u64,
    /// When the client last reported it: several of its hooks may report one compaction.
    #[serde(default)]
    pub reported_at: Timestamp,
    /// How many compactions there were.
    pub count: u64,
    /// Tokens in use before the last one, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
    /// Tokens in use after the last one, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_after: Option<u64>,
    /// The message that the conversation begins with since the last one, as the client names it,
    /// where the client leaves it to us to drop those before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boundary: Option<String>,
}

/// A tool's output that was taken out of the conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PrunedOutput {
    /// The call, as the client names it.
    pub call: String,
    /// The version, in its session, of the event that keeps it; `None` where only an older program knew
    /// that: it is found [by its call](crate::log::kept).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The session of that event, if it is another one: that from which the conversation was forked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// The tool.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tool: String,
    /// What it was of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What kind of output it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<OutputClass>,
    /// How many lines it had; 0 where that is not known.
    #[serde(default)]
    pub rows: u64,
    /// How often it was recalled since.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub recalled: u64,
    /// Lines of it that stay in the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outline: Option<String>,
}

/// A state as it was stored before what it says of outputs held in any log: an output that was recalled is
/// named by its call, and one that left by the version of an event that its seq does not tell. What another
/// session says of its own events is said of that session.
pub(crate) fn name_outputs(mut holds: Value) -> Value {
    let session = holds.get("session").cloned().filter(Value::is_string);
    let Some(state) = holds.get_mut("state").and_then(Value::as_object_mut) else {
        return holds;
    };
    let mut calls = HashMap::new();
    let left = state.get_mut("pruned").and_then(Value::as_array_mut);
    for left in left.into_iter().flatten().filter_map(Value::as_object_mut) {
        let seq = left.remove("seq").and_then(|seq| seq.as_u64());
        let call = left.get("call").and_then(Value::as_str);
        calls.extend(seq.zip(call.map(ToOwned::to_owned)));
        if let Some(session) = &session {
            left.insert("session".to_owned(), session.clone());
        }
    }
    let seen = state
        .get_mut("outputs")
        .and_then(|outputs| outputs.get_mut("seen"));
    for output in seen.and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(recalls) = output.get_mut("recalls") {
            let call = recalls.as_u64().and_then(|seq| calls.get(&seq));
            *recalls = call.map_or("", String::as_str).into();
        }
    }
    holds
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The section: what the last compaction left; `None` before the first.
pub type Compacted = Option<CompactedContext>;

impl Section for Compacted {
    const NAME: &'static str = "compacted";
    const ITEM: &'static str = "compaction";
    const PACE: Pace = Pace::Working;
    type Event = CompactEvent;

    fn apply(&mut self, event: &CompactEvent, when: &Happened<'_>) {
        match event {
            // The state in it is a witness, not an input.
            CompactEvent::Before(_) => {}
            CompactEvent::After(e) => end(self, e, when),
        }
    }

    fn items(&self) -> Vec<Item> {
        let said = |compacted: &CompactedContext| {
            let count = format!("compaction {}", compacted.count);
            Item::whole(with(&count, ": ", compacted.summary.as_deref()))
        };
        self.iter().map(said).collect()
    }

    /// A model whose conversation was compacted is shown everything anew, and has the summary.
    fn is_news(&self, _: &Change) -> bool {
        false
    }
}

/// A compaction ended, whether or not its beginning was seen. Where nothing began and the last one
/// ended in the same turn, with no reading of the context since, it is that one, reported by another of
/// the client's hooks.
fn end(compacted: &mut Compacted, event: &CompactAfter, when: &Happened<'_>) {
    let (begun, context) = (&when.rest.compacting, &when.rest.context);
    let is_read = |since| context.as_ref().is_some_and(|usage| usage.at > since);
    if let Some(last) = compacted
        && begun.is_none()
        && last.turn == when.turn
        && !is_read(last.reported_at)
    {
        if event.summary.is_some() {
            last.summary.clone_from(&event.summary);
            last.rest.clone_from(&event.rest);
        }
        last.tokens_after = event.tokens_after.or(last.tokens_after);
        last.boundary = event.boundary.clone().or(last.boundary.take());
        last.reported_at = when.at;
        return;
    }
    let count = compacted.as_ref().map_or(0, |compacted| compacted.count);
    *compacted = Some(CompactedContext {
        summary: event.summary.clone(),
        rest: event.rest.clone(),
        at: when.at,
        turn: when.turn,
        reported_at: when.at,
        count: count.saturating_add(1),
        tokens_before: match begun {
            Some(begun) => begun.tokens_before,
            None => context.as_ref().map(|context| context.used),
        },
        tokens_after: event.tokens_after,
        boundary: event.boundary.clone(),
    });
}

/// The section: a compaction that began and has not ended.
pub type CompactionUnderWay = Option<Compacting>;

impl Section for CompactionUnderWay {
    const NAME: &'static str = "compacting";
    const ITEM: &'static str = "compaction";
    const PACE: Pace = Pace::EachTurn;
    const OVERHEARS: bool = true;
    type Event = NoEvents;

    fn apply(&mut self, event: &NoEvents, _: &Happened<'_>) {
        match *event {}
    }

    fn overhear(&mut self, event: &HudEvent, when: &Happened<'_>) {
        match event {
            HudEvent::Compact(CompactEvent::Before(e)) => {
                let used = when.rest.context.as_ref().map(|context| context.used);
                *self = Some(Compacting {
                    at: when.at,
                    turn: when.turn,
                    trigger: e.trigger.clone(),
                    tokens_before: e.tokens_before.or(used),
                });
            }
            HudEvent::Compact(CompactEvent::After(_)) => *self = None,
            // The model is called and the conversation is as it was: the compaction never came.
            HudEvent::Context(_) => {
                self.take_if(|begun| begun.turn < when.turn);
            }
            _ => {}
        }
    }

    /// It is over within a moment, so no change of it is worth reporting.
    fn items(&self) -> Vec<Item> {
        Vec::new()
    }

    /// The compaction was of a conversation that is no longer so.
    fn restore(&mut self, _: Self) {
        *self = None;
    }
}

/// The section: the outputs of tools that were taken out of the conversation since the last compaction,
/// oldest first.
pub type Pruned = Vec<PrunedOutput>;

impl Section for Pruned {
    const NAME: &'static str = "pruned";
    const ITEM: &'static str = "output";
    const PACE: Pace = Pace::EachTurn;
    const VERSION: u32 = 3;
    const OVERHEARS: bool = true;
    type Event = OutputEvent;

    /// An output leaves the conversation. One that left before is found where it was kept last.
    fn apply(&mut self, event: &OutputEvent, when: &Happened<'_>) {
        let OutputEvent::Keep(keep) = event;
        if let Some(call) = &keep.call {
            // It is in the conversation up to this event.
            let known = when.rest.outputs.of(call);
            let again = known.and_then(|known| known.recalls.as_ref());
            let again = self.iter().find(|left| Some(&left.call) == again);
            let recalled = again.map_or(0, |left| left.recalled);
            self.retain(|output| output.call != *call);
            self.push(PrunedOutput {
                call: call.clone(),
                version: Some(when.version),
                session: None,
                tool: keep.tool.clone(),
                target: keep.target.clone(),
                class: known.map(|output| output.class),
                rows: known.map_or(keep.content.rows, |output| output.rows),
                recalled,
                outline: keep.outline.clone(),
            });
        }
    }

    /// The calls leave a compacted conversation with the messages that they were in. Of what was redacted,
    /// nothing but the call stays.
    fn overhear(&mut self, event: &HudEvent, when: &Happened<'_>) {
        match event {
            HudEvent::Compact(CompactEvent::After(_)) => self.clear(),
            // Some models begin again to count their calls: what is said anew has not left.
            HudEvent::Seen(SeenEvent::Seen(e)) => {
                self.retain(|output| output.call != e.call);
                if let Some(again) = recalled_by(e, self) {
                    self[again].recalled = self[again].recalled.saturating_add(1);
                }
            }
            HudEvent::Redaction(RedactionEvent::Redacted(EventRedacted {
                call: Some(call),
                ..
            })) => {
                self.retain(|output| output.call != *call);
                self.push(PrunedOutput {
                    call: call.clone(),
                    version: Some(when.version),
                    session: None,
                    tool: String::new(),
                    target: None,
                    class: None,
                    rows: 0,
                    recalled: 0,
                    outline: None,
                });
            }
            _ => {}
        }
    }

    /// The outputs are found by `recall`, and no layout shows them.
    fn items(&self) -> Vec<Item> {
        Vec::new()
    }

    /// What left the conversation does not come back into it.
    fn restore(&mut self, then: Self) {
        let known = std::mem::replace(self, then);
        for output in known {
            match self.iter_mut().find(|other| other.call == output.call) {
                // The state of an older program does not say where it is kept.
                Some(other) if other.version.is_none() => {
                    (other.version, other.session) = (output.version, output.session);
                }
                Some(_) => {}
                None => self.push(output),
            }
        }
    }
}
