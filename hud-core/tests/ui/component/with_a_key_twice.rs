use hud_core::{Element, component, rsx};

#[component(layer = static, worth = 8, layer = dynamic)]
fn Part() -> Element {
    rsx! {}
}

#[component(heading, heading)]
fn Head() -> Element {
    rsx! {}
}

fn main() {}
