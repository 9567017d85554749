use hud_core::{Element, component, rsx};

#[component]
fn Part(items: impl Iterator<Item = u8>, each: Option<impl Clone>) -> Element {
    rsx! {}
}

fn main() {}
