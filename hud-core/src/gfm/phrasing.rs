//! What stands in a line.

use markdown::mdast::Node;

use super::escape;

/// Where a line is: what would end it, and what must be escaped in it besides.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    heading: bool,
    cell: bool,
    label: bool,
    depth: usize,
}

impl Place {
    pub(super) const HEADING: Self = Self {
        heading: true,
        cell: false,
        label: false,
        depth: 0,
    };
    pub(super) const CELL: Self = Self {
        heading: false,
        cell: true,
        label: false,
        depth: 0,
    };

    pub(super) const fn is_one_line(self) -> bool {
        self.heading || self.cell
    }

    pub(super) const fn is_heading(self) -> bool {
        self.heading
    }

    pub(super) const fn is_cell(self) -> bool {
        self.cell
    }

    pub(super) const fn is_label(self) -> bool {
        self.label
    }

    /// White space at the edge of a cell is padding.
    pub(super) const fn is_cell_edge(self, neighbour: char) -> bool {
        self.cell && neighbour == '\n'
    }

    const fn deeper(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }
}

/// Writes what stands in a line of its own.
pub(super) fn line(nodes: &[Node], place: Place) -> String {
    write(nodes, '\n', '\n', place)
}

fn write(nodes: &[Node], before: char, after: char, place: Place) -> String {
    let mut out = String::new();
    // Set where the first letter of the next text must not touch the markers in front of it.
    let mut keep_apart = false;
    for (index, node) in nodes.iter().enumerate() {
        let previous = out.chars().next_back().unwrap_or(before);
        let sibling = nodes[index + 1..].iter().find_map(first);
        let next = sibling.unwrap_or(after);
        // Markers side by side would be read as one run. A sibling behind sees to it itself.
        let marker = if previous == '*' || (sibling.is_none() && after == '*') {
            '_'
        } else {
            '*'
        };
        let apart = std::mem::take(&mut keep_apart);
        match node {
            Node::Text(text) => {
                let written = escape::text(&text.value, previous, next, place);
                let mut rest = written.chars();
                if let Some(letter) = rest.clone().next().filter(|c| apart && c.is_alphanumeric()) {
                    escape::reference(&mut out, letter);
                    rest.next();
                }
                out.push_str(rest.as_str());
            }
            Node::Strong(strong) => {
                let marker = String::from_iter([marker; 2]);
                keep_apart = marked(&mut out, &strong.children, &marker, previous, next, place);
            }
            Node::Emphasis(emphasis) => {
                let marker = String::from(marker);
                keep_apart = marked(&mut out, &emphasis.children, &marker, previous, next, place);
            }
            Node::Delete(delete) => {
                keep_apart = marked(&mut out, &delete.children, "~~", previous, next, place);
            }
            Node::InlineCode(code) => out.push_str(&inline_code(&code.value, place)),
            Node::Link(link) if !place.label && place.depth < super::MAX_DEPTH => {
                let label = Place {
                    label: true,
                    ..place.deeper()
                };
                let shown = write(&link.children, '[', ']', label);
                out.push_str(&format!("[{shown}]({}", destination(&link.url)));
                if let Some(title) = &link.title {
                    let title = escape::text(title, '"', '"', label).replace('"', "\\\"");
                    out.push_str(&format!(" \"{title}\""));
                }
                out.push(')');
            }
            Node::Break(_) if place.is_one_line() => out.push(' '),
            Node::Break(_) => out.push_str("\\\n"),
            Node::Html(html) => out.push_str(&html.value),
            other => match other.children() {
                Some(children) if place.depth < super::MAX_DEPTH => {
                    out.push_str(&write(children, previous, next, place.deeper()));
                }
                _ => {
                    let text = super::plain(other);
                    out.push_str(&escape::text(&text, previous, next, place));
                }
            },
        }
    }
    out
}

/// The character that a node begins with, as far as its neighbour must know.
fn first(node: &Node) -> Option<char> {
    match node {
        Node::Text(text) => text.value.chars().next(),
        Node::Strong(_) | Node::Emphasis(_) => Some('*'),
        Node::Delete(_) => Some('~'),
        Node::InlineCode(_) => Some('`'),
        Node::Link(_) => Some('['),
        Node::Break(_) => Some('\\'),
        Node::Html(_) => Some('<'),
        other => super::plain(other).chars().next(),
    }
}

