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
    let _ = rsx! { <Task text=5 owner="o" /> };
    let _ = rsx! { <Task text="t" owner="o" limit="many" /> };
    let _ = rsx! { <Task text="t" owner="o" density={5} /> };
}
