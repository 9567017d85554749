use hud_core::node::{Item, List};
use hud_core::rsx;

fn main() {
    let mut names = ["a"].into_iter();
    let _ = rsx! { <List>while let Some(name) = names.next() { <Item>{name}</Item> }</List> };
}
