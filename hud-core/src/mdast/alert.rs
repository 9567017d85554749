//! GitHub's alerts: quotes whose first line is a marker such as `[!NOTE]`.
//!
//! mdast has no node for them. Here the marker is an `html` node, with its line ending, before the
//! text of the quote's first paragraph, because it is written without escapes. A text node that
//! looks like a marker is only text.

use markdown::mdast::{Blockquote, Html, Node, Paragraph};

use super::rule::{paragraph_of, quote_of, strong_of};
use super::text;
use crate::node::AlertKind;

/// The kind of an alert and its content without the marker. `None` for any other quote.
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

/// The blocks of an alert after its title, for targets without markers.
pub(crate) fn titled(kind: AlertKind, mut blocks: Vec<Node>) -> Vec<Node> {
    let title = strong_of(vec![text(kind.title())]);
    blocks.insert(0, paragraph_of(vec![title]));
    blocks
}

/// True if a paragraph must not be on the line right after the marker: it is empty, or begins with
/// HTML or a break. HTML there could begin a block.
pub(crate) fn stays_apart(paragraph: &Paragraph) -> bool {
    matches!(
        paragraph.children.first(),
        None | Some(Node::Html(_) | Node::Break(_))
    )
}

/// True if a text is only the marker of an alert.
#[cfg(feature = "mdx")]
pub(crate) fn is_mark(text: &str) -> bool {
    mark_in(text).is_some_and(|(_, length)| length == text.len())
}

/// The kind of the marker that a text begins with, and the length of the marker with its line
/// ending.
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
