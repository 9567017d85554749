use hud_core::{Element, component, rsx};

#[component]
fn Part((a, b): (u8, u8)) -> Element {
    rsx! { {a} {b} }
}

fn main() {}
