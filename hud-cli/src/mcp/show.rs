//! Components as tools: `hud_show_NextSteps` takes the props of `<NextSteps>`, and returns the rendered component.

use std::sync::Arc;

use hud_layout::Catalogue;
use hud_layout::catalogue::Entry;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::Value;

use crate::layout;
use crate::output::Failure;

/// The start of the name of such a tool.
const PREFIX: &str = "hud_show_";

/// The components that are tools.
#[derive(Clone, Debug, Default)]
pub(super) struct Tags(Arc<[Entry]>);

impl Tags {
    /// The components with these names.
    pub(super) fn named(names: &[String], catalogue: &Catalogue) -> Result<Self, Failure> {
        let entries = names
            .iter()
            .map(|name| layout::known(catalogue, name).cloned());
        Ok(Self(entries.collect::<Result<_, _>>()?))
    }

    /// The component that a tool shows.
    pub(super) fn get(&self, tool: &str) -> Option<&Entry> {
        let name = tool.strip_prefix(PREFIX)?;
        self.0.iter().find(|entry| entry.meta().name == name)
    }

    /// The tools as they are declared to a model. The schema of a tool is that of the component's props.
    pub(super) fn tools(&self) -> impl Iterator<Item = Tool> {
        self.0.iter().map(|entry| {
            let schema = match entry.schema() {
                Value::Object(schema) => schema.clone(),
                _ => JsonObject::new(),
            };
            let harmless = ToolAnnotations::new().read_only(true).open_world(false);
            let name = format!("{PREFIX}{}", entry.meta().name);
            Tool::new(name, entry.line(), schema).annotate(harmless)
        })
    }
}
