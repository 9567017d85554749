//! The serializer's walk through a tree.

use anstyle::{AnsiColor, Style};
use markdown::mdast::{Blockquote, List, ListItem, Node};

use super::LEAST;
use super::line::{Line, Span, Words, prefixed};
use super::table::table;
use super::text::{split, visible};
use crate::mdast::alert::{alert_of, titled};
use crate::mdast::{Notes, is_phrasing};

pub(super) const PLAIN: Style = Style::new();
pub(super) const DIM: Style = Style::new().dimmed();
const CODE: Style = coloured(AnsiColor::Green);
const HEADING: Style = coloured(AnsiColor::Cyan).bold();
const REMARK: Style = coloured(AnsiColor::Yellow).bold();

const fn coloured(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(anstyle::Color::Ansi(colour)))
}

pub(super) struct Writer<'t> {
    notes: Notes<'t>,
}

impl<'t> Writer<'t> {
    pub(super) fn of(tree: &'t Node) -> Self {
        Self {
            notes: Notes::of(tree),
        }
    }

    pub(super) fn document(&self, tree: &Node, width: usize) -> Vec<Line> {
        let mut lines = self.blocks(std::slice::from_ref(tree), width);
        for (at, note) in self.notes.footnotes().iter().enumerate() {
            let mark = Span::new(format!("[{}] ", at + 1), DIM);
            parted(
                &mut lines,
                self.indented(&note.children, &mark, width, true),
            );
        }
        lines
    }

    /// Writes blocks, separated by empty lines. Phrasing among blocks is a block of its own.
    fn blocks(&self, nodes: &[Node], width: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for blocks in nodes.chunk_by(|a, b| is_phrasing(a) && is_phrasing(b)) {
            let own = match blocks {
                [node] if !is_phrasing(node) => self.block(node, width),
                words => self.filled(words, PLAIN, width),
            };
            parted(&mut lines, own);
        }
        lines
    }

    fn block(&self, node: &Node, width: usize) -> Vec<Line> {
        match node {
            Node::Root(root) => self.blocks(&root.children, width),
            Node::Paragraph(paragraph) => self.filled(&paragraph.children, PLAIN, width),
            Node::Heading(heading) => {
                let mark = "#".repeat(usize::from(heading.depth.clamp(1, 6)));
                let mark = Span::new(mark + " ", HEADING.dimmed());
                let lines = self.filled(&heading.children, HEADING, width - mark.width());
                hanging(lines, &mark)
            }
            Node::Blockquote(quote) => self.quote(quote, width),
            Node::ThematicBreak(_) => vec![vec![Span::new("─".repeat(width.min(40)), DIM)]],
            Node::List(list) => self.list(list, width),
            Node::ListItem(item) => self.item(item, "• ", item.spread, width),
            Node::Table(of) => table(self, of, width),
            Node::TableRow(row) => self.blocks(&row.children, width),
            Node::TableCell(cell) => self.filled(&cell.children, PLAIN, width),
            Node::Code(code) => source(&code.value, width),
            Node::Math(math) => source(&math.value, width),
            Node::MdxFlowExpression(expression) => {
                source(&format!("{{{}}}", expression.value), width)
            }
            Node::MdxjsEsm(esm) => source(&esm.value, width),
            Node::MdxJsxFlowElement(element) => self.blocks(&element.children, width),
            Node::Definition(_) | Node::FootnoteDefinition(_) | Node::Toml(_) | Node::Yaml(_) => {
                Vec::new()
            }
            node => self.filled(std::slice::from_ref(node), PLAIN, width),
        }
    }

    fn quote(&self, quote: &Blockquote, width: usize) -> Vec<Line> {
        let alert = alert_of(quote).map(|(kind, children)| titled(kind, children));
        let children = alert.as_ref().unwrap_or(&quote.children);
        let label = match children.first() {
            Some(Node::Paragraph(paragraph)) => paragraph.children.first(),
            _ => None,
        };
        let style = match label {
            Some(Node::Strong(_)) => REMARK,
            _ => DIM,
        };
        let Some(room) = room(width, 2) else {
            return self.blocks(children, width);
        };
        let bar = Span::new("│ ", style);
        prefixed(self.blocks(children, room), &bar, &bar)
    }

    fn list(&self, list: &List, width: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut number = list.start.unwrap_or(1);
        for child in &list.children {
            let mark = match list.ordered {
                true => format!("{number}. "),
                false => "• ".to_owned(),
            };
            number = number.saturating_add(1);
            let own = match child {
                Node::ListItem(item) => self.item(item, &mark, list.spread || item.spread, width),
                other => self.block(other, width),
            };
            match list.spread {
                true => parted(&mut lines, own),
                false => lines.extend(own),
            }
        }
        lines
    }

    fn item(&self, item: &ListItem, mark: &str, is_spread: bool, width: usize) -> Vec<Line> {
        let (mark, style) = match item.checked {
            None => (mark.to_owned(), DIM),
            Some(true) => (format!("{mark}[x] "), DIM),
            Some(false) => (format!("{mark}[ ] "), PLAIN),
        };
        self.indented(&item.children, &Span::new(mark, style), width, is_spread)
    }

