//! What the `markdown` crate gets wrong, put right in its tree.

use std::collections::BTreeSet;
use std::mem;

use markdown::mdast::{Heading, ListItem, Node, ReferenceKind, Text};

use crate::gfm::association::normalize;

pub(super) fn mend(tree: &mut Node, source: &str) {
    let mut defined = BTreeSet::new();
    for_each(tree, |node| {
        mend_node(node, source);
        if let Node::Definition(definition) = node {
            defined.insert(definition.identifier.clone());
        }
    });
    for_each(tree, |node| {
        if let Some(children) = node.children_mut() {
            replace_unresolved(children, &defined);
            merge_text(children);
        }
    });
}

pub(super) fn forget_positions(tree: &mut Node) {
    for_each(tree, |node| node.position_set(None));
}

/// Calls with each node, parents first. The tree may be deep.
fn for_each(tree: &mut Node, mut each: impl FnMut(&mut Node)) {
    let mut rest = vec![tree];
    while let Some(node) = rest.pop() {
        each(node);
        rest.extend(node.children_mut().into_iter().flatten());
    }
}

fn mend_node(node: &mut Node, source: &str) {
    match node {
        Node::Heading(heading) => restore_number_signs(heading, source),
        Node::ListItem(item) => item.spread = is_spread(item),
        Node::InlineCode(code) => code.value = code_value(&code.value),
        Node::Definition(node) => mend_identifier(&mut node.identifier, node.label.as_deref()),
        Node::ImageReference(node) => mend_identifier(&mut node.identifier, node.label.as_deref()),
        Node::FootnoteReference(node) => {
            mend_identifier(&mut node.identifier, node.label.as_deref());
        }
        Node::FootnoteDefinition(node) => {
            mend_identifier(&mut node.identifier, node.label.as_deref());
        }
        Node::LinkReference(node) => {
            mend_identifier(&mut node.identifier, node.label.as_deref());
            unwrap_links(&mut node.children);
        }
        Node::Link(node) => unwrap_links(&mut node.children),
        _ => {}
    }
}

/// `# #a` is a heading of the text `#a`.
fn restore_number_signs(heading: &mut Heading, source: &str) {
    let first = heading.children.first().and_then(Node::position);
    let (Some(position), Some(first)) = (&heading.position, first) else {
        return;
    };
    let Some(before) = source.get(position.start.offset..first.start.offset) else {
        return;
    };
    let text = before
        .trim_start_matches('#')
        .trim_start_matches([' ', '\t']);
    if before.starts_with('#') && text.starts_with('#') {
        let value = text.to_owned();
        heading.children.insert(
            0,
            Node::Text(Text {
                value,
                position: None,
            }),
        );
    }
}

/// Whether a blank line stands between two children.
fn is_spread(item: &ListItem) -> bool {
    item.children
        .windows(2)
        .any(|pair| match (pair[0].position(), pair[1].position()) {
            (Some(left), Some(right)) => right.start.line > left.end.line + 1,
            _ => item.spread,
        })
}

/// Line endings are spaces, and one space of padding is taken off at both ends.
fn code_value(value: &str) -> String {
    if !value.contains(['\n', '\r']) {
        return value.to_owned();
    }
    let value = value.replace("\r\n", " ").replace(['\n', '\r'], " ");
    let padded = value
        .strip_prefix(' ')
        .and_then(|rest| rest.strip_suffix(' '))
        .filter(|inside| !inside.trim_matches(' ').is_empty());
    padded.map_or_else(|| value.clone(), ToOwned::to_owned)
}

/// Puts the spaces back that an identifier lacks.
fn mend_identifier(identifier: &mut String, label: Option<&str>) {
    let Some(label) = label else { return };
    let whole = normalize(label);
    let without_spaces = |text: &str| -> String { text.split_whitespace().collect() };
    // They differ by more where the label has escapes, which are part of the identifier.
    if without_spaces(&whole) == without_spaces(&normalize(identifier)) {
        *identifier = whole;
    }
}

/// Puts the children of links in the place of these, at any depth.
fn unwrap_links(children: &mut Vec<Node>) {
    let mut rest = vec![children];
    while let Some(children) = rest.pop() {
        if children.iter().any(|child| matches!(child, Node::Link(_))) {
            for child in mem::take(children) {
                match child {
                    Node::Link(link) => children.extend(link.children),
                    other => children.push(other),
                }
            }
        }
        rest.extend(children.iter_mut().filter_map(Node::children_mut));
    }
}

/// Puts the text of references that resolve to nothing in the place of these.
fn replace_unresolved(children: &mut Vec<Node>, defined: &BTreeSet<String>) {
    let unresolved = |node: &Node| match node {
        Node::LinkReference(node) => !defined.contains(&node.identifier),
        Node::ImageReference(node) => !defined.contains(&node.identifier),
        _ => false,
    };
    if !children.iter().any(unresolved) {
        return;
    }
    let text = |value: String| {
        Node::Text(Text {
            value,
            position: None,
        })
    };
    let end = |kind: ReferenceKind, label: Option<String>| match kind {
        ReferenceKind::Shortcut => "]".to_owned(),
        ReferenceKind::Collapsed => "][]".to_owned(),
        ReferenceKind::Full => format!("][{}]", label.unwrap_or_default()),
    };
    for child in mem::take(children) {
        match child {
            Node::LinkReference(node) if !defined.contains(&node.identifier) => {
                children.push(text("[".to_owned()));
                children.extend(node.children);
                children.push(text(end(node.reference_kind, node.label)));
            }
            Node::ImageReference(node) if !defined.contains(&node.identifier) => {
                let end = end(node.reference_kind, node.label);
                children.push(text(format!("![{}{end}", node.alt)));
            }
            other => children.push(other),
        }
    }
}

/// Makes one text of several side by side.
fn merge_text(children: &mut Vec<Node>) {
    children.dedup_by(|right, left| match (left, right) {
        (Node::Text(left), Node::Text(right)) => {
            left.value.push_str(&right.value);
            if let (Some(left), Some(right)) = (&mut left.position, &right.position) {
                left.end = right.end.clone();
            }
            true
        }
        _ => false,
    });
}
