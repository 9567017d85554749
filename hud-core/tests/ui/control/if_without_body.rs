use hud_core::rsx;

fn main() {
    let done = true;
    let _ = rsx! { if done };
}
