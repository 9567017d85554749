use hud_core::Node;

#[derive(Debug, PartialEq, Node)]
struct Key<T> {
    cap: T,
}

#[derive(Debug, PartialEq, Node)]
struct Keys<const N: usize> {
    caps: [u8; N],
}

fn main() {}
