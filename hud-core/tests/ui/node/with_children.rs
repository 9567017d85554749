use hud_core::Node;

#[derive(Debug, PartialEq, Node)]
struct Key {
    children: u8,
}

fn main() {}
