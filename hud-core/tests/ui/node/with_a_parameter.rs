use hud_core::Node;

#[derive(Debug, PartialEq, Node)]
struct Key<T> {
    cap: T,
}

fn main() {}
