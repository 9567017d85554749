use hud_core::{Element, component, rsx};

#[component]
fn Part(self) -> Element {
    rsx! {}
}

fn main() {}
