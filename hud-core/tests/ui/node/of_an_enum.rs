use hud_core::Node;

#[derive(Debug, Node)]
enum Key {
    Escape,
}

fn main() {}
