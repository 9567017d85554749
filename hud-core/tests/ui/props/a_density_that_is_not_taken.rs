use hud_core::{Density, Element, component, rsx};

#[component]
fn Part(name: &str) -> Element {
    rsx! { {name} }
}

fn main() {
    let _ = rsx! { <Part name="a" density={Density::Full} /> };
}
