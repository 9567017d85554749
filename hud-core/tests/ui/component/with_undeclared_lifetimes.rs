use hud_core::{Element, component, rsx};

#[component]
fn Part(name: &'a str) -> Element<'a> {
    rsx! { {name} }
}

#[component]
fn Both<T: Clone + ToString>(item: T, name: &'x str, other: &'y str) -> Element<'x> {
    let _ = other;
    rsx! { {name} {item.to_string()} }
}

fn main() {}
