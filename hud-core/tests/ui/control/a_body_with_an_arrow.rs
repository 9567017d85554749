use hud_core::rsx;

fn main() {
    let name = Some("n");
    let _ = rsx! { if let Some(name) = name => { {name} } };
    let _ = rsx! { for name in name => { {name} } };
}
