use hud_core::{Element, component, rsx};

#[component]
fn Part<T: Clone>(#[prop(into)] value: T) -> Element<'static> {
    let _ = value;
    rsx! {}
}

fn main() {}
