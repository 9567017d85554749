use hud_core::{Element, component, rsx};

#[component]
fn Part(format: Box<dyn Fn(u8) -> String>) -> Element<'static> {
    rsx! { {format(1)} }
}

fn main() {}
