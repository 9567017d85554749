use hud_core::rsx;

fn main() {
    let task = 5;
    let _ = rsx! { <task /> };
}
