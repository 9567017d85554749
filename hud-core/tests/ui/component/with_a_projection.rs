use hud_core::{Element, component, rsx};

#[component]
fn Part<I: Iterator + Clone>(first: I::Item) -> Element<'static> {
    let _ = first;
    rsx! {}
}

fn main() {}
