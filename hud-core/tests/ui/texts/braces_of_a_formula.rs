use hud_core::node::Math;
use hud_core::rsx;

fn main() {
    let _ = rsx! { <Math>"\\frac{a}{b}"</Math> };
}
