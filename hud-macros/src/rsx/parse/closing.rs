//! The children between two tags, and the match of closing tags.

use proc_macro2::{Span, TokenStream, TokenTree};

use super::Parser;
use crate::rsx::ast::Nodes;

impl Parser<'_> {
    /// Parses the children of the tag `name`, which was opened at `span`, up to its closing tag. It also returns the
    /// path in the closing tag.
    pub(super) fn children(&mut self, name: &str, span: Span) -> (Nodes, Option<TokenStream>) {
        let is_bare = self.is_behind_bare_name(name);
        self.open.push(name.to_owned());
        let mut children = self.nodes();
        while self.at_stray_closing_tag(name) {
            self.stray_closing_tag();
            children.extend(self.nodes());
        }
        self.open.pop();
        let before = self.at;
        let found = self.span_of_closing_name();
        let closing = self.at_closing_tag().then(|| self.closing_tag());
        let path = match closing {
            Some((path, closing)) if closing == name => Some(path),
            Some((_, closing)) if closing.is_empty() && !self.open.iter().any(String::is_empty) => {
                let message = format!("`</>` closes a fragment: write `</{name}>`");
                self.diagnostics.note(found, message);
                None
            }
            // A closing tag of an outer tag means that this tag has none.
            Some((path, closing)) if !self.open.contains(&closing) => {
                let message = format!("expected `</{name}>`, found `</{closing}>`");
                self.diagnostics.note(found, message);
                Some(path)
            }
            _ => {
                self.at = before;
                let is_within_same = self.open.last().is_some_and(|open| open == name);
                let message = if is_bare && is_within_same {
                    format!("a closing tag has a slash: write `</{name}>`")
                } else {
                    format!(
                        "`<{name}>` is not closed: write `</{name}>`, or `<{name} />` where nothing is in it"
                    )
                };
                // If an opening tag only lacks its slash, it also closes the tag around it.
                let is_closed = std::mem::replace(&mut self.lacks_slash, is_bare && is_within_same);
                if !is_closed {
                    self.diagnostics.note(span, message);
                }
                None
            }
        };
        (children, path)
    }

    /// True after `<name>`, which has no props.
    fn is_behind_bare_name(&self, name: &str) -> bool {
        let before = self.at.checked_sub(2).and_then(|at| self.tokens.get(at));
        matches!(before, Some(TokenTree::Ident(word)) if *word == name)
    }

    /// True if the next closing tag closes no open tag, and the one of `name` comes later: more tags of this name
    /// are closed in the rest than are opened.
    fn at_stray_closing_tag(&mut self, name: &str) -> bool {
        let start = self.at;
        if !self.at_closing_tag() {
            return false;
        }
        self.at += 2;
        let (_, closing, _) = self.path();
        let mut balance = 0_isize;
        while !self.open.contains(&closing) && self.peek(0).is_some() {
            let is_tag = self.take_punct('<');
            let closes = is_tag && self.take_punct('/');
            if is_tag && self.path().1 == name {
                balance += if closes { 1 } else { -1 };
            } else if !is_tag {
                self.at += 1;
            }
        }
        self.at = start;
        let open = self.open.iter().filter(|open| *open == name).count();
        balance >= open.cast_signed() && balance > 0
    }

    pub(super) fn stray_closing_tag(&mut self) {
        let span = self.span();
        let (_, closing) = self.closing_tag();
        self.diagnostics.note(
            span,
            format!("`</{closing}>` closes nothing: no `<{closing}>` is open here"),
        );
    }

    /// The span of the name in `</name>`, or of the slash if there is none.
    fn span_of_closing_name(&self) -> Span {
        match (self.peek(1), self.peek(2)) {
            (_, Some(name @ TokenTree::Ident(_))) => name.span(),
            (slash, _) => slash.map_or_else(|| self.span(), TokenTree::span),
        }
    }

    /// Parses `</path>`. It returns the path as tokens and as text.
    fn closing_tag(&mut self) -> (TokenStream, String) {
        self.at += 2;
        let (path, mut name, _) = self.path();
        name.push_str(&self.behind_foreign_name());
        let span = self.span();
        if self.is_punct(0, '<') && !self.is_punct(1, '/') {
            self.generics();
            self.take_punct('>');
            self.diagnostics.note(
                span,
                format!("a closing tag has no generics: write `</{name}>`"),
            );
        } else if !self.take_punct('>') {
            let message = format!("expected `>` at the end of `</{name}`");
            self.diagnostics.note(span, message);
            // Skips the rest of the closing tag if its `>` comes before the next `<`.
            let ends = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), '<' | '>'));
            let end = self.tokens.iter().skip(self.at).position(ends);
            if let Some(end) = end.filter(|end| self.is_punct(*end, '>')) {
                self.at += end + 1;
            }
        }
        (path, name)
    }
}
