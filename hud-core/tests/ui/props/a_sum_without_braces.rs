use hud_core::node::Section;
use hud_core::{Element, component, rsx};

#[component]
fn Task<'a>(title: &'a str, limit: Option<usize>) -> Element<'a> {
    rsx! { {title} {limit} }
}

fn main() {
    let name = "n";
    let _ = rsx! { <Section title="a " + name level=2>"b"</Section> };
    let _ = rsx! { <Section title="a " + &name.replace("n", "m")>"b"</Section> };
    let _ = rsx! { <Task title="a" limit=2 * 3 /> };
}
