use hud_core::rsx;

fn main() {
    let names = ["a"];
    let _ = rsx! { for name of names { {name} } };
}
