use hud_core::rsx;

fn names() -> impl Iterator<Item = &'static str> {
    ["a"].into_iter()
}

fn main() {
    let _ = rsx! { {names()} };
}
