use hud_core::{Element, Scope, component, rsx};

#[component(layer = static)]
fn Part(scope: &Scope) -> Element {
    rsx! { {scope.density().name()} }
}

fn main() {}
