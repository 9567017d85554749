use hud_core::{Density, Element, component, rsx};

#[component]
fn Task<'a>(
    text: &'a str,
    owner: &'a str,
    limit: Option<usize>,
    #[prop(into, default)] note: String,
    density: Density,
) -> Element<'a> {
    let _ = (limit, density, note);
    rsx! { {text} {owner} }
}

fn main() {
    let _ = rsx! { <Task type="t" text="t" owner="o" /> };
}
