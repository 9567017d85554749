//! Elements: tags and props.

use proc_macro2::Delimiter;

use super::cursor::Parser;
use super::model::{Element, Node, Prop};
use crate::Error;
use crate::source::{Place, Tree};

impl<'s> Parser<'s> {
    pub(super) fn element(&mut self) -> Result<Node<'s>, Error> {
        let open = self.ahead();
        self.first();
        let start = self.at;
        let path = self.path();
        if path.is_empty() && !self.is_punct(0, '>') {
            return Err(self.expected("a name, or `>` for a fragment"));
        }
        self.generics()?;
        let name = self.rust(start)?;
        let props = self.list(Self::at_end_of_tag, Self::prop)?;
        let (children, closing) = if self.take('/') {
            if !self.take('>') {
                return Err(self.expected("`>` behind `/`"));
            }
            (None, open..open)
        } else if self.is_punct(0, '>') {
            self.first();
            (Some(self.nodes()?), self.closing_tag(open, path)?)
        } else {
            return Err(self.error(open, "this tag is not ended: write `/>` or `>`"));
        };
        Ok(Node::Element(Element {
            name,
            props,
            children,
            closing,
        }))
    }

    /// Parses the closing tag for the path that was opened at `open`. It returns the place of the path in it.
    fn closing_tag(&mut self, open: usize, path: &[Tree]) -> Result<Place, Error> {
        let start = self.ahead();
        if !self.at_closing_tag() {
            return Err(self.error(open, "this tag is not closed"));
        }
        self.first();
        self.next();
        let at = self.at;
        let text = |tree: &Tree| &self.source.text[tree.place()];
        let closing = self.path();
        let place = self.place(at);
        if !path.iter().map(text).eq(closing.iter().map(text)) {
            return Err(self.error(start, "this closing tag is not that of the open one"));
        }
        if !self.take('>') {
            return Err(self.expected("`>` at the end of the closing tag"));
        }
        Ok(place)
    }

    /// Parses `a::b::Name`.
    fn path(&mut self) -> &'s [Tree] {
        let start = self.at;
        let mut named = false;
        loop {
            if self.is_punct(0, ':') && self.is_punct(1, ':') && !self.is_punct(2, '<') {
                self.next();
                self.next();
                named = false;
            } else if self.word(0).is_some() && !named {
                self.next();
                named = true;
            } else {
                return &self.trees[start..self.at];
            }
        }
    }

    /// Parses the generics after a path.
    fn generics(&mut self) -> Result<(), Error> {
        if self.is_punct(0, ':') && self.is_punct(1, ':') && self.is_punct(2, '<') {
            self.next();
            self.next();
        }
        let mut depth = 0_usize;
        let mut after_dash = false;
        while self.is_punct(0, '<') || depth > 0 {
            match self.next() {
                Some(Tree::Punct('<', _)) => depth += 1,
                // The `>` of `->` does not close the generics.
                Some(Tree::Punct('>', _)) if !after_dash => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                None => return Err(self.expected("`>` behind the generics")),
                Some(_) => {}
            }
            after_dash = matches!(self.trees[self.at - 1], Tree::Punct('-', _));
        }
        Ok(())
    }

    fn at_end_of_tag(&self) -> bool {
        self.is_punct(0, '/') || self.is_punct(0, '>') || self.is_punct(0, '<')
    }

    fn prop(&mut self) -> Result<Prop<'s>, Error> {
        let start = self.at;
        if let Some(group) = self.braces() {
            self.first();
            return self.braces_of(group).map(Prop::Alone);
        }
        if self.word(0).is_none() {
            return Err(self.expected("a prop, `/>` or `>`"));
        }
        self.first();
        if !self.is_punct(0, '=') {
            return self.kept(start).map(|name| Prop::Alone(Node::Kept(name)));
        }
        let name = self.place(start);
        let outer = std::mem::take(&mut self.misplaced);
        self.next();
        let value = self.value()?;
        let misplaced = std::mem::replace(&mut self.misplaced, outer);
        if misplaced {
            return self.kept(start).map(|prop| Prop::Alone(Node::Kept(prop)));
        }
        Ok(Prop::Given(name, value))
    }

    fn value(&mut self) -> Result<Node<'s>, Error> {
        // A comment after `=` is misplaced.
        self.misplaced |= !self.source.gap(self.behind..self.ahead()).0.is_empty();
        let start = self.at;
        if self.is_punct(0, '-') {
            self.next();
        }
        if matches!(self.peek(0), Some(Tree::Literal(_)))
            || matches!(self.word(0), Some("true" | "false"))
        {
            self.next();
            // Method calls are part of the value: `"a".to_string()`.
            while self.is_punct(0, '.')
                && self.word(1).is_some()
                && self.is_group(2, Delimiter::Parenthesis)
            {
                (0..3).for_each(|_| {
                    self.next();
                });
            }
            return self.kept(start).map(Node::Kept);
        }
        let is_value = self.braces().is_some() || self.is_punct(0, '<');
        if !is_value || self.at_closing_tag() || self.at > start {
            return Err(self.expected("a value: `{..}`, a literal or an element"));
        }
        self.node()
    }
}
