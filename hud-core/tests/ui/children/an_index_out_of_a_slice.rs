use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let names = ["a"];
    let _ = rsx! { <Strong>{names["a"]}</Strong> };
}
