//! What tools said, as far as it is in the conversation.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::compaction::{CompactEvent, OutputEvent, PrunedOutput};
use super::context::ContextEvent;
use super::files::{FileEvent, Lines};
use super::{Happened, Item, Pace, Section, list};
use crate::event::{Clip, HudEvent, RedactionEvent};

crate::events! {@built_in
    /// What is known of the outputs of tools.
    pub enum SeenEvent {
        /// a tool has said something.
        "output.seen" 2 Seen(
            /// A tool has said something. What it said is not in it.
            OutputSeen {
                /// The call, as the client names it.
                call: String,
                /// The tool, in a word for people.
                tool: String,
                /// What kind of output it is.
                class: OutputClass,
                /// What it is of: a path, a command.
                #[serde(skip_serializing_if = "Option::is_none")]
                target: Option<String>,
                /// Which lines of a file it is, where it is not all of it.
                #[serde(skip_serializing_if = "Option::is_none")]
                lines: Option<Lines>,
                /// How many lines it has.
                rows: u64,
                /// How many characters it has.
                chars: u64,
                /// Whether the tool failed.
                #[serde(default, skip_serializing_if = "std::ops::Not::not")]
                error: bool,
                /// The call whose output it has again: it was recalled. Empty where an older program recorded
                /// it, which did not name the call.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                recalls: Option<String>,
            }
        ) item call from [forget_seq],
        /// the tokens of what tools said were counted.
        "output.measure" 1 Measure(
            /// So many characters that tools said took so many tokens.
            OutputMeasure {
                /// The characters.
                chars: u64,
                /// The tokens, with what little was sent besides.
                tokens: u64,
            }
        ),
        /// an output is to stay in the conversation.
        "output.protect" 1 Protect(
            /// Keeps an output in the conversation until the next compaction, or some of its lines when it
            /// leaves.
            OutputProtect {
                /// The call, as the client names it.
                call: String,
                /// Only these lines, counted from 1.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                lines: Option<Lines>,
            }
        ) item call,
    }
}

/// An output as it was stored when it named what it recalls by a place in one log.
fn forget_seq(mut seen: Value) -> Value {
    if let Some(recalls) = seen.get_mut("recalls").filter(|recalls| recalls.is_u64()) {
        *recalls = "".into();
    }
    seen
}

/// Which of the outputs that left an output has again. Of one that does not name the call, the newest of the
/// same tool and target: an output that was recalled is recorded as what it is.
pub(super) fn recalled_by(seen: &OutputSeen, left: &[PrunedOutput]) -> Option<usize> {
    let call = seen.recalls.as_deref()?;
    left.iter().rposition(|left| match call {
        "" => (&left.tool, &left.target) == (&seen.tool, &seen.target),
        call => left.call == call,
    })
}

/// What kind of output a tool's is, by which it ages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OutputClass {
    /// What a file holds.
    Read,
    /// What a search, a listing or a command found.
    Look,
    /// What another agent, or a page of the web, says.
    Report,
    /// That something was done: an edit, a plan.
    Ack,
    /// What is never taken out: what the user answered, the HUD's own tool.
    Kept,
}

impl Clip for OutputClass {}

/// How many outputs a state knows.
pub const OUTPUTS_CAP: usize = 200;

/// How many characters of what an output is of are kept.
const TARGET: usize = 200;

/// An output of a tool that is in the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolOutput {
    /// The call, as the client names it.
    pub call: String,
    /// The tool, in a word for people.
    pub tool: String,
    /// What kind of output it is.
    pub class: OutputClass,
    /// What it is of: a path, a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Which lines of a file it is, where it is not all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
    /// How many lines it has.
    pub rows: u64,
    /// How many characters it has.
    pub chars: u64,
    /// The turn in which it was called for.
    pub turn: u64,
    /// The turn of the last call on the same file.
    pub touched: u64,
    /// Whether the file was changed since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
    /// Whether the tool failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub error: bool,
    /// Whether a newer output says all of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub superseded: bool,
    /// Whether it is to stay until the next compaction.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub protected: bool,
    /// Lines of it that stay when it leaves, counted from 1; at most [`KEPT_LINES_CAP`] of such ranges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<Lines>,
    /// The call whose output it has again: it was recalled. Empty where that is not known.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "call_or_seq"
    )]
    pub recalls: Option<String>,
}

/// The call that is recalled, or the seq by which older programs named its event, which names nothing in
/// another log.
fn call_or_seq<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Recalled {
        Call(String),
        Seq(#[expect(dead_code, reason = "it is read to be left out")] u64),
    }
    let recalled = Option::<Recalled>::deserialize(deserializer)?;
    Ok(recalled.map(|recalled| match recalled {
        Recalled::Call(call) => call,
        Recalled::Seq(_) => String::new(),
    }))
}

/// How many ranges of lines of an output are kept.
pub const KEPT_LINES_CAP: usize = 8;

/// How often an output is recalled until it stays.
const RECALLED_OFTEN: u64 = 2;

/// A request that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sent {
    /// When its usage was reported.
    pub at: Timestamp,
    /// The model, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whose model it is, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
}

impl ToolOutput {
    /// Whether a command said it.
    pub fn is_run(&self) -> bool {
        self.class == OutputClass::Look && self.tool == "Bash"
    }
}

/// The section: what tools said, as far as it is in the conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Outputs {
    /// The outputs, oldest first; at most [`OUTPUTS_CAP`].
    pub seen: Vec<ToolOutput>,
    /// Characters of which the tokens were counted.
    pub chars: u64,
    /// The tokens of those.
    pub tokens: u64,
    /// The newest request of which the tokens were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<Sent>,
}

