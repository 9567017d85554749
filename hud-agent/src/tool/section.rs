//! `section`: a whole section at once.

use hud_store::event::{
    BlockerRemove, DecisionRemove, ErrorResolved, FileClose, FileOpen, HudEvent, MemoryClear,
    NoteRemove, StepRemove, TaskSet,
};
use hud_store::state::HudState;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Operation, ToolError, blockers, decisions, notes, said, steps};

/// A section that the agent keeps.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kept {
    /// What to do.
    #[serde(alias = "currentTask")]
    Task,
    /// What was decided.
    #[serde(alias = "keyDecisions")]
    Decisions,
    /// The scratchpad.
    Notes,
    /// Files in view.
    #[serde(alias = "activeFiles", alias = "active_files")]
    Files,
    /// The plan.
    #[serde(alias = "nextSteps", alias = "next_steps")]
    Steps,
    /// What is in the way.
    Blockers,
    /// What failed.
    Errors,
    /// What is remembered for a while.
    #[serde(alias = "working_memory")]
    Memory,
}

impl Kept {
    const ALL: [Self; 8] = [
        Self::Task,
        Self::Decisions,
        Self::Notes,
        Self::Files,
        Self::Steps,
        Self::Blockers,
        Self::Errors,
        Self::Memory,
    ];

    /// What to do with a section that is not written by texts.
    const fn instead(self) -> &'static str {
        match self {
            Self::Errors => {
                "errors are recorded when a tool fails: mark one as mended with `errors.resolve`"
            }
            Self::Memory => {
                "memory is not written with this tool: keep what you want to know with `notes.add`"
            }
            _ => "give the texts of its items",
        }
    }

    /// What the section is, as JSON.
    pub(super) fn shown(self, state: &HudState) -> Value {
        match self {
            Self::Task => json!(state.task),
            Self::Decisions => json!(state.decisions),
            Self::Notes => json!(state.notes),
            Self::Files => json!(state.active_files),
            Self::Steps => json!(state.next_steps),
            Self::Blockers => json!(state.blockers),
            Self::Errors => json!(state.errors),
            Self::Memory => json!(state.working_memory),
        }
    }
}

/// A text, or several.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Texts {
    /// The task.
    One(String),
    /// The items, in order.
    Many(Vec<String>),
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Update {
    /// Which one.
    section: Kept,
    /// What it is to be: a text for the task, a list of texts for the others.
    value: Option<Texts>,
}

impl Operation for Update {
    const NAME: &'static str = "section.update";
    const DOES: &'static str = "replace a whole section";
    const EXAMPLE: &'static str = r#"{"section":"steps","value":["read","write","test"]}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        update::<Self>(desk, self.section, self.value)
    }
}

/// Makes a section what is given, which is nothing if it is an empty text.
pub(super) fn update<O: Operation>(
    desk: &mut Desk<'_>,
    section: Kept,
    value: Option<Texts>,
) -> Result<Value, ToolError> {
    let texts = match value {
        None => Vec::new(),
        Some(Texts::One(text)) if text.is_empty() => Vec::new(),
        Some(Texts::One(text)) => vec![text],
        Some(Texts::Many(texts)) => texts,
    };
    let texts = match section {
        Kept::Task => Ok(texts),
        Kept::Files => texts.iter().map(|path| desk.file::<O>(path)).collect(),
        _ => texts
            .into_iter()
            .map(|text| said::<O>("value", text))
            .collect::<Result<Vec<_>, _>>(),
    }?;
    if section == Kept::Task && texts.len() > 1 {
        return Err(O::refuse("there is one task: give a text, not a list"));
    }
    replace(desk, section, texts).ok_or_else(|| O::refuse(section.instead()))
}

/// Removes what is not among the texts, and adds what is not there. `None` if the section is not
/// written by texts.
fn replace(desk: &mut Desk<'_>, section: Kept, texts: Vec<String>) -> Option<Value> {
    let state = desk.state;
    let is_kept = |text: &str| texts.iter().any(|kept| kept == text);
    let left: Vec<HudEvent> = match section {
        Kept::Task => {
            let description = texts.first().cloned().unwrap_or_default();
            desk.record(TaskSet { description });
            return Some(json!({}));
        }
        Kept::Decisions => {
            let gone = state.decisions.iter().filter(|d| !is_kept(&d.summary));
            gone.map(|d| DecisionRemove { id: d.id.clone() }.into())
                .collect()
        }
        Kept::Notes => {
            let gone = state.notes.iter().filter(|n| !is_kept(&n.content));
            gone.map(|n| NoteRemove { id: n.id.clone() }.into())
                .collect()
        }
        Kept::Files => {
            let gone = state.active_files.iter().filter(|f| !is_kept(&f.path));
            gone.map(|f| {
                FileClose {
                    path: f.path.clone(),
                }
                .into()
            })
            .collect()
        }
        Kept::Steps => {
            let gone = state.next_steps.iter().filter(|s| !is_kept(&s.description));
            gone.map(|s| StepRemove { id: s.id.clone() }.into())
                .collect()
        }
        Kept::Blockers => {
            let gone = state.blockers.iter().filter(|b| !is_kept(&b.description));
            gone.map(|b| BlockerRemove { id: b.id.clone() }.into())
                .collect()
        }
        Kept::Errors | Kept::Memory => return None,
    };
    for event in left {
        desk.record(event);
    }
    let mut ids = Vec::new();
    for text in texts {
        let added = match section {
            Kept::Decisions => decisions::record(desk, text, None),
            Kept::Notes => notes::add(desk, text),
            Kept::Steps => steps::add(desk, text),
            Kept::Blockers => blockers::add(desk, text),
            Kept::Files => {
                let path = json!({ "id": text });
                if !state.active_files.iter().any(|file| file.path == text) {
                    desk.record(FileOpen { path: text });
                }
                path
            }
            Kept::Task | Kept::Errors | Kept::Memory => return None,
        };
        ids.push(added["id"].clone());
    }
    Some(json!({ "ids": ids }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Clear {
    /// Which one; without, all of them.
    section: Option<Kept>,
}

impl Operation for Clear {
    const NAME: &'static str = "section.clear";
    const DOES: &'static str = "empty a section, or all";
    const EXAMPLE: &'static str = r#"{"section":"notes"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        clear(desk, self.section);
        Ok(json!({}))
    }
}

/// Empties a section, or all that are not empty.
pub(super) fn clear(desk: &mut Desk<'_>, section: Option<Kept>) {
    let state = desk.state;
    for kept in section.map_or(Kept::ALL.to_vec(), |section| vec![section]) {
        match kept {
            Kept::Errors => {
                for error in state.errors.iter().filter(|error| !error.is_resolved()) {
                    desk.record(ErrorResolved {
                        id: error.id.clone(),
                        resolution: Some("cleared".to_owned()),
                    });
                }
            }
            Kept::Memory if state.working_memory.is_empty() => {}
            Kept::Memory => desk.record(MemoryClear { place: None }),
            Kept::Task if state.task.is_none() => {}
            kept => drop(replace(desk, kept, Vec::new())),
        }
    }
}
