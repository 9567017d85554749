use hud_core::Node;

#[derive(Debug, PartialEq, Node)]
struct Key(u8);

fn main() {}
