use hud_core::{Element, component, rsx};

#[component]
fn Task<'a>(title: &'a str, owner: &'a str) -> Element<'a> {
    rsx! { {title} {owner} }
}

fn main() {
    let _ = rsx! { <Task(title="a" owner="o") /> };
}
