//! Sequences of nodes.

use super::cursor::Parser;
use super::model::{List, Node};
use crate::Error;
use crate::source::{DEPTH, Group, Tree};

impl<'s> Parser<'s> {
    pub(super) fn at_closing_tag(&self) -> bool {
        self.is_punct(0, '<') && self.is_punct(1, '/')
    }

    pub(super) fn nodes(&mut self) -> Result<List<'s, Node<'s>>, Error> {
        self.list(Self::at_closing_tag, Self::node)
    }

    /// Parses the body of an `rsx!`: an optional `crate = path;`, followed by nodes.
    pub(super) fn call(&mut self) -> Result<List<'s, Node<'s>>, Error> {
        let nodes = self.list(Self::at_closing_tag, |parser| {
            match parser.at == 0 && parser.word(0) == Some("crate") && parser.is_punct(1, '=') {
                true => parser.path_of_crate(),
                false => parser.node(),
            }
        })?;
        self.ended(nodes)
    }

    fn path_of_crate(&mut self) -> Result<Node<'s>, Error> {
        let start = self.at;
        while !self.take(';') {
            if self.next().is_none() {
                return Err(self.expected("`;` after the path of the crate"));
            }
        }
        self.kept(start).map(Node::Kept)
    }

    pub(super) fn all(&mut self) -> Result<List<'s, Node<'s>>, Error> {
        let nodes = self.nodes()?;
        self.ended(nodes)
    }

    fn ended(&self, nodes: List<'s, Node<'s>>) -> Result<List<'s, Node<'s>>, Error> {
        if self.peek(0).is_some() {
            return Err(self.error(self.ahead(), "this closing tag closes nothing"));
        }
        Ok(nodes)
    }

    /// Parses the nodes within braces.
    pub(super) fn inside(&self, group: &'s Group) -> Result<List<'s, Node<'s>>, Error> {
        Parser::new(self.source, group, self.depth + 1).all()
    }

    pub(super) fn node(&mut self) -> Result<Node<'s>, Error> {
        if self.depth >= DEPTH {
            let (line, column) = self.source.position(self.ahead());
            let limit = DEPTH;
            return Err(Error::Depth {
                line,
                column,
                limit,
            });
        }
        self.depth += 1;
        let outer = std::mem::take(&mut self.misplaced);
        let start = self.at;
        let node = self.any_node()?;
        let misplaced = std::mem::replace(&mut self.misplaced, outer);
        self.depth -= 1;
        if misplaced {
            return self.kept(start).map(Node::Kept);
        }
        Ok(node)
    }

    pub(super) fn any_node(&mut self) -> Result<Node<'s>, Error> {
        let start = self.at;
        if let Some(group) = self.braces() {
            self.first();
            return self.braces_of(group);
        }
        match (self.peek(0), self.word(0)) {
            (Some(Tree::Punct('<', _)), _) => self.element(),
            (Some(Tree::Literal(place)), _) if is_text(&self.source.text[place.clone()]) => {
                self.first();
                self.kept(start).map(Node::Kept)
            }
            (_, Some("if" | "for")) => self.branches(),
            (_, Some("match")) => self.choice(),
            (_, Some("todo" | "unimplemented" | "unreachable" | "panic"))
                if self.is_punct(1, '!') && matches!(self.peek(2), Some(Tree::Group(_))) =>
            {
                self.first();
                self.next();
                self.next();
                self.kept(start).map(Node::Kept)
            }
            _ => Err(self.expected("an element, a string, braces, `if`, `for` or `match`")),
        }
    }
}

fn is_text(literal: &str) -> bool {
    literal.starts_with('"') || literal.starts_with("r\"") || literal.starts_with("r#")
}
