use hud_core::{Element, component, rsx};

#[component]
fn Part(
    #[prop(ambient)] name: &&str,
    #[prop(ambient)] parts: Option<&Vec<Element>>,
) -> Element<'static> {
    let _ = (name, parts);
    rsx! {}
}

fn main() {}
