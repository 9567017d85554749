//! The separators between blocks, as in the reference's `containerFlow`.

use markdown::mdast::Node;

use super::description::FlowRole;
use super::html_kind::html_kind;
use super::node::code::is_indented;
use super::node::heading::is_setext;
use super::node::task_paragraph;
use super::options::{RuleMarker, SerializeOptions};

/// The separator between two blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    Tight,
    BlankLine,
    /// A comment, if a blank line would not separate the blocks.
    Comment,
}

impl Join {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Tight => "\n",
            Self::BlankLine => "\n\n",
            Self::Comment => "\n\n<!---->\n\n",
        }
    }
}

/// Two adjacent children of a container.
struct Pair<'a> {
    left: &'a Node,
    right: &'a Node,
    parent: FlowRole<'a>,
    options: &'a SerializeOptions,
}

/// Returns a separator, or `None` to try the next rule.
type JoinRule = fn(&Pair<'_>) -> Option<Join>;

/// The rules, in order.
const RULES: &[JoinRule] = &[
    items,
    tight_definitions,
    definitions_before_task,
    after_table,
    indented_code,
    spread,
    unfinished_html,
    adjacent_blockquotes,
    list_that_cannot_interrupt,
    rule_that_underlines,
    lazy_continuation,
    in_item,
];

/// The separator between `left` and `right`.
pub(super) fn join(
    left: &Node,
    right: &Node,
    parent: FlowRole<'_>,
    options: &SerializeOptions,
) -> Join {
    let pair = Pair {
        left,
        right,
        parent,
        options,
    };
    RULES
        .iter()
        .find_map(|rule| rule(&pair))
        .unwrap_or(Join::BlankLine)
}

/// Items follow the `spread` of their list.
fn items(pair: &Pair<'_>) -> Option<Join> {
    match (pair.left, pair.right, pair.parent) {
        (Node::ListItem(_), Node::ListItem(_), FlowRole::List { list, .. }) if list.spread => {
            Some(Join::BlankLine)
        }
        (Node::ListItem(_), Node::ListItem(_), FlowRole::List { .. }) => Some(Join::Tight),
        _ => None,
    }
}

fn tight_definitions(pair: &Pair<'_>) -> Option<Join> {
    let both = matches!(
        (pair.left, pair.right),
        (Node::Definition(_), Node::Definition(_))
    );
    (pair.options.tight_definitions && both).then_some(Join::Tight)
}

/// A checkbox is at the start of its item, after definitions.
fn definitions_before_task(pair: &Pair<'_>) -> Option<Join> {
    let (FlowRole::ListItem(item), Node::Definition(_)) = (pair.parent, pair.left) else {
        return None;
    };
    let task = task_paragraph(item)?;
    let is_before = item
        .children
        .iter()
        .take(task)
        .any(|child| std::ptr::eq(child, pair.left));
    is_before.then_some(Join::Tight)
}

/// A line after a table would be a row.
fn after_table(pair: &Pair<'_>) -> Option<Join> {
    let (FlowRole::ListItem(item), Node::Table(_)) = (pair.parent, pair.left) else {
        return None;
    };
    let is_row = pair.right_continues() || matches!(pair.right, Node::Table(_));
    (!item.spread && is_row).then_some(Join::BlankLine)
}

/// Indented code would be part of a list or of other indented code before it.
fn indented_code(pair: &Pair<'_>) -> Option<Join> {
    let is_part = match pair.left {
        Node::List(_) => true,
        Node::Code(left) => is_indented(left, pair.options),
        _ => false,
    };
    (is_part && pair.right_is_indented_code()).then_some(Join::Comment)
}

/// The rules after this one are for the children of tight lists and items.
fn spread(pair: &Pair<'_>) -> Option<Join> {
    let is_tight = match pair.parent {
        FlowRole::List { list, .. } => !list.spread,
        FlowRole::ListItem(item) => !item.spread,
        FlowRole::Plain => false,
    };
    (!is_tight).then_some(Join::BlankLine)
}

/// Some kinds of HTML end only at a blank line.
fn unfinished_html(pair: &Pair<'_>) -> Option<Join> {
    let Node::Html(left) = pair.left else {
        return None;
    };
    matches!(html_kind(&left.value), None | Some(6 | 7)).then_some(Join::BlankLine)
}

fn adjacent_blockquotes(pair: &Pair<'_>) -> Option<Join> {
    matches!(
        (pair.left, pair.right),
        (Node::Blockquote(_), Node::Blockquote(_))
    )
    .then_some(Join::BlankLine)
}

/// Ordered lists that do not start at 1, and empty items, cannot interrupt a paragraph.
fn list_that_cannot_interrupt(pair: &Pair<'_>) -> Option<Join> {
    let (Node::Paragraph(_) | Node::Definition(_), Node::List(list)) = (pair.left, pair.right)
    else {
        return None;
    };
    let starts_elsewhere = list.ordered && list.start.is_some_and(|start| start != 1);
    let first = list.children.first().and_then(Node::children);
    let is_empty = first.is_some_and(Vec::is_empty);
    (starts_elsewhere || is_empty).then_some(Join::BlankLine)
}

/// A thematic break of dashes would make the paragraph a heading.
fn rule_that_underlines(pair: &Pair<'_>) -> Option<Join> {
    let underlines = matches!(
        (pair.left, pair.right),
        (Node::Paragraph(_), Node::ThematicBreak(_))
    ) && pair.options.rule == RuleMarker::Dash
        && !pair.options.rule_spaces;
    underlines.then_some(Join::BlankLine)
}

/// A block that cannot interrupt a paragraph would continue it, even one deep in containers.
fn lazy_continuation(pair: &Pair<'_>) -> Option<Join> {
    let could_continue = pair.right_continues()
        || pair.right_is_indented_code()
        || matches!(pair.right, Node::Html(right) if matches!(html_kind(&right.value), None | Some(7)));
    if !could_continue {
        return None;
    }
    let tail = tail(pair.left);
    if !matches!(tail, Node::Paragraph(_) | Node::Definition(_)) {
        return None;
    }
    // A definition is parsed from the start of a paragraph, so text may follow it.
    let text_may_follow = matches!(pair.left, Node::Definition(_));
    (!(text_may_follow && pair.right_continues())).then_some(Join::BlankLine)
}

fn in_item(_: &Pair<'_>) -> Option<Join> {
    Some(Join::Tight)
}

impl Pair<'_> {
    /// True if the right block begins with a line of text.
    fn right_continues(&self) -> bool {
        match self.right {
            Node::Paragraph(_) | Node::Definition(_) => true,
            Node::Heading(heading) => is_setext(heading, self.options),
            _ => false,
        }
    }

    fn right_is_indented_code(&self) -> bool {
        matches!(self.right, Node::Code(right) if is_indented(right, self.options))
    }
}

/// The last block, resolved through containers that start at the left margin.
fn tail(node: &Node) -> &Node {
    let mut tail = node;
    while let Node::Blockquote(_) | Node::List(_) | Node::ListItem(_) = tail {
        match tail.children().and_then(|children| children.last()) {
            Some(last) => tail = last,
            None => break,
        }
    }
    tail
}
