use hud_core::rsx;

fn main() {
    let count = Some(1);
    let _ = rsx! { match count { None => "none" } };
}
