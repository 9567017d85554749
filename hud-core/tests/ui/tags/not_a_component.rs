use hud_core::rsx;

struct NotOne;

fn main() {
    let _ = rsx! { <NotOne /> };
}
