use hud_core::node::{Link, Section};
use hud_core::rsx;

fn main() {
    let _ = rsx! { <Section heading="a">"b"</Section> };
    let _ = rsx! { <Link to="a">"b"</Link> };
}
