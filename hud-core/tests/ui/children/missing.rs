use hud_core::{Children, Element, component, rsx};

#[component]
fn Card<'a>(title: &'a str, header: Element<'a>, children: Children<'a>) -> Element<'a> {
    rsx! { {title} {header} {children} }
}

fn main() {
    let _ = rsx! { <Card title="t" header="h" /> };
}
