use hud_core::node::{Code, Field};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::section::{Bearing, Item};

use crate::section;
use crate::text::{line, with_code};

/// What a section says, item by item: for one that has no component of its own.
#[component(layer = dynamic, cap = 10)]
pub fn SectionItems(
    /// The section's name: `open_risks` is shown as "Open Risks".
    name: &str,
    /// What it says, oldest first.
    items: Vec<Item>,
    /// How each of them bears on the work; where there is none for each, the newest matter most.
    #[prop(default)]
    bearings: Vec<Bearing>,
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
) -> Element {
    if items.is_empty() {
        return rsx! {};
    }
    let title = title(name);
    let has_each = bearings.len() == items.len();
    let bearing = |at: usize, turn| {
        let own = bearings.get(at).filter(|_| has_each);
        own.copied().unwrap_or(Bearing::holds(turn))
    };
    let items: Vec<Weighed<'_>> = items
        .iter()
        .zip(0_u64..)
        .enumerate()
        .map(|(at, (item, nth))| Weighed {
            item,
            bearing: bearing(at, nth),
        })
        .collect();
    let joined = |most, length, handle| {
        section::joined(&items, cap.of(most), length, handle, |weighed| {
            short(weighed.item)
        })
    };
    match density {
        Density::Full => {
            section::worthiest_list(&title, &items, cap, handle, |weighed| full(weighed.item))
        }
        Density::Compact => rsx! { <Field label={title}>{joined(5, 60, handle)}</Field> },
        Density::Minimal => {
            rsx! { {title.to_lowercase()} ": " {joined(1, 40, &Handle::default())} }
        }
    }
}

/// An item with how it bears on the work.
struct Weighed<'i> {
    item: &'i Item,
    bearing: Bearing,
}

impl section::Worth for Weighed<'_> {
    fn key(&self) -> &str {
        &self.item.id
    }

    fn turn(&self) -> u64 {
        self.bearing.turn
    }

    fn worth(&self, turn: u64) -> i64 {
        self.bearing.points(turn)
    }
}

/// A name as a heading: its words, each with a capital letter.
fn title(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(char::to_uppercase);
        first.into_iter().flatten().chain(letters).collect()
    });
    words.collect::<Vec<String>>().join(" ")
}

/// An item by its name, where that says something, else by its text.
fn short(item: &Item) -> &String {
    match item.is_named {
        true => &item.id,
        false => &item.text,
    }
}

fn full(item: &Item) -> Element<'static> {
    let text = with_code(line(&item.text, 200).into_owned());
    match item.is_named {
        true => rsx! { <Code>{line(&item.id, 160).into_owned()}</Code> ": " {text} },
        false => rsx! { {text} },
    }
}

#[cfg(test)]
mod tests {
    use hud_core::{Density, render, render_densities, rsx};
    use hud_store::section::{Bearing, Item};

    use super::SectionItems;

    #[test]
    fn the_items_that_bear_most_on_the_work_are_named_first() {
        let items: Vec<Item> = ["r1", "r2", "r3"].map(|id| Item::new(id, id)).into();
        let shown = |bearings: Vec<Bearing>| {
            let items = items.clone();
            let layout = rsx! { <SectionItems name="risks" items bearings /> };
            render(&layout, Density::Minimal).unwrap()
        };
        assert_eq!(shown(Vec::new()), "risks: r3; +2 more\n");
        let [open, settled] = [true, false].map(|is_open| Bearing::holds(9).when(is_open));
        assert_eq!(shown(vec![settled, open, settled]), "risks: r2; +2 more\n");
        // Not one for each.
        assert_eq!(shown(vec![open]), "risks: r3; +2 more\n");
    }

    #[test]
    fn any_section_is_shown_by_what_it_says() {
        let hostile = "x\n# Task │ blocked: **b**";
        let items = vec![
            Item::new("r1", "The cache is cold"),
            Item::named("src/a.rs", "nobody knows it"),
            Item::new("r3", hostile),
        ];
        let shown = |items| render_densities(&rsx! { <SectionItems name="open_risks" items /> });
        insta::assert_snapshot!(shown(items).unwrap());
        assert_eq!(
            shown(Vec::new()).unwrap(),
            "=== full ===\n(nothing)\n\n=== compact ===\n(as above)\n\n=== minimal ===\n(as above)\n"
        );
    }
}
