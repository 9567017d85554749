//! What comrak reads.

use comrak::nodes::{AstNode, ListType, NodeValue, TableAlignment};
use markdown::mdast::AlignKind;

use super::Outline;

pub(super) fn outline(markdown: &str) -> Outline {
    let mut options = comrak::Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    let arena = comrak::Arena::new();
    let mut outline = Outline::default();
    outline.comrak(comrak::parse_document(&arena, markdown, &options), 0);
    outline
}

impl Outline {
    fn comrak<'a>(&mut self, node: &'a AstNode<'a>, depth: usize) {
        let mut image = false;
        match &node.data.borrow().value {
            NodeValue::Text(text) => return self.text(depth, text),
            NodeValue::SoftBreak => return self.text(depth, "\n"),
            NodeValue::Document => self.node(depth, format_args!("root")),
            NodeValue::Paragraph => self.node(depth, format_args!("paragraph")),
            NodeValue::Heading(node) => self.node(depth, format_args!("heading {}", node.level)),
            NodeValue::ThematicBreak => self.node(depth, format_args!("rule")),
            NodeValue::BlockQuote => self.node(depth, format_args!("quote")),
            NodeValue::List(node) => {
                let ordered = node.list_type == ListType::Ordered;
                self.node(
                    depth,
                    format_args!("list {:?}", ordered.then_some(node.start)),
                );
            }
            NodeValue::Item(_) => self.node(depth, format_args!("item {:?}", None::<bool>)),
            NodeValue::TaskItem(node) => {
                self.node(
                    depth,
                    format_args!("item {:?}", Some(node.symbol.is_some())),
                );
            }
            NodeValue::CodeBlock(node) => {
                let literal = node.literal.strip_suffix('\n').unwrap_or(&node.literal);
                self.node(depth, format_args!("code {:?} {literal:?}", node.info));
            }
            NodeValue::HtmlBlock(node) => {
                self.node(depth, format_args!("html {:?}", node.literal.trim()));
            }
            NodeValue::HtmlInline(html) => self.node(depth, format_args!("html {:?}", html.trim())),
            NodeValue::Table(node) => {
                let align: Vec<_> = node
                    .alignments
                    .iter()
                    .map(|align| aligned(*align))
                    .collect();
                self.node(depth, format_args!("table {align:?}"));
            }
            NodeValue::TableRow(_) => self.node(depth, format_args!("row")),
            NodeValue::TableCell if node.first_child().is_none() => return,
            NodeValue::TableCell => self.node(depth, format_args!("cell")),
            NodeValue::Emph => self.node(depth, format_args!("emphasis")),
            NodeValue::Strong => self.node(depth, format_args!("strong")),
            NodeValue::Strikethrough => self.node(depth, format_args!("delete")),
            NodeValue::Code(node) => {
                self.node(depth, format_args!("inlineCode {:?}", node.literal))
            }
            NodeValue::LineBreak => self.node(depth, format_args!("break")),
            NodeValue::Link(node) => self.link(depth, &node.url, Some(&node.title)),
            NodeValue::Image(node) => {
                self.image(depth, &node.url, Some(&node.title));
                image = true;
            }
            NodeValue::FootnoteDefinition(_) => return,
            NodeValue::FootnoteReference(_) => self.node(depth, format_args!("footnote")),
            other => self.node(depth, format_args!("{other:?}")),
        }
        for child in node.children() {
            if image {
                // mdast has the alt as text.
                child
                    .descendants()
                    .for_each(|node| self.alt(node, depth + 1));
            } else {
                self.comrak(child, depth + 1);
            }
        }
    }

    fn alt<'a>(&mut self, node: &'a AstNode<'a>, depth: usize) {
        match &node.data.borrow().value {
            NodeValue::Text(text) => self.text(depth, text),
            NodeValue::Code(node) => self.text(depth, &node.literal),
            NodeValue::SoftBreak | NodeValue::LineBreak => self.text(depth, "\n"),
            _ => {}
        }
    }
}

fn aligned(align: TableAlignment) -> AlignKind {
    match align {
        TableAlignment::Left => AlignKind::Left,
        TableAlignment::Right => AlignKind::Right,
        TableAlignment::Center => AlignKind::Center,
        TableAlignment::None => AlignKind::None,
    }
}
