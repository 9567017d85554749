use hud_core::{Element, component, rsx};

#[component(layer = often)]
fn Part() -> Element {
    rsx! {}
}

fn main() {}
