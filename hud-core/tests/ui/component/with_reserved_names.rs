use hud_core::{Element, component, rsx};

#[component]
fn Part(__a: u8, into_element: u8) -> Element {
    rsx! { {__a} {into_element} }
}

fn main() {}
