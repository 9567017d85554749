//! Parses the content between tags: markdown around tags and expressions, or only tags and expressions.

use hud_core::gfm::{self, ParseOptions};
use hud_core::mdast::alert_of;
use hud_core::node::Align;
use markdown::mdast::{AlignKind, Node};

use super::{Mark, Piece};
use crate::expr::{Mistake, Span};

/// An item of the content between two tags.
pub(super) enum Inner {
    /// Text of the source.
    Words(Span),
    /// A tag or an expression, with the offset of its start.
    Piece(Piece, usize),
}

/// The first of the characters that stand for tags and expressions while markdown is parsed. They are in a plane for
/// private use, and no layout contains them.
const FIRST: u32 = 0xf_0000;

pub(super) fn is_place(c: char) -> bool {
    (FIRST..=0xf_fffd).contains(&(c as u32))
}

/// The tags that are used within a line. A space between two of them is kept.
const INLINE: [&str; 9] = [
    "Strong", "Emphasis", "Delete", "Code", "Math", "Link", "Image", "Status", "Meter",
];

impl Piece {
    fn is_inline(&self) -> bool {
        match self {
            Self::Text(_) | Self::Expr(_) => true,
            Self::Tag(tag) => {
                let name = tag.name.as_ref().map(|name| &*name.text);
                name.is_some_and(|name| INLINE.contains(&name))
            }
            Self::Mark(mark, _) => matches!(
                mark,
                Mark::Strong
                    | Mark::Emphasis
                    | Mark::Delete
                    | Mark::Code
                    | Mark::Link { .. }
                    | Mark::Image { .. }
            ),
        }
    }
}

/// Parses the content between two tags, or of a whole file, to pieces.
pub(super) fn assemble(
    source: &str,
    inner: Vec<Inner>,
    is_root: bool,
    mistakes: &mut Vec<Mistake>,
) -> Vec<Piece> {
    let blank = |inner: &Inner| match inner {
        Inner::Words(span) => source[span.start..span.end].trim().is_empty(),
        Inner::Piece(..) => true,
    };
    if inner.iter().all(blank) {
        return without_blank(inner.into_iter().map(|inner| match inner {
            Inner::Words(span) => Piece::Text(source[span.start..span.end].into()),
            Inner::Piece(piece, _) => piece,
        }));
    }
    let mut prose = Prose {
        places: Vec::new(),
        mistakes,
        at: 0,
    };
    let mut text = String::new();
    for part in inner {
        match part {
            Inner::Words(span) => {
                if prose.at == 0 {
                    prose.at = span.start;
                }
                text.push_str(&source[span.start..span.end]);
            }
            Inner::Piece(piece, start) => {
                // The character with index 0 stands for an empty text.
                let index =
                    FIRST + 1 + u32::try_from(prose.places.len()).unwrap_or(u32::MAX - FIRST - 1);
                if let Some(c) = char::from_u32(index).filter(|&c| is_place(c)) {
                    text.push(c);
                    prose.places.push((piece, start));
                }
            }
        }
    }
    // Text without a line break can't begin a block.
    let is_line = !is_root && !text.contains('\n');
    let text = match is_line {
        true => char::from_u32(FIRST).map_or(text.clone(), |nothing| format!("{nothing}{text}")),
        false => without_indentation(&text),
    };
    if let Some(message) = too_much(&text) {
        prose
            .mistakes
            .push(Mistake::new(Span::new(prose.at, prose.at + 1), message));
        return Vec::new();
    }
    let mut options = ParseOptions::default();
    options.mdx = true;
    let mut pieces = match gfm::parse(&text, &options) {
        Ok(tree) => prose.children(tree.children().map_or(&[][..], Vec::as_slice)),
        Err(error) => {
            let span = Span::new(prose.at, prose.at + 1);
            prose.mistakes.push(Mistake::new(
                span,
                format!("this is not markdown: {}", error.message),
            ));
            Vec::new()
        }
    };
    if !is_root && let [Piece::Mark(Mark::Paragraph, inner)] = pieces.as_mut_slice() {
        return std::mem::take(inner);
    }
    pieces
}

