use hud_core::node::{Section, Strong};
use hud_core::rsx;

fn main() {
    let names = ["a"];
    let _ = rsx! { <For each={names} let:name>{name}</For> };
    let _ = rsx! { <Section title="t"><Strong slot:header class:wide={true}>"h"</Strong></Section> };
}
