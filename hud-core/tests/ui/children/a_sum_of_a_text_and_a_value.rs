use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let name = "n";
    let _ = rsx! { <Strong>"a" + name</Strong> };
}
