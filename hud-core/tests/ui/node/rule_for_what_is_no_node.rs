use hud_core::mdast::{Mdast, text};
use hud_core::{Element, Lower, LowerResult, Node, Registry, one_way};

#[derive(Debug, PartialEq, Node)]
struct Key {
    cap: u8,
}

fn lower_cap(cap: &str, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    Ok(vec![text(cap.to_owned())])
}

fn main() {
    Registry::builtin().register(one_way(lower_cap));
}
