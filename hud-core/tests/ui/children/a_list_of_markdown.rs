use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let _ = rsx! { - first <Strong>"a"</Strong> * second };
}
