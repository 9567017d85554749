use hud_core::{Element, component, rsx};

#[component]
const fn Part() -> Element {
    rsx! {}
}

fn main() {}
