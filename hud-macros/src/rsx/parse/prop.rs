//! The props of a tag.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

use super::{Parser, literal_in};
use crate::rsx::ast::{Expr, Part, Prop, Tag, Value};
use crate::rsx::mistakes::props_in;
use crate::rsx::text::is_text_token;

impl Parser<'_> {
    pub(super) fn props(&mut self, tag: &mut Tag) {
        loop {
            let name = match self.peek(0) {
                Some(TokenTree::Ident(name)) => name.clone(),
                None => return,
                Some(TokenTree::Punct(punct)) if matches!(punct.as_char(), '>' | '/' | '<') => {
                    return;
                }
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    let group = group.clone();
                    self.at += 1;
                    self.spread(&group, tag);
                    continue;
                }
                Some(other) => {
                    let (span, is_value) = (other.span(), matches!(other, TokenTree::Literal(_)));
                    if self.foreign_mark(tag) {
                        continue;
                    }
                    // A value without a name means that a prop is missing.
                    tag.incomplete |= is_value;
                    let why = if is_value {
                        ": a value follows the name of its prop and `=`"
                    } else {
                        ""
                    };
                    let message = format!("expected a prop of `<{}>`, `/>` or `>`{why}", tag.name);
                    self.diagnostics.note(span, message);
                    self.at += 1;
                    continue;
                }
            };
            self.at += 1;
            let foreign = self.foreign_prop(&name);
            let noted = self.diagnostics.len();
            let is_given = self.is_punct(0, '=');
            let equals = if is_given { self.span() } else { tag.open };
            let value = self.value(&name);
            if foreign {
                self.diagnostics.truncate(noted);
                tag.incomplete = true;
                // The content of the tag names an item that does not exist.
                tag.misnamed |= name == "let";
                continue;
            }
            if syn::parse_str::<Ident>(&name.to_string()).is_err() {
                let message = if name == "_" {
                    "`_` is not the name of a prop".to_owned()
                } else {
                    format!("`{name}` is a keyword: write `r#{name}` for a prop of this name")
                };
                self.diagnostics.note(name.span(), message);
                tag.incomplete = true;
                continue;
            }
            if tag.props.iter().any(|prop| prop.name == name) {
                self.diagnostics.note(
                    name.span(),
                    format!("prop `{name}` is given twice: remove one"),
                );
                continue;
            }
            tag.props.push(Prop {
                name,
                equals,
                value,
            });
        }
    }

    /// Parses `{..expression}` among the props.
    fn spread(&mut self, group: &Group, tag: &mut Tag) {
        let mut inside = self.inside(group);
        let dots = inside.take_punct('.') && inside.take_punct('.');
        let third = dots && inside.take_punct('.');
        let more = dots
            && inside
                .tokens
                .iter()
                .any(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','));
        let alone = match inside.tokens.as_slice() {
            [TokenTree::Ident(name)] if !dots => Some(name.to_string()),
            _ => None,
        };
        let parts = inside.parts();
        let span = group.span();
        let message = if third {
            "props are spread with two dots: write `{..props}`".to_owned()
        } else if more {
            "props that replace some of those that are spread go after the braces: write \
             `{..props} name=..`"
                .to_owned()
        } else if let Some(name) = alone {
            format!("a prop of the same name as its value needs only the name: write `{name}`")
        } else if !dots && !props_in(group).is_empty() {
            let (name, props) = (&tag.name, props_in(group));
            format!("props are written without braces around them: write `<{name}{props}>`")
        } else if !dots {
            format!(
                "a value goes after the name of its prop: write `name={{..}}`, or \
                 `{{..props}}` for all props of a `{}`",
                tag.name
            )
        } else if parts.is_empty() {
            format!(
                "`..` has nothing to spread: write `{{..props}}` with a `{}`",
                tag.name
            )
        } else if tag.spread.is_some() {
            "props are spread twice: remove one".to_owned()
        } else {
            if let Some(prop) = tag.props.first() {
                let message = format!(
                    "`{{..}}` gives all props, and those after it replace some: move it in \
                     front of `{}`",
                    prop.name
                );
                self.diagnostics.note(span, message);
            }
            tag.spread = Some(Expr { parts, span });
            return;
        };
        tag.incomplete = true;
        self.diagnostics.note(span, message);
    }

    /// Parses the rest of a prop: `={..}`, `=literal`, `=<element>`, or nothing.
    fn value(&mut self, name: &Ident) -> Value {
        if (self.is_punct(0, '?') || self.is_punct(0, '!')) && self.is_punct(1, '=') {
            let message = format!("a prop has no mark after its name: write `{name}=..`");
            self.diagnostics.note(self.span(), message);
            self.at += 1;
        }
        let equals = self.span();
        if self.is_punct(0, ':') && !self.is_punct(1, ':') {
            self.at += 1;
            self.diagnostics.note(
                equals,
                format!("a prop is given with `=`: write `{name}=..`"),
            );
        } else if self.take_punct('=') {
            if self.take_punct('=') || (self.is_punct(0, '>') && self.peek(1).is_some_and(is_value))
            {
                self.at += usize::from(self.is_punct(0, '>'));
                self.diagnostics.note(
                    equals,
                    format!("a prop is given with one `=`: write `{name}=..`"),
                );
            }
        } else if let Some(TokenTree::Literal(literal)) = self.peek(0) {
            let message = format!("a prop is given with `=`: write `{name}={literal}`");
            self.diagnostics.note(name.span(), message);
        } else {
            return Value::Expr(Expr {
                parts: vec![Part::Rust(TokenTree::from(name.clone()).into())],
                span: name.span(),
            });
        }
        let negative = self.is_punct(0, '-') && matches!(self.peek(1), Some(TokenTree::Literal(_)));
        let sign = if negative { self.next() } else { None };
        match self.peek(0) {
            Some(TokenTree::Group(group))
                if matches!(group.delimiter(), Delimiter::Brace | Delimiter::None) =>
            {
                let group = group.clone();
                self.at += 1;
                if group.delimiter() == Delimiter::None
                    && let Some(text) = literal_in(&group).and_then(|text| self.text(&text))
                {
                    return Value::Text(text);
                }
                if self.refuse_arrow(&group) || self.refuse_object(&group) {
                    return Value::Missing;
                }
                let value = self.expr(&group);
                if group.stream().is_empty() {
                    self.diagnostics.note(
                        value.span,
                        format!("prop `{name}` has no value: write one between the braces"),
                    );
                    return Value::Missing;
                }
                Value::Expr(value)
            }
            Some(TokenTree::Literal(literal)) => {
                let literal = literal.clone();
                if self.refuse_operators(name, negative) {
                    return Value::Missing;
                }
                let text = self.text(&literal);
                let written = self.next();
                let calls = self.calls_of_methods();
                let value = match text {
                    Some(text) if calls.is_empty() => return Value::Text(text),
                    Some(text) => text.value(),
                    None => sign.into_iter().chain(written).collect(),
                };
                Value::Expr(Expr {
                    parts: vec![Part::Rust(value.into_iter().chain(calls).collect())],
                    span: literal.span(),
                })
            }
            Some(TokenTree::Ident(word)) if word == "true" || word == "false" => {
                let span = word.span();
                let parts = vec![Part::Rust(self.next().into_iter().collect())];
                Value::Expr(Expr { parts, span })
            }
            Some(TokenTree::Punct(punct)) if punct.as_char() == '<' && !self.is_punct(1, '/') => {
                let node = self.node();
                self.refuse_second_element();
                node.map_or(Value::Missing, |node| Value::Element(Box::new(node)))
            }
            _ => {
                let span = self.span();
                // In `prop= next=..` the word is the next prop, not a value without braces.
                let is_next =
                    matches!(self.peek(0), Some(TokenTree::Ident(_))) && self.is_punct(1, '=');
                let value = if is_next {
                    String::new()
                } else {
                    self.unbraced()
                };
                if value.is_empty() {
                    let message = format!(
                        "prop `{name}` has no value: write `{name}={{..}}`, or a literal after `=`"
                    );
                    self.diagnostics.note(equals, message);
                } else {
                    let message = format!(
                        "text goes in quotes and values in braces: write `{name}={{{value}}}`"
                    );
                    self.diagnostics.note(span, message);
                }
                Value::Missing
            }
        }
    }

    /// Reports a literal that is followed by an operator, as in `title="a" + name`, and skips the whole expression.
    /// False if the literal is alone. The sign of a negative one is consumed already.
    fn refuse_operators(&mut self, name: &Ident, is_negative: bool) -> bool {
        let is_operator = match self.peek(1) {
            Some(TokenTree::Punct(punct)) => {
                "+-*%&|^".contains(punct.as_char())
                    || punct.as_char() == '/' && !self.is_punct(2, '>')
            }
            _ => false,
        };
        if !is_operator {
            return false;
        }
        self.at -= usize::from(is_negative);
        let (start, span) = (self.at, self.span());
        let value = self.unbraced();
        let sum = self.tokens.get(start..self.at).unwrap_or_default();
        let message = if !sum.iter().any(is_text_token) {
            format!("text goes in quotes and values in braces: write `{name}={{{value}}}`")
        } else if let Some(text) = sum_as_text(sum) {
            format!("a text shows values: write `{name}=\"{text}\"`")
        } else {
            format!("a text shows values: write `{name}={{format!(..)}}`")
        };
        self.diagnostics.note(span, message);
        true
    }

    /// Parses any number of `.name(..)`. rustc suggests these after a literal that has not the type of the prop.
    fn calls_of_methods(&mut self) -> Vec<TokenTree> {
        let mut calls = Vec::new();
        while self.is_punct(0, '.')
            && matches!(self.peek(1), Some(TokenTree::Ident(_)))
            && matches!(self.peek(2), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
        {
            calls.extend((0..3).filter_map(|_| self.next()));
        }
        calls
    }

    /// Reports further elements after the one of a slot.
    fn refuse_second_element(&mut self) {
        if !self.is_punct(0, '<') || self.is_punct(1, '/') {
            return;
        }
        let span = self.span();
        self.diagnostics.note(
            span,
            "a slot is given one element: put several between `<>` and `</>`",
        );
        while self.is_punct(0, '<') && !self.is_punct(1, '/') {
            self.node();
        }
    }
}

/// Converts a sum of strings and values to the content of one text: `a {name}` for `"a " + name`.
fn sum_as_text(sum: &[TokenTree]) -> Option<String> {
    let is_mark = |token: &TokenTree, wanted| matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted);
    let summands = sum.split(|token| is_mark(token, '+')).map(|summand| {
        if let [text] = summand
            && is_text_token(text)
        {
            let text = text.to_string();
            return Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned());
        }
        let value = match summand {
            [reference, value @ ..] if is_mark(reference, '&') => value,
            value => value,
        };
        let value = value.iter().cloned().collect::<TokenStream>().to_string();
        (!value.is_empty() && !value.contains('"')).then(|| format!("{{{value}}}"))
    });
    summands.collect()
}

/// True if a token can be the value of a prop.
fn is_value(token: &TokenTree) -> bool {
    match token {
        TokenTree::Literal(_) => true,
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Punct(_) => false,
    }
}
