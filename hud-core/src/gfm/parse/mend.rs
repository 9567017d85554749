//! Fixes errors of the `markdown` crate in its tree.

use std::collections::BTreeSet;
use std::mem;

use markdown::mdast::{Blockquote, Heading, Html, List, ListItem, Node, ReferenceKind, Text};
use markdown::unist::Position;
use markdown::{ParseOptions, to_mdast};

use crate::gfm::association::{decode, normalize};
use crate::mdast::alert::mark_in;

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
            part_lists(children, source);
            replace_unresolved(children, &defined);
            merge_text(children);
            merge_indented_code(children, source);
        }
    });
    for_each(tree, |node| {
        if let Node::Blockquote(quote) = node {
            part_alert(quote, source);
        }
    });
}

/// Separates the marker of an alert from the text at the start of a quote. An escaped marker is
/// text.
fn part_alert(quote: &mut Blockquote, source: &str) {
    let Some(Node::Paragraph(paragraph)) = quote.children.first_mut() else {
        return;
    };
    let Some((Node::Text(first), behind)) = paragraph.children.split_first_mut() else {
        return;
    };
    let Some((_, length)) = mark_in(&first.value) else {
        return;
    };
    let (mark, words) = first.value.split_at(length);
    let start = first.position.as_ref().map(|place| place.start.offset);
    let written = start.and_then(|start| source.split_at_checked(start));
    let is_written = written
        .is_some_and(|(before, from)| !before.ends_with('\\') && from.starts_with(mark.trim_end()));
    // Only text on another line follows a marker.
    if !is_written || mark.ends_with('\n') == (words.is_empty() && behind.is_empty()) {
        return;
    }
    let mark = Node::Html(Html {
        value: mark.to_owned(),
        position: first.position.clone(),
    });
    first.value = words.to_owned();
    if first.value.is_empty() {
        paragraph.children.remove(0);
    }
    paragraph.children.insert(0, mark);
}

pub(super) fn forget_positions(tree: &mut Node) {
    for_each(tree, |node| node.position_set(None));
}

/// Corrects the end of a root. The text was parsed with an additional line ending, and the root
/// must end where the text does.
pub(super) fn end_with(root: &mut Node, text: &str) {
    let Some(position) = root.position_mut() else {
        return;
    };
    let line = text.rsplit(['\n', '\r']).next().unwrap_or_default();
    let end = &mut position.end;
    end.line -= 1;
    end.offset = text.len();
    // The crate counts bytes as columns, and a tab extends to the next multiple of four.
    end.column = line.bytes().fold(1, |column, byte| {
        let width = if byte == b'\t' {
            4 - (column - 1) % 4
        } else {
            1
        };
        column + width
    });
}

/// Calls `each` with each node, parents first. The tree may be deep.
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
        Node::ListItem(item) => {
            item.spread = is_spread(item);
            take_space_behind_box(item);
        }
        Node::Image(image) => mend_alt(&mut image.alt, image.position.as_ref(), source),
        Node::ImageReference(node) => {
            mend_alt(&mut node.alt, node.position.as_ref(), source);
            let place = node.position.as_ref();
            if let Some(label) = label_in(source, place, node.reference_kind) {
                mend_label(&mut node.identifier, &mut node.label, label);
            }
        }
        Node::InlineCode(code) => code.value = without_padding(&code.value).to_owned(),
        Node::Definition(node) => mend_identifier(&mut node.identifier, node.label.as_deref()),
        Node::FootnoteReference(node) => {
            mend_identifier(&mut node.identifier, node.label.as_deref());
        }
        Node::FootnoteDefinition(node) => {
            mend_identifier(&mut node.identifier, node.label.as_deref());
        }
        Node::LinkReference(node) => {
            let place = node.position.as_ref();
            if let Some(label) = label_in(source, place, node.reference_kind) {
                mend_label(&mut node.identifier, &mut node.label, label);
            }
            unwrap_links(&mut node.children);
        }
        Node::Link(node) => unwrap_links(&mut node.children),
        _ => {}
    }
}

/// Restores the lost text `#a` of the heading `# #a`.
fn restore_number_signs(heading: &mut Heading, source: &str) {
    let first = heading.children.first().and_then(Node::position);
    let (Some(position), Some(first)) = (&heading.position, first) else {
        return;
    };
    let Some(before) = source.get(position.start.offset..first.start.offset) else {
        return;
    };
    let lost = before
        .trim_start_matches('#')
        .trim_start_matches([' ', '\t']);
    // An escape may follow. Its backslash is also before the first child.
    let signs = lost.len() - lost.trim_start_matches('#').len();
    let spaces = lost[signs..].len() - lost[signs..].trim_start_matches([' ', '\t']).len();
    if before.starts_with('#') && signs > 0 {
        let value = lost[..signs + spaces].to_owned();
        let text = Text {
            value,
            position: None,
        };
        heading.children.insert(0, Node::Text(text));
    }
}

