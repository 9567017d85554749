use std::collections::HashSet;

use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let set = HashSet::from(["a"]);
    let _ = rsx! { <Strong>{set}</Strong> };
}
