//! The serializer's walk through a tree.

use std::fmt::Write as _;

use markdown::mdast::{AlignKind, List, ListItem, Node, Table, TableRow};

use super::{escape, is_safe};
use crate::mdast::Notes;
use crate::mdast::alert::{alert_of, titled};
use crate::node::AlertKind;

/// The class of an alert's quote.
pub(super) fn alert_class(kind: AlertKind) -> String {
    format!("alert alert-{kind}")
}

/// Writes to a string, which never fails.
macro_rules! put {
    ($out:expr, $($part:tt)*) => {
        let _ = write!($out, $($part)*);
    };
}

pub(super) struct Writer<'t> {
    notes: Notes<'t>,
    out: String,
}

impl<'t> Writer<'t> {
    pub(super) fn of(tree: &'t Node) -> Self {
        Self {
            notes: Notes::of(tree),
            out: String::new(),
        }
    }

    pub(super) fn document(mut self, tree: &Node) -> String {
        self.node(tree);
        self.footnotes();
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Root(root) => self.nodes(&root.children),
            Node::Heading(heading) => {
                let name = ["h1", "h2", "h3", "h4", "h5", "h6"];
                let level = usize::from(heading.depth.clamp(1, 6)) - 1;
                self.block(name.get(level).copied().unwrap_or("h6"), &heading.children);
            }
            Node::Paragraph(paragraph) => self.block("p", &paragraph.children),
            Node::Blockquote(quote) => {
                match alert_of(quote) {
                    None => {
                        self.line("<blockquote>");
                        self.nodes(&quote.children);
                    }
                    Some((kind, children)) => {
                        self.line(&format!("<blockquote class=\"{}\">", alert_class(kind)));
                        self.nodes(&titled(kind, children));
                    }
                }
                self.line("</blockquote>");
            }
            Node::ThematicBreak(_) => self.line("<hr>"),
            Node::Break(_) => self.out.push_str("<br>\n"),
            Node::List(list) => self.list(list),
            Node::ListItem(item) => self.item(item, item.spread),
            Node::Table(table) => self.table(table),
            Node::TableRow(row) => self.row(row, "td", &[]),
            Node::TableCell(cell) => self.block("td", &cell.children),
            Node::Code(code) => {
                self.begin_line();
                self.out.push_str("<pre><code");
                if let Some(lang) = code.lang.as_ref().filter(|lang| !lang.is_empty()) {
                    put!(self.out, " class=\"language-{}\"", escape(lang));
                }
                put!(self.out, ">{}\n</code></pre>\n", escape(&code.value));
            }
            Node::Math(math) => {
                self.begin_line();
                let value = escape(&math.value);
                put!(
                    self.out,
                    "<pre><code class=\"math\">{value}\n</code></pre>\n"
                );
            }
            Node::InlineCode(code) => {
                put!(self.out, "<code>{}</code>", escape(&code.value));
            }
            Node::InlineMath(math) => {
                put!(
                    self.out,
                    "<code class=\"math\">{}</code>",
                    escape(&math.value)
                );
            }
            Node::Strong(strong) => self.mark("strong", &strong.children),
            Node::Emphasis(emphasis) => self.mark("em", &emphasis.children),
            Node::Delete(delete) => self.mark("del", &delete.children),
            Node::Text(text) => self.text(&text.value),
            Node::Link(link) => self.link(&link.url, link.title.as_deref(), &link.children),
            Node::LinkReference(link) => match self.notes.definition(&link.identifier) {
                Some(to) => self.link(&to.url, to.title.as_deref(), &link.children),
                None => self.nodes(&link.children),
            },
            Node::Image(image) => self.image(&image.url, &image.alt, image.title.as_deref()),
            Node::ImageReference(image) => match self.notes.definition(&image.identifier) {
                Some(to) => self.image(&to.url, &image.alt, to.title.as_deref()),
                None => self.text(&image.alt),
            },
            Node::FootnoteReference(note) => match self.notes.number(&note.identifier) {
                Some(number) => {
                    put!(
                        self.out,
                        "<sup><a href=\"#note-{number}\">{number}</a></sup>"
                    );
                }
                None => self.text(&note.identifier),
            },
            Node::Html(html) => self.text(&html.value),
            Node::MdxTextExpression(expression) => self.text(&format!("{{{}}}", expression.value)),
            Node::MdxFlowExpression(expression) => {
                self.source(&format!("{{{}}}", expression.value));
            }
            Node::MdxjsEsm(esm) => self.source(&esm.value),
            // The tags are left out, because they would be shown as text. The content is kept.
            Node::MdxJsxTextElement(element) => self.nodes(&element.children),
            Node::MdxJsxFlowElement(element) => self.nodes(&element.children),
            Node::Definition(_) | Node::FootnoteDefinition(_) | Node::Toml(_) | Node::Yaml(_) => {}
        }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(&escape(text));
    }

    fn source(&mut self, source: &str) {
        self.begin_line();
        put!(self.out, "<pre><code>{}\n</code></pre>\n", escape(source));
    }

    fn begin_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    fn line(&mut self, tag: &str) {
        self.begin_line();
        self.out.push_str(tag);
        self.out.push('\n');
    }

    fn block(&mut self, name: &str, children: &[Node]) {
        self.begin_line();
        self.mark(name, children);
        self.out.push('\n');
    }

    fn mark(&mut self, name: &str, children: &[Node]) {
        put!(self.out, "<{name}>");
        self.nodes(children);
        put!(self.out, "</{name}>");
    }

    fn link(&mut self, url: &str, title: Option<&str>, children: &[Node]) {
        self.out.push_str("<a");
        if is_safe(url) {
            put!(self.out, " href=\"{}\"", escape(url));
        }
        self.title(title);
        self.out.push('>');
        self.nodes(children);
        self.out.push_str("</a>");
    }

    fn image(&mut self, url: &str, alt: &str, title: Option<&str>) {
        self.out.push_str("<img");
        if is_safe(url) {
            put!(self.out, " src=\"{}\"", escape(url));
        }
        put!(self.out, " alt=\"{}\"", escape(alt));
        self.title(title);
        self.out.push('>');
    }

    fn title(&mut self, title: Option<&str>) {
        if let Some(title) = title.filter(|title| !title.is_empty()) {
            put!(self.out, " title=\"{}\"", escape(title));
        }
    }

    fn list(&mut self, list: &List) {
        self.begin_line();
        let name = if list.ordered { "ol" } else { "ul" };
        match list.start.filter(|start| list.ordered && *start != 1) {
            Some(start) => {
                put!(self.out, "<{name} start=\"{start}\">\n");
            }
            None => {
                put!(self.out, "<{name}>\n");
            }
        }
        for child in &list.children {
            match child {
                Node::ListItem(item) => self.item(item, list.spread || item.spread),
                other => self.node(other),
            }
        }
        put!(self.out, "</{name}>\n");
    }

    /// Writes an item. If it is not spread, its paragraphs are lines.
    fn item(&mut self, item: &ListItem, is_spread: bool) {
        self.begin_line();
        self.out.push_str("<li>");
        if let Some(is_checked) = item.checked {
            let checked = if is_checked { " checked" } else { "" };
            put!(self.out, "<input type=\"checkbox\" disabled{checked}> ");
        }
        // A definition before it has no output.
        let start = self.out.len();
        for child in &item.children {
            match child {
                Node::Paragraph(paragraph) if !is_spread => {
                    if self.out.len() > start {
                        self.begin_line();
                    }
                    self.nodes(&paragraph.children);
                }
                other => self.node(other),
            }
        }
        self.out.push_str("</li>\n");
    }

    fn table(&mut self, table: &Table) {
        self.line("<table>");
        for (at, row) in table.children.iter().enumerate() {
            if at == 0 {
                self.line("<thead>");
            }
            if at == 1 {
                self.line("<tbody>");
            }
            match row {
                Node::TableRow(row) => {
                    self.row(row, if at == 0 { "th" } else { "td" }, &table.align);
                }
                other => self.node(other),
            }
            if at == 0 {
                self.line("</thead>");
            }
        }
        if table.children.len() > 1 {
            self.line("</tbody>");
        }
        self.line("</table>");
    }

    fn row(&mut self, row: &TableRow, name: &str, align: &[AlignKind]) {
        self.line("<tr>");
        for (at, cell) in row.children.iter().enumerate() {
            let side = match align.get(at) {
                Some(AlignKind::Left) => " align=\"left\"",
                Some(AlignKind::Right) => " align=\"right\"",
                Some(AlignKind::Center) => " align=\"center\"",
                Some(AlignKind::None) | None => "",
            };
            put!(self.out, "<{name}{side}>");
            match cell {
                Node::TableCell(cell) => self.nodes(&cell.children),
                other => self.node(other),
            }
            put!(self.out, "</{name}>\n");
        }
        self.line("</tr>");
    }

    fn footnotes(&mut self) {
        let notes = self.notes.footnotes().to_vec();
        if notes.is_empty() {
            return;
        }
        self.line("<section class=\"footnotes\">");
        self.line("<ol>");
        for (at, note) in notes.iter().enumerate() {
            put!(self.out, "<li id=\"note-{}\">\n", at + 1);
            self.nodes(&note.children);
            self.line("</li>");
        }
        self.line("</ol>");
        self.line("</section>");
    }
}
