use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let task = Some("t");
    let _ = rsx! { <Strong>{task.}</Strong> <Nowhere /> };
}
