use hud_core::node::{Item, List, Strong};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <List><Item>"a"<Item></List> };
    let _ = rsx! { <Strong>"a"<Strong> "b" <Strong>"c"</Strong> };
    let _ = rsx! { <List><Item><List><Item>"a"</Item></List></Item></List> };
}
