use hud_core::rsx;

fn main() {
    let _ = rsx! { <my-item>"a"</my-item> };
}
