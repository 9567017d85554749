use hud_core::node::Break;
use hud_core::rsx;

fn main() {
    let _ = rsx! { <Break> "a" };
}
