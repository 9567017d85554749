use hud_core::{Element, component, rsx};

#[component]
fn Part(density: u8) -> Element<'static> {
    rsx! { {density} }
}

fn main() {
    let _ = rsx! { <Part density=3 /> };
}
