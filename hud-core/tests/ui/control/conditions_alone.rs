use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let (done, open) = (true, false);
    let _ = rsx! { <Strong>{done && open}</Strong> };
}
