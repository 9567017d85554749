use hud_core::{Element, component, rsx};

#[component]
fn Rows<T: Clone + std::fmt::Display>(#[prop(default)] rows: Vec<T>) -> Element<'static> {
    rsx! { {rows.len()} {rows.iter().map(|row| row.to_string())} }
}

fn main() {
    let _ = rsx! { <Rows /> };
}
