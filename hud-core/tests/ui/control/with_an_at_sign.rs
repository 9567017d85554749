use hud_core::node::{Item, List};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <List>@if true { <Item>"a"</Item> } @for name in ["b"] { <Item>{name}</Item> }</List> };
}
