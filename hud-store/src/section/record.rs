//! The record: what was said, changed, run, answered and refused, as it was.

use crate::text::{beginning, ceil_char_boundary};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{CompactEvent, FileEvent, Happened, Item, Pace, RequestEvent, Section, TaskEvent};
use crate::event::{Actor, Clip, HudEvent};

/// The number of bytes of one text that a state keeps.
pub const RECORD_TEXT_CAP: usize = 8 * 1024;

/// The number of entries of one sort that a state keeps.
pub const RECORD_ENTRIES_CAP: usize = 200;

crate::events! {@built_in
    /// The additions to the record.
    pub enum RecordEvent {
        /// the user, the agent or a sub-agent says something.
        "record.message" 1 Message(
            /// Something is said.
            RecordMessage {
                /// The speaker. A message of the user's that another actor records is not kept as the user's.
                by: Speaker,
                /// The text, word for word.
                text: String,
                /// The task that a sub-agent reports on.
                #[serde(skip_serializing_if = "Option::is_none")]
                about: Option<String>,
                /// The speaker of the last message before it that no longer holds: the user retracts a message, or calls
                /// an answer of the agent beside the point.
                #[serde(skip_serializing_if = "Option::is_none")]
                retracts: Option<Speaker>,
            }
        ) words [text],
        /// a command is run.
        "record.command" 1 Command(
            /// A command is run.
            RecordCommand {
                /// The command line.
                command: String,
                /// The directory that it is run in, if that is known.
                #[serde(skip_serializing_if = "Option::is_none")]
                directory: Option<String>,
                /// True if it passed, false if it failed; none where its output says neither.
                #[serde(skip_serializing_if = "Option::is_none")]
                passed: Option<bool>,
                /// The checks among it: see [`CheckRun::check`](super::CheckRun::check).
                #[serde(default, skip_serializing_if = "Vec::is_empty")]
                checks: Vec<String>,
                /// The lines of its output that matter.
                #[serde(default, skip_serializing_if = "String::is_empty")]
                output: String,
            }
        ) words [command, output],
        /// a file is read, or something is searched for.
        "record.read" 1 Read(
            /// A file is read, or something is searched for.
            RecordRead {
                /// The file, or what is searched for.
                target: String,
                /// The lines of it that name something.
                lines: String,
            }
        ) item target words [target],
        /// the user answers a question of the agent's.
        "record.answer" 1 Answer(
            /// A question is answered.
            RecordAnswer {
                /// The question, with its options.
                question: String,
                /// The answer, as the client reports it.
                answer: String,
            }
        ) words [question, answer],
        /// the user refuses a call.
        "record.refusal" 1 Refusal(
            /// A call is refused.
            RecordRefusal {
                /// The call: the tool and what it works on.
                call: String,
                /// The user's reason, if there is one.
                #[serde(skip_serializing_if = "Option::is_none")]
                reason: Option<String>,
            }
        ) words [call, reason],
    }
}

/// The speaker of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The user.
    User,
    /// The session's agent.
    Agent,
    /// A sub-agent, in its last message.
    SubAgent,
}

impl Clip for Speaker {}

/// An entry of the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordEntry {
    /// The turn in which it was recorded.
    pub turn: u64,
    /// The time at which it was recorded.
    pub at: Timestamp,
    /// The fact.
    #[serde(flatten)]
    pub fact: Fact,
}

/// A fact of the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "fact", rename_all = "snake_case")]
pub enum Fact {
    /// Something was said.
    Message {
        /// Names a message of the user within the session; empty for others.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        id: String,
        /// The speaker.
        by: Speaker,
        /// The text; of a long one its beginning and its end.
        text: String,
        /// The task that a sub-agent reports on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<String>,
        /// The speaker of the last message before it that no longer holds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retracts: Option<Speaker>,
    },
    /// A file was changed.
    Change {
        /// The file, as the client names it.
        path: String,
        /// True if there was no such file before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        created: bool,
        /// The removed and the added lines, each after its `-` or `+`.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        diff: String,
    },
    /// A command was run.
    Command(RecordCommand),
    /// A file was read, or something was searched for.
    Read(RecordRead),
    /// The user answered a question.
    Answer(RecordAnswer),
    /// The user refused a call.
    Refusal(RecordRefusal),
}

