use hud_core::{Element, component, rsx};

#[derive(Clone)]
struct Level;

#[component]
fn Part(#[prop(default)] level: Level) -> Element {
    let _ = level;
    rsx! {}
}

fn main() {}
