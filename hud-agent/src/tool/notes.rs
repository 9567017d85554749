//! `notes`: the scratchpad.

use hud_store::event::{NoteAdd, NoteRemove, NoteUpdate};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Item, Operation, ToolError, known, list, said};

list!("notes.list", "all notes, whole", "notes", notes);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    /// The note.
    content: String,
}

impl Operation for Add {
    const NAME: &'static str = "notes.add";
    const DOES: &'static str = "note what you will need later";
    const EXAMPLE: &'static str = r#"{"content":"Tests need redis on port 6379"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        let content = said::<Self>("content", self.content)?;
        Ok(add(desk, content))
    }
}

/// Adds a note, unless there is one that says the same.
pub(super) fn add(desk: &mut Desk<'_>, content: String) -> Value {
    if let Some(note) = desk.state.notes.iter().find(|note| note.content == content) {
        return json!({ "id": note.id, "unchanged": true });
    }
    let id = desk.numbering.next(Item::Note);
    desk.record(NoteAdd {
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

impl Operation for Update {
    const NAME: &'static str = "notes.update";
    const DOES: &'static str = "rewrite a note";
    const EXAMPLE: &'static str = r#"{"id":"n1","content":"Tests need redis 7 on port 6379"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        known::<Self>("note", &self.id, ids(desk))?;
        desk.record(NoteUpdate {
            id: self.id,
            content: said::<Self>("content", self.content)?,
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

impl Operation for Remove {
    const NAME: &'static str = "notes.remove";
    const DOES: &'static str = "remove a note";
    const EXAMPLE: &'static str = r#"{"id":"n1"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        known::<Self>("note", &self.id, ids(desk))?;
        desk.record(NoteRemove { id: self.id });
        Ok(json!({}))
    }
}

fn ids<'d>(desk: &Desk<'d>) -> impl Iterator<Item = &'d String> + Clone + use<'d> {
    desk.state.notes.iter().map(|note| &note.id)
}
