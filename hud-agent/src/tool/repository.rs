//! `git`: the branch, and what was committed. It is recorded by itself.

use hud_store::section::Repository;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Operations, Read, ToolError, View, list};
use crate::section::AgentSection;

impl AgentSection for Repository {
    const NOUN: &'static str = "git";

    fn operations(operations: Operations) -> Operations {
        operations.read::<List>()
    }
}

list!(
    "git.list",
    "the branch, and the commits of this session",
    "git",
    repository
);