/// Moves misplaced lists. If an item ends in unclosed code or HTML, the list after it is parsed as
/// a child of the item's list.
fn part_lists(children: &mut Vec<Node>, source: &str) {
    let is_list = |node: &Node| matches!(node, Node::List(_));
    let is_nested = |node: &Node| {
        is_list(node)
            && node
                .children()
                .is_some_and(|items| items.iter().any(is_list))
    };
    if !children.iter().any(is_nested) {
        return;
    }
    for node in mem::take(children) {
        match node {
            Node::List(list) => children.extend(parted(list, source).into_iter().map(Node::List)),
            node => children.push(node),
        }
    }
}

/// The items of a list and of the lists in it, grouped by marker.
fn parted(mut list: List, source: &str) -> Vec<List> {
    let mut lists: Vec<List> = Vec::new();
    let items = mem::take(&mut list.children).into_iter();
    // The remaining items of each list, outermost first. Lists may be deeply nested.
    let mut open = vec![(list, items)];
    while let Some((list, items)) = open.last_mut() {
        let item = match items.next() {
            Some(Node::List(mut inner)) => {
                let items = mem::take(&mut inner.children).into_iter();
                open.push((inner, items));
                continue;
            }
            Some(item) => item,
            None => {
                open.pop();
                continue;
            }
        };
        let part = List {
            children: vec![item],
            ..list.clone()
        };
        let marker = marker(&part, source);
        let last = lists.last_mut();
        match last.filter(|last| self::marker(last, source) == marker) {
            Some(last) => {
                last.spread |= part.spread;
                last.children.extend(part.children);
            }
            None => lists.push(part),
        }
    }
    for list in &mut lists {
        let end = list.children.last().and_then(Node::position);
        let end = end.map(|last| last.end.clone());
        if let (Some(position), Some(end)) = (&mut list.position, end) {
            position.end = end;
        }
    }
    lists
}

/// The character after the number of a list's first item, or its bullet.
fn marker(list: &List, source: &str) -> Option<char> {
    let first = list.children.first()?.position()?;
    let item = source.get(first.start.offset..)?;
    item.trim_start_matches(|c: char| c.is_ascii_digit())
        .chars()
        .next()
}

/// True if a blank line is between two children.
fn is_spread(item: &ListItem) -> bool {
    item.children
        .windows(2)
        .any(|pair| match (last_line(&pair[0]), pair[1].position()) {
            (Some(left), Some(right)) => right.start.line > left + 1,
            _ => item.spread,
        })
}

/// The last line of a node. Containers also count the blank lines after their last child, so their
/// last descendant is used.
fn last_line(mut node: &Node) -> Option<usize> {
    while let Node::List(_) | Node::ListItem(_) | Node::Blockquote(_) = node {
        match node.children().and_then(|children| children.last()) {
            Some(last) => node = last,
            None => break,
        }
    }
    node.position().map(|position| position.end.line)
}

/// Removes the space after `[x]`, which is markup, also if a definition is before the paragraph.
fn take_space_behind_box(item: &mut ListItem) {
    let leads = |node: &Node| matches!(node, Node::Definition(_));
    if item.checked.is_none() || !item.children.first().is_some_and(leads) {
        return;
    }
    let first = item.children.iter_mut().find(|child| !leads(child));
    if let Some(Node::Paragraph(paragraph)) = first
        && let Some(Node::Text(text)) = paragraph.children.first_mut()
        && text.value.starts_with([' ', '\t', '\n'])
    {
        text.value.remove(0);
    }
}

/// Removes the padding of a space or a line ending at both ends. The crate only removes padding of
/// spaces.
fn without_padding(value: &str) -> &str {
    let ends = ['\n', '\r'];
    let inside = |value: &'_ str| -> Option<(usize, usize)> {
        let start = match value.as_bytes() {
            [b'\r', b'\n', ..] => 2,
            [b' ' | b'\n' | b'\r', ..] => 1,
            _ => return None,
        };
        let end = match value.as_bytes() {
            [.., b'\r', b'\n'] => value.len() - 2,
            [.., b' ' | b'\n' | b'\r'] => value.len() - 1,
            _ => return None,
        };
        (start <= end).then_some((start, end))
    };
    let is_left = value.starts_with(ends) || value.ends_with(ends);
    let is_blank = value.trim_matches([' ', '\n', '\r']).is_empty();
    match inside(value) {
        Some((start, end)) if is_left && !is_blank => &value[start..end],
        _ => value,
    }
}