/// The error for a text that would take the markdown parser too long.
fn too_much(text: &str) -> Option<String> {
    /// The parsing time grows with the square of these.
    const BYTES: usize = 16 * 1024;
    const MARKS: usize = 1_000;
    let marks = text
        .bytes()
        .filter(|byte| b"*_~[]!>-+".contains(byte))
        .count();
    if text.len() > BYTES {
        return Some(format!(
            "more than {BYTES} bytes of text between two tags: put parts of it into tags or components"
        ));
    }
    (marks > MARKS).then(|| format!("more than {MARKS} marks of markdown between two tags"))
}

/// Removes the white space between pieces, except for spaces within a line.
fn without_blank(pieces: impl Iterator<Item = Piece>) -> Vec<Piece> {
    let pieces: Vec<Piece> = pieces.collect();
    let is_blank = |piece: &Piece| matches!(piece, Piece::Text(text) if text.trim().is_empty());
    let beside = |index: Option<usize>| {
        index
            .and_then(|index| pieces.get(index))
            .is_some_and(|piece| !is_blank(piece) && piece.is_inline())
    };
    let mut kept = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) if is_blank(piece) => {
                if !text.contains('\n') && beside(index.checked_sub(1)) && beside(Some(index + 1)) {
                    kept.push(Piece::Text(" ".into()));
                }
            }
            piece => kept.push(piece.clone()),
        }
    }
    kept
}

/// Removes the common indentation of all lines, so that indented text in a tag is not parsed as code.
fn without_indentation(text: &str) -> String {
    let indentation = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let lines = || text.split('\n');
    let least = lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(indentation)
        .min()
        .unwrap_or(0);
    let cut: Vec<&str> = lines()
        .enumerate()
        .map(|(index, line)| match index {
            0 => line.trim_start_matches([' ', '\t']),
            _ => line.get(least.min(indentation(line))..).unwrap_or(line),
        })
        .collect();
    cut.join("\n")
}

struct Prose<'m> {
    /// The pieces that the characters stand for, with the offsets of their starts.
    places: Vec<(Piece, usize)>,
    mistakes: &'m mut Vec<Mistake>,
    /// The offset at which the text begins.
    at: usize,
}

