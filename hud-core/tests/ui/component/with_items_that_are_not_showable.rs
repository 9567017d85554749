use hud_core::node::Item;
use hud_core::{Element, component, rsx};

#[component]
fn Part<'a, T>(items: &'a [T]) -> Element<'a> {
    rsx! { for item in items { <Item>{item}</Item> } }
}

fn main() {}
