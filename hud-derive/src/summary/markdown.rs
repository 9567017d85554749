//! Parses Markdown into blocks that keep only text, without marks and addresses.
//!
//! `hud_core::gfm` parses the same texts into mdast with everything that is needed to write them again, which takes
//! many times as long.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag};

/// The largest depth of nested blocks.
const DEEPEST: usize = 256;

/// A block of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Block {
    Heading {
        level: u8,
        text: String,
    },
    Paragraph {
        text: String,
        /// True if all of it is strong.
        is_strong: bool,
    },
    List(Vec<Item>),
    /// A quotation or a footnote.
    Aside(Vec<Self>),
    /// A table, with the cells of each row.
    Table(Vec<Vec<String>>),
    Code(String),
    Html(String),
    /// A thematic break.
    Rule,
}

/// An item of a list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Item {
    /// True if its box is checked. `None` if it has no box.
    pub(super) checked: Option<bool>,
    pub(super) blocks: Vec<Block>,
}

/// Returns the blocks of a text. `None` if they are nested too deeply.
pub(super) fn read(text: &str) -> Option<Vec<Block>> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    let mut reader = Reader {
        events: Parser::new_ext(text, options),
    };
    Some(reader.blocks(0)?.blocks)
}

struct Reader<'t> {
    events: Parser<'t>,
}

impl Reader<'_> {
    /// The blocks up to the end of their container, as an item.
    fn blocks(&mut self, depth: usize) -> Option<Item> {
        if depth > DEEPEST {
            return None;
        }
        let mut item = Item::default();
        // In a tight list, the text of an item is not in a paragraph.
        let mut bare = Said::default();
        while let Some(event) = self.events.next() {
            let block = match event {
                Event::End(_) if bare.open == 0 => break,
                Event::Start(Tag::Paragraph) => {
                    let said = self.said();
                    item.checked = said.checked.or(item.checked);
                    said.paragraph()
                }
                Event::Start(Tag::Heading { level, .. }) => Block::Heading {
                    level: number(level),
                    text: self.said().text,
                },
                Event::Start(Tag::BlockQuote(_) | Tag::FootnoteDefinition(_)) => {
                    Block::Aside(self.blocks(depth + 1)?.blocks)
                }
                Event::Start(Tag::List(_)) => Block::List(self.items(depth + 1)?),
                Event::Start(Tag::CodeBlock(_)) => Block::Code(self.said().text),
                Event::Start(Tag::HtmlBlock) => Block::Html(self.said().text),
                Event::Start(Tag::Table(_)) => Block::Table(self.rows()),
                Event::Rule => Block::Rule,
                inline => {
                    bare.take(inline);
                    continue;
                }
            };
            bare.end(&mut item);
            item.blocks.push(block);
        }
        bare.end(&mut item);
        Some(item)
    }

    fn items(&mut self, depth: usize) -> Option<Vec<Item>> {
        let mut items = Vec::new();
        while let Some(Event::Start(_)) = self.events.next() {
            items.push(self.blocks(depth)?);
        }
        Some(items)
    }

    fn rows(&mut self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        while let Some(Event::Start(_)) = self.events.next() {
            let mut cells = Vec::new();
            while let Some(Event::Start(_)) = self.events.next() {
                cells.push(self.said().text);
            }
            rows.push(cells);
        }
        rows
    }

    /// The text up to the end of a block.
    fn said(&mut self) -> Said {
        let mut said = Said::default();
        for event in self.events.by_ref() {
            if matches!(event, Event::End(_)) && said.open == 0 {
                break;
            }
            said.take(event);
        }
        said
    }
}

/// The text of a block.
#[derive(Default)]
struct Said {
    text: String,
    /// The number of open marks, such as emphasis.
    open: usize,
    /// The number of parts outside of marks, and the number of strong ones among them.
    parts: usize,
    strong: usize,
    checked: Option<bool>,
}