impl Prose<'_> {
    fn children(&mut self, nodes: &[Node]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for node in nodes {
            self.node(node, &mut pieces);
        }
        pieces
    }

    /// Splits a text at the tags and expressions in it.
    fn text(&self, text: &str, pieces: &mut Vec<Piece>) {
        let mut words = String::new();
        for c in text.chars() {
            if !is_place(c) {
                words.push(c);
                continue;
            }
            if !words.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut words).into()));
            }
            pieces.extend(self.place(c).map(|(piece, _)| piece.clone()));
        }
        if !words.is_empty() {
            pieces.push(Piece::Text(words.into()));
        }
    }

    fn place(&self, c: char) -> Option<&(Piece, usize)> {
        let index = (c as u32).checked_sub(FIRST + 1)?;
        self.places.get(usize::try_from(index).ok()?)
    }

    /// Returns a text in which tags and expressions are not allowed, and reports the first one.
    fn plain(&mut self, text: &str, help: &str) -> String {
        if let Some(at) = text.chars().find_map(|c| self.place(c)).map(|(_, at)| *at) {
            let mistake = Mistake::new(Span::new(at, at + 1), "markdown takes no value here");
            self.mistakes.push(mistake.with_help(help));
        }
        text.chars().filter(|&c| !is_place(c)).collect()
    }

    fn node(&mut self, node: &Node, pieces: &mut Vec<Piece>) {
        let mark = match node {
            Node::Text(text) => return self.text(&text.value, pieces),
            Node::Paragraph(paragraph) => {
                let inner = self.children(&paragraph.children);
                let is_tags = |piece: &Piece| match piece {
                    Piece::Text(text) => text.trim().is_empty(),
                    piece => matches!(piece, Piece::Expr(_) | Piece::Tag(_)),
                };
                return match inner.iter().all(is_tags) {
                    true => pieces.extend(without_blank(inner.into_iter())),
                    false => pieces.push(Piece::Mark(Mark::Paragraph, inner)),
                };
            }
            Node::Heading(heading) => Mark::Heading(heading.depth),
            Node::Strong(_) => Mark::Strong,
            Node::Emphasis(_) => Mark::Emphasis,
            Node::Delete(_) => Mark::Delete,
            Node::InlineCode(code) => {
                let mut inner = Vec::new();
                self.text(&code.value, &mut inner);
                return pieces.push(Piece::Mark(Mark::Code, inner));
            }
            Node::Code(code) => {
                let mut inner = Vec::new();
                self.text(&code.value, &mut inner);
                let (lang, meta) = (code.lang.clone(), code.meta.clone());
                let mark = Mark::CodeBlock {
                    lang: lang.unwrap_or_default(),
                    meta: meta.unwrap_or_default(),
                };
                return pieces.push(Piece::Mark(mark, inner));
            }
            Node::Blockquote(quote) => {
                let Some((kind, children)) = alert_of(quote) else {
                    let inner = self.children(&quote.children);
                    return pieces.push(Piece::Mark(Mark::Quote, inner));
                };
                let inner = self.children(&children);
                return pieces.push(Piece::Mark(Mark::Alert(kind), inner));
            }
            Node::List(list) => Mark::List {
                ordered: list.ordered,
                start: list.start.unwrap_or(1),
                spread: list.spread,
            },
            Node::ListItem(item) => {
                let mut inner = self.children(&item.children);
                // The text of an item with one line needs no paragraph.
                if !item.spread
                    && let [Piece::Mark(Mark::Paragraph, words), ..] = inner.as_mut_slice()
                {
                    let words = std::mem::take(words);
                    inner.splice(0..1, words);
                }
                let mark = Mark::Item {
                    checked: item.checked,
                    spread: item.spread,
                };
                return pieces.push(Piece::Mark(mark, inner));
            }
            Node::ThematicBreak(_) => Mark::ThematicBreak,
            Node::Break(_) => Mark::Break,
            Node::Link(link) => Mark::Link {
                url: self.plain(&link.url, "write `<Link url={..}>text</Link>`"),
                title: link.title.clone().unwrap_or_default(),
            },
            Node::Image(image) => Mark::Image {
                url: self.plain(&image.url, "write `<Image url={..} alt={..} />`"),
                alt: self.plain(&image.alt, "write `<Image url={..} alt={..} />`"),
                title: image.title.clone().unwrap_or_default(),
            },
            Node::Table(table) => Mark::Table(table.align.iter().map(align).collect()),
            Node::TableRow(_) => Mark::Row,
            Node::TableCell(_) => Mark::Cell,
            other => {
                let what = match other {
                    Node::Definition(_) | Node::LinkReference(_) | Node::ImageReference(_) => {
                        "references"
                    }
                    Node::FootnoteDefinition(_) | Node::FootnoteReference(_) => "footnotes",
                    _ => "this",
                };
                let span = Span::new(self.at, self.at + 1);
                self.mistakes.push(
                    Mistake::new(span, format!("a layout has no {what}"))
                        .with_help("a link is written `[text](url)`"),
                );
                return;
            }
        };
        let children = node.children().map_or(&[][..], Vec::as_slice);
        let inner = self.children(children);
        pieces.push(Piece::Mark(mark, inner));
    }
}

fn align(kind: &AlignKind) -> Align {
    match kind {
        AlignKind::Left => Align::Left,
        AlignKind::Right => Align::Right,
        AlignKind::Center => Align::Center,
        AlignKind::None => Align::None,
    }
}