/// The sorts of facts, each with separate bounds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    User,
    Agent,
    Change,
    Command,
    Read,
    Decided,
}

impl Sort {
    const ALL: [Self; 6] = [
        Self::User,
        Self::Agent,
        Self::Change,
        Self::Command,
        Self::Read,
        Self::Decided,
    ];

    /// The number of bytes that all entries of the sort keep.
    const fn bytes(self) -> usize {
        match self {
            Self::User | Self::Agent => 64 * 1024,
            Self::Change | Self::Read => 48 * 1024,
            Self::Command => 32 * 1024,
            Self::Decided => 16 * 1024,
        }
    }
}

impl Fact {
    const fn sort(&self) -> Sort {
        match self {
            Self::Message {
                by: Speaker::User, ..
            } => Sort::User,
            Self::Message { .. } => Sort::Agent,
            Self::Change { .. } => Sort::Change,
            Self::Command(_) => Sort::Command,
            Self::Read(_) => Sort::Read,
            Self::Answer(_) | Self::Refusal(_) => Sort::Decided,
        }
    }

    /// Its texts.
    fn texts(&mut self) -> [Option<&mut String>; 2] {
        match self {
            Self::Message { text, about, .. } => [Some(text), about.as_mut()],
            Self::Change { path, diff, .. } => [Some(path), Some(diff)],
            Self::Command(e) => [Some(&mut e.command), Some(&mut e.output)],
            Self::Read(e) => [Some(&mut e.target), Some(&mut e.lines)],
            Self::Answer(e) => [Some(&mut e.question), Some(&mut e.answer)],
            Self::Refusal(e) => [Some(&mut e.call), e.reason.as_mut()],
        }
    }

    /// The number of bytes of its texts.
    const fn size(&self) -> usize {
        const fn of(text: &Option<String>) -> usize {
            match text {
                Some(text) => text.len(),
                None => 0,
            }
        }
        match self {
            Self::Message { text, about, .. } => text.len() + of(about),
            Self::Change { path, diff, .. } => path.len() + diff.len(),
            Self::Command(e) => e.command.len() + e.output.len(),
            Self::Read(e) => e.target.len() + e.lines.len(),
            Self::Answer(e) => e.question.len() + e.answer.len(),
            Self::Refusal(e) => e.call.len() + of(&e.reason),
        }
    }
}

/// The section: entries, oldest first. Of each sort of facts it keeps the newest, within bounds of number and size,
/// and the user's first message. What was recorded before a compaction has the bounds to itself and stays until the
/// next one, as the text that shows it stays in the provider's cache.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Record {
    entries: Vec<RecordEntry>,
    /// The number of entries that were recorded before the last compaction.
    #[serde(skip_serializing_if = "is_zero")]
    compacted: usize,
}

const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A message of the user's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserMessage<'r> {
    /// Names it within the session.
    pub id: &'r str,
    /// The text.
    pub text: &'r str,
    /// The turn in which it was received.
    pub turn: u64,
    /// When it was received.
    pub at: Timestamp,
}

impl Record {
    /// The entries, oldest first.
    pub fn entries(&self) -> &[RecordEntry] {
        &self.entries
    }

    /// The entries of before the last compaction; none before the first.
    pub fn compacted(&self) -> &[RecordEntry] {
        self.entries.get(..self.compacted).unwrap_or_default()
    }

    /// The record as it was at the last compaction; empty before the first.
    #[must_use]
    pub fn at_compaction(&self) -> Self {
        Self {
            entries: self.compacted().to_vec(),
            compacted: self.compacted,
        }
    }

