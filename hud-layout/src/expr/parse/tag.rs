//! Tags within expressions, and the opening tags of a layout.

use super::super::closing::tag_name;
use super::super::lex::{self, Token, name_length};
use super::super::tree::{Child, Expr, ExprKind, Name, Prop, Tag};
use super::super::{Mistake, Span, closing, is_blank};
use super::{Parsed, Parser};
use crate::expr::entity;

/// An opening tag: `<Name prop={value}>`, or `<>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The name of the tag, unless it is `<>`.
    pub name: Option<Name>,
    /// The props, as they are written.
    pub props: Vec<Prop>,
    /// True if the tag ends in `/>` and has no children.
    pub closes_itself: bool,
    /// The span from `<` to `>`.
    pub span: Span,
}

impl Parser<'_> {
    /// Parses a tag with its children. Its `<` is the next token.
    pub(super) fn tag(&mut self) -> Parsed {
        let expr = self.element()?;
        let end = self.lexer.at;
        self.resume(end)?;
        Ok(expr)
    }

    /// Parses a tag that begins at the next token. The lexer is then after the tag.
    fn element(&mut self) -> Parsed {
        let start = self.span.start;
        self.check_tag(start)?;
        self.deeper(self.span)?;
        self.lexer.at = start;
        let opening = self.opening()?;
        let mut children = Vec::new();
        if !opening.closes_itself {
            while self.child(&opening, &mut children)? {}
        }
        self.brackets -= 1;
        self.whole_tag(opening, children)
    }

    /// Fails if the `<` at `start` does not begin a tag.
    fn check_tag(&mut self, start: usize) -> Parsed<()> {
        let rest = &self.source()[start + 1..];
        if rest.starts_with("!--") {
            return self.fail(comment(start));
        }
        if !rest.starts_with('>') && name_length(rest) == 0 {
            return self.unexpected("a value");
        }
        Ok(())
    }

    fn whole_tag(&mut self, opening: Opening, children: Vec<Child>) -> Parsed {
        let start = self.unplaced(opening.span).start;
        let span = Span::new(start, self.lexer.at);
        let kind = match opening.name {
            Some(name) => {
                let placed = self.placed(span);
                ExprKind::Tag(Box::new(Tag::new(name, opening.props, children, placed)))
            }
            None => ExprKind::Fragment(children),
        };
        self.make(kind, span)
    }

    /// Parses an opening tag. The lexer is at its `<`.
    pub(super) fn opening(&mut self) -> Parsed<Opening> {
        let start = self.lexer.at;
        self.lexer.at += 1;
        let name = tag_name(self.lexer.rest());
        self.lexer.at += name.len();
        let name_span = Span::new(start + 1, self.lexer.at);
        let mut props: Vec<Prop> = Vec::new();
        while self.begins_prop(name_span)? {
            let prop = self.prop()?;
            self.push_prop(&mut props, prop)?;
        }
        let closes_itself = self.lexer.rest().starts_with('/');
        self.lexer.at += if closes_itself { 2 } else { 1 };
        let span = Span::new(start, self.lexer.at);
        if name.is_empty() && !props.is_empty() {
            self.mistakes
                .push(Mistake::new(span, "`<>` takes no props"));
        }
        let name = (!name.is_empty()).then(|| Name {
            text: name.into(),
            span: self.placed(name_span),
        });
        Ok(Opening {
            name,
            props,
            closes_itself,
            span: self.placed(span),
        })
    }

    /// True if a prop is next, false at the end of the tag.
    fn begins_prop(&mut self, name: Span) -> Parsed<bool> {
        loop {
            self.skip_blank()?;
            let at = self.lexer.at;
            let rest = self.lexer.rest();
            if rest.starts_with('{') {
                self.spread(at)?;
                continue;
            }
            if rest.starts_with("/>") || rest.starts_with('>') {
                return Ok(false);
            }
            if prop_name_length(rest) > 0 {
                return Ok(true);
            }
            let Some(found) = rest.chars().next() else {
                let open = Span::new(name.start - 1, name.end);
                let written = &self.source()[open.start..open.end];
                let message = format!("`{written}` is not ended: write `/>` or `>`");
                return self.refuse(open, &message);
            };
            let span = Span::new(at, at + found.len_utf8());
            if let Some(message) = mark_to_remove(rest) {
                self.lexer.at += found.len_utf8();
                // One error is enough for a row of the same marks.
                if self
                    .mistakes
                    .last()
                    .is_none_or(|last| last.message != message)
                {
                    self.mistakes.push(Mistake::new(span, message));
                }
                continue;
            }
            let written = &self.source()[name.start..name.end];
            let message = format!("expected a prop of `<{written}>`, `/>` or `>`");
            return self.refuse_with(
                span,
                &message,
                "a prop is written `name={value}` or `name=\"text\"`",
            );
        }
    }

    fn push_prop(&mut self, props: &mut Vec<Prop>, prop: Prop) -> Parsed<()> {
        if props.iter().any(|other| other.name.text == prop.name.text) {
            let message = format!("prop `{}` is given twice: remove one", prop.name.text);
            let span = self.unplaced(prop.name.span);
            self.mistakes.push(Mistake::new(span, message));
        } else {
            props.push(prop);
        }
        self.check_row(props.len(), "props")
    }

    fn skip_blank(&mut self) -> Parsed<()> {
        match self.lexer.skip_comments() {
            Ok(()) => Ok(()),
            Err(mistake) => self.fail(mistake),
        }
    }

    /// Reports `{...props}`, which is not supported.
    fn spread(&mut self, at: usize) -> Parsed<()> {
        let end = match closing(self.source(), at) {
            Ok(end) => end + 1,
            Err(mistake) => return self.fail(mistake),
        };
        self.lexer.at = end;
        let inner = self.source()[at + 1..end - 1].trim();
        if !is_blank(inner) {
            self.mistakes.push(
                Mistake::new(Span::new(at, end), "props are not spread: name each one").with_help(
                    "write `name={value}`, as the props of a tag are checked before it is shown",
                ),
            );
        }
        Ok(())
    }

    fn prop(&mut self) -> Parsed<Prop> {
        let start = self.lexer.at;
        self.lexer.at += prop_name_length(self.lexer.rest());
        let span = Span::new(start, self.lexer.at);
        let value = self.prop_value(span)?;
        let name = Name {
            text: self.source()[span.start..span.end].into(),
            span: self.placed(span),
        };
        let value = *value;
        Ok(Prop { name, value })
    }

    fn prop_value(&mut self, name: Span) -> Parsed {
        self.skip_blank()?;
        let rest = self.lexer.rest();
        let is_double = rest.starts_with("==") || rest.strip_prefix("=>").is_some_and(begins_value);
        if !is_double && !rest.starts_with(['=', ':']) {
            return self.make(ExprKind::Bool(true), name);
        }
        let sign = &rest[..1 + usize::from(is_double)];
        if sign != "=" {
            let one = if is_double { "one " } else { "" };
            let name = &self.source()[name.start..name.end];
            let message = format!("a prop is given with {one}`=`: write `{name}=..`");
            let span = Span::new(self.lexer.at, self.lexer.at + sign.len());
            self.mistakes.push(Mistake::new(span, message));
        }
        self.lexer.at += sign.len();
        self.skip_blank()?;
        let at = self.lexer.at;
        match self.lexer.rest().chars().next() {
            Some(quote @ ('"' | '\'')) => self.quoted(quote),
            Some('{') => match blank_braces(self.lexer.rest()) {
                Some(length) => self.empty(name, length),
                None => self.braces(at),
            },
            _ => self.unquoted(name),
        }
    }

    /// Reports empty braces and skips them.
    fn empty(&mut self, name: Span, length: usize) -> Parsed {
        let at = self.lexer.at;
        self.lexer.at += length;
        let span = Span::new(at, self.lexer.at);
        let name = &self.source()[name.start..name.end];
        let message = format!("prop `{name}` has no value: write one between the braces");
        self.mistakes.push(Mistake::new(span, message));
        self.make(ExprKind::Undefined, span)
    }

    fn quoted(&mut self, quote: char) -> Parsed {
        let at = self.lexer.at;
        let rest = self.lexer.rest();
        let Some(length) = rest[1..].find(quote) else {
            let message = format!("this text is not closed: write `{quote}`");
            return self.refuse(Span::new(at, at + 1), &message);
        };
        self.lexer.at += length + 2;
        let text = entity::decode(&rest[1..=length]);
        self.make(ExprKind::Text(text.into()), Span::new(at, self.lexer.at))
    }

    /// Reports a value without quotes or braces and skips it.
    fn unquoted(&mut self, name: Span) -> Parsed {
        let at = self.lexer.at;
        let rest = self.lexer.rest();
        let end = rest.find(|c: char| c.is_whitespace() || c == '>');
        let mut written = &rest[..end.unwrap_or(rest.len())];
        if let Some(before) = written.strip_suffix('/') {
            written = before;
        }
        // If the next prop follows, the value is missing.
        let behind = &rest[prop_name_length(rest)..];
        if behind.len() < rest.len() && behind.starts_with('=') && !behind.starts_with("==") {
            written = "";
        }
        self.lexer.at += written.len();
        let span = Span::new(at, at + written.len());
        let name = &self.source()[name.start..name.end];
        let message = match written {
            "" => {
                format!("prop `{name}` has no value: write `{name}={{..}}`, or a literal after `=`")
            }
            value => {
                format!("text goes in quotes and values in braces: write `{name}={{{value}}}`")
            }
        };
        self.mistakes.push(Mistake::new(span, message));
        self.make(ExprKind::Undefined, span)
    }

    /// Parses an expression in braces, which begin at `at`. The lexer is then after the braces.
    fn braces(&mut self, at: usize) -> Parsed {
        let open = Span::new(at, at + 1);
        self.deeper(open)?;
        self.resume(at + 1)?;
        let expr = self.expr()?;
        self.close_braces(open)?;
        Ok(expr)
    }

    fn close_braces(&mut self, open: Span) -> Parsed<()> {
        if self.token == Token::End {
            return self.refuse(open, "`{` is not closed: write `}`");
        }
        if !self.is("}") {
            return self.unexpected("`}`");
        }
        self.brackets -= 1;
        self.lexer.at = self.span.end;
        Ok(())
    }

    /// Parses the next child of a tag. It returns false after the closing tag.
    fn child(&mut self, opening: &Opening, children: &mut Vec<Child>) -> Parsed<bool> {
        self.words(children);
        let at = self.lexer.at;
        let rest = self.lexer.rest();
        if rest.starts_with("</") {
            self.close(opening, at)?;
            return Ok(false);
        }
        if rest.starts_with('{') {
            if let Some(length) = blank_braces(rest) {
                self.lexer.at += length;
                return Ok(true);
            }
            children.push(Child::Expr(*self.braces(at)?));
            return Ok(true);
        }
        if !begins_tag(rest) {
            return self.no_child(opening);
        }
        self.span = Span::new(at, at + 1);
        children.push(child_of(self.element()?));
        Ok(true)
    }

    fn words(&mut self, children: &mut Vec<Child>) {
        let start = self.lexer.at;
        let rest = self.lexer.rest();
        let length = rest.find(['<', '{', '}']).unwrap_or(rest.len());
        self.lexer.at += length;
        let text = words(&rest[..length]);
        if !text.is_empty() {
            let span = self.placed(Span::new(start, self.lexer.at));
            children.push(Child::Text(text.into(), span));
        }
    }

    /// Reports code that is not allowed between tags.
    fn no_child(&mut self, opening: &Opening) -> Parsed<bool> {
        let at = self.lexer.at;
        let rest = self.lexer.rest();
        if rest.starts_with("<!--") {
            return self.fail(comment(at));
        }
        if rest.starts_with('<') {
            let span = Span::new(at, at + 1);
            return self.refuse_with(span, "`<` begins a tag", "in text it is written `{'<'}`");
        }
        let name = opening.name.as_ref().map_or("", |name| &*name.text);
        let open = self.unplaced(opening.span).start;
        let span = Span::new(open, open + 1 + name.len());
        let message = format!("`<{name}>` is not closed: write `</{name}>`");
        if rest.is_empty() {
            return self.refuse(span, &message);
        }
        self.refuse_with(span, &message, "a brace in text is written `{'}'}`")
    }

    /// Parses the closing tag at `at`. The lexer is then after the tag.
    fn close(&mut self, opening: &Opening, at: usize) -> Parsed<()> {
        let name = opening.name.as_ref().map_or("", |name| &*name.text);
        let rest = lex::trim_start(&self.source()[at + 2..]);
        let own = tag_name(rest);
        let name_end = self.source().len() - rest.len() + own.len();
        let behind = lex::trim_start(&rest[own.len()..]);
        self.lexer.at = self.source().len() - behind.len() + 1;
        let span = Span::new(at, name_end);
        if !behind.starts_with('>') {
            let message = format!("`</{own}` is not closed: write `>`");
            return self.fail(Mistake::new(span, message));
        }
        if own != name {
            let span = Span::new(at, self.lexer.at);
            return self.fail(Mistake::new(
                span,
                format!("expected `</{name}>`, found `</{own}>`"),
            ));
        }
        Ok(())
    }
}

