use hud_core::{Element, component, rsx};

#[derive(Default)]
struct Theme;

#[component]
fn Part(#[prop(ambient)] theme: &Theme) -> Element {
    let _ = theme;
    rsx! {}
}

fn main() {
    let _ = rsx! { <Part theme={&Theme} /> };
}
