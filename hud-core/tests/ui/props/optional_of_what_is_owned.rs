use hud_core::{Element, component, rsx};

#[component]
fn Part(by: Option<&str>, size: Option<u64>) -> Element {
    rsx! { {by} {size} }
}

fn main() {
    let name = Some(String::new());
    let _ = rsx! { <Part by={name} size={"a".len()} /> };
}
