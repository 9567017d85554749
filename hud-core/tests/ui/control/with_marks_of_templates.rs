use hud_core::node::Item;
use hud_core::rsx;

fn main() {
    let _ = rsx! { {% for name in names %}<Item>"a"</Item>{% endfor %} };
    let _ = rsx! { {#if done}<Item>"a"</Item>{:else}<Item>"b"</Item>{/if} };
    let _ = rsx! { {@html "a"} };
}
