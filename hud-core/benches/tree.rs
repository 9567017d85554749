//! A tree of 1,000 elements in `rsx!`, against the same by hand: time and allocations.
//!
//! `cargo bench -p hud-core --bench tree` prints both.

use divan::{AllocProfiler, black_box};
use hud_core::node::{Item, List, Strong};
use hud_core::{Children, Element, component, rsx};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    let names = names();
    assert_eq!(
        format!("{:?}", in_rsx(&names)),
        format!("{:?}", by_hand(&names)),
        "both build the same tree"
    );
    divan::main();
}

/// Each name is four elements: a component, its item, a strong, and text.
const NAMES: usize = 250;

fn names() -> Vec<String> {
    (0..NAMES).map(|n| format!("name {n}")).collect()
}

#[component]
fn Guest<'a>(name: &'a str, seat: Option<usize>, children: Children<'a>) -> Element<'a> {
    rsx! { {name} {seat} {children} }
}

fn in_rsx(names: &[String]) -> Element<'_> {
    rsx! {
        <List>
            for (seat, name) in names.iter().enumerate() {
                <Item checked=true>
                    <Guest name seat><Strong>{name}</Strong></Guest>
                </Item>
            }
        </List>
    }
}

fn by_hand(names: &[String]) -> Element<'_> {
    let items: Vec<Element<'_>> = names
        .iter()
        .enumerate()
        .map(|(seat, name)| {
            let guest = Guest {
                name,
                seat: Some(seat),
                children: Element::node(Strong {}, [Element::text(name)]),
            };
            Element::node(
                Item {
                    key: None,
                    checked: Some(true),
                    spread: false,
                },
                [Element::component(guest)],
            )
        })
        .collect();
    Element::node(
        List {
            ordered: false,
            start: 1,
            spread: false,
        },
        [Element::fragment(items)],
    )
}

#[divan::bench]
fn tree_in_rsx(bencher: divan::Bencher<'_, '_>) {
    let names = names();
    bencher.bench(|| black_box(in_rsx(black_box(&names))));
}

#[divan::bench]
fn tree_by_hand(bencher: divan::Bencher<'_, '_>) {
    let names = names();
    bencher.bench(|| black_box(by_hand(black_box(&names))));
}
