use hud_core::node::{Code, Strong};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <Strong onclick={|| 1}>"a"</Strong> };
    let _ = rsx! { <Strong id="a">"a"</Strong> };
    let _ = rsx! { <Code lang="rust">"a"</Code> };
}
