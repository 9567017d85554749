use hud_core::Node;

#[derive(Debug, Node)]
struct Key<T> {
    cap: T,
}

fn main() {}
