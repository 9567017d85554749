//! `files`: what the agent has in view.

use hud_store::event::{FileClose, FileOpen};
use hud_store::section::ActiveFiles;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Draft, Operations, Read, ToolError, View, Write, known, list, said};
use crate::section::AgentSection;

impl AgentSection for ActiveFiles {
    const NOUN: &'static str = "files";
    const ALIASES: &'static [&'static str] = &["activeFiles"];

    fn operations(operations: Operations) -> Operations {
        operations.read::<List>().write::<Add>().write::<Remove>()
    }

    /// Closes what is not among the paths, and opens what is new.
    fn replace(
        &self,
        texts: Vec<String>,
        operation: &'static str,
        draft: &mut Draft<'_>,
    ) -> Result<Value, ToolError> {
        let paths = texts
            .iter()
            .map(|path| draft.file(operation, path))
            .collect::<Result<Vec<_>, _>>()?;
        for gone in self.iter().filter(|file| !paths.contains(&file.path)) {
            draft.record(FileClose {
                path: gone.path.clone(),
            });
        }
        for path in &paths {
            if !self.iter().any(|file| file.path == *path) {
                draft.record(FileOpen::of(path.clone()));
            }
        }
        Ok(json!({ "ids": paths }))
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        for file in self {
            draft.record(FileClose {
                path: file.path.clone(),
            });
        }
        true
    }
}

list!("files.list", "the files in view", "files", active_files);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    /// The file.
    path: String,
}

impl Write for Add {
    const NAME: &'static str = "files.add";
    const DOES: &'static str =
        "keep a file in view; those you read and edit are there by themselves";
    const EXAMPLE: &'static str = r#"{"path":"src/main.rs"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let path = draft.file(Self::NAME, &said(Self::NAME, "path", self.path)?)?;
        draft.record(FileOpen::of(path));
        Ok(json!({}))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Remove {
    /// The file.
    path: String,
}

impl Write for Remove {
    const NAME: &'static str = "files.remove";
    const DOES: &'static str = "a file is of no more interest";
    const EXAMPLE: &'static str = r#"{"path":"src/main.rs"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let paths = draft.state().active_files.iter().map(|file| &file.path);
        let path = draft.file(Self::NAME, &self.path)?;
        known(Self::NAME, "file", &path, paths)?;
        draft.record(FileClose { path });
        Ok(json!({}))
    }
}
