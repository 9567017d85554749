//! The whole document, or a fragment: phrasing in a root is written as such.

use markdown::mdast::{Node, Root};

use super::super::constructs::Constructs;
use super::super::safe::Info;
use super::super::state::State;
use super::Role;

pub(super) fn enter<'a>(state: &mut State<'a>, root: &'a Root, info: Info) {
    if root.children.iter().any(is_phrasing) {
        let constructs = state.constructs.and(Constructs::PHRASING);
        state.open_phrasing(Role::Root, &root.children, constructs, info);
    } else {
        state.open_flow(Role::Root, &root.children);
    }
}

/// Whether a node is phrasing and nothing else. HTML can be either.
pub(in super::super) fn is_phrasing(node: &Node) -> bool {
    matches!(
        node,
        Node::Break(_)
            | Node::Delete(_)
            | Node::Emphasis(_)
            | Node::FootnoteReference(_)
            | Node::Image(_)
            | Node::ImageReference(_)
            | Node::InlineCode(_)
            | Node::InlineMath(_)
            | Node::Link(_)
            | Node::LinkReference(_)
            | Node::MdxJsxTextElement(_)
            | Node::MdxTextExpression(_)
            | Node::Strong(_)
            | Node::Text(_)
    )
}
