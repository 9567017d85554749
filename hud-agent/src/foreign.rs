//! Imports the memory files of other programs as events.
//!
//! | file | content |
//! | --- | --- |
//! | core memory of opencode-working-memory | `blocks`: goal, progress, context, and any other |
//! | its working memory | `slots` and `pool`; in the old format, `items` of any type |
//! | its pressure, compaction and sweep logs | nothing that the HUD does not count itself |
//! | the HUD of a session of open-memory | `currentTask`, `keyDecisions`, `activeFiles`, `notes`, `blockers`, `nextSteps`, `compactedContext` |
//! | its defaults of a project | `projectNotes`, `keyFiles`, `conventions` |

use std::collections::BTreeSet;

use hud_components::text::line;
use hud_store::event::{
    BlockerAdd, CompactAfter, DecisionRecord, DependencyAdd, ErrorEncountered, FileOpen, HudEvent,
    MemoryCoreUpdate, MemoryItemAdd, NoteAdd, StepAdd, TaskSet,
};
use hud_store::section::{MemoryBlock, MemoryKind, MemorySource, UpdateMode};
use hud_store::state::HudState;
use serde_json::{Map, Value};

use crate::tool::{Item, Numbering};
use hud_secret::mask_value;

/// The content of a memory file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foreign {
    /// The session that it names.
    pub session: Option<String>,
    said: Vec<Said>,
    /// The content that is not imported, with the reasons.
    pub left_out: Vec<String>,
}

/// One item of a memory file.
#[derive(Clone, Debug, PartialEq)]
enum Said {
    Block(MemoryBlock, String, Option<u32>),
    Pool(String, MemoryKind, u64),
    Error(String),
    Decision(String),
    Step(String),
    Dependency(String),
    Task(String),
    File(String),
    Note(String),
    Blocker(String),
    Compacted(String),
}

/// Makes an item of a text.
type Makes = fn(String) -> Said;

/// An error that prevents the import of a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// It is not valid JSON.
    #[error("it is no JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is not a memory file of a known program.
    #[error(
        "it is no memory of a program that is known: it has neither `blocks`, `slots` or `items` of \
         opencode-working-memory nor `currentTask` or `projectNotes` of open-memory"
    )]
    Unknown,
    /// A field has the wrong type.
    #[error("`{field}` is {found}, and has to be {wanted}: nothing of the file was taken over")]
    Field {
        /// The path of the field.
        field: String,
        /// The type of its value.
        found: &'static str,
        /// The expected type.
        wanted: &'static str,
    },
}

/// The maximum number of mentions of an item that count. More of them make no difference.
const MENTIONS: u64 = 15;

/// Parses a memory file of another program.
///
/// ```
/// use hud_agent::foreign::read;
/// use hud_agent::tool::Numbering;
/// use hud_store::state::HudState;
///
/// let file = r#"{ "sessionID": "ses_1", "blocks": { "goal": { "content": "Ship it", "maxChars": 1000 } } }"#;
/// let memory = read(file)?;
/// assert_eq!(memory.session.as_deref(), Some("ses_1"));
/// let state = HudState::default();
/// let events = memory.events(&state, &mut Numbering::of(&state));
/// assert_eq!(events[0].kind(), "memory.core.update");
/// # Ok::<(), hud_agent::foreign::ForeignError>(())
/// ```
///
/// # Errors
///
/// [`ForeignError`], with the reason and the field.
pub fn read(text: &str) -> Result<Foreign, ForeignError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut value: Value = serde_json::from_str(text)?;
    // The other program may have stored keys and passwords unmasked.
    mask_value(&mut value);
    let Value::Object(fields) = value else {
        return Err(ForeignError::Unknown);
    };
    let mut foreign = Foreign {
        session: ["sessionID", "sessionId"]
            .iter()
            .find_map(|key| fields.get(*key)?.as_str().map(str::to_owned)),
        ..Foreign::default()
    };
    let has = |key: &str| fields.contains_key(key);
    if has("blocks") {
        foreign.blocks(&fields)?;
    } else if has("slots") || has("pool") {
        foreign.working(&fields)?;
    } else if has("items") {
        foreign.items(&fields)?;
    } else if ["currentTask", "keyDecisions", "nextSteps"]
        .into_iter()
        .any(has)
    {
        foreign.hud(&fields)?;
    } else if ["projectNotes", "keyFiles", "conventions"]
        .into_iter()
        .any(has)
    {
        foreign.project(&fields)?;
    } else if ["level", "results", "compactions", "eventCounter"]
        .into_iter()
        .any(has)
        && foreign.session.is_some()
    {
        let what = "it says how full a context was or what was swept, which is counted anew";
        foreign.left_out.push(what.to_owned());
    } else {
        return Err(ForeignError::Unknown);
    }
    Ok(foreign)
}

