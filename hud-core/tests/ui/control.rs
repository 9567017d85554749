#![allow(unused)]

use hud_core::node::{Item, List, Meter, Section, Strong};
use hud_core::{Children, Density, Element, component, rsx};

#[component]
fn Task<'a>(
    text: &'a str,
    owner: &'a str,
    limit: Option<usize>,
    density: Density,
) -> Element<'a> {
    let _ = (limit, density);
    rsx! { {text} {owner} }
}

fn main() {
    let names = ["a"];
    let _ = rsx! { if names.is_empty() };
    let _ = rsx! { for name in names { <Item>{name}</Itme> } };
    let _ = rsx! { match names.len() { 0 } };
    let _ = rsx! { if { "a" } else "b" };
}
