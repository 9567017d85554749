use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let name = "a";
    let _ = rsx! { <Strong>(name)</Strong> };
}
