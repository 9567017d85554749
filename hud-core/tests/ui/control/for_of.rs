use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let names = ["a"];
    let _ = rsx! { <Strong>for name of names { {name} }</Strong> };
}
