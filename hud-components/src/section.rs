//! What the sections have in common: a bulleted list under a heading with a count.

use hud_core::node::{Item, List, Section};
use hud_core::part::Cap;
use hud_core::{Element, rsx};
use hud_store::event::Actor;

/// A section with an item for each of the last elements, as many as `cap` lets through, and one that
/// counts those before.
/// New ones come last, so that what a provider has cached of the section stays as it is.
pub(crate) fn list<'a>(
    title: &str,
    items: impl ExactSizeIterator<Item = Element<'a>>,
    cap: Cap,
) -> Element<'a> {
    let title = format!("{title} ({})", items.len());
    let older = items.len() - cap.of(items.len());
    rsx! {
        <Section title>
            <List>
                if older > 0 { <Item>{older} " older"</Item> }
                for item in items.skip(older) { <Item>{item}</Item> }
            </List>
        </Section>
    }
}

/// Where an item comes from that the agent did not record itself: the turn that says it.
pub(crate) fn source<'a>(by: &Actor, turn: u64) -> Element<'a> {
    rsx! { if !by.is_agent() { " (t" {turn} ")" } }
}