impl Said {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::End(_) => {
                self.open = self.open.saturating_sub(1);
                return;
            }
            Event::TaskListMarker(checked) => {
                self.checked = Some(checked);
                return;
            }
            _ => {}
        }
        if self.open == 0 {
            self.parts += 1;
            self.strong += usize::from(matches!(event, Event::Start(Tag::Strong)));
        }
        match event {
            Event::Start(_) => self.open += 1,
            Event::SoftBreak | Event::HardBreak => self.text.push('\n'),
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.push(text);
            }
            _ => {}
        }
    }

    fn push(&mut self, text: CowStr<'_>) {
        match self.text.is_empty() {
            // Most texts are in one part.
            true => self.text = text.into_string(),
            false => self.text.push_str(&text),
        }
    }

    fn paragraph(self) -> Block {
        Block::Paragraph {
            is_strong: self.parts == 1 && self.strong == 1,
            text: self.text,
        }
    }

    /// Ends the text, and adds it to an item as a paragraph if there is any.
    fn end(&mut self, item: &mut Item) {
        let said = std::mem::take(self);
        item.checked = said.checked.or(item.checked);
        if said.parts > 0 {
            item.blocks.push(said.paragraph());
        }
    }
}

const fn number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(text: &str) -> Block {
        Block::Paragraph {
            text: text.to_owned(),
            is_strong: false,
        }
    }

    #[test]
    fn blocks_say_what_they_say_without_their_marks() {
        let text = "# The `goal`\n\nGo *on* with\n[this](x) &amp; \\*that\\*.\n\n> quoted\n\n```go\nx := 1\n```\n\n<!-- aside -->\n\n---\n\n| a | b |\n| - | - |\n| `1` | |\n";
        let cells = |row: [&str; 2]| row.map(str::to_owned).to_vec();
        assert_eq!(
            read(text).unwrap(),
            [
                Block::Heading {
                    level: 1,
                    text: "The goal".to_owned()
                },
                paragraph("Go on with\nthis & *that*."),
                Block::Aside(vec![paragraph("quoted")]),
                Block::Code("x := 1\n".to_owned()),
                Block::Html("<!-- aside -->\n".to_owned()),
                Block::Rule,
                Block::Table(vec![cells(["a", "b"]), cells(["1", ""])]),
            ]
        );
    }

    #[test]
    fn items_are_read_whether_their_list_is_tight_or_loose() {
        let inner = |text: &str, checked| Item {
            checked,
            blocks: vec![paragraph(text)],
        };
        for text in [
            "1. **Goal**:\n   - [x] a\n   - [ ] b\n2. c\n",
            "1. **Goal**:\n\n   - [x] a\n\n   - [ ] b\n\n2. c\n",
        ] {
            let under = vec![inner("a", Some(true)), inner("b", Some(false))];
            let first = Item {
                checked: None,
                blocks: vec![paragraph("Goal:"), Block::List(under)],
            };
            assert_eq!(
                read(text).unwrap(),
                [Block::List(vec![first, inner("c", None)])],
                "{text}"
            );
        }
    }

    #[test]
    fn only_what_is_strong_as_a_whole_is_strong() {
        let is_strong = |text: &str| match read(text).unwrap().as_slice() {
            [Block::Paragraph { is_strong, .. }] => *is_strong,
            _ => false,
        };
        assert!(is_strong("**The *goal***"));
        for text in [
            "**The** goal",
            "*The goal*",
            "The **goal**",
            "**a** **b**",
            "goal",
        ] {
            assert!(!is_strong(text), "{text}");
        }
    }

    #[test]
    fn what_is_nested_too_deeply_is_not_read() {
        assert!(read(&"> ".repeat(DEEPEST)).is_some());
        assert_eq!(read(&"> ".repeat(100_000)), None);
        assert_eq!(read(&format!("{}a", "- ".repeat(DEEPEST + 1))), None);
    }
}
