use hud_core::node::Strong;
use hud_core::rsx;

struct Level;

fn main() {
    let task = Level;
    let _ = rsx! { <Strong>"{task} failed"</Strong> };
}
