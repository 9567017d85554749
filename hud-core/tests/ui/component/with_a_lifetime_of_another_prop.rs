use hud_core::{Element, component, rsx};

#[component]
fn Part<'a, 'b>(title: &'a str, note: &'b str) -> Element<'a> {
    rsx! { {title} {note} }
}

fn main() {}
