//! `working_memory`: what the agent keeps at hand. Its slots are sections of their own, so that nothing is
//! recorded twice: a decision that is added here is one of the decisions.

use hud_store::event::{
    DependencyAdd, DependencyRemove, ErrorEncountered, ErrorResolved, HudEvent, MemoryClear,
    MemoryItemAdd, MemoryItemRemove,
};
use hud_store::section::{
    DEPENDENCIES_CAP, Dependencies, MemoryKind, MemorySource, POOL_CAP, PoolItem, WorkingMemory,
};
use hud_store::state::{Dependency, HudState};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::replace::{clear, replace};
use super::{
    Draft, Item, Operations, Read, ToolError, View, Write, decisions, list, refuse, said, steps,
};
use crate::section::AgentSection;

impl AgentSection for WorkingMemory {
    const ALIASES: &'static [&'static str] = &["memory"];

    fn operations(operations: Operations) -> Operations {
        operations
            .write::<Add>()
            .write_in_help::<Remove>()
            .write_in_help::<Clear>()
            .write_in_help::<ClearSlot>()
            .write_also_as::<Add>("working_memory_add")
            .write_also_as::<Remove>("working_memory_remove")
            .write_also_as::<Clear>("working_memory_clear")
            .write_also_as::<ClearSlot>("working_memory_clear_slot")
    }

    /// Removes the agent's notes that are not among the texts, and adds what is new.
    fn replace(
        &self,
        texts: Vec<String>,
        operation: &'static str,
        draft: &mut Draft<'_>,
    ) -> Result<Value, ToolError> {
        let notes: Vec<PoolItem> = self
            .pool
            .iter()
            .filter(|item| is_note(item))
            .cloned()
            .collect();
        replace(
            (&notes, POOL_CAP),
            texts,
            operation,
            draft,
            |item| &item.content,
            forget,
            remember,
        )
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        if !self.is_empty() {
            draft.record(MemoryClear { place: None });
        }
        true
    }
}

impl AgentSection for Dependencies {
    fn operations(operations: Operations) -> Operations {
        operations.read::<List>()
    }

    /// Removes what is not among the texts, and adds what is new.
    fn replace(
        &self,
        texts: Vec<String>,
        operation: &'static str,
        draft: &mut Draft<'_>,
    ) -> Result<Value, ToolError> {
        replace(
            (self, DEPENDENCIES_CAP),
            texts,
            operation,
            draft,
            |item| &item.name,
            leave,
            depend,
        )
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        clear(self, draft, leave)
    }
}

list!(
    "dependencies.list",
    "what the project depends on",
    "dependencies",
    dependencies
);

fn is_note(item: &PoolItem) -> bool {
    item.kind == MemoryKind::Note
}

fn forget(item: &PoolItem) -> HudEvent {
    let content = item.content.clone();
    MemoryItemRemove { content }.into()
}

fn leave(item: &Dependency) -> HudEvent {
    let name = item.name.clone();
    DependencyRemove { name }.into()
}

fn depend(draft: &mut Draft<'_>, name: String) -> Value {
    if draft
        .state()
        .dependencies
        .iter()
        .any(|known| known.name == name)
    {
        return json!({ "id": name, "unchanged": true });
    }
    draft.record(DependencyAdd {
        name: name.clone(),
        declared: None,
    });
    json!({ "id": name })
}

fn remember(draft: &mut Draft<'_>, content: String) -> Value {
    draft.record(MemoryItemAdd {
        content,
        kind: MemoryKind::Note,
        source: MemorySource::Agent,
    });
    json!({})
}

/// A place with a purpose.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Slot {
    /// Failures: `errors`.
    Error,
    /// Choices: `decisions`.
    Decision,
    /// Things to do: `steps`.
    Todo,
    /// Packages and files that others need: `dependencies`.
    Dependency,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    /// What to keep at hand. It fades when it is not used.
    content: String,
    /// Where it belongs, if it is one of these.
    slot: Option<Slot>,
}

