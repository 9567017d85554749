use hud_core::{Element, component, rsx};

#[component]
fn Part(children: String) -> Element<'static> {
    rsx! { {children} }
}

fn main() {}
