use hud_core::{Element, rsx};

fn Name(name: &str) -> Element<'_> {
    rsx! { {name} }
}

fn main() {
    let _ = rsx! { <Name name="a" /> };
}
