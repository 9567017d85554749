use hud_core::node::{Item, List};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <List>#[cfg(test)] <Item>"a"</Item></List> };
}
