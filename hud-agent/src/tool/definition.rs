//! The tool as a client declares it to the model.

use serde_json::{Value, json};

use super::OPERATIONS;

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

/// The `hud` tool.
pub fn definition() -> Definition {
    let names: Vec<&str> = OPERATIONS.iter().map(|entry| entry.name).collect();
    Definition {
        name: "hud",
        description: "Your HUD: the state that survives when this conversation is compacted. Record \
                      decisions, notes, steps and blockers as they come up; {\"tool\": \"help\", \
                      \"args\": {\"for\": \"notes.add\"}} tells the args of an operation.",
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

/// The `hud_compact` tool: apart, so that it is not called by accident.
pub fn compact_definition() -> Definition {
    Definition {
        name: "hud_compact",
        description: "Compact this conversation now, at a good moment: your HUD is kept. Record what \
                      must survive first.",
        schema: json!({ "type": "object", "properties": {} }),
    }
}
