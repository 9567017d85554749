use hud_core::node::{Code, Field};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::section::Item;

use crate::section;
use crate::text::{join, line, with_code};

/// What a section says, item by item: for one that has no component of its own.
#[component(layer = dynamic, cap = 10)]
pub fn SectionItems(
    /// The section's name: `open_risks` is shown as "Open Risks".
    name: &str,
    /// What it says, oldest first.
    items: Vec<Item>,
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
) -> Element {
    if items.is_empty() {
        return rsx! {};
    }
    let title = title(name);
    let newest = || items.iter().rev().map(short);
    match density {
        Density::Full => section::list(&title, items.iter().map(full), cap, handle),
        Density::Compact => rsx! { <Field label={title}>{join(newest(), cap.of(5), 60)}</Field> },
        Density::Minimal => {
            rsx! { {title.to_lowercase()} ": " {join(newest(), cap.of(1), 40)} }
        }
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
fn short(item: &Item) -> &str {
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
    use hud_core::{render_densities, rsx};
    use hud_store::section::Item;

    use super::SectionItems;

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
