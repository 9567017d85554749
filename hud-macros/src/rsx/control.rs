//! `if`, `for` and `match` among the children.

use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

use super::ast::{Arm, Body, Else, For, If, Match, Nodes};
use super::parse::Parser;
use super::rust::is_never;
use super::text::is_text_token;

/// The tokens after `if`, `for` or `match`.
enum Head {
    /// The tokens before the body, and the braces of the body.
    Whole(TokenStream, Group),
    /// The value in the head if the body is missing. The error is already reported, and an editor can complete the
    /// value.
    Half(TokenStream),
}

impl Parser<'_> {
    /// Parses the rest of an `if`. With `rust`, the bodies are Rust blocks.
    pub(super) fn conditional(&mut self, rust: bool) -> Option<If> {
        let (condition, body) = match self.head("if")? {
            Head::Whole(condition, body) => (condition, body),
            Head::Half(value) => {
                return Some(If {
                    condition: quote! { match #value { _ => true } },
                    then: Body::Nodes(Vec::new()),
                    otherwise: None,
                });
            }
        };
        let then = self.body(&body, rust);
        let otherwise = if !self.take_word("else") {
            None
        } else if self.take_word("if") {
            Some(Else::If(Box::new(self.conditional(rust)?)))
        } else if let Some(body) = self.take_braces() {
            Some(Else::Body(self.body(&body, rust)))
        } else {
            let span = self.span();
            self.diagnostics
                .note(span, "expected `if` or `{` after `else`");
            None
        };
        Some(If {
            condition,
            then,
            otherwise,
        })
    }

    /// Parses the rest of a `for`.
    pub(super) fn repetition(&mut self, rust: bool) -> Option<For> {
        Some(match self.head("for")? {
            Head::Whole(head, body) => For {
                head,
                body: self.body(&body, rust),
            },
            Head::Half(value) => For {
                head: quote! { _ in match #value { _ => [(); 0] } },
                body: Body::Nodes(Vec::new()),
            },
        })
    }

    /// Parses the rest of a `match`.
    pub(super) fn choice(&mut self) -> Option<Match> {
        Some(match self.head("match")? {
            Head::Whole(value, body) => Match {
                value,
                arms: self.inside(&body).arms(),
            },
            Head::Half(value) => Match {
                value,
                arms: vec![Arm {
                    pattern: quote! { _ },
                    body: Vec::new(),
                }],
            },
        })
    }

    fn arms(&mut self) -> Vec<Arm> {
        let mut arms = Vec::new();
        while let Some(first) = self.peek(0) {
            let span = first.span();
            let start = self.at;
            while self.peek(0).is_some()
                && !(self.is_punct(0, '=') && self.is_punct(1, '>'))
                && !self.at_single_colon()
            {
                self.at += 1;
            }
            let pattern = self.tokens[start..self.at].iter().cloned().collect();
            if self.peek(0).is_none() {
                self.diagnostics
                    .note(span, "expected `pattern => child` in `match`");
                break;
            }
            if self.at_single_colon() {
                let span = self.span();
                self.diagnostics.note(
                    span,
                    "what a pattern shows goes after `=>`: write `pattern => ..`",
                );
                self.at += 1;
            } else {
                self.at += 2;
            }
            let body = match self.take_braces() {
                Some(group) => self.inside(&group).all(),
                None if self.peek(0).is_none() => {
                    self.diagnostics
                        .note(span, "this arm shows nothing: write `{}` after its `=>`");
                    Nodes::new()
                }
                None if self.at_value() => self.unbraced_arm(),
                None => self.node().into_iter().collect(),
            };
            self.take_punct(',');
            arms.push(Arm { pattern, body });
        }
        arms
    }

    fn at_single_colon(&self) -> bool {
        let behind_colon = self
            .at
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before))
            .is_some_and(
                |token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':'),
            );
        self.is_punct(0, ':') && !self.is_punct(1, ':') && !behind_colon
    }

    /// True if a Rust value without braces is next.
    fn at_value(&self) -> bool {
        match self.peek(0) {
            Some(TokenTree::Ident(word)) => {
                let is_never = is_never(word) && self.at_call_of_macro(1);
                !is_never
                    && !["if", "for", "match", "let", "while", "loop", "rsx"]
                        .contains(&&*word.to_string())
                    && !matches!(self.peek(1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
            }
            _ => false,
        }
    }

    /// Skips the value of an arm up to the comma, and reports that its braces are missing.
    fn unbraced_arm(&mut self) -> Nodes {
        let (start, span) = (self.at, self.span());
        while self.peek(0).is_some() && !self.is_punct(0, ',') {
            self.at += 1;
        }
        let value: TokenStream = self.tokens[start..self.at].iter().cloned().collect();
        self.diagnostics.note(
            span,
            format!("text goes in quotes and values in braces: write `{{{value}}}`"),
        );
        Nodes::new()
    }

    /// The tokens between a keyword and the braces of its body. Braces of a pattern, as in
    /// `if let Point { x, y } = point` or `for Point { x, y } in points`, are part of it.
    fn head(&mut self, keyword: &str) -> Option<Head> {
        let start = self.at;
        let mut in_pattern = keyword == "for";
        let mut braces = None;
        while let Some(token) = self.peek(0) {
            match token {
                // No Rust expression continues with this token, so the body is missing.
                _ if self.at_closing_tag() => break,
                token if is_text_token(token) && self.is_behind_value(start) => {
                    break;
                }
                TokenTree::Punct(punct)
                    if punct.as_char() == '='
                        && self.is_punct(1, '>')
                        && self.is_behind_value(start) =>
                {
                    let span = punct.span();
                    self.tokens.drain(self.at..self.at + 2);
                    let message = format!("a body follows `{keyword}` without `=>`: remove it");
                    self.diagnostics.note(span, message);
                    continue;
                }
                TokenTree::Ident(word) if word == "let" => in_pattern = true,
                TokenTree::Ident(word) if word == "in" => in_pattern = false,
                TokenTree::Punct(punct) if punct.as_char() == '=' => in_pattern = false,
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && !in_pattern => {
                    let body = group.clone();
                    let head: Vec<_> = self.tokens[start..self.at].to_vec();
                    self.at += 1;
                    if head.is_empty() {
                        let message = format!("nothing is between `{keyword}` and its braces");
                        self.diagnostics.note(body.span_open(), message);
                        return None;
                    }
                    return Some(Head::Whole(head.into_iter().collect(), body));
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    braces.get_or_insert(self.at + 1);
                }
                _ => {}
            }
            self.at += 1;
        }
        if let Some(behind) = braces.filter(|_| keyword == "for") {
            let message = "`for` lacks `in`: write `for item in items { .. }`";
            self.diagnostics.note(self.span_of_keyword(start), message);
            self.at = behind;
            return None;
        }
        let message = format!("`{keyword}` has no body: write `{{ .. }}`");
        self.diagnostics.note(self.span_of_keyword(start), message);
        if in_pattern {
            return None;
        }
        self.half_head(start).map(Head::Half)
    }

    /// True if a value ends directly before this position, in a head that begins at `start`.
    fn is_behind_value(&self, start: usize) -> bool {
        let before = self.at.checked_sub(1).filter(|before| *before >= start);
        match before.and_then(|before| self.tokens.get(before)) {
            Some(TokenTree::Ident(word)) => {
                !["in", "let", "if", "match", "return"].contains(&&*word.to_string())
            }
            Some(TokenTree::Group(_) | TokenTree::Literal(_)) => true,
            Some(TokenTree::Punct(_)) | None => false,
        }
    }

    /// The span of the keyword whose head begins at a token.
    fn span_of_keyword(&self, head: usize) -> Span {
        let keyword = self.tokens.get(head.saturating_sub(1));
        keyword.map_or_else(Span::call_site, TokenTree::span)
    }

    /// The value in the tokens from `start` on, without the pattern before it and the punctuation at its end. That
    /// punctuation would be a syntax error and hide all other errors.
    fn half_head(&self, start: usize) -> Option<TokenStream> {
        let tokens = self.tokens.get(start..self.at)?;
        let separates = |token: &TokenTree| match token {
            TokenTree::Ident(word) => word == "in",
            TokenTree::Punct(punct) => punct.as_char() == '=' && punct.spacing() == Spacing::Alone,
            _ => false,
        };
        let begin = tokens.iter().position(separates).map_or(0, |at| at + 1);
        let is_word = |token: &TokenTree| !matches!(token, TokenTree::Punct(_));
        let end = tokens.iter().rposition(is_word)? + 1;
        let value = tokens.get(begin..end)?;
        (!value.is_empty()).then(|| value.iter().cloned().collect())
    }

    fn body(&mut self, group: &Group, rust: bool) -> Body {
        if rust {
            Body::Unread(group.clone())
        } else {
            Body::Nodes(self.inside(group).all())
        }
    }
}
