use hud_core::node::{Item, List};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <List ordered><Item>"a"</Item></List> };
}
