use hud_core::{Element, component, rsx};

#[component]
fn Shown<T: Clone + ToString>(value: T) -> Element<'static> {
    rsx! { {value.to_string()} }
}

fn main() {
    let _ = rsx! { <Shown<u8> value=1></Shown<u8>> };
}
