use hud_core::{node, rsx};

fn main() {
    let _ = rsx! { <node.Strong>"a"</node.Strong> };
}
