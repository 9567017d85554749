//! Paragraphs, with the checkbox of a task at the start of an item.

use markdown::mdast::{Node, Paragraph};

use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::description::{FlowRole, Phrasing, PhrasingRole};
use super::super::safe::Info;
use super::list_item;

pub(super) fn describe<'a>(
    context: &Context<'a>,
    paragraph: &'a Paragraph,
    info: Info,
) -> Phrasing<'a> {
    let checkbox = match context.around().next() {
        Some((Some(FlowRole::ListItem(item)), index)) => list_item::checkbox(item, index),
        _ => "",
    };
    let constructs = context.constructs.and(Constructs::PHRASING);
    let mut lead = String::new();
    if !checkbox.is_empty() && paragraph.children.is_empty() {
        // A checkbox needs content after it.
        context.safe(constructs).write(&mut lead, " ", info);
    }
    Phrasing {
        role: PhrasingRole::Paragraph { checkbox },
        children: &paragraph.children,
        lead,
        constructs,
        info,
    }
}

/// True if the node is a paragraph.
pub(super) fn is(node: &Node) -> bool {
    matches!(node, Node::Paragraph(_))
}