impl Write for Add {
    const NAME: &'static str = "working_memory.add";
    const DOES: &'static str = "keep something at hand for a while, or in a slot";
    const EXAMPLE: &'static str = r#"{"content":"Port 6379 is taken by the other redis"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let content = said(Self::NAME, "content", self.content)?;
        Ok(match self.slot {
            None => remember(draft, content),
            Some(Slot::Decision) => decisions::record(draft, content, None),
            Some(Slot::Todo) => steps::add(draft, content),
            Some(Slot::Dependency) => depend(draft, content),
            Some(Slot::Error) => fail(draft, content),
        })
    }
}

/// Records an error, unless there is an open one that says the same.
fn fail(draft: &mut Draft<'_>, message: String) -> Value {
    let mut open = draft
        .state()
        .errors
        .iter()
        .filter(|error| !error.is_resolved());
    if let Some(error) = open.find(|error| error.message == message) {
        return json!({ "id": error.id, "unchanged": true });
    }
    let id = draft.next_id(Item::Error);
    draft.record(ErrorEncountered {
        id: id.clone(),
        message,
        tool: None,
        target: None,
        attempted: None,
    });
    json!({ "id": id })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Clear {}

impl Write for Clear {
    const NAME: &'static str = "working_memory.clear";
    const DOES: &'static str = "empty working memory, but for what is in slots";
    const EXAMPLE: &'static str = "{}";

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        AgentSection::clear(&draft.state().working_memory, draft);
        let reason = "what is in slots is on your HUD as errors, decisions, steps and dependencies: empty one \
                      with `section.clear`";
        Ok(json!({ "kept": reason }))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClearSlot {
    /// Which one.
    slot: Slot,
}

impl Write for ClearSlot {
    const NAME: &'static str = "working_memory.clear_slot";
    const DOES: &'static str =
        "empty a slot: errors are mended, decisions, steps or dependencies leave";
    const EXAMPLE: &'static str = r#"{"slot":"error"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let state = draft.state();
        match self.slot {
            Slot::Error => AgentSection::clear(&state.errors, draft),
            Slot::Decision => AgentSection::clear(&state.decisions, draft),
            Slot::Todo => AgentSection::clear(&state.next_steps, draft),
            Slot::Dependency => AgentSection::clear(&state.dependencies, draft),
        };
        Ok(json!({ "left": draft.events.len() }))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Remove {
    /// What it says, or a part of that which no other says.
    content: String,
}

impl Write for Remove {
    const NAME: &'static str = "working_memory.remove";
    const DOES: &'static str = "forget something by its words, in a slot too";
    const EXAMPLE: &'static str = r#"{"content":"Port 6379"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let sought = said(Self::NAME, "content", self.content)?;
        let all = everything(draft.state());
        let exact: Vec<&(String, HudEvent)> =
            all.iter().filter(|(text, _)| *text == sought).collect();
        let found = match exact.is_empty() {
            true => all
                .iter()
                .filter(|(text, _)| text.contains(&sought))
                .collect(),
            false => exact,
        };
        match found.as_slice() {
            [] => {
                let reason = format!("nothing in working memory says `{sought}`");
                Err(refuse(Self::NAME, reason))
            }
            [(text, event)] => {
                draft.record(event.clone());
                Ok(json!({ "removed": text }))
            }
            [_, _, ..] => {
                let texts: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
                let reason = format!("more than one says that: {texts:?}. Say more of the one");
                Err(refuse(Self::NAME, reason))
            }
        }
    }
}

/// What is in the pool and in the slots, each with what removes it.
fn everything(state: &HudState) -> Vec<(String, HudEvent)> {
    let pool = state.working_memory.pool.iter();
    let pool = pool.map(|item| (item.content.clone(), forget(item)));
    let dependencies = state.dependencies.iter();
    let dependencies = dependencies.map(|item| (item.name.clone(), leave(item)));
    let decisions = state.decisions.iter();
    let decisions = decisions.map(|item| (item.summary.clone(), decisions::remove(item)));
    let steps = state.next_steps.iter();
    let steps = steps.map(|item| (item.description.clone(), steps::remove(item)));
    let open = state.errors.iter().filter(|error| !error.is_resolved());
    let errors = open.map(|error| {
        let resolved = ErrorResolved {
            id: error.id.clone(),
            resolution: Some("cleared".to_owned()),
        };
        (error.message.clone(), resolved.into())
    });
    pool.chain(dependencies)
        .chain(decisions)
        .chain(steps)
        .chain(errors)
        .collect()
}
