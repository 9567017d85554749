use hud_core::{Element, component, rsx};

#[component]
fn Part(#[prop(default = "three")] depth: u8) -> Element {
    rsx! { {depth} }
}

fn main() {}
