//! `if`, `for` and `match` among the children.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

use super::ast::{Arm, Body, Else, For, If, Match};
use super::parse::{Parser, expr};

impl Parser<'_> {
    /// What follows `if`. `rust` says that the bodies are Rust blocks.
    pub(super) fn conditional(&mut self, rust: bool) -> Option<If> {
        let (condition, body) = self.head("if")?;
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

    /// What follows `for`.
    pub(super) fn repetition(&mut self, rust: bool) -> Option<For> {
        let (head, body) = self.head("for")?;
        Some(For {
            head,
            body: self.body(&body, rust),
        })
    }

    /// What follows `match`.
    pub(super) fn choice(&mut self) -> Option<Match> {
        let (value, body) = self.head("match")?;
        let arms = self.inside(&body).arms();
        Some(Match { value, arms })
    }

    fn arms(&mut self) -> Vec<Arm> {
        let mut arms = Vec::new();
        while let Some(first) = self.peek(0) {
            let span = first.span();
            let start = self.at;
            while self.peek(0).is_some() && !(self.is_punct(0, '=') && self.is_punct(1, '>')) {
                self.at += 1;
            }
            let pattern = self.tokens[start..self.at].iter().cloned().collect();
            if self.peek(0).is_none() {
                self.diagnostics
                    .note(span, "expected `pattern => child` in `match`");
                break;
            }
            self.at += 2;
            let body = match self.take_braces() {
                Some(group) => self.inside(&group).all(),
                None => self.node().into_iter().collect(),
            };
            self.take_punct(',');
            arms.push(Arm { pattern, body });
        }
        arms
    }

    /// All between a keyword and the braces of its body. Braces that belong to a pattern, as in
    /// `if let Point { x, y } = point` or `for Point { x, y } in points`, are part of it.
    fn head(&mut self, keyword: &str) -> Option<(TokenStream, Group)> {
        let start = self.at;
        let mut in_pattern = keyword == "for";
        while let Some(token) = self.peek(0) {
            match token {
                TokenTree::Ident(word) if word == "let" => in_pattern = true,
                TokenTree::Ident(word) if word == "in" => in_pattern = false,
                TokenTree::Punct(punct) if punct.as_char() == '=' => in_pattern = false,
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && !in_pattern => {
                    let body = group.clone();
                    let head: Vec<_> = self.tokens[start..self.at].to_vec();
                    self.at += 1;
                    if head.is_empty() {
                        let message = format!("`{keyword}` lacks what stands before its braces");
                        self.diagnostics.note(body.span_open(), message);
                        return None;
                    }
                    return Some((head.into_iter().collect(), body));
                }
                _ => {}
            }
            self.at += 1;
        }
        let span = self
            .tokens
            .get(start.saturating_sub(1))
            .map_or_else(Span::call_site, TokenTree::span);
        self.diagnostics
            .note(span, format!("`{keyword}` has no body: write `{{ .. }}`"));
        None
    }

    fn body(&mut self, group: &Group, rust: bool) -> Body {
        if rust {
            Body::Expr(expr(group))
        } else {
            Body::Nodes(self.inside(group).all())
        }
    }
}