/// The length of the braces at the start of `rest`, if they contain only white space and comments.
fn blank_braces(rest: &str) -> Option<usize> {
    let (inner, is_closed) = lex::behind_blank(&rest[1..]);
    (is_closed && inner.starts_with('}')).then(|| rest.len() - inner.len() + 1)
}

/// True if `rest` begins with an opening tag.
fn begins_tag(rest: &str) -> bool {
    rest.strip_prefix('<')
        .is_some_and(|rest| rest.starts_with('>') || name_length(rest) > 0)
}

#[allow(
    clippy::boxed_local,
    reason = "expressions are boxed for the sake of the stack of those who call this"
)]
fn child_of(expr: Box<Expr>) -> Child {
    match expr.kind {
        ExprKind::Tag(tag) => Child::Tag(*tag),
        _ => Child::Expr(*expr),
    }
}

fn comment(at: usize) -> Mistake {
    Mistake::new(
        Span::new(at, at + 4),
        "this is an HTML comment: write `{/* .. */}`",
    )
}

fn prop_name_length(rest: &str) -> usize {
    if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$') {
        return 0;
    }
    let end = rest.find(|c: char| !(c.is_alphanumeric() || "_$-:.".contains(c)));
    let name = &rest[..end.unwrap_or(rest.len())];
    name.trim_end_matches(':').len()
}

