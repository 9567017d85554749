use hud_core::node::List;
use hud_core::rsx;

fn main() {
    let done = true;
    let _ = rsx! { <List>if done</List> };
}
