//! The `hud` tool: what an agent writes to its HUD, as events.
//!
//! One router tool serves all operations, `{"tool": "notes.add", "args": {"content": ".."}}`,
//! so that its definition costs the agent little (the seed's "Why router pattern").

use hud_store::event::{
    BlockerAdd, BlockerRemove, DecisionRecord, DecisionRemove, HudEvent, NoteAdd, NoteRemove,
    NoteUpdate, StepAdd, StepComplete, StepReorder, TaskSet, TaskUpdate,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Why a call of the `hud` tool does nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The call is not `{"tool": .., "args": ..}`.
    #[error("`hud` takes {{\"tool\": \"<operation>\", \"args\": {{..}}}}: {0}")]
    Call(serde_json::Error),
    /// There is no such operation.
    #[error("`hud` has no operation `{0}`")]
    UnknownOperation(String),
    /// The arguments do not fit the operation.
    #[error("`{operation}`: {source}")]
    Arguments {
        /// The operation's name.
        operation: String,
        /// What is wrong with them.
        source: serde_json::Error,
    },
}

/// Operations that only read.
const READING: &[&str] = &[
    "task.get",
    "decisions.list",
    "notes.list",
    "steps.list",
    "blockers.list",
    "files.list",
    "errors.list",
    "snapshot",
    "history",
    "help",
];

/// The events of a call of the `hud` tool. An operation that only reads has none.
///
/// ```
/// use hud_agent::tool::{Numbering, events};
/// use serde_json::json;
///
/// let call = json!({ "tool": "notes.add", "args": { "content": "Tests need redis." } });
/// let events = events(&call, &mut Numbering::default())?;
/// assert_eq!(events[0].kind(), "note.add");
/// # Ok::<(), hud_agent::tool::ToolError>(())
/// ```
///
/// # Errors
///
/// [`ToolError`]: nothing is numbered then.
pub fn events(call: &Value, numbering: &mut Numbering) -> Result<Vec<HudEvent>, ToolError> {
    let Call { tool, args } = Call::deserialize(call).map_err(ToolError::Call)?;
    let arguments = Arguments {
        operation: &tool,
        args,
    };
    let event = match tool.as_str() {
        "task.set" => TaskSet {
            description: arguments.read::<Description>()?.description,
        }
        .into(),
        "task.update" => TaskUpdate {
            description: Some(arguments.read::<Description>()?.description),
            latest_request: None,
        }
        .into(),
        "decisions.record" => {
            let Decision { summary, details } = arguments.read()?;
            DecisionRecord {
                id: numbering.next(Item::Decision),
                summary,
                details,
            }
            .into()
        }
        "decisions.remove" => DecisionRemove {
            id: arguments.read::<Id>()?.id,
        }
        .into(),
        "notes.add" => {
            let Content { content } = arguments.read()?;
            NoteAdd {
                id: numbering.next(Item::Note),
                content,
            }
            .into()
        }
        "notes.update" => {
            let Rewrite { id, content } = arguments.read()?;
            NoteUpdate { id, content }.into()
        }
        "notes.remove" => NoteRemove {
            id: arguments.read::<Id>()?.id,
        }
        .into(),
        "steps.add" => {
            let Description { description } = arguments.read()?;
            StepAdd {
                id: numbering.next(Item::Step),
                description,
            }
            .into()
        }
        "steps.complete" => StepComplete {
            id: arguments.read::<Id>()?.id,
        }
        .into(),
        "steps.reorder" => StepReorder {
            ids: arguments.read::<Ids>()?.ids,
        }
        .into(),
        "blockers.add" => {
            let Description { description } = arguments.read()?;
            BlockerAdd {
                id: numbering.next(Item::Blocker),
                description,
            }
            .into()
        }
        "blockers.remove" => BlockerRemove {
            id: arguments.read::<Id>()?.id,
        }
        .into(),
        reading if READING.contains(&reading) => return Ok(Vec::new()),
        _ => return Err(ToolError::UnknownOperation(tool)),
    };
    Ok(vec![event])
}

#[derive(Deserialize)]
struct Call {
    tool: String,
    #[serde(default)]
    args: Value,
}

struct Arguments<'c> {
    operation: &'c str,
    args: Value,
}

impl Arguments<'_> {
    fn read<T: DeserializeOwned>(self) -> Result<T, ToolError> {
        serde_json::from_value(self.args).map_err(|source| ToolError::Arguments {
            operation: self.operation.to_owned(),
            source,
        })
    }
}

#[derive(Deserialize)]
struct Description {
    description: String,
}

#[derive(Deserialize)]
struct Decision {
    summary: String,
    details: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    content: String,
}

#[derive(Deserialize)]
struct Rewrite {
    id: String,
    content: String,
}

#[derive(Deserialize)]
struct Id {
    id: String,
}

#[derive(Deserialize)]
struct Ids {
    ids: Vec<String>,
}

/// What is numbered within a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Decisions: `d1`, `d2`, ...
    Decision,
    /// Notes: `n1`, ...
    Note,
    /// Steps: `s1`, ...
    Step,
    /// Blockers: `b1`, ...
    Blocker,
    /// Errors: `e1`, ...
    Error,
}

/// The last number of each kind of item in a session: ids are short, since the agent reads and
/// repeats them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbering {
    last: [u64; 5],
}

impl Numbering {
    /// A new id.
    pub fn next(&mut self, item: Item) -> String {
        let (index, letter) = Self::place(item);
        self.last[index] += 1;
        format!("{letter}{}", self.last[index])
    }

    const fn place(item: Item) -> (usize, char) {
        match item {
            Item::Decision => (0, 'd'),
            Item::Note => (1, 'n'),
            Item::Step => (2, 's'),
            Item::Blocker => (3, 'b'),
            Item::Error => (4, 'e'),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn items_are_numbered_by_kind() {
        let mut numbering = Numbering::default();
        let mut id = |tool: &str, args: Value| match events(
            &json!({ "tool": tool, "args": args }),
            &mut numbering,
        )
        .unwrap()
        .remove(0)
        {
            HudEvent::NoteAdd(note) => note.id,
            HudEvent::DecisionRecord(decision) => decision.id,
            other => panic!("{other:?}"),
        };
        assert_eq!(id("notes.add", json!({ "content": "a" })), "n1");
        assert_eq!(id("decisions.record", json!({ "summary": "b" })), "d1");
        assert_eq!(id("notes.add", json!({ "content": "c" })), "n2");
    }

    #[test]
    fn a_wrong_call_says_what_is_wrong_and_numbers_nothing() {
        let mut numbering = Numbering::default();
        let mut message = |call: Value| events(&call, &mut numbering).unwrap_err().to_string();
        assert_eq!(
            message(json!({ "tool": "notes.burn" })),
            "`hud` has no operation `notes.burn`"
        );
        assert_eq!(
            message(json!({ "tool": "notes.add", "args": { "text": "a" } })),
            "`notes.add`: missing field `content`"
        );
        assert!(message(json!("notes.add")).starts_with("`hud` takes {\"tool\""));
        assert_eq!(numbering, Numbering::default());
    }

    #[test]
    fn reading_changes_nothing() {
        for tool in READING {
            let call = json!({ "tool": tool });
            assert_eq!(events(&call, &mut Numbering::default()).unwrap(), []);
        }
    }
}
