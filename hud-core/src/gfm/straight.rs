//! Writes blocks directly during a walk, without a tree: headings, paragraphs and tight lists of
//! lines. The output is that of [`State`](super::state). All other blocks are left to it.

use std::borrow::Cow;
use std::ops::Range;

use markdown::mdast::Heading;

use super::attention::Region;
use super::character::{Classes, is_eol};
use super::constructs::Constructs;
use super::context::Context;
use super::node;
use super::options::SerializeOptions;
use super::safe::Info;
use super::sparing;
use crate::visible::visible;

/// The signal that the content needs the other writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unwritten;

type Done = Result<(), Unwritten>;

/// The initial capacity of a text, in bytes.
const TEXT: usize = 1 << 12;

/// A sequence of texts. Each consists of blocks, and begins with a heading or a paragraph.
pub(crate) struct Straight<'o> {
    context: Context<'o>,
    out: String,
    /// The start of the current text, and the level of its first heading, if it begins with one.
    start: usize,
    heading: Option<u8>,
    ends_with_list: bool,
    line: Option<Line>,
    /// The kinds of the pieces of the open line, and their ends.
    pieces: Vec<(Piece, usize)>,
}

/// A line that is being written.
#[derive(Clone, Copy)]
struct Line {
    role: Role,
    /// The start of the text before the line's own text, and the start of the latter.
    lead: usize,
    begin: usize,
    /// True if a space is needed before the content after the label.
    is_spaced: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Heading(u8),
    Paragraph,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Text,
    Code,
    /// The space between adjacent codes.
    Gap,
    Strong,
}

/// A position in a text, to compare with or to go back to.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    length: usize,
    heading: Option<u8>,
    ends_with_list: bool,
}

/// A text that was written.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) range: Range<usize>,
    /// The level of its first heading, if it begins with one.
    pub(crate) heading: Option<u8>,
}

impl<'o> Straight<'o> {
    /// An empty sequence. The options are [`SerializeOptions::hud`].
    pub(crate) fn new(options: &'o SerializeOptions) -> Self {
        Self {
            context: Context::new(options),
            out: String::with_capacity(TEXT),
            start: 0,
            heading: None,
            ends_with_list: false,
            line: None,
            pieces: Vec::with_capacity(8),
        }
    }

    /// The string of a written text.
    pub(crate) fn text_of(&self, written: &Written) -> &str {
        self.out.get(written.range.clone()).unwrap_or_default()
    }

    /// Begins a text.
    pub(crate) fn begin(&mut self) {
        self.start = self.out.len();
        self.heading = None;
        self.ends_with_list = false;
        self.line = None;
        self.pieces.clear();
    }

    /// Ends the text.
    pub(crate) fn end(&mut self) -> Written {
        Written {
            range: self.start..self.out.len(),
            heading: self.heading,
        }
    }

