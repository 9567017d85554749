use hud_core::{Element, component, rsx};

#[component]
fn Part<T: Clone>(
    #[prop(ambient)] language: &str,
    #[prop(ambient)] of: Option<&T>,
    #[prop(ambient, into)] title: String,
    value: T,
) -> Element<'static> {
    let _ = (language, of, title, value);
    rsx! {}
}

fn main() {}