impl Outputs {
    /// The output of a call.
    pub fn of(&self, call: &str) -> Option<&ToolOutput> {
        self.seen.iter().rev().find(|output| output.call == call)
    }

    /// Characters for a token of what tools say in this session, in tenths; `None` until that is known.
    pub fn ratio(&self) -> Option<u64> {
        self.chars.saturating_mul(10).checked_div(self.tokens)
    }

    /// `again` is what it has again, as far as that is known.
    fn see(&mut self, event: &OutputSeen, turn: u64, again: Option<&PrunedOutput>) {
        let recalled = again.map_or(0, |left| left.recalled);
        self.seen.retain(|output| output.call != event.call);
        if !event.error && event.recalls.is_none() {
            for older in &mut self.seen {
                let same = (older.class, &older.tool, &older.target);
                older.superseded |= event.target.is_some()
                    && same == (event.class, &event.tool, &event.target)
                    && covers(event.lines, older.lines);
            }
        }
        let target = event.target.as_ref();
        self.seen.push(ToolOutput {
            call: event.call.clone(),
            tool: event.tool.clone(),
            class: event.class,
            target: target.map(|target| target.chars().take(TARGET).collect()),
            lines: event.lines,
            rows: event.rows,
            chars: event.chars,
            turn,
            touched: turn,
            edited: false,
            error: event.error,
            superseded: false,
            protected: recalled >= RECALLED_OFTEN,
            kept: Vec::new(),
            recalls: again
                .map(|left| left.call.clone())
                .or_else(|| event.recalls.clone()),
        });
        list::newest(&mut self.seen, OUTPUTS_CAP);
    }

    /// A call is on a file.
    fn touch(&mut self, path: &str, turn: u64, edits: bool) {
        let of_file = |output: &&mut ToolOutput| output.target.as_deref() == Some(path);
        for output in self.seen.iter_mut().filter(of_file) {
            output.touched = output.touched.max(turn);
            output.edited |= edits;
        }
    }
}

/// Whether a newer output of a file has all the lines that an older one has; nothing is for all lines.
///
/// ```
/// use hud_store::state::{Lines, covers};
///
/// let lines = |first, last| Some(Lines { first, last });
/// assert!(covers(lines(1, 50), lines(10, 20)) && covers(None, lines(1, 2)));
/// assert!(!covers(lines(1, 50), lines(10, 60)) && !covers(lines(1, 50), None));
/// ```
pub fn covers(newer: Option<Lines>, older: Option<Lines>) -> bool {
    match (newer, older) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(newer), Some(older)) => newer.first <= older.first && newer.last >= older.last,
    }
}

impl Section for Outputs {
    const NAME: &'static str = "outputs";
    const ITEM: &'static str = "output";
    const PACE: Pace = Pace::EachTurn;
    const OVERHEARS: bool = true;
    const VERSION: u32 = 3;
    type Event = SeenEvent;

    fn apply(&mut self, event: &SeenEvent, when: &Happened<'_>) {
        match event {
            SeenEvent::Seen(e) => {
                let left = &when.rest.pruned;
                let again = recalled_by(e, left).and_then(|again| left.get(again));
                self.see(e, when.turn, again);
            }
            SeenEvent::Measure(e) => {
                // Older figures fade, so that another model's are learned too.
                self.chars = (self.chars / 2).saturating_add(e.chars);
                self.tokens = (self.tokens / 2).saturating_add(e.tokens);
            }
            SeenEvent::Protect(e) => {
                let mut outputs = self.seen.iter_mut();
                let output = outputs.find(|output| output.call == e.call);
                match (output, e.lines) {
                    (Some(output), None) => output.protected = true,
                    (Some(output), Some(lines)) if !output.kept.contains(&lines) => {
                        output.kept.push(lines);
                        list::newest(&mut output.kept, KEPT_LINES_CAP);
                    }
                    _ => {}
                }
            }
        }
    }

    /// What leaves the conversation is no longer in it, nor is anything of what was compacted.
    fn overhear(&mut self, event: &HudEvent, when: &Happened<'_>) {
        match event {
            HudEvent::Output(OutputEvent::Keep(e)) => {
                self.seen
                    .retain(|output| Some(&output.call) != e.call.as_ref());
            }
            HudEvent::Redaction(RedactionEvent::Redacted(e)) => {
                self.seen
                    .retain(|output| Some(&output.call) != e.call.as_ref());
            }
            HudEvent::Compact(CompactEvent::After(_)) => self.seen.clear(),
            HudEvent::Context(ContextEvent::Snapshot(e)) if e.call.is_some() => {
                let known = self.sent.take();
                let (model, provider) =
                    known.map_or((None, None), |sent| (sent.model, sent.provider));
                self.sent = Some(Sent {
                    at: when.at,
                    model: e.model.clone().or(model),
                    provider: e.provider.clone().or(provider),
                });
            }
            HudEvent::File(FileEvent::Open(e)) => self.touch(&e.path, when.turn, false),
            HudEvent::File(FileEvent::Edit(e)) => self.touch(&e.path, when.turn, true),
            _ => {}
        }
    }

    /// They are in the conversation, and no layout shows them.
    fn items(&self) -> Vec<Item> {
        Vec::new()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        list::newest(&mut self.seen, OUTPUTS_CAP);
    }
}
