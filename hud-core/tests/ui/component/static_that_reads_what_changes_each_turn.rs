use hud_core::{Element, component, rsx};

#[derive(Clone)]
struct Usage {
    tokens: u64,
}

impl Usage {
    const CHANGES_EACH_TURN: bool = true;
}

#[component(layer = static)]
fn Part(usages: &[Usage]) -> Element {
    rsx! { for usage in usages { {usage.tokens} } }
}

fn main() {}
