//! `files`: what the agent has in view.

use hud_store::event::{FileClose, FileOpen};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Operation, ToolError, known, list, said};

list!("files.list", "the files in view", "files", active_files);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    /// The file.
    path: String,
}

impl Operation for Add {
    const NAME: &'static str = "files.add";
    const DOES: &'static str =
        "keep a file in view; those you read and edit are there by themselves";
    const EXAMPLE: &'static str = r#"{"path":"src/main.rs"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        let path = desk.file::<Self>(&said::<Self>("path", self.path)?)?;
        desk.record(FileOpen { path });
        Ok(json!({}))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Remove {
    /// The file.
    path: String,
}

impl Operation for Remove {
    const NAME: &'static str = "files.remove";
    const DOES: &'static str = "a file is of no more interest";
    const EXAMPLE: &'static str = r#"{"path":"src/main.rs"}"#;

    fn run(self, desk: &mut Desk<'_>) -> Result<Value, ToolError> {
        let paths = desk.state.active_files.iter().map(|file| &file.path);
        let path = desk.file::<Self>(&self.path)?;
        known::<Self>("file", &path, paths)?;
        desk.record(FileClose { path });
        Ok(json!({}))
    }
}
