use hud_core::node::Meter;
use hud_core::rsx;

fn main() {
    let _ = rsx! { <Meter used=1>"child"</Meter> };
}