/// The error for a mark of another language among the props.
fn mark_to_remove(rest: &str) -> Option<&'static str> {
    let mut chars = rest.chars();
    match chars.next()? {
        ',' | ';' => Some("nothing goes between props: remove the mark"),
        '@' | ':' | '?' if chars.next().is_some_and(char::is_alphabetic) => {
            Some("a prop has no mark in front of its name: remove it")
        }
        _ => None,
    }
}

/// True if the value of a prop is next.
fn begins_value(rest: &str) -> bool {
    lex::trim_start(rest).starts_with(['"', '\'', '{'])
}

/// The text between tags, as in JSX. The lines are joined with spaces, without the white space at their ends. The
/// white space at the start of the first line and at the end of the last one is kept.
fn words(raw: &str) -> String {
    let lines: Vec<&str> = raw.split('\n').collect();
    let last = lines.len() - 1;
    let blank: &[char] = &[' ', '\t', '\r'];
    let kept = lines.iter().enumerate().map(|(index, line)| {
        let line = if index > 0 {
            line.trim_start_matches(blank)
        } else {
            line
        };
        if index < last {
            line.trim_end_matches(blank)
        } else {
            line
        }
    });
    let kept: Vec<&str> = kept.filter(|line| !line.is_empty()).collect();
    entity::decode(&kept.join(" "))
}
