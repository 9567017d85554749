use hud_core::{Element, component, rsx};

#[component]
async fn Part() -> Element {
    rsx! {}
}

fn main() {}