/// Marked text. A marker opens or closes only where what it touches on both sides lets it
/// (CommonMark 0.31, "left-flanking" and "right-flanking"), so a letter outside or white space
/// inside becomes a character reference where it does not. Tells whether the next letter must.
fn marked(
    out: &mut String,
    children: &[Node],
    marker: &str,
    previous: char,
    next: char,
    place: Place,
) -> bool {
    if place.depth >= super::MAX_DEPTH {
        let text: String = children.iter().map(super::plain).collect();
        out.push_str(&escape::text(&text, previous, next, place));
        return false;
    }
    let edge = marker.chars().next().unwrap_or('*');
    let inner = write(children, edge, edge, place.deeper());
    let inner = keep_white_space(&inner);
    let (Some(opens), Some(closes)) = (inner.chars().next(), inner.chars().next_back()) else {
        return false;
    };
    let touches = |inside: char| edge == '_' || !inside.is_alphanumeric();
    if previous.is_alphanumeric() && touches(opens) && out.ends_with(previous) {
        out.pop();
        escape::reference(out, previous);
    }
    out.push_str(marker);
    out.push_str(&inner);
    out.push_str(marker);
    next.is_alphanumeric() && touches(closes)
}

/// White space at the ends of marked text as character references.
fn keep_white_space(inner: &str) -> String {
    let mut kept = String::with_capacity(inner.len());
    let mut rest = inner;
    if let Some(c) = rest.chars().next().filter(|c| c.is_whitespace()) {
        escape::reference(&mut kept, c);
        rest = &rest[c.len_utf8()..];
    }
    match rest.chars().next_back().filter(|c| c.is_whitespace()) {
        Some(c) => {
            kept.push_str(&rest[..rest.len() - c.len_utf8()]);
            escape::reference(&mut kept, c);
        }
        None => kept.push_str(rest),
    }
    kept
}

/// Code within a line: line endings become spaces, and the fence is longer than any run of
/// backticks in it.
fn inline_code(value: &str, place: Place) -> String {
    let mut value: String = value.replace("\r\n", "\n").replace(['\n', '\r'], " ");
    if value.is_empty() {
        return String::new();
    }
    if place.cell {
        value = keep_pipes(&value);
    }
    let fence = "`".repeat(shortest_absent_run(&value));
    let padded = value.starts_with('`')
        || value.ends_with('`')
        || (value.starts_with(' ') && value.ends_with(' ') && value.trim() != "");
    let pad = if padded { " " } else { "" };
    format!("{fence}{pad}{value}{pad}{fence}")
}

/// Code in a cell: a pipe gets a backslash, which the table takes away again. One that has a
/// backslash already loses it there: GFM has no way to write it.
fn keep_pipes(value: &str) -> String {
    let mut kept = String::with_capacity(value.len() + 4);
    let mut backslashes = 0;
    for c in value.chars() {
        if c == '|' && backslashes % 2 == 0 {
            kept.push('\\');
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        kept.push(c);
    }
    kept
}

/// The shortest length that no run of backticks in a text has.
fn shortest_absent_run(value: &str) -> usize {
    let runs: Vec<usize> = value
        .split(|c| c != '`')
        .map(str::len)
        .filter(|length| *length > 0)
        .collect();
    (1..).find(|length| !runs.contains(length)).unwrap_or(1)
}

/// A link's destination, in angle brackets where white space would end it.
fn destination(url: &str) -> String {
    let enclosed = url.is_empty() || url.contains(|c: char| c.is_whitespace() || c.is_control());
    let mut out = String::with_capacity(url.len() + 2);
    for c in url.chars() {
        match c {
            '\n' | '\r' => escape::reference(&mut out, c),
            '<' | '>' | '\\' | '&' | '|' => out.extend(['\\', c]),
            '(' | ')' if !enclosed => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    if enclosed { format!("<{out}>") } else { out }
}
