//! A position in the tokens, and the state of parsing.

use proc_macro2::Delimiter;

use super::model::{Braces, Item, List, Listed, Node, Rust};
use super::{Wanted, find_parts, rust};
use crate::Error;
use crate::source::{Comment, Group, Place, Source, Tree};

pub(super) struct Parser<'s> {
    pub(super) source: &'s Source<'s>,
    pub(super) trees: &'s [Tree],
    pub(super) at: usize,
    /// The end of the last token that was consumed.
    pub(super) behind: usize,
    pub(super) end: usize,
    pub(super) depth: usize,
    /// True if a comment is at a position where the model can't keep it.
    pub(super) misplaced: bool,
}

impl<'s> Parser<'s> {
    pub(super) fn new(source: &'s Source<'s>, group: &'s Group, depth: usize) -> Self {
        let within = group.within();
        Self {
            source,
            trees: &group.inside,
            at: 0,
            behind: within.start,
            end: within.end,
            depth,
            misplaced: false,
        }
    }

    /// Returns a parser at one of the trees of Rust code that ends at `end`.
    pub(super) fn at(
        source: &'s Source<'s>,
        trees: &'s [Tree],
        at: usize,
        end: usize,
        depth: usize,
    ) -> Self {
        let start = trees.get(at).map_or(end, |tree| tree.place().start);
        Self {
            source,
            trees,
            at,
            behind: start,
            end,
            depth,
            misplaced: false,
        }
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<&'s Tree> {
        self.trees.get(self.at + ahead)
    }

    pub(super) fn is_punct(&self, ahead: usize, wanted: char) -> bool {
        matches!(self.peek(ahead), Some(Tree::Punct(found, _)) if *found == wanted)
    }

    pub(super) fn word(&self, ahead: usize) -> Option<&'s str> {
        match self.peek(ahead) {
            Some(Tree::Word(place)) => Some(&self.source.text[place.clone()]),
            _ => None,
        }
    }

    pub(super) fn braces(&self) -> Option<&'s Group> {
        match self.peek(0) {
            Some(Tree::Group(group)) if group.delimiter == Delimiter::Brace => Some(group),
            _ => None,
        }
    }

    pub(super) fn is_group(&self, ahead: usize, wanted: Delimiter) -> bool {
        matches!(self.peek(ahead), Some(Tree::Group(group)) if group.delimiter == wanted)
    }

    /// Consumes a token that begins a construct. Comments before it are allowed.
    pub(super) fn first(&mut self) -> Option<&'s Tree> {
        let tree = self.peek(0)?;
        self.at += 1;
        self.behind = tree.place().end;
        Some(tree)
    }

    /// Consumes a token within a construct. A comment before it is misplaced.
    pub(super) fn next(&mut self) -> Option<&'s Tree> {
        let start = self.peek(0)?.place().start;
        self.misplaced |= !self.source.gap(self.behind..start).0.is_empty();
        self.first()
    }

    pub(super) fn take(&mut self, wanted: char) -> bool {
        let found = self.is_punct(0, wanted);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> Error {
        let (line, column) = self.source.position(at);
        let message = message.into();
        Error::Body {
            line,
            column,
            message,
        }
    }

    /// An error at the next token, or at the end.
    pub(super) fn expected(&self, what: &str) -> Error {
        let at = self.peek(0).map_or(self.end, |tree| tree.place().start);
        self.error(at, format!("expected {what}"))
    }

    /// The place of the tokens from an index up to the current position.
    pub(super) fn place(&self, from: usize) -> Place {
        let first = self.trees[from..self.at].first();
        first.map_or(self.behind, |tree| tree.place().start)..self.behind
    }

    /// The tokens from an index up to the current position as Rust code.
    pub(super) fn rust(&self, from: usize) -> Result<Rust<'s>, Error> {
        let trees = &self.trees[from..self.at];
        rust(self.source, trees, self.place(from), self.depth, false)
    }

    /// The tokens from an index up to the current position. All calls in them are kept, because they were already
    /// parsed.
    pub(super) fn kept(&self, from: usize) -> Result<Rust<'s>, Error> {
        let mut parts = Vec::new();
        let place = self.place(from);
        let kept = Wanted {
            calls: None,
            tags: false,
        };
        let trees = &self.trees[from..self.at];
        find_parts(self.source, trees, place.end, kept, &mut parts)?;
        Ok(Rust { place, parts })
    }

    pub(super) fn braces_of(&self, group: &'s Group) -> Result<Node<'s>, Error> {
        let within = group.within();
        let text = &self.source.text[within.clone()];
        let start = within.start + (text.len() - text.trim_start().len());
        let place = start..start + text.trim().len();
        let last = group
            .inside
            .last()
            .map_or(within.start, |tree| tree.place().end);
        let (comments, _) = self.source.gap(last..within.end);
        let before = &self.source.text[within.start..start];
        let ends_in_comment = comments.last().is_some_and(Comment::is_line);
        Ok(Node::Braces(Braces {
            apart: ends_in_comment || before.contains('\n') || text.trim().starts_with("//"),
            rust: rust(self.source, &group.inside, place, self.depth, true)?,
            ends_in_comment,
        }))
    }

    /// The start of the next token, or the end.
    pub(super) fn ahead(&self) -> usize {
        self.peek(0).map_or(self.end, |tree| tree.place().start)
    }

    /// Parses nodes and the comments between them, until `done` or the end.
    pub(super) fn list<T>(
        &mut self,
        done: impl Fn(&Self) -> bool,
        one: impl Fn(&mut Self) -> Result<T, Error>,
    ) -> Result<List<'s, T>, Error> {
        let mut items = Vec::new();
        loop {
            let (comments, lines) = self.source.gap(self.behind..self.ahead());
            items.extend(comments.into_iter().map(|comment| Item {
                lines: comment.lines,
                what: Listed::Comment(comment),
            }));
            if self.peek(0).is_none() || done(self) {
                let ends_line = lines > 0 && !items.is_empty();
                return Ok(List { items, ends_line });
            }
            let what = Listed::Node(one(self)?);
            items.push(Item { lines, what });
        }
    }
}
