//! `if`, `for` and `match`.

use super::cursor::Parser;
use super::model::{Arm, ArmBody, Branch, Node, Rust};
use crate::Error;
use crate::source::{Group, Tree};

impl<'s> Parser<'s> {
    pub(super) fn branches(&mut self) -> Result<Node<'s>, Error> {
        let mut branches = Vec::new();
        let mut keyword = if self.word(0) == Some("if") {
            "if"
        } else {
            "for"
        };
        self.first();
        loop {
            let (head, group) = self.head(keyword)?;
            let body = self.inside(group)?;
            branches.push(Branch {
                keyword,
                head,
                body,
            });
            if !keyword.ends_with("if") || self.word(0) != Some("else") {
                return Ok(Node::Branches(branches));
            }
            self.next();
            keyword = "else";
            if self.word(0) == Some("if") {
                self.next();
                keyword = "else if";
            } else if self.braces().is_none() {
                return Err(self.expected("`if` or `{` behind `else`"));
            }
        }
    }

    /// Parses the tokens between a keyword, which was consumed, and its body.
    fn head(&mut self, keyword: &str) -> Result<(Rust<'s>, &'s Group), Error> {
        let start = self.at;
        // Braces of a pattern are part of it: `if let Point { x, y } = point`.
        let mut in_pattern = keyword == "for";
        loop {
            match (self.peek(0), self.word(0)) {
                (None, _) => return Err(self.expected("the braces of a body")),
                (_, Some("let")) => in_pattern = true,
                (_, Some("in")) | (Some(Tree::Punct('=', _)), _) => in_pattern = false,
                _ if self.braces().is_some() && !in_pattern => break,
                _ => {}
            }
            if self.at == start {
                self.next();
            } else {
                // Comments are kept with the Rust code.
                self.first();
            }
        }
        let head = self.rust(start)?;
        Ok((head, self.body()?))
    }

    fn body(&mut self) -> Result<&'s Group, Error> {
        let group = self.braces().ok_or_else(|| self.expected("`{`"))?;
        self.next();
        Ok(group)
    }

    pub(super) fn choice(&mut self) -> Result<Node<'s>, Error> {
        self.first();
        let (value, group) = self.head("match")?;
        let mut inside = Parser::new(self.source, group, self.depth + 1);
        let arms = inside.list(|_| false, Self::arm)?;
        Ok(Node::Match { value, arms })
    }

    fn arm(&mut self) -> Result<Arm<'s>, Error> {
        let start = self.at;
        while !(self.is_punct(0, '=') && self.is_punct(1, '>')) {
            if self.first().is_none() {
                return Err(self.expected("`=>` behind the pattern"));
            }
        }
        let pattern = self.rust(start)?;
        let outer = std::mem::take(&mut self.misplaced);
        self.next();
        self.next();
        self.misplaced |= !self.source.gap(self.behind..self.ahead()).0.is_empty();
        let body = if let Some(group) = self.braces() {
            self.next();
            ArmBody::Braces(self.inside(group)?)
        } else {
            ArmBody::Node(self.node()?)
        };
        let comma = self.take(',');
        let misplaced = std::mem::replace(&mut self.misplaced, outer);
        if misplaced {
            return self.kept(start).map(Arm::Kept);
        }
        Ok(Arm::Shown {
            pattern,
            body,
            comma,
        })
    }
}
