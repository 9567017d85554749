//! What a tree says, as text that trees of different parsers have in common.

mod comrak;
mod pulldown_cmark;

use std::collections::BTreeMap;
use std::fmt::Write;

use markdown::mdast::Node;

/// What an address is that is linked to itself, as a literal autolink is.
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(dead_code, reason = "some need one of both")]
pub(crate) enum Addresses {
    /// A link.
    Links,
    /// The text that it is.
    Text,
}

/// The outline of an mdast tree.
pub(crate) fn of(tree: &Node, addresses: Addresses) -> String {
    let mut outline = Outline::default();
    outline.mdast(tree, 0, None, &definitions(tree));
    outline.finished(addresses)
}

/// The outline of what an independent parser reads: comrak, or, where that reads something else,
/// pulldown-cmark. These differ in dark corners, and one of them is enough.
pub(crate) fn read(markdown: &str, expected: &str, addresses: Addresses) -> String {
    let read = comrak::outline(markdown).finished(addresses);
    if read == expected {
        return read;
    }
    pulldown_cmark::outline(markdown).finished(addresses)
}

/// The outlines of what comrak and pulldown-cmark read.
#[allow(dead_code, reason = "for a test that wants both")]
pub(crate) fn read_by_each(markdown: &str, addresses: Addresses) -> [String; 2] {
    [comrak::outline(markdown), pulldown_cmark::outline(markdown)]
        .map(|outline| outline.finished(addresses))
}

/// What a tree says, in a form that all parsers' trees have: a line for each node.
#[derive(Default)]
struct Outline {
    /// How deep each is, and what it says.
    lines: Vec<(usize, Line)>,
}

enum Line {
    Text(String),
    Link { url: String, title: String },
    Other(String),
}

impl Outline {
    fn node(&mut self, depth: usize, what: std::fmt::Arguments<'_>) {
        self.lines.push((depth, Line::Other(what.to_string())));
    }

    /// Adds text, which is one with text right before it.
    fn text(&mut self, depth: usize, text: &str) {
        let text = &text.replace("\r\n", "\n").replace('\r', "\n");
        match self.lines.last_mut() {
            Some((at, Line::Text(before))) if *at == depth => before.push_str(text),
            _ if text.is_empty() => {}
            _ => self.lines.push((depth, Line::Text(text.clone()))),
        }
    }

    /// Makes text of the links with nothing in them but their own address.
    fn unlink(self) -> Self {
        let mut plain = Self::default();
        let mut lines = self.lines.into_iter().peekable();
        while let Some((depth, line)) = lines.next() {
            if let Line::Link { url, title } = &line
                && let Some((inner, Line::Text(text))) = lines.peek()
                && *inner > depth
                && title.is_empty()
                && is_own_address(url, text)
            {
                plain.text(depth, text);
                lines.next();
                continue;
            }
            match line {
                Line::Text(text) => plain.text(depth, &text),
                line => plain.lines.push((depth, line)),
            }
        }
        plain
    }

    fn finished(self, addresses: Addresses) -> String {
        let outline = match addresses {
            Addresses::Links => self,
            Addresses::Text => self.unlink(),
        };
        let mut finished = String::new();
        for (depth, line) in outline.lines {
            let indent = depth * 2;
            // A string takes all.
            let _ = match line {
                Line::Text(text) => writeln!(finished, "{:indent$}text {text:?}", ""),
                Line::Link { url, title } => {
                    writeln!(finished, "{:indent$}link {url:?} {title:?}", "")
                }
                Line::Other(what) => writeln!(finished, "{:indent$}{what}", ""),
            };
        }
        finished
    }

