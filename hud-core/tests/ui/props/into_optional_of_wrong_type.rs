use hud_core::{Element, component, rsx};

#[component]
fn Part(#[prop(into)] by: Option<String>) -> Element<'static> {
    rsx! { {by} }
}

fn main() {
    let _ = rsx! { <Part by=5 /> };
}
