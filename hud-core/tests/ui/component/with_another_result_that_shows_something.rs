use hud_core::{Element, component};

#[component]
fn Part() -> impl hud_core::IntoElement<'static> {
    "a"
}

#[component]
fn Other() -> Option<Element> {
    None
}

fn main() {}
