//! What the sections have in common: a bulleted list under a heading with a count.

use hud_core::node::{Item, List, Section};
use hud_core::{Element, rsx};

/// A section with an item for each element.
pub(crate) fn list<'a>(title: &str, items: Vec<Element<'a>>) -> Element<'a> {
    let title = format!("{title} ({})", items.len());
    rsx! {
        <Section title>
            <List>for item in items { <Item>{item}</Item> }</List>
        </Section>
    }
}
