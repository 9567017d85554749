use hud_core::{Children, Element, component, rsx};

#[component]
fn Part(
    #[prop(default)] limit: Option<u8>,
    #[prop(into)] children: Children,
    #[prop(default, default = 3)] depth: u8,
) -> Element {
    rsx! { {limit} {children} {depth} }
}

fn main() {}
