use hud_core::node::{Item, List};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <List>rsx! { <Item>"a"</Item> }</List> };
}
