use hud_core::node::{Item, List};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <List>for count in 0..3 { if count == 1 { continue; } <Item>{count}</Item> }</List> };
}
