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
    let _ = rsx! { <List><Item>"a"</List> };
    let _ = rsx! { <List><Item>"a"</Itme></List> };
    let _ = rsx! { <Strong>"a" };
    let _ = rsx! { "a"</Strong> };
    let _ = rsx! { <Strong "a" };
    let _ = rsx! { < Strong/ > "fine" < / };
}
