use hud_core::node::Link;
use hud_core::rsx;

fn main() {
    let _ = rsx! { <Link url="u" title?="t">"a"</Link> };
}
