use hud_core::{Element, component, rsx};

#[component]
fn Part(count: &mut u32) -> Element {
    *count += 1;
    rsx! { {*count} }
}

fn main() {}
