//! GitHub's alerts: quotes whose first line is a mark such as `[!NOTE]`.
//!
//! mdast has no node for them. Here the mark is an `html` node in front of the words of the quote's first paragraph, as
//! that is written without escapes, with the line ending after it. A text that looks like a mark is a text.

use markdown::mdast::{Blockquote, Html, Node, Paragraph};

use super::rule::{paragraph_of, quote_of, strong_of};
use super::text;
use crate::node::AlertKind;

/// The kind of alert that a quote is, and what is in it without the mark. None for any other quote.
pub fn alert_of(quote: &Blockquote) -> Option<(AlertKind, Vec<Node>)> {
    let Some((Node::Paragraph(first), behind)) = quote.children.split_first() else {
        return None;
    };
    let Some((Node::Html(mark), words)) = first.children.split_first() else {
        return None;
    };
    let (kind, length) = mark_in(&mark.value)?;
    if length != mark.value.len() || mark.value.ends_with('\n') == words.is_empty() {
        return None;
    }
    let mut children = Vec::with_capacity(quote.children.len());
    if !words.is_empty() {
        children.push(Node::Paragraph(Paragraph {
            children: words.to_vec(),
            position: first.position.clone(),
        }));
    }
    children.extend_from_slice(behind);
    Some((kind, children))
}

/// An alert around blocks.
pub(crate) fn alert_around(kind: AlertKind, mut blocks: Vec<Node>) -> Node {
    let mut line = match blocks.first_mut() {
        Some(Node::Paragraph(first)) if !stays_apart(first) => {
            let words = std::mem::take(&mut first.children);
            blocks.remove(0);
            words
        }
        _ => Vec::new(),
    };
    let end = if line.is_empty() { "" } else { "\n" };
    let mark = Node::Html(Html {
        value: format!("[!{}]{end}", kind.name().to_ascii_uppercase()),
        position: None,
    });
    line.insert(0, mark);
    blocks.insert(0, paragraph_of(line));
    quote_of(blocks)
}

/// The blocks of an alert after its title, for targets that know no mark.
pub(crate) fn titled(kind: AlertKind, mut blocks: Vec<Node>) -> Vec<Node> {
    let title = strong_of(vec![text(kind.title())]);
    blocks.insert(0, paragraph_of(vec![title]));
    blocks
}

/// True if a paragraph is not on the lines right after the mark: HTML there could begin a block.
pub(crate) fn stays_apart(paragraph: &Paragraph) -> bool {
    matches!(
        paragraph.children.first(),
        None | Some(Node::Html(_) | Node::Break(_))
    )
}

/// True for a text that is the mark of an alert and nothing else.
#[cfg(feature = "mdx")]
pub(crate) fn is_mark(text: &str) -> bool {
    mark_in(text).is_some_and(|(_, length)| length == text.len())
}

/// The kind that a text begins with the mark of, and the length of the mark with the line ending after it.
pub(crate) fn mark_in(text: &str) -> Option<(AlertKind, usize)> {
    let (name, behind) = text.strip_prefix("[!")?.split_once(']')?;
    let kind = AlertKind::ALL
        .into_iter()
        .find(|kind| kind.name().eq_ignore_ascii_case(name))?;
    let end = match behind.as_bytes() {
        [] => 0,
        [b'\n', ..] => 1,
        _ => return None,
    };
    Some((kind, "[!]".len() + name.len() + end))
}
