//! Paragraphs, with the checkbox of a task where one begins the item.

use markdown::mdast::{Node, Paragraph};

use super::super::constructs::Constructs;
use super::super::safe::Info;
use super::super::state::State;
use super::{Role, list_item, text};

pub(super) fn enter<'a>(state: &mut State<'a>, paragraph: &'a Paragraph, info: Info) {
    let checkbox = match state.around().next() {
        Some((Role::ListItem(item), index)) => list_item::checkbox(item, index),
        _ => "",
    };
    let constructs = state.constructs.and(Constructs::PHRASING);
    state.open_phrasing(
        Role::Paragraph { checkbox },
        &paragraph.children,
        constructs,
        info,
    );
    if !checkbox.is_empty() && paragraph.children.is_empty() {
        // A checkbox needs content after it.
        let space = text::write(state, " ", info);
        state.emit(space);
    }
}

/// Whether this is a paragraph.
pub(super) fn is(node: &Node) -> bool {
    matches!(node, Node::Paragraph(_))
}
