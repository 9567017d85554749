use hud_core::node::Section;
use hud_core::{Element, component, rsx};

#[component]
fn Task<'a>(title: &'a str, limit: Option<usize>, shift: Option<i32>) -> Element<'a> {
    rsx! { {title} {limit} {shift} }
}

fn main() {
    let name = "n";
    let _ = rsx! { <Section title="a " + name level=2>"b"</Section> };
    let _ = rsx! { <Section title="a " + &name.replace("n", "m")>"b"</Section> };
    let _ = rsx! { <Task title="a" limit=2 * 3 /> };
    let _ = rsx! { <Task title="a" shift=-1 + 3 /> };
}
