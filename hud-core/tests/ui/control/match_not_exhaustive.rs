use hud_core::rsx;

enum Count {
    One,
    Many,
}

fn main() {
    let count = Count::Many;
    let _ = rsx! { match count { Count::One => "one" } };
}
