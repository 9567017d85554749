use hud_core::{Element, component, rsx};

#[component]
fn Part<'a, T: Clone + Into<u64>>(name: &'a str, size: T) -> Element<'a> {
    rsx! { {name} {size.into()} }
}

fn main() {
    let _ = rsx! { <Part<'_> name="a" size=1_u8 /> <Part<'static, u8> name="a" size=1 /> };
}
