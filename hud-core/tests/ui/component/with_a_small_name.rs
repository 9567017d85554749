use hud_core::{Element, component, rsx};

#[component]
fn part() -> Element {
    rsx! {}
}

fn main() {}