    /// True if nothing is recorded.
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The messages of the user, oldest first.
    pub fn user_messages(&self) -> impl DoubleEndedIterator<Item = UserMessage<'_>> {
        self.entries.iter().filter_map(|entry| match &entry.fact {
            Fact::Message {
                id,
                by: Speaker::User,
                text,
                ..
            } => Some(UserMessage {
                id,
                text,
                turn: entry.turn,
                at: entry.at,
            }),
            _ => None,
        })
    }

    fn add(&mut self, mut fact: Fact, when: &Happened<'_>) {
        for text in fact.texts().into_iter().flatten() {
            clip(text);
        }
        let sort = fact.sort();
        self.entries.push(RecordEntry {
            turn: when.turn,
            at: when.at,
            fact,
        });
        self.keep_bounds(sort);
    }

    /// Drops the oldest entries of a sort that has too many. Those of before the last compaction are counted apart, and stay.
    fn keep_bounds(&mut self, sort: Sort) {
        let kept = self.compacted;
        let is_counted = |at: usize, entry: &RecordEntry| at >= kept && entry.fact.sort() == sort;
        let (mut count, mut bytes) = (0, 0);
        for (at, entry) in self.entries.iter().enumerate() {
            if is_counted(at, entry) {
                count += 1;
                bytes += entry.fact.size();
            }
        }
        let mut keeps_first = sort == Sort::User && kept == 0;
        let mut at = 0;
        self.entries.retain(|entry| {
            let is_counted = is_counted(at, entry);
            at += 1;
            let is_over = count > RECORD_ENTRIES_CAP || bytes > sort.bytes();
            if !is_over || !is_counted || std::mem::take(&mut keeps_first) {
                return true;
            }
            count -= 1;
            bytes -= entry.fact.size();
            false
        });
    }

    /// Keeps the bounds over all entries, which from now on are those of before the last compaction.
    fn compact(&mut self) {
        self.compacted = 0;
        for sort in Sort::ALL {
            self.keep_bounds(sort);
        }
        self.compacted = self.entries.len();
    }

    /// Adds a message of the user's that no message event reported, from the task or request that was made of it.
    fn overhear_user(&mut self, text: &str, when: &Happened<'_>) {
        let last = self.user_messages().next_back();
        if !last.is_some_and(|last| last.at == when.at && last.turn == when.turn) {
            let message = RecordMessage {
                by: Speaker::User,
                text: text.to_owned(),
                about: None,
                retracts: None,
            };
            self.add_message(message, when);
        }
    }

    fn add_message(&mut self, message: RecordMessage, when: &Happened<'_>) {
        let id = match message.by {
            Speaker::User => {
                let last = self.user_messages().next_back();
                let number = last.and_then(|last| last.id.get(1..)?.parse::<u64>().ok());
                format!("u{}", number.unwrap_or(0).saturating_add(1))
            }
            Speaker::Agent | Speaker::SubAgent => String::new(),
        };
        let fact = Fact::Message {
            id,
            by: message.by,
            text: message.text,
            about: message.about,
            retracts: message.retracts,
        };
        self.add(fact, when);
    }
}

impl Section for Record {
    const NAME: &'static str = "record";
    const ITEM: &'static str = "entry";
    const PACE: Pace = Pace::EachTurn;
    const OVERHEARS: bool = true;
    type Event = RecordEvent;

    fn apply(&mut self, event: &RecordEvent, when: &Happened<'_>) {
        match event.clone() {
            RecordEvent::Message(e) => {
                // Nobody speaks as the user.
                if (e.by == Speaker::User) == (*when.actor == Actor::User) {
                    self.add_message(e, when);
                }
            }
            RecordEvent::Command(e) => self.add(Fact::Command(e), when),
            RecordEvent::Read(e) => {
                // The same that is read again takes the place of the earlier entry.
                let fact = Fact::Read(e);
                let (mut at, kept) = (0, self.compacted);
                self.entries.retain(|entry| {
                    at += 1;
                    at <= kept || entry.fact != fact
                });
                self.add(fact, when);
            }
            RecordEvent::Answer(e) => self.add(Fact::Answer(e), when),
            RecordEvent::Refusal(e) => self.add(Fact::Refusal(e), when),
        }
    }