    /// `columns` is how many cells of a row count: GFM shows no more than the table has columns.
    fn mdast(
        &mut self,
        node: &Node,
        depth: usize,
        columns: Option<usize>,
        definitions: &Definitions<'_>,
    ) {
        match node {
            Node::Text(node) => return self.text(depth, &node.value),
            Node::Root(_) => self.node(depth, format_args!("root")),
            Node::Paragraph(_) => self.node(depth, format_args!("paragraph")),
            Node::Heading(node) => self.node(depth, format_args!("heading {}", node.depth)),
            Node::ThematicBreak(_) => self.node(depth, format_args!("rule")),
            Node::Blockquote(_) => self.node(depth, format_args!("quote")),
            Node::List(node) => {
                self.node(
                    depth,
                    format_args!("list {:?}", node.ordered.then(|| node.start.unwrap_or(1))),
                );
            }
            Node::ListItem(node) => self.node(depth, format_args!("item {:?}", node.checked)),
            Node::Code(node) => {
                let info = [node.lang.as_deref(), node.meta.as_deref()];
                let info: Vec<_> = info.into_iter().flatten().collect();
                self.node(
                    depth,
                    format_args!("code {:?} {:?}", info.join(" "), node.value),
                );
            }
            Node::Html(node) => self.node(depth, format_args!("html {:?}", node.value.trim())),
            Node::Table(node) => self.node(depth, format_args!("table {:?}", node.align)),
            Node::TableRow(_) => self.node(depth, format_args!("row")),
            // Empty cells at a row's end need not be written.
            Node::TableCell(node) if node.children.is_empty() => return,
            Node::TableCell(_) => self.node(depth, format_args!("cell")),
            Node::Emphasis(_) => self.node(depth, format_args!("emphasis")),
            Node::Strong(_) => self.node(depth, format_args!("strong")),
            Node::Delete(_) => self.node(depth, format_args!("delete")),
            Node::InlineCode(node) => {
                // mdast keeps the line endings, which are spaces where it is shown.
                let value = node.value.replace("\r\n", " ").replace(['\n', '\r'], " ");
                self.node(depth, format_args!("inlineCode {value:?}"));
            }
            Node::Break(_) => self.node(depth, format_args!("break")),
            Node::Link(node) => self.link(depth, &node.url, node.title.as_deref()),
            Node::Image(node) => {
                self.image(depth, &node.url, node.title.as_deref());
                self.text(depth + 1, &node.alt);
            }
            Node::LinkReference(node) => {
                let (url, title) = definitions
                    .get(node.identifier.as_str())
                    .copied()
                    .unwrap_or_default();
                self.link(depth, url, title);
            }
            Node::ImageReference(node) => {
                let (url, title) = definitions
                    .get(node.identifier.as_str())
                    .copied()
                    .unwrap_or_default();
                self.image(depth, url, title);
                self.text(depth + 1, &node.alt);
            }
            // comrak puts what they hold at the end, if it is referred to.
            Node::Definition(_) | Node::FootnoteDefinition(_) => return,
            Node::FootnoteReference(_) => self.node(depth, format_args!("footnote")),
            other => self.node(depth, format_args!("{other:?}")),
        }
        let children = node.children().into_iter().flatten();
        for child in children.take(columns.unwrap_or(usize::MAX)) {
            self.mdast(child, depth + 1, columns_of(node), definitions);
        }
    }

    fn link(&mut self, depth: usize, url: &str, title: Option<&str>) {
        let (url, title) = (url.to_owned(), title.unwrap_or_default().to_owned());
        self.lines.push((depth, Line::Link { url, title }));
    }

    fn image(&mut self, depth: usize, url: &str, title: Option<&str>) {
        self.node(
            depth,
            format_args!("image {url:?} {:?}", title.unwrap_or_default()),
        );
    }
}

/// Whether a link with this text goes where the text says.
pub(crate) fn is_own_address(url: &str, text: &str) -> bool {
    let schemes = ["", "http://", "mailto:"];
    schemes
        .iter()
        .any(|scheme| url.strip_prefix(scheme) == Some(text))
}

fn columns_of(node: &Node) -> Option<usize> {
    match node {
        Node::Table(table) => Some(table.align.len()),
        _ => None,
    }
}

type Definitions<'t> = BTreeMap<&'t str, (&'t str, Option<&'t str>)>;

/// What references resolve to: the first definition of each identifier.
fn definitions(tree: &Node) -> Definitions<'_> {
    let mut definitions = Definitions::new();
    let mut rest = vec![tree];
    while let Some(node) = rest.pop() {
        if let Node::Definition(node) = node {
            let meaning = (node.url.as_str(), node.title.as_deref());
            definitions.entry(&node.identifier).or_insert(meaning);
        }
        rest.extend(node.children().into_iter().flatten().rev());
    }
    definitions
}
