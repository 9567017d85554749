use hud_core::component;

#[component]
struct Part {
    a: u8,
}

fn main() {}
