use hud_core::{Children, Element, component, rsx};

#[component]
fn Part(children: Children, children: Children) -> Element {
    rsx! { {children} }
}

fn main() {}
