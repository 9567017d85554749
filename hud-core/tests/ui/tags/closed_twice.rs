use hud_core::node::{Item, List};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <List><Item>"a"</Item></Item></List> };
}
