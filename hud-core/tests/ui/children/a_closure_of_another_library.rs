use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let n = 1;
    let _ = rsx! { <Strong>{move || n}</Strong> {|| n + 1} };
}
