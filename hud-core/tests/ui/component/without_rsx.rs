use hud_core::node::Strong;
use hud_core::{Element, component};

#[component]
fn Part(name: &str) -> Element {
    <Strong>{name}</Strong>
}

fn main() {}
