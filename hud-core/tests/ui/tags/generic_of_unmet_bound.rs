use hud_core::{Element, component, rsx};

#[component]
fn Rows<T: Clone + std::fmt::Display>(#[prop(default)] rows: Vec<T>) -> Element<'static> {
    rsx! { {rows.len()} {rows.iter().map(|row| row.to_string())} }
}

fn main() {
    #[derive(Clone)]
    struct Opaque;
    let _ = rsx! { <Rows rows={vec![Opaque]} /> };
}
