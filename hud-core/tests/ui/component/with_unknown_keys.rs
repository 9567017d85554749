use hud_core::{Element, component, rsx};

#[component(fast)]
fn Part(#[prop(optional)] a: u8, #[serde(skip)] b: u8) -> Element {
    rsx! { {a} {b} }
}

fn main() {}
