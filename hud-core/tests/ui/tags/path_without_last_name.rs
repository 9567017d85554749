use hud_core::rsx;

fn main() {
    let _ = rsx! { <std:: /> };
}
