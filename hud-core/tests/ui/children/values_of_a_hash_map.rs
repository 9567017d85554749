use std::collections::HashMap;

use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let map = HashMap::from([("a", 1)]);
    let _ = rsx! { <Strong>{map.values()}</Strong> };
}
