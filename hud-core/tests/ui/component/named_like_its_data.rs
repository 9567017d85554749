use hud_core::{Element, component, rsx};

struct Task {
    title: String,
}

#[component]
fn Task(task: &Task) -> Element {
    rsx! { {&task.title} }
}

fn main() {}
