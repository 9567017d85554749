//! Working memory: it is emptied with the tool, and written otherwise.

use hud_store::event::MemoryClear;
use hud_store::section::WorkingMemory;
use serde_json::Value;

use super::{Draft, ToolError, refuse};
use crate::section::AgentSection;

impl AgentSection for WorkingMemory {
    const NOUN: &'static str = "memory";

    fn replace(
        &self,
        _: Vec<String>,
        operation: &'static str,
        _: &mut Draft<'_>,
    ) -> Result<Value, ToolError> {
        let reason =
            "memory is not written with this tool: keep what you want to know with `notes.add`";
        Err(refuse(operation, reason))
    }

    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        if !self.is_empty() {
            draft.record(MemoryClear { place: None });
        }
        true
    }
}
