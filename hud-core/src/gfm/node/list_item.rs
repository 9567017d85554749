//! List items, and tasks.

use std::borrow::Cow;

use markdown::mdast::{ListItem, Node};

use super::super::context::Context;
use super::super::description::{Flow, FlowRole};
use super::super::options::ListItemIndent;
use super::paragraph;

/// Spaces for the prefixes of most items.
const SPACES: &str = "        ";

pub(super) fn describe<'a>(context: &Context<'a>, item: &'a ListItem) -> Flow<'a> {
    let options = context.options;
    let marker = context.bullet_current.unwrap_or(options.bullet.char());
    let list = match context.around().next() {
        Some((Some(FlowRole::List { list, .. }), index)) => Some((list, index)),
        _ => None,
    };
    let number = list
        .filter(|(list, _)| list.ordered)
        .map(|(list, index)| -> u64 {
            let start = u64::from(list.start.unwrap_or(1));
            let offset = if options.increment_list_marker {
                index as u64
            } else {
                0
            };
            start.saturating_add(offset)
        });
    let digits = |number: u64| number.checked_ilog10().unwrap_or(0) as usize + 1;
    let length = number.map_or(0, digits) + marker.len_utf8();
    let is_spread = item.spread || list.is_some_and(|(list, _)| list.spread);
    let size = match options.list_item_indent {
        ListItemIndent::Tab => (length + 1).next_multiple_of(4),
        ListItemIndent::Mixed if is_spread => (length + 1).next_multiple_of(4),
        ListItemIndent::Mixed | ListItemIndent::One => length + 1,
    };

    let first = match (number, marker, size) {
        (None, '-', 2) => "- ".into(),
        (None, '*', 2) => "* ".into(),
        (number, ..) => {
            let mut first = String::with_capacity(size);
            if let Some(number) = number {
                push_number(&mut first, number);
            }
            first.push(marker);
            first.extend(std::iter::repeat_n(' ', size - length));
            Cow::Owned(first)
        }
    };
    let rest = match SPACES.get(..size) {
        Some(spaces) => spaces.into(),
        None => Cow::Owned(" ".repeat(size)),
    };
    Flow::new(FlowRole::ListItem(item), &item.children).prefixed(first, rest)
}

/// Adds the digits of a number.
pub(in super::super) fn push_number(out: &mut String, number: u64) {
    if number > 9 {
        push_number(out, number / 10);
    }
    out.extend(char::from_digit((number % 10) as u32, 10));
}

/// The index of the paragraph with a task's checkbox: the first child after definitions. `None` if
/// the item is no task, or has no place for a checkbox.
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

/// The checkbox before the child at this index, if it has one.
pub(in super::super) fn checkbox(item: &ListItem, index: usize) -> &'static str {
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
