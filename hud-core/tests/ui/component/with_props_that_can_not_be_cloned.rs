use hud_core::{Element, component, rsx};

struct Level;

#[component]
fn Part(level: Level) -> Element {
    let _ = level;
    rsx! {}
}

fn main() {}
