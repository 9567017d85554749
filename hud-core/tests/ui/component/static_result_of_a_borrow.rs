use hud_core::{Element, component, rsx};

#[component]
fn Name(name: &str) -> Element<'static> {
    rsx! { {name} }
}

fn main() {}
