//! A tree of 1,000 elements in `rsx!`, against the same by hand: time and allocations; and a list of 100,000 items
//! from `rsx!` to markdown, against a loop of `write!`.
//!
//! `cargo bench -p hud-core --bench tree` prints them.

use std::fmt::Write;

use divan::{AllocProfiler, black_box};
use hud_core::node::{Item, List, Strong};
use hud_core::{Children, Density, Element, LowerError, component, render, rsx};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    let names = names();
    assert_eq!(
        format!("{:?}", in_rsx(&names)),
        format!("{:?}", by_hand(&names)),
        "both build the same tree"
    );
    let names = list_names();
    assert_eq!(
        list(&names),
        Ok(loop_of_write(&names)),
        "both write the same list"
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

fn list_names() -> Vec<String> {
    (0..100_000).map(|n| format!("name {n}")).collect()
}

fn list(names: &[String]) -> Result<String, LowerError> {
    let list = rsx! { <List>for name in names { <Item>{name}</Item> }</List> };
    render(&list, Density::Full)
}

fn loop_of_write(names: &[String]) -> String {
    let mut text = String::new();
    for name in names {
        let _ = writeln!(text, "- {name}");
    }
    text
}

#[divan::bench(sample_count = 20)]
fn list_in_rsx(bencher: divan::Bencher<'_, '_>) {
    let names = list_names();
    bencher.bench(|| list(black_box(&names)));
}

#[divan::bench(sample_count = 20)]
fn list_by_write(bencher: divan::Bencher<'_, '_>) {
    let names = list_names();
    bencher.bench(|| loop_of_write(black_box(&names)));
}
