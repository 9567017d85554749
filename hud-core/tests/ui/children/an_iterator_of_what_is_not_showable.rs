use hud_core::node::Strong;
use hud_core::rsx;

struct Opaque;

fn main() {
    let _ = rsx! { <Strong>{[Opaque].iter().map(|opaque| opaque)}</Strong> };
}