impl Foreign {
    fn blocks(&mut self, fields: &Map<String, Value>) -> Result<(), ForeignError> {
        for (name, block) in object(fields, "blocks")? {
            let field = format!("blocks.{name}");
            let Value::Object(block) = block else {
                return Err(wrong(field, block, "an object with `content`"));
            };
            let content = text_in(block, "content", &field)?;
            let limit = block.get("maxChars").and_then(Value::as_u64);
            let limit = limit.and_then(|limit| u32::try_from(limit).ok());
            let block = MemoryBlock::from(name.clone());
            let limit = limit.filter(|limit| block.limit() != Some(*limit));
            if !content.is_empty() {
                self.said.push(Said::Block(block, content, limit));
            }
        }
        Ok(())
    }

    fn working(&mut self, fields: &Map<String, Value>) -> Result<(), ForeignError> {
        if fields.contains_key("slots") {
            for (slot, items) in object(fields, "slots")? {
                for (at, item) in list(items, &format!("slots.{slot}"))?.iter().enumerate() {
                    let (content, mentions) = item_of(item, &format!("slots.{slot}[{at}]"))?;
                    self.said.push(in_slot(slot, content, mentions));
                }
            }
        }
        if let Some(pool) = fields.get("pool") {
            for (at, item) in list(pool, "pool")?.iter().enumerate() {
                let (content, mentions) = item_of(item, &format!("pool[{at}]"))?;
                self.said.push(in_slot(kind_of(item), content, mentions));
            }
        }
        Ok(())
    }

    /// Reads the old format, a list of items of any type.
    fn items(&mut self, fields: &Map<String, Value>) -> Result<(), ForeignError> {
        let Some(items) = fields.get("items") else {
            return Ok(());
        };
        for (at, item) in list(items, "items")?.iter().enumerate() {
            let (content, mentions) = item_of(item, &format!("items[{at}]"))?;
            self.said.push(in_slot(kind_of(item), content, mentions));
        }
        Ok(())
    }

    fn hud(&mut self, fields: &Map<String, Value>) -> Result<(), ForeignError> {
        for (key, said) in [
            ("currentTask", Said::Task as Makes),
            ("compactedContext", Said::Compacted),
        ] {
            match fields.get(key) {
                None | Some(Value::Null) => {}
                Some(Value::String(text)) if text.trim().is_empty() => {}
                Some(Value::String(text)) => self.said.push(said(text.clone())),
                Some(other) => return Err(wrong(key.to_owned(), other, "a text or null")),
            }
        }
        self.lists(
            fields,
            &[
                ("keyDecisions", Said::Decision),
                ("activeFiles", Said::File),
                ("notes", Said::Note),
                ("blockers", Said::Blocker),
                ("nextSteps", Said::Step),
            ],
        )
    }

    fn project(&mut self, fields: &Map<String, Value>) -> Result<(), ForeignError> {
        self.lists(
            fields,
            &[
                ("projectNotes", Said::Note),
                ("keyFiles", Said::File),
                ("conventions", Said::Decision),
            ],
        )
    }

