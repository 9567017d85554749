//! Blocks one after the other, and what is nested in them.

use markdown::mdast::{Code, List, ListItem, Node};

use super::escape;
use super::options::{Bullet, Options};
use super::phrasing::{Place, line};
use super::table::table;

/// Where a block is.
#[derive(Clone, Copy)]
pub(super) struct State<'o> {
    pub(super) options: &'o Options,
    /// The bullet of the next list.
    bullet: Bullet,
    depth: usize,
}

impl<'o> State<'o> {
    pub(super) const fn new(options: &'o Options) -> Self {
        Self {
            options,
            bullet: options.bullet,
            depth: 0,
        }
    }
}

/// Writes a block without a line ending at its end.
pub(super) fn block(node: &Node, state: State<'_>) -> String {
    if state.depth > super::MAX_DEPTH {
        return escape::text(&super::plain(node), '\n', '\n', Place::default());
    }
    let inside = State {
        depth: state.depth + 1,
        bullet: state.options.bullet,
        ..state
    };
    match node {
        Node::Root(root) => flow(&root.children, inside, false),
        Node::Paragraph(paragraph) => line(&paragraph.children, Place::default()),
        Node::Heading(heading) => {
            let text = line(&heading.children, Place::HEADING);
            let marker = "#".repeat(heading.depth.clamp(1, 6).into());
            if text.is_empty() {
                marker
            } else {
                format!("{marker} {text}")
            }
        }
        Node::ThematicBreak(_) => "***".to_owned(),
        Node::Blockquote(quote) => prefix(&flow(&quote.children, inside, false), "> ", "> "),
        Node::List(node) => list(
            node,
            State {
                bullet: state.bullet,
                ..inside
            },
        ),
        Node::ListItem(node) => item(node, &state.bullet.marker().to_string(), inside),
        Node::Code(node) => code(node),
        Node::Table(node) => table(node, state.options),
        Node::Html(html) => html.value.clone(),
        // A block without a form of its own gives what is in it.
        other => match other.children() {
            Some(children) if !children.iter().any(is_inline) => flow(children, inside, false),
            _ => line(std::slice::from_ref(other), Place::default()),
        },
    }
}

fn is_inline(node: &Node) -> bool {
    matches!(
        node,
        Node::Text(_)
            | Node::Strong(_)
            | Node::Emphasis(_)
            | Node::Delete(_)
            | Node::InlineCode(_)
            | Node::Link(_)
            | Node::Break(_)
    )
}

/// Writes blocks with a blank line between them; in a tight item without one where GFM still sees
/// two blocks.
fn flow(nodes: &[Node], state: State<'_>, tight: bool) -> String {
    let mut out = String::new();
    let mut previous: Option<&Node> = None;
    let mut bullet = state.bullet;
    for node in nodes {
        // A list behind a list would continue it: it gets the other bullet.
        bullet = match (previous, node) {
            (Some(Node::List(before)), Node::List(list)) if before.ordered == list.ordered => {
                bullet.other()
            }
            _ => state.bullet,
        };
        let text = block(node, State { bullet, ..state });
        if text.is_empty() {
            continue;
        }
        if let Some(previous) = previous {
            let close = tight && is_seen_behind(previous, node);
            out.push_str(if close { "\n" } else { "\n\n" });
        }
        out.push_str(&text);
        previous = Some(node);
    }
    out
}

/// Whether a block is seen as one of its own on the line right behind another.
fn is_seen_behind(previous: &Node, node: &Node) -> bool {
    match node {
        Node::List(list) => {
            let interrupts = !list.ordered || list.start.unwrap_or(1) == 1;
            let begins = list
                .children
                .first()
                .and_then(Node::children)
                .is_some_and(|children| !children.is_empty());
            interrupts && begins && !matches!(previous, Node::List(_))
        }
        Node::Code(_) | Node::Heading(_) => true,
        Node::Blockquote(_) => !matches!(previous, Node::Blockquote(_)),
        _ => false,
    }
}

fn list(list: &List, state: State<'_>) -> String {
    let separator = if list.spread { "\n\n" } else { "\n" };
    let bullet = bullet(list, state.bullet);
    let items = list.children.iter().enumerate().map(|(index, child)| {
        let marker = if list.ordered {
            let number = u64::from(list.start.unwrap_or(1)) + index as u64;
            // Of two ordered lists side by side the second has the other delimiter.
            let delimiter = if state.bullet == state.options.bullet {
                '.'
            } else {
                ')'
            };
            format!("{number}{delimiter}")
        } else {
            bullet.marker().to_string()
        };
        let inside = State {
            bullet: state.options.bullet,
            ..state
        };
        match child {
            Node::ListItem(node) => item(node, &marker, inside),
            other => behind(&marker, &block(other, inside)),
        }
    });
    items.collect::<Vec<_>>().join(separator)
}

/// The bullet of a list: not the one that a thematic break in an item is made of, since
/// `* ***` would be one break.
fn bullet(list: &List, bullet: Bullet) -> Bullet {
    let has_break = list.children.iter().any(|item| {
        let first = item.children().and_then(|children| children.first());
        matches!(first, Some(Node::ThematicBreak(_)))
    });
    if has_break && bullet == Bullet::Asterisk {
        bullet.other()
    } else {
        bullet
    }
}

fn item(item: &ListItem, marker: &str, state: State<'_>) -> String {
    // Right behind another bullet a list gets one of its own: `- - -` would be a break.
    let own = state.options.bullet;
    let nested = matches!(item.children.first(), Some(Node::List(_)));
    let bullet = if nested && marker.starts_with(own.marker()) {
        own.other()
    } else {
        own
    };
    let content = flow(&item.children, State { bullet, ..state }, !item.spread);
    let begins_with_text = matches!(item.children.first(), Some(Node::Paragraph(_)));
    let content = match item.checked {
        Some(true) if begins_with_text => format!("[x] {content}"),
        Some(false) if begins_with_text => format!("[ ] {content}"),
        _ => content,
    };
    behind(marker, &content)
}

/// A marker with a block behind it and below it.
fn behind(marker: &str, content: &str) -> String {
    if content.is_empty() {
        return marker.to_owned();
    }
    let indent = " ".repeat(marker.len() + 1);
    prefix(content, &format!("{marker} "), &indent)
}

/// Lines with something in front: `first` for the first one, `other` for the others. Behind a
/// line without content no white space is left.
fn prefix(content: &str, first: &str, other: &str) -> String {
    let mut out = String::with_capacity(content.len() + 16);
    for (index, line) in content.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let before = if index == 0 { first } else { other };
        out.push_str(if line.is_empty() {
            before.trim_end()
        } else {
            before
        });
        out.push_str(line);
    }
    out
}

fn code(code: &Code) -> String {
    let value = code.value.replace("\r\n", "\n").replace('\r', "\n");
    let longest = value.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.saturating_add(1).max(3));
    let info = [&code.lang, &code.meta]
        .into_iter()
        .flatten()
        .map(|part| info(part))
        .collect::<Vec<_>>()
        .join(" ");
    if value.is_empty() {
        return format!("{fence}{info}\n{fence}");
    }
    format!("{fence}{info}\n{value}\n{fence}")
}

/// What stands behind a fence.
fn info(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '`' => escape::reference(&mut out, c),
            c if c.is_whitespace() => escape::reference(&mut out, c),
            '\\' | '&' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}
