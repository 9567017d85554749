use hud_core::node::List;
use hud_core::rsx;

fn main() {
    let _ = rsx! { <List>"a" </Item> "b"</List> };
}
