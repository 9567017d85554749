use hud_core::node::{Item, List};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <List>while count < 3 { <Item>"a"</Item> } loop { "b" }</List> };
}
