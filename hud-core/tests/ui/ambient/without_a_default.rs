use hud_core::{Element, component, rsx};

struct Theme;

#[component]
fn Part(#[prop(ambient)] theme: &Theme) -> Element {
    let _ = theme;
    rsx! {}
}

fn main() {}
