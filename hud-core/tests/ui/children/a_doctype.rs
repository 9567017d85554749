use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let _ = rsx! { <!DOCTYPE html> <Strong>"a"</Strong> };
}
