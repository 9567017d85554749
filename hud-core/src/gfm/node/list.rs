//! Lists, and the markers of their items.

use markdown::mdast::{List, Node};

use super::super::context::Context;
use super::super::description::{Flow, FlowRole};

pub(super) fn describe<'a>(context: &Context<'a>, list: &'a List) -> Flow<'a> {
    let bullet = bullet(context, list);
    Flow::new(FlowRole::List { list, bullet }, &list.children)
}

/// The preferred marker. It is the other marker if the preferred one would join the list to the
/// list before, or turn its start into a thematic break.
fn bullet(context: &Context<'_>, list: &List) -> char {
    let options = context.options;
    let (preferred, other) = if list.ordered {
        (
            options.bullet_ordered.char(),
            options.bullet_ordered.other().char(),
        )
    } else {
        (options.bullet.char(), options.bullet_other().char())
    };
    let makes_break = !list.ordered
        && (starts_as_break(context, list, preferred)
            || preferred == options.rule.char() && list.children.iter().any(starts_with_break));
    if context.bullet_last_used == Some(preferred) || makes_break {
        other
    } else {
        preferred
    }
}

/// True if an empty first item is directly within two items, each the first of its list: `* - *`.
fn starts_as_break(context: &Context<'_>, list: &List, bullet: char) -> bool {
    let has_empty_item = list.children.first().is_some_and(|first| {
        let is_strict = context.options.strict;
        super::children(first)
            .first()
            .is_none_or(|first| is_strict && is_blank(first))
    });
    let mut around = context.around().map(|(role, index)| (role, index == 0));
    has_empty_item
        && matches!(bullet, '*' | '-')
        && matches!(around.next(), Some((Some(FlowRole::ListItem(_)), true)))
        && matches!(around.next(), Some((Some(FlowRole::List { .. }), true)))
        && matches!(around.next(), Some((Some(FlowRole::ListItem(_)), true)))
        && matches!(around.next(), Some((Some(FlowRole::List { .. }), _)))
}

/// True if an item begins with a thematic break: `* ---`.
fn starts_with_break(item: &Node) -> bool {
    matches!(item, Node::ListItem(item) if matches!(item.children.first(), Some(Node::ThematicBreak(_))))
}

/// True if a node is a paragraph without output.
fn is_blank(node: &Node) -> bool {
    let Node::Paragraph(paragraph) = node else {
        return false;
    };
    paragraph
        .children
        .iter()
        .all(|child| matches!(child, Node::Text(text) if text.value.is_empty()))
}
