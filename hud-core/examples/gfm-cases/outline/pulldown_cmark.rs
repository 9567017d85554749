//! What pulldown-cmark reads.

use markdown::mdast::AlignKind;
use pulldown_cmark::{Alignment, CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::Outline;

pub(super) fn outline(markdown: &str) -> Outline {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let events: Vec<_> = Parser::new_ext(markdown, options).collect();
    let mut reader = Reader {
        outline: Outline::default(),
        open: vec![Open::Block],
        gathered: String::new(),
        info: String::new(),
        left_out: 0,
    };
    reader.outline.node(0, format_args!("root"));
    for (at, event) in events.iter().enumerate() {
        reader.event(event, events.get(at + 1..).unwrap_or_default());
    }
    reader.outline
}

#[derive(Clone, Copy, PartialEq)]
enum Open {
    Block,
    /// An item, whose text may be in it without a paragraph.
    Item,
    /// The paragraph that such text is in.
    ItsParagraph,
    /// Code, HTML or the alt of an image: text.
    Gathered,
}

struct Reader {
    outline: Outline,
    /// What is open, the root first.
    open: Vec<Open>,
    gathered: String,
    /// The info string of the code that is open.
    info: String,
    /// How many footnote definitions are open, which are left out.
    left_out: usize,
}

impl Reader {
    fn event(&mut self, event: &Event<'_>, behind: &[Event<'_>]) {
        match event {
            Event::Start(Tag::FootnoteDefinition(_)) => self.left_out += 1,
            Event::End(TagEnd::FootnoteDefinition) => self.left_out -= 1,
            _ if self.left_out > 0 => {}
            Event::Start(tag) => self.start(tag, behind),
            Event::End(tag) => self.end(*tag),
            Event::Text(text) => self.text(text),
            Event::SoftBreak => self.text("\n"),
            Event::Html(html) => self.gathered.push_str(html),
            Event::InlineHtml(html) => self.inline(format_args!("html {:?}", html.trim())),
            Event::Code(code) if self.is_gathering() => self.gathered.push_str(code),
            Event::Code(code) => self.inline(format_args!("inlineCode {:?}", &**code)),
            Event::HardBreak if self.is_gathering() => self.gathered.push('\n'),
            Event::HardBreak => self.inline(format_args!("break")),
            Event::FootnoteReference(_) => self.inline(format_args!("footnote")),
            Event::Rule => self.block(format_args!("rule")),
            Event::TaskListMarker(_) => {}
            other => self.inline(format_args!("{other:?}")),
        }
    }

    fn is_gathering(&self) -> bool {
        self.open.last() == Some(&Open::Gathered)
    }

    fn text(&mut self, text: &str) {
        if self.is_gathering() {
            self.gathered.push_str(text);
        } else {
            self.within_paragraph();
            self.outline.text(self.open.len(), text);
        }
    }

    fn inline(&mut self, what: std::fmt::Arguments<'_>) {
        if !self.is_gathering() {
            self.within_paragraph();
            self.outline.node(self.open.len(), what);
        }
    }

    fn block(&mut self, what: std::fmt::Arguments<'_>) {
        self.end_its_paragraph();
        self.outline.node(self.open.len(), what);
    }

    fn within_paragraph(&mut self) {
        if self.open.last() == Some(&Open::Item) {
            self.outline
                .node(self.open.len(), format_args!("paragraph"));
            self.open.push(Open::ItsParagraph);
        }
    }

    fn end_its_paragraph(&mut self) {
        if self.open.last() == Some(&Open::ItsParagraph) {
            self.open.pop();
        }
    }

    fn start(&mut self, tag: &Tag<'_>, behind: &[Event<'_>]) {
        if self.is_gathering() {
            // Markup in an image's alt.
            self.open.push(Open::Gathered);
            return;
        }
        let mut open = Open::Block;
        match tag {
            Tag::Paragraph => self.block(format_args!("paragraph")),
            Tag::Heading { level, .. } => self.block(format_args!("heading {}", *level as u8)),
            Tag::BlockQuote(_) => self.block(format_args!("quote")),
            Tag::List(start) => self.block(format_args!("list {start:?}")),
            Tag::Item => {
                let checked = behind.iter().take(2).find_map(|event| match event {
                    Event::TaskListMarker(checked) => Some(*checked),
                    _ => None,
                });
                self.block(format_args!("item {checked:?}"));
                open = Open::Item;
            }
            Tag::Table(align) => {
                let align: Vec<_> = align.iter().map(|align| aligned(*align)).collect();
                self.block(format_args!("table {align:?}"));
            }
            Tag::TableHead | Tag::TableRow => self.block(format_args!("row")),
            Tag::TableCell => {
                if !matches!(behind.first(), Some(Event::End(TagEnd::TableCell))) {
                    self.block(format_args!("cell"));
                }
            }
            Tag::Emphasis => self.inline(format_args!("emphasis")),
            Tag::Strong => self.inline(format_args!("strong")),
            Tag::Strikethrough => self.inline(format_args!("delete")),
            Tag::Link {
                link_type,
                dest_url,
                title,
                ..
            } => {
                let scheme = if *link_type == LinkType::Email {
                    "mailto:"
                } else {
                    ""
                };
                self.within_paragraph();
                let url = format!("{scheme}{dest_url}");
                self.outline.link(self.open.len(), &url, Some(title));
            }
            Tag::Image {
                dest_url, title, ..
            } => {
                self.inline(format_args!("image {:?} {:?}", &**dest_url, &**title));
                open = Open::Gathered;
            }
            Tag::CodeBlock(kind) => {
                self.end_its_paragraph();
                self.info = match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                open = Open::Gathered;
            }
            Tag::HtmlBlock => {
                self.end_its_paragraph();
                open = Open::Gathered;
            }
            other => self.block(format_args!("{other:?}")),
        }
        self.open.push(open);
    }

    fn end(&mut self, tag: TagEnd) {
        if tag == TagEnd::Item {
            self.end_its_paragraph();
        }
        self.open.pop();
        if self.is_gathering() {
            return;
        }
        match tag {
            TagEnd::CodeBlock => {
                let gathered = std::mem::take(&mut self.gathered);
                let code = gathered.strip_suffix('\n').unwrap_or(&gathered);
                let what = format_args!("code {:?} {code:?}", self.info);
                self.outline.node(self.open.len(), what);
            }
            TagEnd::HtmlBlock => {
                let html = std::mem::take(&mut self.gathered);
                self.outline
                    .node(self.open.len(), format_args!("html {:?}", html.trim()));
            }
            TagEnd::Image => {
                let alt = std::mem::take(&mut self.gathered);
                self.outline.text(self.open.len() + 1, &alt);
            }
            _ => {}
        }
    }
}

fn aligned(align: Alignment) -> AlignKind {
    match align {
        Alignment::Left => AlignKind::Left,
        Alignment::Right => AlignKind::Right,
        Alignment::Center => AlignKind::Center,
        Alignment::None => AlignKind::None,
    }
}
