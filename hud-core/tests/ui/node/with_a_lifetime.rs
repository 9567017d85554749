use hud_core::Node;

#[derive(Debug, PartialEq, Node)]
struct Key<'a> {
    cap: &'a str,
}

fn main() {}
