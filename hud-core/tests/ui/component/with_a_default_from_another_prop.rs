use hud_core::{Element, component, rsx};

#[component]
fn Part(title: &str, #[prop(default = title.len())] width: usize) -> Element {
    rsx! { {title} {width} }
}

fn main() {}
