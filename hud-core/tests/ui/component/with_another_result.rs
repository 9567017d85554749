use hud_core::component;

#[component]
fn Part(a: u8) -> String {
    a.to_string()
}

fn main() {}
