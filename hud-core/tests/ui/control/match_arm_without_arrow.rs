use hud_core::rsx;

fn main() {
    let count = 1;
    let _ = rsx! { match count { 0 "none", _ => "some" } };
}
