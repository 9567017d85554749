use hud_core::Node;

#[derive(Debug, Node)]
struct Key<'a> {
    cap: &'a str,
}

fn main() {}
