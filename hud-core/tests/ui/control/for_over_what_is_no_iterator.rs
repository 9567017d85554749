use hud_core::rsx;

fn main() {
    let _ = rsx! { for digit in 5 { {digit} } };
}
