//! Parses an HTML fragment into a tree of elements.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use super::HtmlError;
use crate::registry::MAX_DEPTH;

/// A text or an element.
pub(super) enum Piece {
    Text(String),
    Element(Element),
}

/// An element with its content.
#[derive(Default)]
pub(super) struct Element {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    pub(super) within: Vec<Piece>,
    /// The line of its start tag.
    pub(super) line: u64,
}

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    /// An error about the element.
    pub(super) fn refused(&self, message: impl Into<String>) -> HtmlError {
        let message = message.into();
        let line = self.line;
        HtmlError { line, message }
    }
}

/// Elements without an end tag.
const VOID: [&str; 4] = ["br", "hr", "img", "input"];

/// Parses a fragment, as the content of an element without a name.
pub(super) fn read(html: &str) -> Result<Element, HtmlError> {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    let tokenizer = Tokenizer::new(Sink::default(), TokenizerOpts::default());
    // The result only concerns scripts, which are refused.
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    let Reader {
        mut open,
        whole,
        failed,
    } = tokenizer.sink.0.into_inner();
    match (failed, open.pop()) {
        (Some(error), _) => Err(error),
        (None, Some(open)) => Err(open.refused(format!("`<{}>` is not closed", open.name))),
        (None, None) => Ok(whole),
    }
}

/// The tokenizer only has a shared reference to its sink.
#[derive(Default)]
struct Sink(RefCell<Reader>);

#[derive(Default)]
struct Reader {
    open: Vec<Element>,
    whole: Element,
    failed: Option<HtmlError>,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
        let mut reader = self.0.borrow_mut();
        if reader.failed.is_none() {
            reader.failed = reader.token(token, line).err();
        }
        TokenSinkResult::Continue
    }
}

impl Reader {
    fn token(&mut self, token: Token, line: u64) -> Result<(), HtmlError> {
        let refused = |message: String| Err(HtmlError { line, message });
        match token {
            Token::CharacterTokens(text) => self.text(&text),
            Token::NullCharacterToken => self.text("\u{FFFD}"),
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                if self.open.len() == MAX_DEPTH {
                    let message = format!("more than {MAX_DEPTH} elements are nested");
                    return refused(message);
                }
                self.start(&tag, line);
            }
            Token::TagToken(tag) => {
                let Some(done) = self.open.pop_if(|open| *open.name == *tag.name) else {
                    return refused(format!("`</{}>` closes nothing that is open", tag.name));
                };
                self.within().push(Piece::Element(done));
            }
            Token::CommentToken(_) => return refused("no tree is written as a comment".to_owned()),
            Token::DoctypeToken(_) => {
                return refused("a fragment of a document has no document type".to_owned());
            }
            Token::EOFToken | Token::ParseError(_) => {}
        }
        Ok(())
    }

    fn within(&mut self) -> &mut Vec<Piece> {
        &mut self.open.last_mut().unwrap_or(&mut self.whole).within
    }

    fn text(&mut self, text: &str) {
        let within = self.within();
        match within.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => within.push(Piece::Text(text.to_owned())),
        }
    }

    fn start(&mut self, tag: &Tag, line: u64) {
        let attributes = tag.attrs.iter().map(|attribute| {
            let name = attribute.name.local.to_string();
            (name, attribute.value.to_string())
        });
        let element = Element {
            name: tag.name.to_string(),
            attributes: attributes.collect(),
            within: Vec::new(),
            line,
        };
        match VOID.contains(&element.name.as_str()) {
            true => self.within().push(Piece::Element(element)),
            false => self.open.push(element),
        }
    }
}
