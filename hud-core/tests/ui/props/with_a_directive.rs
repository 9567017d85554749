use hud_core::node::Item;
use hud_core::rsx;

fn main() {
    let _ = rsx! { <Item v-if="late">"a"</Item> };
    let _ = rsx! { <Item v-for="name in names">"a"</Item> };
}
