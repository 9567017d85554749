//! A source as tokens with their places, and the comments between them.

use std::ops::Range;
use std::thread;

use proc_macro2::{Delimiter, LexError, TokenStream, TokenTree};

use crate::Error;

/// The maximum depth of nested groups and elements.
pub(crate) const DEPTH: usize = 150;

/// A range of bytes in a source.
pub(crate) type Place = Range<usize>;

/// A token, or a group of tokens.
#[derive(Debug)]
pub(crate) enum Tree {
    Group(Group),
    Word(Place),
    Literal(Place),
    Punct(char, Place),
    /// A doc comment.
    Doc(Place),
}

/// Tokens between delimiters.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) delimiter: Delimiter,
    pub(crate) place: Place,
    pub(crate) inside: Vec<Tree>,
}

impl Group {
    /// The place between the delimiters.
    pub(crate) fn within(&self) -> Place {
        self.place.start + 1..self.place.end - 1
    }
}

impl Tree {
    pub(crate) fn place(&self) -> Place {
        match self {
            Self::Group(group) => group.place.clone(),
            Self::Word(place) | Self::Literal(place) | Self::Punct(_, place) | Self::Doc(place) => {
                place.clone()
            }
        }
    }
}

/// A comment between two tokens.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Comment<'s> {
    pub(crate) place: Place,
    pub(crate) text: &'s str,
    /// The number of line breaks between it and the token or comment before it.
    pub(crate) lines: usize,
}

impl Comment<'_> {
    /// True if it ends with its line.
    pub(crate) fn is_line(&self) -> bool {
        self.text.starts_with("//")
    }
}

/// A Rust file.
pub(crate) struct Source<'s> {
    pub(crate) text: &'s str,
    pub(crate) trees: Vec<Tree>,
}

impl<'s> Source<'s> {
    pub(crate) fn new(text: &'s str) -> Result<Self, Error> {
        let start = code_start(text);
        // proc-macro2 keeps position data for each thread as long as the thread lives.
        let lexed = thread::scope(|scope| {
            thread::Builder::new()
                .spawn_scoped(scope, || lex(text, start))
                .map(|thread| thread.join())
        });
        let trees = match lexed {
            Ok(Ok(trees)) => trees,
            // The thread can't be started, or it panicked.
            _ => lex(text, start),
        }?;
        Ok(Self { text, trees })
    }

    /// The line and the column of a byte offset.
    pub(crate) fn position(&self, at: usize) -> (usize, usize) {
        position(self.text, at)
    }

    /// The comments in a gap between two tokens, and the number of line breaks after the last one.
    pub(crate) fn gap(&self, gap: Place) -> (Vec<Comment<'s>>, usize) {
        let mut comments = Vec::new();
        let mut lines = 0;
        let mut at = gap.start;
        while let Some(rest) = self.text.get(at..gap.end).filter(|rest| !rest.is_empty()) {
            let length = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                block_comment(rest)
            } else {
                lines += usize::from(rest.starts_with('\n'));
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            };
            let text = rest[..length].trim_end();
            comments.push(Comment {
                place: at..at + text.len(),
                text,
                lines,
            });
            lines = 0;
            at += length;
        }
        (comments, lines)
    }

    /// True if another source has the same tokens and comments in the same order.
    pub(crate) fn says_the_same(&self, other: &Source<'_>) -> bool {
        self.words() == other.words()
    }

    /// The tokens and comments without the white space between them.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        self.push_words(&self.trees, 0..self.text.len(), &mut words);
        words
    }

    fn push_words(&self, trees: &[Tree], within: Place, words: &mut Vec<String>) {
        let mut at = within.start;
        for tree in trees {
            let place = tree.place();
            self.push_comments(at..place.start, words);
            match tree {
                Tree::Group(group) => {
                    let within = group.within();
                    words.push(self.text[place.start..within.start].to_owned());
                    self.push_words(&group.inside, within.clone(), words);
                    words.push(self.text[within.end..place.end].to_owned());
                }
                // Its lines are indented with the code around it.
                Tree::Doc(_) => words.push(unindented(&self.text[place.clone()])),
                _ => words.push(self.text[place.clone()].to_owned()),
            }
            at = place.end;
        }
        self.push_comments(at..within.end, words);
    }

    fn push_comments(&self, gap: Place, words: &mut Vec<String>) {
        let (comments, _) = self.gap(gap);
        words.extend(comments.iter().map(|comment| unindented(comment.text)));
    }
}

fn unindented(comment: &str) -> String {
    comment
        .lines()
        .map(|line| format!("{}\n", line.trim()))
        .collect()
}

/// The line and the column of a byte offset, from 1.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or(before);
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// The offset of the code, after a byte order mark and a `#!` line.
fn code_start(text: &str) -> usize {
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let rest = &text[mark..];
    let is_attribute = rest
        .strip_prefix("#!")
        .is_some_and(|rest| rest.trim_start().starts_with('['));
    if rest.starts_with("#!") && !is_attribute {
        mark + rest.find('\n').unwrap_or(rest.len())
    } else {
        mark
    }
}

/// The length of the block comment at the start of a text.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

fn lex(text: &str, start: usize) -> Result<Vec<Tree>, Error> {
    let stream: TokenStream = text[start..].parse().map_err(|error: LexError| {
        let (line, column) = position(text, start + error.span().byte_range().start);
        Error::Rust { line, column }
    })?;
    trees(stream, text, start, 0)
}

fn trees(stream: TokenStream, text: &str, start: usize, depth: usize) -> Result<Vec<Tree>, Error> {
    let mut trees = Vec::new();
    // The end of the last doc comment. All its tokens have the same place.
    let mut documented = 0;
    for token in stream {
        let span = token.span().byte_range();
        let place = start + span.start..start + span.end;
        if place.end <= documented {
            continue;
        }
        trees.push(match token {
            TokenTree::Group(group) => {
                if depth == DEPTH {
                    let (line, column) = position(text, place.start);
                    let limit = DEPTH;
                    return Err(Error::Depth {
                        line,
                        column,
                        limit,
                    });
                }
                Tree::Group(Group {
                    delimiter: group.delimiter(),
                    place,
                    inside: self::trees(group.stream(), text, start, depth + 1)?,
                })
            }
            TokenTree::Punct(punct) if punct.as_char() == '#' && place.len() > 1 => {
                documented = place.end;
                Tree::Doc(place)
            }
            TokenTree::Punct(punct) => Tree::Punct(punct.as_char(), place),
            TokenTree::Ident(_) => Tree::Word(place),
            TokenTree::Literal(_) => Tree::Literal(place),
        });
    }
    Ok(trees)
}
