use hud_core::{Element, component, rsx};

#[component]
fn Part(#[props(default)] a: u8, #[prop(default(5))] b: u8, #[prop(default: 5)] c: u8) -> Element {
    rsx! { {a} {b} {c} }
}

fn main() {}
