use hud_core::node::Section;
use hud_core::rsx;

fn main() {
    let _ = rsx! { <Section title "a">"x"</Section> };
}
