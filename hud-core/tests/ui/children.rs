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

struct Opaque;

fn main() {
    let _ = rsx! { <Task text="t" owner="o">"child"</Task> };
    let _ = rsx! { <Meter used=1>"child"</Meter> };
    let _ = rsx! { <Strong>{Opaque}</Strong> };
    let _ = rsx! { <Strong>{true}</Strong> };
}
