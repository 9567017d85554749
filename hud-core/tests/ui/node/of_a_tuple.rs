use hud_core::Node;

#[derive(Debug, Node)]
struct Key(u8);

fn main() {}
