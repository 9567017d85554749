use hud_core::{Element, component, rsx};

#[component]
fn Task<'a>(title: &'a str, #[prop(default)] limit: u32, done: Option<bool>) -> Element<'a> {
    rsx! { {title} {limit} {done.map(u32::from)} }
}

fn main() {
    let _ = rsx! { Task { title: "a" } p { "b" } Item { "c" } };
}
