use hud_core::rsx;

fn main() {
    let _ = rsx! { match 1 { 1: "one", _ => "more" } };
}