    fn lists(
        &mut self,
        fields: &Map<String, Value>,
        keys: &[(&str, Makes)],
    ) -> Result<(), ForeignError> {
        for (key, said) in keys {
            let Some(items) = fields.get(*key).filter(|items| !items.is_null()) else {
                continue;
            };
            for (at, item) in list(items, key)?.iter().enumerate() {
                match item {
                    Value::String(text) => self.said.push(said(text.clone())),
                    other => return Err(wrong(format!("{key}[{at}]"), other, "a text")),
                }
            }
        }
        Ok(())
    }

    /// Returns the events that import the content into a session. Content that the session already has is
    /// skipped.
    pub fn events(&self, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
        let mut events = Vec::new();
        let mut seen = BTreeSet::new();
        for said in &self.said {
            let is_known = said.is_in(state) || said.is_own(state);
            if !seen.insert(format!("{said:?}")) || is_known {
                continue;
            }
            events.extend(said.events(numbering));
        }
        events
    }

    /// Returns the content that an import loses, because a section is full or the session has a different
    /// value.
    pub fn lost(&self, before: &HudState, after: &HudState) -> Vec<String> {
        let is_lost = |said: &&Said| !said.is_in(before) && !said.is_in(after);
        let lost = self.said.iter().filter(is_lost);
        let said = lost.map(|said| match said.is_own(before) {
            true => format!("{}: the session has one of its own", said.label()),
            false => format!("{}: there is no more room", said.label()),
        });
        self.left_out.iter().cloned().chain(said).collect()
    }
}

impl Said {
    /// True if a session already has the same item. A block with different content belongs to the session.
    fn is_in(&self, state: &HudState) -> bool {
        match self {
            Self::Block(block, content, _) => state
                .core_memory
                .block(block)
                .is_some_and(|known| known.content == *content),
            Self::Pool(content, ..) => state
                .working_memory
                .pool
                .iter()
                .any(|item| item.content == *content),
            Self::Error(text) => state.errors.iter().any(|item| item.message == *text),
            Self::Decision(text) => state.decisions.iter().any(|item| item.summary == *text),
            Self::Step(text) => state
                .next_steps
                .iter()
                .any(|item| item.description == *text),
            Self::Dependency(name) => state.dependencies.iter().any(|item| item.name == *name),
            Self::Task(text) => state
                .task
                .as_ref()
                .is_some_and(|task| task.description == *text),
            Self::File(path) => state.active_files.iter().any(|file| file.path == *path),
            Self::Note(text) => state.notes.iter().any(|item| item.content == *text),
            Self::Blocker(text) => state.blockers.iter().any(|item| item.description == *text),
            Self::Compacted(text) => state
                .compacted
                .as_ref()
                .is_some_and(|compacted| compacted.summary.as_ref() == Some(text)),
        }
    }

    /// True if a session has a different item in a place that holds only one.
    fn is_own(&self, state: &HudState) -> bool {
        match self {
            Self::Block(block, ..) => {
                let known = state.core_memory.block(block);
                known.is_some_and(|known| !known.content.is_empty())
            }
            Self::Task(_) => state.task.is_some(),
            Self::Compacted(_) => state.compacted.is_some(),
            _ => false,
        }
    }

