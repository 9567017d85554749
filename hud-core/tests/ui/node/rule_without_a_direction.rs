use hud_core::mdast::{Mdast, text};
use hud_core::{Element, Lower, LowerResult, Node, Registry};

#[derive(Debug, PartialEq, Node)]
struct Key {}

fn lower(_: &Key, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    Ok(vec![text("a")])
}

fn main() {
    Registry::builtin().register(lower);
}
