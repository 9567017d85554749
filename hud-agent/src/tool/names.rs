//! Other names of the operations, for agents that know the tool by them.

use hud_store::event::{BlockerRemove, FileClose, FileOpen};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::section::{self, Texts};
use super::{
    Draft, Operations, ToolError, View, Write, blockers, decisions, missing, notes, said, steps,
};

/// All of them.
pub(super) fn operations(operations: Operations) -> Operations {
    operations
        .read_alias::<Read>()
        .write_alias::<Update>()
        .write_alias::<Note>()
        .write_alias::<Decision>()
        .write_alias::<File>()
        .write_alias::<Blocker>()
        .write_alias::<Step>()
        .write_alias::<Clear>()
}

/// To add, or to remove.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    /// It joins the section.
    #[default]
    Add,
    /// It leaves it.
    Remove,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Read {
    /// Only this section.
    section: Option<String>,
}

impl super::Read for Read {
    const NAME: &'static str = "hud";
    const DOES: &'static str = "the whole state, or a section";
    const EXAMPLE: &'static str = r#"{"section":"notes"}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        Ok(match self.section {
            None => json!(view.state()),
            Some(section) => {
                let noun = section::find(Self::NAME, view.operations(), &section)?;
                (noun.shown)(view.state()).unwrap_or_default()
            }
        })
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Update {
    /// Which section.
    section: String,
    /// What it is to be.
    value: Option<Texts>,
}

impl Write for Update {
    const NAME: &'static str = "hud_update";
    const DOES: &'static str = "replace a whole section";
    const EXAMPLE: &'static str = r#"{"section":"currentTask","value":"Implement auth"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        section::update(Self::NAME, draft, &self.section, self.value)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Note {
    /// The note.
    note: String,
}

impl Write for Note {
    const NAME: &'static str = "hud_note";
    const DOES: &'static str = "add a note";
    const EXAMPLE: &'static str = r#"{"note":"Refresh tokens live for 7 days"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let note = said(Self::NAME, "note", self.note)?;
        Ok(notes::add(draft, note))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Decision {
    /// What was decided.
    decision: String,
}

impl Write for Decision {
    const NAME: &'static str = "hud_decision";
    const DOES: &'static str = "record a decision";
    const EXAMPLE: &'static str = r#"{"decision":"RS256 for signing"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let decision = said(Self::NAME, "decision", self.decision)?;
        Ok(decisions::record(draft, decision, None))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct File {
    /// The file.
    file: String,
    /// To add it, or to remove it.
    #[serde(default)]
    action: Action,
}

impl Write for File {
    const NAME: &'static str = "hud_file";
    const DOES: &'static str = "a file joins or leaves those in view";
    const EXAMPLE: &'static str = r#"{"file":"src/main.rs","action":"add"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let path = draft.file(Self::NAME, &said(Self::NAME, "file", self.file)?)?;
        match self.action {
            Action::Add => draft.record(FileOpen::of(path)),
            Action::Remove => draft.record(FileClose { path }),
        }
        Ok(json!({}))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Blocker {
    /// What is in the way; to remove it, its words or its id.
    blocker: String,
    /// To add it, or to remove it.
    #[serde(default)]
    action: Action,
}

impl Write for Blocker {
    const NAME: &'static str = "hud_blocker";
    const DOES: &'static str = "something is in the way, or no longer";
    const EXAMPLE: &'static str = r#"{"blocker":"No credentials for staging","action":"add"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let named = said(Self::NAME, "blocker", self.blocker)?;
        if let Action::Add = self.action {
            return Ok(blockers::add(draft, named));
        }
        let blockers = &draft.state().blockers;
        let found = blockers
            .iter()
            .find(|blocker| blocker.id == named || blocker.description == named)
            .map(|blocker| blocker.id.clone());
        let ids = blockers.iter().map(|blocker| &blocker.id);
        let id = found.ok_or_else(|| missing(Self::NAME, "blocker", &named, ids))?;
        draft.record(BlockerRemove { id });
        Ok(json!({}))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Step {
    /// What is to be done.
    step: String,
}

impl Write for Step {
    const NAME: &'static str = "hud_step";
    const DOES: &'static str = "add a step";
    const EXAMPLE: &'static str = r#"{"step":"Write the middleware"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let step = said(Self::NAME, "step", self.step)?;
        Ok(steps::add(draft, step))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Clear {
    /// Which section; without, all of them.
    section: Option<String>,
}

impl Write for Clear {
    const NAME: &'static str = "hud_clear";
    const DOES: &'static str = "empty a section, or all";
    const EXAMPLE: &'static str = r#"{"section":"notes"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        section::clear(Self::NAME, draft, self.section.as_deref())
    }
}
