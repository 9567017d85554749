use hud_core::{Element, component, rsx};

#[component]
fn Part(title: &str) -> Element {
    let shown = title.to_uppercase();
    rsx! { {&shown} }
}

fn main() {}