    fn events(&self, numbering: &mut Numbering) -> Vec<HudEvent> {
        let event: HudEvent = match self.clone() {
            Self::Block(block, content, limit) => MemoryCoreUpdate {
                block,
                content,
                mode: UpdateMode::Replace,
                limit,
            }
            .into(),
            Self::Pool(content, kind, mentions) => {
                let add = MemoryItemAdd {
                    content,
                    kind,
                    source: MemorySource::Agent,
                };
                return (0..=mentions.min(MENTIONS))
                    .map(|_| add.clone().into())
                    .collect();
            }
            Self::Error(message) => ErrorEncountered {
                id: numbering.next(Item::Error),
                message,
                tool: None,
                target: None,
                attempted: None,
            }
            .into(),
            Self::Decision(summary) => DecisionRecord {
                id: numbering.next(Item::Decision),
                summary,
                details: None,
                weight: None,
            }
            .into(),
            Self::Step(description) => StepAdd {
                id: numbering.next(Item::Step),
                description,
            }
            .into(),
            Self::Dependency(name) => DependencyAdd {
                name,
                declared: None,
            }
            .into(),
            Self::Task(description) => TaskSet { description }.into(),
            Self::File(path) => FileOpen::of(path).into(),
            Self::Note(content) => NoteAdd {
                id: numbering.next(Item::Note),
                content,
            }
            .into(),
            Self::Blocker(description) => BlockerAdd {
                id: numbering.next(Item::Blocker),
                description,
            }
            .into(),
            Self::Compacted(summary) => CompactAfter {
                summary: Some(summary),
                rest: None,
                tokens_after: None,
                boundary: None,
            }
            .into(),
        };
        vec![event]
    }

    /// Returns a label for people.
    fn label(&self) -> String {
        let (what, text) = match self {
            Self::Block(block, text, _) => {
                return format!("block {}: {}", line(block.name(), 40), line(text, 60));
            }
            Self::Pool(text, ..) => ("item", text),
            Self::Error(text) => ("error", text),
            Self::Decision(text) => ("decision", text),
            Self::Step(text) => ("step", text),
            Self::Dependency(text) => ("dependency", text),
            Self::Task(text) => ("task", text),
            Self::File(text) => ("file", text),
            Self::Note(text) => ("note", text),
            Self::Blocker(text) => ("blocker", text),
            Self::Compacted(text) => ("summary", text),
        };
        format!("{what} {:?}", line(text, 60))
    }
}

/// Returns the item of a slot.
fn in_slot(slot: &str, content: String, mentions: u64) -> Said {
    match slot {
        "error" => Said::Error(content),
        "decision" => Said::Decision(content),
        "todo" => Said::Step(content),
        "dependency" => Said::Dependency(content),
        "file" | "file-path" | "filepath" | "path" => {
            Said::Pool(content, MemoryKind::Path, mentions)
        }
        _ => Said::Pool(content, MemoryKind::Note, mentions),
    }
}

/// Returns the type of an item in the file.
fn kind_of(item: &Value) -> &str {
    item.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// Returns the content of an item, and the number of its mentions.
fn item_of(item: &Value, field: &str) -> Result<(String, u64), ForeignError> {
    match item {
        Value::String(text) => Ok((text.clone(), 0)),
        Value::Object(fields) => {
            let mentions = ["mentions", "mentionCount"]
                .iter()
                .find_map(|key| fields.get(*key)?.as_u64());
            Ok((text_in(fields, "content", field)?, mentions.unwrap_or(0)))
        }
        other => Err(wrong(field.to_owned(), other, "an object with `content`")),
    }
}

fn text_in(fields: &Map<String, Value>, key: &str, within: &str) -> Result<String, ForeignError> {
    match fields.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        other => Err(wrong(
            format!("{within}.{key}"),
            other.unwrap_or(&Value::Null),
            "a text",
        )),
    }
}

fn object<'v>(
    fields: &'v Map<String, Value>,
    key: &str,
) -> Result<&'v Map<String, Value>, ForeignError> {
    match fields.get(key) {
        Some(Value::Object(inner)) => Ok(inner),
        other => Err(wrong(
            key.to_owned(),
            other.unwrap_or(&Value::Null),
            "an object",
        )),
    }
}

fn list<'v>(value: &'v Value, field: &str) -> Result<&'v Vec<Value>, ForeignError> {
    match value {
        Value::Array(items) => Ok(items),
        other => Err(wrong(field.to_owned(), other, "a list")),
    }
}

fn wrong(field: String, found: &Value, wanted: &'static str) -> ForeignError {
    let found = match found {
        Value::Null => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    let field = line(&field, 80).into_owned();
    ForeignError::Field {
        field,
        found,
        wanted,
    }
}
