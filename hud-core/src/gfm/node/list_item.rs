//! List items, and tasks.

use markdown::mdast::{ListItem, Node};

use super::super::context::Context;
use super::super::description::{Flow, FlowRole};
use super::super::options::ListItemIndent;
use super::paragraph;

pub(super) fn describe<'a>(context: &Context<'a>, item: &'a ListItem) -> Flow<'a> {
    let options = context.options;
    let marker = context.bullet_current.unwrap_or(options.bullet.char());
    let list = match context.around().next() {
        Some((Some(FlowRole::List { list, .. }), index)) => Some((list, index)),
        _ => None,
    };
    let bullet = match list {
        Some((list, index)) if list.ordered => {
            let start = u64::from(list.start.unwrap_or(1));
            let offset = if options.increment_list_marker {
                index as u64
            } else {
                0
            };
            format!("{}{marker}", start.saturating_add(offset))
        }
        _ => marker.to_string(),
    };
    let is_spread = item.spread || list.is_some_and(|(list, _)| list.spread);
    let size = match options.list_item_indent {
        ListItemIndent::Tab => (bullet.len() + 1).next_multiple_of(4),
        ListItemIndent::Mixed if is_spread => (bullet.len() + 1).next_multiple_of(4),
        ListItemIndent::Mixed | ListItemIndent::One => bullet.len() + 1,
    };

    Flow::new(FlowRole::ListItem(item), &item.children)
        .prefixed(format!("{bullet:size$}"), " ".repeat(size))
}

/// The index of the paragraph that a task's checkbox is in: the first child, but for
/// definitions. `None` if the item is no task, or has no place for a checkbox.
pub(in super::super) fn task_paragraph(item: &ListItem) -> Option<usize> {
    item.checked?;
    let index = item
        .children
        .iter()
        .position(|child| !matches!(child, Node::Definition(_)))?;
    item.children
        .get(index)
        .filter(|child| paragraph::is(child))
        .map(|_| index)
}

/// The checkbox before the child with this index, if it has one.
pub(super) fn checkbox(item: &ListItem, index: usize) -> &'static str {
    match item.checked {
        Some(is_checked) if task_paragraph(item) == Some(index) => {
            if is_checked {
                "[x] "
            } else {
                "[ ] "
            }
        }
        _ => "",
    }
}
