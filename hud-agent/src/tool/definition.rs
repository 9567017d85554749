//! The tool as a client declares it to the model.

use serde_json::{Value, json};

use super::Operations;

/// The name of the `hud` tool.
pub const TOOL: &str = "hud";

/// The name of the `hud_compact` tool.
pub const COMPACT_TOOL: &str = "hud_compact";

/// A tool as it is declared to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The name.
    pub name: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// The JSON Schema of its input: an object, without alternatives at the top, which some
    /// providers refuse.
    pub schema: Value,
}

impl Operations {
    /// The `hud` tool, as it is declared to a model.
    pub fn definition(&self) -> Definition {
        let names: Vec<&str> = self.defined().map(|entry| entry.name).collect();
        Definition {
            name: TOOL,
            description: "Your HUD survives compaction. Record each decision, finding, plan and blocker at \
                      once, and what is open before it; review by id: (f1). Args: help \
                      {\"for\":\"notes.add\"}",
            schema: json!({
                "type": "object",
                "properties": {
                    "tool": { "type": "string", "enum": names },
                    "args": { "type": "object" },
                },
                "required": ["tool"],
            }),
        }
    }
}

/// The `hud_compact` tool: apart, so that it is not called by accident.
pub fn compact_definition() -> Definition {
    Definition {
        name: COMPACT_TOOL,
        description: "Compact this conversation now, at a good moment: your HUD is kept. Record what \
                      must survive first.",
        schema: json!({ "type": "object", "properties": {} }),
    }
}
