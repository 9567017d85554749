use hud_core::Node;

#[derive(Debug, PartialEq, Node)]
enum Key {
    Escape,
}

fn main() {}
