use hud_core::rsx;

fn main() {
    let name = "a";
    let _ = rsx! { match name { "a" => name, _ => "more" } };
}
