use hud_core::node::{Code, Field, Item, List, Section};
use hud_core::part::{Cap, Handle};
use hud_core::tokens::{Estimate, TokenCounter};
use hud_core::{Density, Element, component, rsx};
use hud_store::section::{Knowledge, Known};

use crate::text::{line, piece, with_code};
use crate::{Ceiling, section};

/// How many tokens what an agent knows may have, as JSON.
pub const KNOWLEDGE_TOKENS: u64 = 3_000;

/// How many tokens what an agent knows may have: an ambient value, by default [`KNOWLEDGE_TOKENS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnowledgeLimit(pub u64);

impl Default for KnowledgeLimit {
    fn default() -> Self {
        Self(KNOWLEDGE_TOKENS)
    }
}

impl KnowledgeLimit {
    /// How many per cent of it so many tokens are.
    pub const fn percent(self, tokens: u64) -> u64 {
        let limit = if self.0 == 0 { 1 } else { self.0 };
        tokens.saturating_mul(100) / limit
    }
}

/// How many tokens what an agent knows has, as JSON. They are estimated, so that every program counts the same.
///
/// ```
/// use hud_store::section::Knowledge;
///
/// assert!(hud_components::knowledge_tokens(&Knowledge::default()) < 5);
/// ```
pub fn knowledge_tokens(knowledge: &Knowledge) -> u64 {
    Estimate
        .count(&knowledge.to_json().to_string())
        .map_or(u64::MAX, u64::from)
}

/// What the agent knows, by path, and how much of the room for it is used.
#[component(layer = static, worth = 6, cap = 24, part = "knowledge", schema)]
pub fn KnowledgeList<'a>(
    /// What it knows.
    knowledge: &'a Knowledge,
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
    #[prop(ambient)] limit: KnowledgeLimit,
) -> Element<'a> {
    if knowledge.is_empty() {
        return rsx! {};
    }
    let used = format!(
        "memory_used {}%",
        limit.percent(knowledge_tokens(knowledge))
    );
    let count = knowledge.values().len();
    match density {
        Density::Full => {
            let shown = weightiest(knowledge, cap.of(count));
            let more = count - shown.len();
            rsx! {
                <Section title={format!("Knowledge ({used})")}>
                    <List>
                        for known in shown {
                            <Item key={known.path.to_string()}>{full(known)}</Item>
                        }
                        if more > 0 { <Item>{section::others(more, "more", handle)}</Item> }
                    </List>
                </Section>
            }
        }
        Density::Compact => {
            let shown = weightiest(knowledge, cap.of(count).min(6));
            let more = count - shown.len();
            rsx! {
                <Field label={format!("Knowledge ({used})")}>
                    for (at, known) in shown.into_iter().enumerate() {
                        if at > 0 { "; " }
                        {with_code(piece(&format!("{}: {}", known.path, value(known)), 90).into_owned())}
                    }
                    {section::rest(more, true, handle)}
                </Field>
            }
        }
        Density::Minimal => rsx! {
            {used}
            if ceiling.0 == Density::Minimal {
                ", " {section::counted(count, ["value", "values"], handle, ceiling)}
            }
        },
    }
}

/// The values that are worth most, by path.
fn weightiest(knowledge: &Knowledge, most: usize) -> Vec<&Known> {
    let mut shown: Vec<&Known> = knowledge.by_worth().into_iter().rev().take(most).collect();
    shown.sort_by(|one, other| one.path.cmp(&other.path));
    shown
}

fn full(known: &Known) -> Element<'static> {
    let path = line(&known.path.to_string(), 120).into_owned();
    let said = value(known);
    rsx! { <Code>{path}</Code> ": " {owned(&said)} }
}

fn owned(said: &str) -> Element<'static> {
    with_code(line(said, 300).into_owned())
}

/// What is known in words: a text as it is, anything else as JSON.
fn value(known: &Known) -> String {
    match known.value.as_str() {
        Some(text) => text.to_owned(),
        None => known.value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use hud_core::{render_densities, rsx};
    use hud_store::section::Knowledge;
    use jiff::Timestamp;
    use serde_json::json;

    use super::KnowledgeList;

    #[test]
    fn what_is_known_is_shown_by_path_with_how_full_it_is() {
        let mut knowledge = Knowledge::default();
        for (path, value, w) in [
            ("people.Bob", json!({ "trust": 0.8, "notes": ["kind"] }), 90),
            ("facts.ci", json!("20 minutes\n# no heading"), 50),
            (
                r"files.main\.rs",
                json!("`run` is at 12; do not move it"),
                70,
            ),
        ] {
            let path = path.parse().unwrap();
            assert!(knowledge.set(&path, value, Some(w), 1, Timestamp::UNIX_EPOCH));
        }
        let shown = rsx! { <KnowledgeList knowledge={&knowledge} /> };
        insta::assert_snapshot!(render_densities(&shown).unwrap());
        let none = Knowledge::default();
        let shown = render_densities(&rsx! { <KnowledgeList knowledge={&none} /> }).unwrap();
        assert!(shown.starts_with("=== full ===\n(nothing)"), "{shown}");
    }
}
