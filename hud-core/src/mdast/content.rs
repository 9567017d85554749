use markdown::mdast::{InlineCode, List, Node, Paragraph};

use super::text;
use crate::trace::join;

/// Converts nodes to blocks: each run of phrasing becomes a paragraph and each run of items a list.
/// Blocks are unchanged. A root is replaced by its children, which always count as blocks.
pub fn flow(nodes: Vec<Node>) -> Vec<Node> {
    // Fast path: most items are one text.
    if is_text(&nodes) {
        return vec![Node::Paragraph(Paragraph {
            children: nodes,
            position: None,
        })];
    }
    let mut has_phrasing = false;
    let mut has_blocks = false;
    let mut has_others = false;
    for node in &nodes {
        match node {
            Node::Root(_) | Node::ListItem(_) => has_others = true,
            node if is_phrasing(node) => has_phrasing = true,
            _ => has_blocks = true,
        }
    }
    match (has_phrasing, has_blocks, has_others) {
        (false, _, false) => return nodes,
        (true, false, false) => {
            let mut blocks = Vec::with_capacity(1);
            close_paragraph(&mut joined(nodes), &mut blocks);
            return blocks;
        }
        _ => {}
    }
    let mut blocks = Vec::with_capacity(nodes.len());
    let mut line = Vec::new();
    let mut items = Vec::new();
    for node in nodes {
        if is_phrasing(&node) {
            close_list(&mut items, &mut blocks);
            push_phrasing(&mut line, node);
            continue;
        }
        close_paragraph(&mut line, &mut blocks);
        if matches!(node, Node::ListItem(_)) {
            items.push(node);
            continue;
        }
        close_list(&mut items, &mut blocks);
        match node {
            Node::Root(root) => blocks.extend(root.children),
            node => blocks.push(node),
        }
    }
    close_paragraph(&mut line, &mut blocks);
    close_list(&mut items, &mut blocks);
    blocks
}

fn close_list(items: &mut Vec<Node>, blocks: &mut Vec<Node>) {
    if !items.is_empty() {
        blocks.push(Node::List(List {
            children: std::mem::take(items),
            ordered: false,
            start: None,
            spread: false,
            position: None,
        }));
    }
}

fn close_paragraph(line: &mut Vec<Node>, blocks: &mut Vec<Node>) {
    let children = ended(std::mem::take(line));
    if !children.is_empty() {
        blocks.push(Node::Paragraph(Paragraph {
            children,
            position: None,
        }));
    }
}

/// A line without breaks at its end. They would be parsed as backslashes.
pub(super) fn ended(mut line: Vec<Node>) -> Vec<Node> {
    while line.pop_if(|last| matches!(last, Node::Break(_))).is_some() {}
    line
}

/// Converts nodes to phrasing: a block is replaced by its text, and a space separates blocks.
pub fn phrasing(nodes: Vec<Node>) -> Vec<Node> {
    if is_text(&nodes) {
        return nodes;
    }
    if nodes.iter().all(is_phrasing) {
        return joined(nodes);
    }
    let mut line = Vec::with_capacity(nodes.len());
    let mut after_block = false;
    for node in nodes {
        let block = !is_phrasing(&node);
        if (block || after_block) && !line.is_empty() {
            push_phrasing(&mut line, text(" "));
        }
        after_block = block;
        match node {
            Node::Code(code) => line.push(Node::InlineCode(InlineCode {
                value: code.value,
                position: code.position,
            })),
            node if block => {
                let children = into_children(node);
                phrasing(children)
                    .into_iter()
                    .for_each(|child| push_phrasing(&mut line, child));
            }
            node => push_phrasing(&mut line, node),
        }
    }
    line
}

/// True if the nodes are a single non-empty text.
fn is_text(nodes: &[Node]) -> bool {
    matches!(nodes, [Node::Text(text)] if !text.value.is_empty())
}

/// Joins phrasing into a line, as [`push_phrasing`] does.
fn joined(mut nodes: Vec<Node>) -> Vec<Node> {
    nodes.retain(|node| !matches!(node, Node::Text(text) if text.value.is_empty()));
    // The bytes of text that remain: the first of several texts reserves room for all.
    let length = |node: &Node| match node {
        Node::Text(text) => text.value.len(),
        _ => 0,
    };
    let mut rest: usize = nodes.iter().map(length).sum();
    nodes.dedup_by(|after, before| match (before, after) {
        (Node::Text(before), Node::Text(after)) => {
            before
                .value
                .reserve(rest.saturating_sub(before.value.len()));
            before.value.push_str(&after.value);
            join(&mut before.position, after.position.take());
            true
        }
        (before, _) => {
            rest = rest.saturating_sub(length(before));
            false
        }
    });
    nodes
}

/// Adds a node to a line. Adjacent texts are merged, so that escapes do not depend on where a
/// layout splits its text.
fn push_phrasing(line: &mut Vec<Node>, node: Node) {
    match (line.last_mut(), node) {
        (_, Node::Text(text)) if text.value.is_empty() => {}
        (Some(Node::Text(before)), Node::Text(after)) => {
            before.value.push_str(&after.value);
            join(&mut before.position, after.position);
        }
        (_, node) => line.push(node),
    }
}

pub(crate) fn is_phrasing(node: &Node) -> bool {
    matches!(
        node,
        Node::Text(_)
            | Node::Emphasis(_)
            | Node::Strong(_)
            | Node::Delete(_)
            | Node::InlineCode(_)
            | Node::InlineMath(_)
            | Node::Break(_)
            | Node::Link(_)
            | Node::LinkReference(_)
            | Node::Image(_)
            | Node::ImageReference(_)
            | Node::FootnoteReference(_)
            | Node::Html(_)
            | Node::MdxTextExpression(_)
            | Node::MdxJsxTextElement(_)
    )
}

fn into_children(node: Node) -> Vec<Node> {
    match node {
        Node::Root(node) => node.children,
        Node::Paragraph(node) => node.children,
        Node::Heading(node) => node.children,
        Node::Blockquote(node) => node.children,
        Node::List(node) => node.children,
        Node::ListItem(node) => node.children,
        Node::Table(node) => node.children,
        Node::TableRow(node) => node.children,
        Node::TableCell(node) => node.children,
        Node::FootnoteDefinition(node) => node.children,
        Node::MdxJsxFlowElement(node) => node.children,
        node => vec![text(node.to_string())],
    }
}