    /// Discards the current text.
    pub(crate) fn give_up(&mut self) {
        self.out.truncate(self.start);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.out.len() == self.start
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            length: self.out.len(),
            heading: self.heading,
            ends_with_list: self.ends_with_list,
        }
    }

    pub(crate) fn is_at(&self, mark: Mark) -> bool {
        self.out.len() == mark.length
    }

    pub(crate) fn go_back(&mut self, mark: Mark) {
        self.out.truncate(mark.length);
        self.heading = mark.heading;
        self.ends_with_list = mark.ends_with_list;
    }

    pub(crate) fn is_in_line(&self) -> bool {
        self.line.is_some()
    }

    /// Writes a blank line between two blocks.
    fn begin_block(&mut self) {
        if !self.is_empty() {
            self.out.push_str("\n\n");
        }
        self.ends_with_list = false;
    }

    /// Begins a line with a role, after its lead.
    fn begin_line(&mut self, role: Role, lead: usize) {
        self.pieces.clear();
        self.line = Some(Line {
            role,
            lead,
            begin: self.out.len(),
            is_spaced: false,
        });
    }

    /// Writes a heading.
    pub(crate) fn write_heading(&mut self, level: u8, title: &str) -> Done {
        if self.is_empty() {
            self.heading = Some(level);
        }
        self.begin_block();
        let lead = self.out.len();
        let marks = "###### ".get(6 - usize::from(level.clamp(1, 6))..);
        self.out.push_str(marks.unwrap_or_default());
        self.begin_line(Role::Heading(level), lead);
        self.push_text(title);
        self.end_line()
    }

    /// Begins a paragraph.
    pub(crate) fn begin_paragraph(&mut self) {
        self.begin_block();
        self.begin_line(Role::Paragraph, self.out.len());
    }

    /// Begins an item of a list. `number` is set for an ordered list.
    pub(crate) fn begin_item(
        &mut self,
        is_first: bool,
        number: Option<u64>,
        checked: Option<bool>,
    ) -> Done {
        if !is_first {
            self.out.push('\n');
        } else if self.is_empty() || self.ends_with_list {
            // The marker may depend on the content before it.
            return Err(Unwritten);
        } else {
            self.begin_block();
            self.ends_with_list = true;
        }
        match number {
            Some(number) => {
                node::list_item::push_number(&mut self.out, number);
                self.out.push_str(". ");
            }
            None => self.out.push_str("- "),
        }
        self.out.push_str(match checked {
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
            None => "",
        });
        self.begin_line(Role::Paragraph, self.out.len());
        Ok(())
    }

    /// Adds text to the open line.
    pub(crate) fn push_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.part_from_label();
        self.out.push_str(text);
        self.close_piece(Piece::Text);
    }

    /// Adds code to the open line.
    pub(crate) fn push_code(&mut self, value: &str) {
        self.part_from_label();
        if matches!(self.pieces.last(), Some((Piece::Code, _))) {
            self.out.push(' ');
            self.close_piece(Piece::Gap);
        }
        let is_odd = |byte: u8| byte <= b' ' || byte == b'`';
        if value.is_empty() || value.bytes().any(is_odd) {
            let fenced = node::inline_code::fence(&self.context, value, '`');
            self.out.push_str(&fenced);
        } else {
            self.out.push('`');
            self.out.push_str(value);
            self.out.push('`');
        }
        self.close_piece(Piece::Code);
    }

    /// Begins the open line with a label. A space follows if there is more content.
    pub(crate) fn push_label(&mut self, label: &str) {
        self.out.push_str(label.trim());
        self.out.push(':');
        self.close_piece(Piece::Strong);
        if let Some(line) = &mut self.line {
            line.is_spaced = true;
        }
    }

    fn part_from_label(&mut self) {
        if let Some(line) = &mut self.line
            && std::mem::take(&mut line.is_spaced)
        {
            self.out.push(' ');
            self.close_piece(Piece::Text);
        }
    }

    /// Merges adjacent texts.
    fn close_piece(&mut self, piece: Piece) {
        let end = self.out.len();
        match self.pieces.last_mut() {
            Some((Piece::Text, last)) if piece == Piece::Text => *last = end,
            _ => self.pieces.push((piece, end)),
        }
    }

    /// Ends the open line, and escapes its content if needed.
    pub(crate) fn end_line(&mut self) -> Done {
        let Some(line) = self.line.take() else {
            return Ok(());
        };
        let text = self.out.get(line.begin..).unwrap_or_default();
        let is_one_line = text.bytes().fold(u8::MAX, u8::min) > b'\r' || !text.contains(is_eol);
        if text.is_empty() || !is_one_line || matches!(visible(text), Cow::Owned(_)) {
            return Err(Unwritten);
        }
        let is_bare_heading = text.starts_with(['\t', ' ', '#']);
        let is_odd = matches!(line.role, Role::Heading(_)) && is_bare_heading;
        if is_odd || !self.is_safe(line) {
            self.escape(line);
        }
        Ok(())
    }

    /// The constructs that are open in a line, and its adjacent characters.
    fn around(line: Line) -> (Constructs, Info) {
        match line.role {
            Role::Heading(_) => (
                Constructs::PHRASING.and(Constructs::HEADING_ATX),
                Info::new(' ', '\n'),
            ),
            Role::Paragraph => (Constructs::PHRASING, Info::LINE),
        }
    }

    /// The first character of the piece after `index`.
    fn behind(&self, index: usize, after: Option<char>) -> Option<char> {
        match self.pieces.get(index + 1) {
            Some((Piece::Code, _)) => Some('`'),
            Some((Piece::Strong, _)) => Some(self.context.options.strong.char()),
            Some((Piece::Gap, _)) => Some(' '),
            Some((Piece::Text, _)) | None => after,
        }
    }

    /// True if the line needs no escapes.
    fn is_safe(&self, line: Line) -> bool {
        let (constructs, edges) = Self::around(line);
        let safe = self.context.safe(constructs);
        let (mut start, mut before) = (line.begin, edges.before);
        self.pieces.iter().enumerate().all(|(index, (piece, end))| {
            let text = self.out.get(start..*end).unwrap_or_default();
            start = *end;
            let info = Info {
                before,
                after: self.behind(index, edges.after),
            };
            before = text.chars().next_back();
            match piece {
                Piece::Text => matches!(safe.text(text, info), Cow::Borrowed(_)),
                Piece::Code | Piece::Gap => true,
                Piece::Strong => false,
            }
        })
    }

    /// Rewrites a line with escapes, as for a tree of its pieces.
    fn escape(&mut self, line: Line) {
        let (constructs, edges) = Self::around(line);
        let raw = self.out.split_off(line.begin);
        let safe = self.context.safe(constructs);
        let strong = node::attention::strong(&self.context);
        let mut region = Region::new(edges.before, edges.after);
        let (mut start, mut before) = (0, edges.before);
        for (index, (piece, end)) in self.pieces.iter().enumerate() {
            let end = end - line.begin;
            let text = raw.get(start..end).unwrap_or_default();
            start = end;
            match piece {
                Piece::Text => {
                    let after = self.behind(index, edges.after);
                    let text = safe.text(text, Info { before, after });
                    before = text.chars().next_back();
                    region.push_text(&text);
                }
                Piece::Code | Piece::Gap => {
                    before = text.chars().next_back();
                    region.push(text);
                }
                Piece::Strong => {
                    let marker = Some(self.context.options.strong.char());
                    region.open(strong);
                    let inside = Info {
                        before: marker,
                        after: marker,
                    };
                    region.push_text(&safe.text(text, inside));
                    region.close();
                    before = marker;
                }
            }
        }
        let text = match region.as_plain() {
            Some(text) => text.to_owned(),
            None => sparing::spare(region.resolve(Classes::of(self.context.options)), false),
        };
        match line.role {
            Role::Paragraph => self.out.push_str(&text),
            Role::Heading(depth) => {
                self.out.truncate(line.lead);
                let heading = Heading {
                    children: Vec::new(),
                    depth,
                    position: None,
                };
                let written = node::heading::close(&self.context, &heading, false, &text);
                self.out.push_str(&written);
            }
        }
    }
}
