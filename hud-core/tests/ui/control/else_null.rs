use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let done = true;
    let _ = rsx! { {if done { <Strong>"a"</Strong> } else { null }} };
}
