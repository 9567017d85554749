use hud_core::Node;

#[derive(Debug, PartialEq, Node)]
#[node(leafy)]
struct Key {
    cap: u8,
}

fn main() {}
