//! `notes`: the scratchpad.

use hud_store::event::{HudEvent, NoteAdd, NoteRemove, NoteUpdate};
use hud_store::section::{NOTES_CAP, Notes};
use hud_store::state::Note;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::replace::{clear, replace};
use super::review::reviewed;
use super::{Draft, Item, Operations, Read, ToolError, View, Write, known, list, said};
use crate::section::{AgentSection, Verdict};

impl AgentSection for Notes {
    fn operations(operations: Operations) -> Operations {
        operations
            .read::<List>()
            .write::<Add>()
            .write::<Update>()
            .write::<Remove>()
    }

    /// Removes what is not among the texts, and adds what is new.
    fn replace(
        &self,
        texts: Vec<String>,
        operation: &'static str,
        draft: &mut Draft<'_>,
    ) -> Result<Value, ToolError> {
        replace(
            (self, NOTES_CAP),
            texts,
            operation,
            draft,
            |item| &item.content,
            remove,
            add,
        )
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        clear(self, draft, remove)
    }

    fn reviewed(&self, id: &str, verdict: &Verdict<'_>) -> Option<Vec<HudEvent>> {
        let note = self.iter().find(|note| note.id == id)?;
        let update = |content: &str| NoteUpdate {
            id: note.id.clone(),
            content: content.to_owned(),
        };
        reviewed(
            verdict,
            (&note.content, true),
            |content| update(content).into(),
            || remove(note),
        )
    }
}

fn remove(item: &Note) -> HudEvent {
    let id = item.id.clone();
    NoteRemove { id }.into()
}

list!("notes.list", "all notes, whole", "notes", notes);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    /// The note.
    content: String,
}

impl Write for Add {
    const NAME: &'static str = "notes.add";
    const DOES: &'static str = "note what you will need later";
    const EXAMPLE: &'static str = r#"{"content":"Tests need redis on port 6379"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let content = said(Self::NAME, "content", self.content)?;
        Ok(add(draft, content))
    }
}

/// Adds a note, unless there is one that says the same.
fn add(draft: &mut Draft<'_>, content: String) -> Value {
    if let Some(note) = draft
        .state()
        .notes
        .iter()
        .find(|note| note.content == content)
    {
        return json!({ "id": note.id, "unchanged": true });
    }
    let id = draft.next_id(Item::Note);
    draft.record(NoteAdd {
        id: id.clone(),
        content,
    });
    json!({ "id": id })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Update {
    /// Which one.
    id: String,
    /// The whole new note.
    content: String,
}

impl Write for Update {
    const NAME: &'static str = "notes.update";
    const DOES: &'static str = "rewrite a note";
    const EXAMPLE: &'static str = r#"{"id":"n1","content":"Tests need redis 7 on port 6379"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        known(Self::NAME, "note", &self.id, ids(draft))?;
        draft.record(NoteUpdate {
            id: self.id,
            content: said(Self::NAME, "content", self.content)?,
        });
        Ok(json!({}))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Remove {
    /// Which one.
    id: String,
}

impl Write for Remove {
    const NAME: &'static str = "notes.remove";
    const DOES: &'static str = "remove a note";
    const EXAMPLE: &'static str = r#"{"id":"n1"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        known(Self::NAME, "note", &self.id, ids(draft))?;
        draft.record(NoteRemove { id: self.id });
        Ok(json!({}))
    }
}

fn ids<'d>(draft: &Draft<'d>) -> impl Iterator<Item = &'d String> + Clone + use<'d> {
    draft.state().notes.iter().map(|note| &note.id)
}
