//! `section`: a whole section at once.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Draft, Operations, ToolError, Write, refuse};
use crate::section::Noun;

pub(super) fn operations(operations: Operations) -> Operations {
    operations.write::<Update>().write::<Clear>()
}

/// A text, or several.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Texts {
    /// The task.
    One(String),
    /// The items, in order.
    Many(Vec<String>),
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Update {
    /// Which one: `task`, `decisions`, `notes`, `steps`, `blockers`, `files`, ...
    section: String,
    /// What it is to be: a text for the task, a list of texts for the others.
    value: Option<Texts>,
}

impl Write for Update {
    const NAME: &'static str = "section.update";
    const DOES: &'static str = "replace a whole section";
    const EXAMPLE: &'static str = r#"{"section":"steps","value":["read","write","test"]}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let noun = find(Self::NAME, draft.operations(), &self.section)?;
        let texts = match self.value {
            None => Vec::new(),
            Some(Texts::One(text)) if text.is_empty() => Vec::new(),
            Some(Texts::One(text)) => vec![text],
            Some(Texts::Many(texts)) => texts,
        };
        (noun.replace)(texts, Self::NAME, draft)
    }
}

/// The section of that name.
pub(super) fn find<'o>(
    operation: &'static str,
    operations: &'o Operations,
    name: &str,
) -> Result<&'o Noun, ToolError> {
    let mut nouns = operations.nouns().iter();
    nouns.find(|noun| noun.is_called(name)).ok_or_else(|| {
        let nouns: Vec<_> = operations.nouns().iter().map(|noun| noun.noun).collect();
        let nouns = nouns.join(", ");
        refuse(
            operation,
            format!("there is no section `{name}`: there are {nouns}"),
        )
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Clear {
    /// Which one; without, all of them.
    section: Option<String>,
}

impl Write for Clear {
    const NAME: &'static str = "section.clear";
    const DOES: &'static str = "empty a section, or all";
    const EXAMPLE: &'static str = r#"{"section":"notes"}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        match &self.section {
            Some(name) => {
                let noun = find(Self::NAME, draft.operations(), name)?;
                if !(noun.clear)(draft) {
                    let noun = noun.noun;
                    return Err(refuse(
                        Self::NAME,
                        format!(
                            "`{noun}` is not emptied as a whole: see its operations with `help`"
                        ),
                    ));
                }
            }
            None => {
                for noun in draft.operations().nouns() {
                    (noun.clear)(draft);
                }
            }
        }
        Ok(json!({}))
    }
}
