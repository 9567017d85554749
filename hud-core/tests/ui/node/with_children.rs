use hud_core::Node;

#[derive(Debug, Node)]
struct Key {
    children: u8,
}

fn main() {}
