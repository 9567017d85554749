use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let task = "a";
    let _ = rsx! { <Strong>"{task.name} failed"</Strong> };
}