    fn overhear(&mut self, event: &HudEvent, when: &Happened<'_>) {
        match event {
            HudEvent::Compact(CompactEvent::After(_)) => self.compact(),
            HudEvent::File(FileEvent::Edit(e)) => {
                let fact = Fact::Change {
                    path: e.path.clone(),
                    created: e.created,
                    diff: e.diff.clone().unwrap_or_default(),
                };
                self.add(fact, when);
            }
            _ if *when.actor != Actor::User => {}
            HudEvent::Task(TaskEvent::Set(e)) if !e.description.is_empty() => {
                self.overhear_user(&e.description, when);
            }
            HudEvent::Task(TaskEvent::Update(e)) => {
                if let Some(text) = e.latest_request.as_ref().filter(|text| !text.is_empty()) {
                    self.overhear_user(text, when);
                }
            }
            HudEvent::Request(RequestEvent::Make(e)) => self.overhear_user(&e.text, when),
            _ => {}
        }
    }

    /// None: an entry is history. What follows from it is in the other sections.
    fn items(&self) -> Vec<Item> {
        Vec::new()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        let facts = self.entries.iter_mut().map(|entry| &mut entry.fact);
        for text in facts.flat_map(Fact::texts).flatten() {
            clip(text);
        }
        // Each half has the bounds to itself.
        let compacted = self.compacted.min(self.entries.len());
        let since = self.entries.split_off(compacted);
        self.compact();
        self.entries.extend(since);
        for sort in Sort::ALL {
            self.keep_bounds(sort);
        }
    }
}

/// Stands for a part of a text that is left out.
pub const RECORD_GAP: &str = "[…]";

/// The line of a [diff](super::FileEdit::diff) between two places of the file.
pub const DIFF_PLACE: &str = "@@";

/// Keeps three quarters of the room for the beginning of a text, and the rest for its end, cut where lines end if
/// lines are short.
fn clip(text: &mut String) {
    if text.len() <= RECORD_TEXT_CAP {
        return;
    }
    let from = text.len() - RECORD_TEXT_CAP / 4 + RECORD_GAP.len() + 2;
    let from = ceil_char_boundary(text, from);
    let beginning = beginning(text, RECORD_TEXT_CAP * 3 / 4);
    let beginning = match beginning.rfind('\n') {
        Some(line) if line * 2 > beginning.len() => &beginning[..line],
        _ => beginning,
    };
    let ending = text.get(from..).unwrap_or_default();
    let ending = match ending.find('\n') {
        Some(line) if line * 2 < ending.len() => &ending[line + 1..],
        _ => ending,
    };
    *text = format!("{beginning}\n{RECORD_GAP}\n{ending}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::HudState;

    #[test]
    fn what_a_compaction_found_stays_until_the_next() {
        let (actor, rest) = (Actor::Agent, HudState::default());
        let when = Happened {
            at: Timestamp::UNIX_EPOCH,
            turn: 1,
            version: 1,
            actor: &actor,
            rest: &rest,
        };
        let mut record = Record::default();
        let run = |record: &mut Record, from: usize| {
            for n in from..from + RECORD_ENTRIES_CAP + 50 {
                let command = RecordCommand {
                    checks: Vec::new(),
                    command: format!("make {n}"),
                    directory: None,
                    passed: None,
                    output: String::new(),
                };
                record.add(Fact::Command(command), &when);
            }
        };
        run(&mut record, 0);
        assert_eq!(record.entries().len(), RECORD_ENTRIES_CAP);
        assert!(record.compacted().is_empty());
        record.compact();
        let found = record.entries().to_vec();
        run(&mut record, 1_000);
        assert_eq!(record.compacted(), found);
        assert_eq!(record.entries().len(), 2 * RECORD_ENTRIES_CAP);
        let mut read = Record::default();
        read.restore(record.clone());
        assert_eq!(read, record);
        record.compact();
        assert_eq!(record.compacted().len(), RECORD_ENTRIES_CAP);
        assert_ne!(record.compacted(), found);
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        for unit in ["word ", "line\n", "字", "🙂"] {
            let mut text = unit.repeat(20_000);
            clip(&mut text);
            assert!(text.len() <= RECORD_TEXT_CAP, "{unit}: {}", text.len());
            assert!(text.len() > RECORD_TEXT_CAP * 3 / 4, "{unit}");
            let (before, after) = text.split_once(RECORD_GAP).unwrap();
            assert!(before.starts_with(unit) && after.ends_with(unit), "{unit}");
            let again = text.clone();
            clip(&mut text);
            assert_eq!(text, again);
        }
    }
}
