//! The judgement by lifting: whether a text comes back from the elements that it lifts to.

use hud_core::gfm::{self, to_string};
use hud_core::visible::visible;
use hud_core::{Renderer, Scope, lift};
use markdown::mdast::{Node, Text};

use crate::case::Case;
use crate::round_trip::parse_options;

/// The text that is written for a case as it is read, without characters that nobody sees and with the blanks of marks
/// outside of them, and the text that is written for it lifted and lowered; with the elements, which come back from that
/// as well.
pub(crate) fn judge(case: &Case) -> (String, String) {
    match lifted(case) {
        Ok(both) => both,
        Err(error) => (String::new(), error),
    }
}

fn lifted(case: &Case) -> Result<(String, String), String> {
    let mut tree = gfm::parse(&case.expected, &parse_options(case)).map_err(words)?;
    let lowered = Renderer::default()
        .mdast(&lift(&tree).map_err(words)?, Scope::default())
        .map_err(words)?;
    settle(&mut tree);
    let elements = lift(&tree).map_err(words)?;
    let again = lift(&lowered).map_err(words)?;
    let mut back = to_string(&lowered, &case.options);
    if again != elements {
        back += &format!("\n{elements:#?}\nis lifted again as\n{again:#?}\n");
    }
    Ok((to_string(&tree, &case.options), back))
}

/// Makes of a tree what lowering makes of its elements.
fn settle(node: &mut Node) {
    match node {
        Node::Text(node) => show(&mut node.value),
        Node::Link(node) => show(&mut node.url),
        Node::Image(node) => show(&mut node.url),
        Node::Definition(node) => show(&mut node.url),
        _ => {}
    }
    let Some(children) = node.children_mut() else {
        return;
    };
    for mut child in std::mem::take(children) {
        settle(&mut child);
        for node in without_blanks(child) {
            match (children.last_mut(), node) {
                (Some(Node::Text(last)), Node::Text(next)) => last.value += &next.value,
                (_, node) => children.push(node),
            }
        }
    }
}

/// A mark with the blanks at its ends beside it; any other node alone.
fn without_blanks(mut node: Node) -> Vec<Node> {
    let is_mark = matches!(node, Node::Strong(_) | Node::Emphasis(_) | Node::Delete(_));
    let Some(inner) = node.children_mut().filter(|_| is_mark) else {
        return vec![node];
    };
    let is_blank = |node: &Node| match node {
        Node::Text(text) => text.value.trim().is_empty(),
        node => matches!(node, Node::Break(_)),
    };
    let Some(mut first) = inner.iter().position(|node| !is_blank(node)) else {
        return std::mem::take(inner);
    };
    if let Node::Text(node) = &mut inner[first] {
        let blank = node.value.len() - node.value.trim_start().len();
        let value = node.value.drain(..blank).collect();
        inner.insert(first, text(value));
        first += 1;
    }
    let last = inner
        .iter()
        .rposition(|node| !is_blank(node))
        .unwrap_or(first);
    if let Node::Text(node) = &mut inner[last] {
        let value = node.value.split_off(node.value.trim_end().len());
        inner.insert(last + 1, text(value));
    }
    let after = inner.split_off(last + 1);
    let mut all: Vec<Node> = inner.drain(..first).collect();
    all.push(node);
    all.extend(after);
    all.retain(|node| !matches!(node, Node::Text(text) if text.value.is_empty()));
    all
}

fn text(value: String) -> Node {
    Node::Text(Text {
        value,
        position: None,
    })
}

fn show(text: &mut String) {
    *text = visible(text).into_owned();
}

fn words(error: impl ToString) -> String {
    error.to_string()
}
