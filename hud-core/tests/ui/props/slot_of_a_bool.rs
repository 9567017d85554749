use hud_core::{Children, Element, component, rsx};

#[component]
fn Panel<'a>(header: Option<Element<'a>>, children: Children<'a>) -> Element<'a> {
    rsx! { {header} {children} }
}

fn main() {
    let _ = rsx! { <Panel header=true>"c"</Panel> };
}
