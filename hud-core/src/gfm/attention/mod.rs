//! Attention: emphasis, strong emphasis and strikethrough, written so that each forms.
//!
//! A `*` opens or closes depending on everything around it, so nothing is written immediately. A
//! [`Region`] collects the phrasing of one parent: texts that are final except for their first and
//! last characters, and the starts and ends of attention, each with two possible sequences.
//! [`Region::resolve`] writes the complete region:
//!
//! 1. [`guess`] selects the first sequence of each attention that does not touch one like it.
//! 2. [`draft`] computes the letters and spaces next to sequences that must be written as
//!    references.
//! 3. [`pairs`] pairs the sequences as a parser does, and finds the first that does not form.
//! 4. Other sequences are tried for the attention involved, until the first failure is further on.

mod draft;
mod guess;
mod pairs;

use super::character::{Classes, push_encoding_last, push_reference};
use draft::Draft;

/// The phrasing of one parent, whose attention is not written yet. It is a flat list of events, so
/// nested attention takes no nested memory.
#[derive(Default)]
pub(super) struct Region {
    /// The texts, one after the other.
    text: String,
    events: Vec<Event>,
    attention: Vec<Attention>,
    /// The open attention.
    unclosed: Vec<usize>,
    before: Option<char>,
    after: Option<char>,
}

#[derive(Clone, Copy)]
enum Event {
    /// A non-empty text: its range in the region's `text`.
    Text {
        start: usize,
        end: usize,
        /// True if it is the markup of a node.
        is_markup: bool,
    },
    /// The opening sequence of the attention with this index.
    Open(usize),
    /// The closing sequence of the attention with this index.
    Close(usize),
}

struct Attention {
    sequences: Sequences,
    /// The indices of its events.
    open: usize,
    close: usize,
}

/// A resolved region.
pub(super) struct Resolved {
    pub(super) text: String,
    /// The kinds of the pieces of the text, and their ends.
    pub(super) pieces: Vec<(Piece, usize)>,
    pub(super) before: Option<char>,
    pub(super) after: Option<char>,
}

/// The kind of a piece of a resolved region.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// The escaped text of text nodes.
    Text,
    /// A sequence that opens attention.
    Opening,
    /// A sequence that closes attention.
    Closing,
    /// Code.
    Code,
    /// The output of any other node.
    Markup,
}

/// The possible sequences of attention, the preferred one first.
pub(super) type Sequences = [&'static str; 2];

impl Region {
    /// An empty region between two characters.
    pub(super) fn new(before: Option<char>, after: Option<char>) -> Self {
        Self {
            before,
            after,
            ..Self::default()
        }
    }

    /// An empty region that reuses the memory of this one.
    pub(super) fn anew(mut self, before: Option<char>, after: Option<char>) -> Self {
        self.text.clear();
        self.events.clear();
        self.attention.clear();
        self.unclosed.clear();
        Self {
            before,
            after,
            ..self
        }
    }

    /// The output of the region, if it has neither attention nor backslashes.
    pub(super) fn as_plain(&self) -> Option<&str> {
        let is_plain = self.attention.is_empty() && !self.text.contains('\\');
        is_plain.then_some(&self.text)
    }

    /// Adds the final output of a node.
    pub(super) fn push(&mut self, text: &str) {
        self.add(text, true);
    }

    /// Adds the escaped text of a text node.
    pub(super) fn push_text(&mut self, text: &str) {
        self.add(text, false);
    }

    fn add(&mut self, text: &str, is_markup: bool) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.events.push(Event::Text {
            start,
            end: self.text.len(),
            is_markup,
        });
    }

    /// Opens attention.
    pub(super) fn open(&mut self, sequences: Sequences) {
        let open = self.events.len();
        let index = self.attention.len();
        self.events.push(Event::Open(index));
        self.unclosed.push(index);
        self.attention.push(Attention {
            sequences,
            open,
            close: open,
        });
    }

    /// Closes the attention opened last. Returns true if it has content. Empty attention cannot
    /// form and is dropped.
    pub(super) fn close(&mut self) -> bool {
        let Some(index) = self.unclosed.pop() else {
            return false;
        };
        if let Some(Event::Open(_)) = self.events.last() {
            self.events.pop();
            self.attention.pop();
            return false;
        }
        if let Some(attention) = self.attention.get_mut(index) {
            attention.close = self.events.len();
        }
        self.events.push(Event::Close(index));
        true
    }

    /// Replaces the line ending at the end of the last text with a space. Returns true if the
    /// current parent has such a text.
    pub(super) fn soften_eol(&mut self) -> bool {
        let Some(Event::Text { end, .. }) = self.events.last_mut() else {
            return false;
        };
        let eol = match self.text.as_bytes() {
            [.., b'\r', b'\n'] => 2,
            [.., b'\r' | b'\n'] => 1,
            _ => return false,
        };
        self.text.truncate(self.text.len() - eol);
        self.text.push(' ');
        *end = self.text.len();
        true
    }

    /// Resolves the region to the output of its pieces.
    pub(super) fn resolve(self, classes: Classes) -> Resolved {
        let piece_of = |is_markup| match is_markup {
            true => Piece::Markup,
            false => Piece::Text,
        };
        if self.attention.is_empty() {
            let piece = |event: &Event| match event {
                Event::Text { end, is_markup, .. } => Some((piece_of(*is_markup), *end)),
                Event::Open(_) | Event::Close(_) => None,
            };
            return Resolved {
                pieces: self.events.iter().filter_map(piece).collect(),
                text: self.text,
                before: self.before,
                after: self.after,
            };
        }
        let draft = Draft::best(&self, classes);
        let mut resolved = Resolved {
            text: String::with_capacity(self.text.len() + 4 * self.attention.len()),
            pieces: Vec::with_capacity(self.events.len()),
            before: self.before,
            after: self.after,
        };
        for (index, event) in self.events.iter().enumerate() {
            let out = &mut resolved.text;
            let piece = match event {
                Event::Text {
                    start,
                    end,
                    is_markup,
                } => {
                    let (encode_first, encode_last) = draft.encoded(index);
                    push_text(out, &self.text[*start..*end], encode_first, encode_last);
                    piece_of(*is_markup)
                }
                Event::Open(attention) => {
                    out.push_str(draft.sequence(*attention));
                    Piece::Opening
                }
                Event::Close(attention) => {
                    out.push_str(draft.sequence(*attention));
                    Piece::Closing
                }
            };
            resolved.pieces.push((piece, resolved.text.len()));
        }
        resolved
    }

    /// The first and last character of a text, and true if they are the same one.
    fn ends(&self, start: usize, end: usize) -> (Option<char>, Option<char>, bool) {
        let mut characters = self.text[start..end].chars();
        let first = characters.next();
        match characters.next_back() {
            Some(last) => (first, Some(last), false),
            None => (first, first, true),
        }
    }
}

fn push_text(out: &mut String, text: &str, encode_first: bool, encode_last: bool) {
    let mut characters = text.chars();
    let rest = match characters.next() {
        Some(first) if encode_first => {
            push_reference(out, first);
            characters.as_str()
        }
        _ => text,
    };
    if encode_last {
        push_encoding_last(out, rest);
    } else {
        out.push_str(rest);
    }
}
