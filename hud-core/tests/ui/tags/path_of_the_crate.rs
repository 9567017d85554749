use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let _ = rsx! { crate = facade::hud_core <Strong>"a"</Strong> };
    let _ = rsx! { crate = ; <Strong>"a"</Strong> };
}
