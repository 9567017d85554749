//! `checks`: the last run of each test, lint, build. It is recorded by itself.

use hud_store::section::Checks;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Operations, Read, ToolError, View, list};
use crate::section::AgentSection;

impl AgentSection for Checks {
    fn operations(operations: Operations) -> Operations {
        operations.read::<List>()
    }
}

list!(
    "checks.list",
    "all checks, with what they said last",
    "checks",
    checks
);
