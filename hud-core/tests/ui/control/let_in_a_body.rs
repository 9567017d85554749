use hud_core::node::{Item, List};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <List>let label = "a"; <Item>"b"</Item></List> };
}
