use hud_core::Node;

#[derive(Debug, Node)]
#[node(leafy)]
struct Key {
    cap: u8,
}

fn main() {}
