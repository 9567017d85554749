use hud_core::{Element, component, rsx};

#[component(layer = "static", floor = "minimal")]
fn Part() -> Element<'static> {
    rsx! { "a" }
}

fn main() {}
