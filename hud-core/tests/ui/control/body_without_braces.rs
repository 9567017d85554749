use hud_core::rsx;

fn main() {
    let _ = rsx! { if true "yes" };
}
