use hud_core::node::{Section, Strong};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <Strong style={{ color: "red" }}>"a"</Strong> };
    let _ = rsx! { <Section { title: "a".into(), level: Some(2) }>"a"</Section> };
    let _ = rsx! { <Section {"a"}>"b"</Section> };
}