    /// Writes blocks after a marker, if there is room for the marker.
    fn indented(&self, nodes: &[Node], mark: &Span, width: usize, is_spread: bool) -> Vec<Line> {
        let room = room(width, mark.width());
        let within = room.unwrap_or(width);
        let mut lines = Vec::new();
        match is_spread {
            true => lines = self.blocks(nodes, within),
            false => {
                for blocks in nodes.chunk_by(|a, b| is_phrasing(a) && is_phrasing(b)) {
                    lines.extend(self.blocks(blocks, within));
                }
            }
        }
        if lines.is_empty() {
            lines.push(Line::new());
        }
        match room {
            Some(_) => hanging(lines, mark),
            None => lines,
        }
    }

    /// Phrasing, filled into lines.
    pub(super) fn filled(&self, nodes: &[Node], style: Style, width: usize) -> Vec<Line> {
        let mut words = Words::default();
        self.words(nodes, style, &mut words);
        words.filled(width)
    }

    fn words(&self, nodes: &[Node], style: Style, words: &mut Words) {
        for node in nodes {
            match node {
                Node::Text(text) => words.prose(&text.value, style),
                Node::Strong(strong) => self.words(&strong.children, style.bold(), words),
                Node::Emphasis(emphasis) => self.words(&emphasis.children, style.italic(), words),
                Node::Delete(delete) => {
                    words.prose("~~", style.dimmed());
                    self.words(&delete.children, style.strikethrough(), words);
                    words.prose("~~", style.dimmed());
                }
                Node::InlineCode(code) => words.code(&code.value, CODE),
                Node::InlineMath(math) => words.code(&math.value, CODE),
                Node::Break(_) => words.end_line(),
                Node::Link(link) => self.link(&link.children, &link.url, style, words),
                Node::LinkReference(link) => match self.notes.definition(&link.identifier) {
                    Some(to) => self.link(&link.children, &to.url, style, words),
                    None => self.words(&link.children, style, words),
                },
                Node::Image(image) => picture(&image.alt, &image.url, style, words),
                Node::ImageReference(image) => {
                    let url = self.notes.definition(&image.identifier).map(|to| &to.url);
                    picture(&image.alt, url.map_or("", String::as_str), style, words);
                }
                Node::FootnoteReference(note) => match self.notes.number(&note.identifier) {
                    Some(number) => words.prose(&format!("[{number}]"), DIM),
                    None => words.prose(&note.identifier, style),
                },
                Node::Html(html) => words.prose(&html.value, style),
                Node::MdxTextExpression(expression) => {
                    words.prose(&format!("{{{}}}", expression.value), style);
                }
                Node::MdxJsxTextElement(element) => self.words(&element.children, style, words),
                // A block within a line is replaced by its text.
                block => {
                    for child in block.children().into_iter().flatten() {
                        self.words(std::slice::from_ref(child), style, words);
                    }
                }
            }
        }
    }

    /// Adds a link, with its address if that differs from its text.
    fn link(&self, children: &[Node], url: &str, style: Style, words: &mut Words) {
        self.words(children, style.underline(), words);
        let is_said = matches!(children, [Node::Text(text)] if text.value == url);
        if !is_said && !url.is_empty() {
            words.prose(" ", PLAIN);
            words.prose(&format!("({url})"), DIM);
        }
    }
}

fn picture(alt: &str, url: &str, style: Style, words: &mut Words) {
    words.prose(if alt.is_empty() { "picture" } else { alt }, style.italic());
    if !url.is_empty() {
        words.prose(" ", PLAIN);
        words.prose(&format!("({url})"), DIM);
    }
}

/// Appends lines, separated by an empty one.
fn parted(lines: &mut Vec<Line>, own: Vec<Line>) {
    if !lines.is_empty() && !own.is_empty() {
        lines.push(Line::new());
    }
    lines.extend(own);
}

/// Lines after a marker. The lines after the first are indented by the marker's width.
fn hanging(lines: Vec<Line>, mark: &Span) -> Vec<Line> {
    let rest = Span::new(" ".repeat(mark.width()), PLAIN);
    prefixed(lines, mark, &rest)
}

/// The remaining width, if it is enough for text.
fn room(width: usize, taken: usize) -> Option<usize> {
    let left = width.checked_sub(taken)?;
    (left >= LEAST / 2).then_some(left)
}

/// Verbatim text.
fn source(text: &str, width: usize) -> Vec<Line> {
    let (indent, room) = match room(width, 2) {
        Some(room) => ("  ", room),
        None => ("", width),
    };
    let mut lines = Vec::new();
    for line in visible(text).split('\n') {
        let mut rest = line;
        loop {
            let (piece, behind) = split(rest, room);
            lines.push(vec![Span::new(indent, PLAIN), Span::new(piece, CODE)]);
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
    }
    lines
}