/// Decodes the escapes in an image's alt. The crate keeps them in literal autolinks.
fn mend_alt(alt: &mut String, position: Option<&Position>, source: &str) {
    let may_link = alt.contains("www.") || alt.contains("://") || alt.contains('@');
    let image = position.and_then(|at| source.get(at.start.offset..at.end.offset));
    let Some(image) = image.filter(|image| may_link && image.contains(['\\', '&'])) else {
        return;
    };
    let mut options = ParseOptions::gfm();
    options.constructs.gfm_autolink_literal = false;
    let Ok(mut tree) = to_mdast(image, &options) else {
        return;
    };
    let mut alone = None;
    for_each(&mut tree, |node| {
        if let Node::Image(image) = node {
            alone.get_or_insert(mem::take(&mut image.alt));
        }
    });
    if let Some(alone) = alone {
        *alt = alone;
    }
}

/// Restores the spaces that are missing in an identifier.
fn mend_identifier(identifier: &mut String, label: Option<&str>) {
    let Some(label) = label else { return };
    let whole = normalize(label);
    let without_spaces = |text: &str| -> String { text.split_whitespace().collect() };
    // They differ by more if the label has escapes, which are part of the identifier.
    if without_spaces(&whole) == without_spaces(&normalize(identifier)) {
        *identifier = whole;
    }
}

/// The label of a reference in the source, if it is on one line. Brackets in a label are always
/// escaped.
fn label_in<'s>(source: &'s str, place: Option<&Position>, kind: ReferenceKind) -> Option<&'s str> {
    let place = place?;
    let reference = source.get(place.start.offset..place.end.offset)?;
    let reference = reference.strip_prefix('!').unwrap_or(reference);
    let label = match kind {
        ReferenceKind::Shortcut => reference.strip_prefix('[')?.strip_suffix(']')?,
        ReferenceKind::Collapsed => reference.strip_prefix('[')?.strip_suffix("][]")?,
        ReferenceKind::Full => {
            let reference = reference.strip_suffix(']')?;
            let is_open = |at: &usize| {
                let before = reference[..*at].bytes().rev();
                before.take_while(|byte| *byte == b'\\').count() % 2 == 0
            };
            let mut brackets = reference.rmatch_indices('[').map(|(at, _)| at);
            &reference[brackets.find(is_open)? + 1..]
        }
    };
    (!label.contains(['\n', '\r'])).then_some(label)
}

/// Restores the spaces and markup of the source that are missing in an identifier and a label.
fn mend_label(identifier: &mut String, label: &mut Option<String>, raw: &str) {
    let without_spaces = |text: &str| -> String { text.split_whitespace().collect() };
    let whole = normalize(raw);
    if without_spaces(&whole) == without_spaces(&normalize(identifier)) {
        *identifier = whole;
        *label = Some(decode(raw));
    }
}

/// Replaces links with their children, at any depth.
fn unwrap_links(children: &mut Vec<Node>) {
    let mut rest = vec![children];
    while let Some(children) = rest.pop() {
        if children.iter().any(|child| matches!(child, Node::Link(_))) {
            for child in mem::take(children) {
                match child {
                    Node::Link(link) => children.extend(link.children.into_iter().map(decoded)),
                    other => children.push(other),
                }
            }
        }
        rest.extend(children.iter_mut().filter_map(Node::children_mut));
    }
}

/// Decodes the text of a literal autolink, in which the crate keeps escapes.
fn decoded(mut node: Node) -> Node {
    if let Node::Text(text) = &mut node {
        text.value = decode(&text.value);
    }
    node
}

/// Replaces unresolved references with their text.
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

/// Merges adjacent texts.
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

/// Merges adjacent blocks of indented code. Only a line of something else ends such a block.
fn merge_indented_code(children: &mut Vec<Node>, source: &str) {
    let is_indented = |position: &Position| {
        let start = source.get(position.start.offset..);
        start.is_some_and(|code| code.starts_with([' ', '\t']))
    };
    children.dedup_by(|right, left| {
        let (Node::Code(left), Node::Code(right)) = (left, right) else {
            return false;
        };
        let (Some(above), Some(below)) = (&mut left.position, &right.position) else {
            return false;
        };
        if !is_indented(above) || !is_indented(below) {
            return false;
        }
        let lines = below.start.line.saturating_sub(above.end.line);
        left.value.push_str(&"\n".repeat(lines));
        left.value.push_str(&right.value);
        above.end = below.end.clone();
        true
    });
}
