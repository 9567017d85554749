use hud_core::component;

#[component]
fn Part(a: u8) {
    let _ = a;
}

fn main() {}
