use hud_core::node::Strong;
use hud_core::rsx;

fn main() {
    let _ = rsx! { <Strong children="a" /> };
}
