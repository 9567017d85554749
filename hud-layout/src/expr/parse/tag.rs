//! Tags within expressions, and the opening tags of a layout.

use super::super::closing::tag_name;
use super::super::lex::{Token, name_length};
use super::super::tree::{Child, Expr, ExprKind, Name, Prop, Tag};
use super::super::{Mistake, Span, closing, is_blank};
use super::{Parsed, Parser};
use crate::expr::entity;

/// An opening tag: `<Name prop={value}>`, or `<>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Its name, unless it is `<>`.
    pub name: Option<Name>,
    /// Its props, as they are written.
    pub props: Vec<Prop>,
    /// Whether it ends in `/>`, so that there are no children.
    pub closes_itself: bool,
    /// From its `<` to its `>`.
    pub span: Span,
}

impl Parser<'_> {
    /// A tag with its children, whose `<` is the token that is next.
    pub(super) fn tag(&mut self) -> Parsed<Expr> {
        let expr = self.element()?;
        let end = self.lexer.at;
        self.resume(end)?;
        Ok(expr)
    }

    /// A tag that begins where the token that is next does. The lexer is behind it then.
    fn element(&mut self) -> Parsed<Expr> {
        let start = self.span.start;
        let rest = &self.source()[start + 1..];
        if rest.starts_with("!--") {
            return self.fail(comment(start));
        }
        if !rest.starts_with('>') && name_length(rest) == 0 {
            return self.unexpected("a value");
        }
        self.deeper(self.span)?;
        self.lexer.at = start;
        let opening = self.opening()?;
        let children = if opening.closes_itself {
            Vec::new()
        } else {
            self.children(&opening)?
        };
        self.brackets -= 1;
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

    /// An opening tag, from its `<` on, which is where the lexer is.
    pub(super) fn opening(&mut self) -> Parsed<Opening> {
        let start = self.lexer.at;
        self.lexer.at += 1;
        let name = tag_name(self.lexer.rest());
        let name_span = Span::new(start + 1, start + 1 + name.len());
        self.lexer.at = name_span.end;
        let mut props: Vec<Prop> = Vec::new();
        let closes_itself = loop {
            self.skip_blank()?;
            let rest = self.lexer.rest();
            let at = self.lexer.at;
            if rest.starts_with("/>") {
                self.lexer.at += 2;
                break true;
            }
            if rest.starts_with('>') {
                self.lexer.at += 1;
                break false;
            }
            if rest.starts_with('{') {
                self.spread(at)?;
                continue;
            }
            if prop_name_length(rest) == 0 {
                let span = Span::new(start, name_span.end);
                let Some(found) = rest.chars().next() else {
                    let message = format!("`<{name}` is not closed: write `/>`");
                    return self.fail(Mistake::new(span, message));
                };
                let span = Span::new(at, at + found.len_utf8());
                return self.fail(
                    Mistake::new(span, format!("`{found}` means nothing in a tag"))
                        .with_help("a prop is written `name={value}` or `name=\"text\"`"),
                );
            }
            let prop = self.prop()?;
            self.check_row(props.len(), "props")?;
            if props.iter().any(|other| other.name.text == prop.name.text) {
                let span = prop.name.span;
                let span = Span::new(span.start - self.offset, span.end - self.offset);
                self.mistakes.push(Mistake::new(
                    span,
                    format!("`{}` is given twice: remove one", prop.name.text),
                ));
            } else {
                props.push(prop);
            }
        };
        if name.is_empty() && !props.is_empty() {
            let span = Span::new(start, self.lexer.at);
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
            span: self.placed(Span::new(start, self.lexer.at)),
        })
    }

    fn skip_blank(&mut self) -> Parsed<()> {
        loop {
            let rest = self.lexer.rest();
            let trimmed = rest.trim_start();
            self.lexer.at += rest.len() - trimmed.len();
            if !trimmed.starts_with("/*") {
                return Ok(());
            }
            let Some(end) = trimmed.find("*/") else {
                let span = Span::new(self.lexer.at, self.lexer.at + 2);
                return self.fail(Mistake::new(span, "this comment is not closed: write `*/`"));
            };
            self.lexer.at += end + 2;
        }
    }

    /// `{...props}`, which there is not.
    fn spread(&mut self, at: usize) -> Parsed<()> {
        let end = match closing(self.source(), at) {
            Ok(end) => end + 1,
            Err(mistake) => return self.fail(mistake),
        };
        self.lexer.at = end;
        let inner = self.source()[at + 1..end - 1].trim();
        if !is_blank(inner) {
            self.mistakes.push(
                Mistake::new(Span::new(at, end), "name each prop").with_help(
                    "write `name={value}`: which props a tag has is read from the layout",
                ),
            );
        }
        Ok(())
    }

    fn prop(&mut self) -> Parsed<Prop> {
        let start = self.lexer.at;
        let rest = self.lexer.rest();
        let length = prop_name_length(rest);
        let span = Span::new(start, start + length);
        let name = Name {
            text: rest[..length].into(),
            span: self.placed(span),
        };
        self.lexer.at += length;
        self.skip_blank()?;
        if !self.lexer.rest().starts_with('=') {
            let value = self.make(ExprKind::Bool(true), span)?;
            return Ok(Prop { name, value });
        }
        self.lexer.at += 1;
        self.skip_blank()?;
        let value = self.prop_value(&name)?;
        Ok(Prop { name, value })
    }

    fn prop_value(&mut self, name: &Name) -> Parsed<Expr> {
        let at = self.lexer.at;
        let rest = self.lexer.rest();
        match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let Some(length) = rest[1..].find(quote) else {
                    let message = format!("this text is not closed: write `{quote}`");
                    return self.fail(Mistake::new(Span::new(at, at + 1), message));
                };
                self.lexer.at += length + 2;
                let text = entity::decode(&rest[1..=length]);
                self.make(ExprKind::Text(text.into()), Span::new(at, self.lexer.at))
            }
            Some('{') => self.braces(at),
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || c == '>');
                let mut written = &rest[..end.unwrap_or(rest.len())];
                if let Some(before) = written.strip_suffix('/') {
                    written = before;
                }
                self.lexer.at += written.len();
                let span = Span::new(at, at + written.len());
                let value = if written.is_empty() { "value" } else { written };
                self.mistakes.push(Mistake::new(
                    span,
                    format!(
                        "a value stands in quotes or braces: `{}={{{value}}}`",
                        name.text
                    ),
                ));
                self.make(ExprKind::Undefined, span)
            }
        }
    }

    /// An expression in braces, whose first one is at `at`. The lexer is behind the last one then.
    fn braces(&mut self, at: usize) -> Parsed<Expr> {
        let open = Span::new(at, at + 1);
        self.deeper(open)?;
        self.resume(at + 1)?;
        if self.is("}") {
            let span = Span::new(at, self.span.end);
            return self.fail(Mistake::new(
                span,
                "a value is missing between these braces",
            ));
        }
        let expr = self.expr()?;
        if self.token == Token::End {
            return self.fail(Mistake::new(open, "`{` is not closed: write `}`"));
        }
        if !self.is("}") {
            return self.unexpected("`}`");
        }
        self.brackets -= 1;
        self.lexer.at = self.span.end;
        Ok(expr)
    }

    /// What is between an opening tag and its closing one, which the lexer is behind then.
    fn children(&mut self, opening: &Opening) -> Parsed<Vec<Child>> {
        let name = opening.name.as_ref().map_or("", |name| &*name.text);
        let mut children = Vec::new();
        loop {
            let start = self.lexer.at;
            let rest = self.lexer.rest();
            let length = rest.find(['<', '{', '}']).unwrap_or(rest.len());
            self.lexer.at += length;
            let text = words(&rest[..length]);
            if !text.is_empty() {
                let span = self.placed(Span::new(start, self.lexer.at));
                children.push(Child::Text(text.into(), span));
            }
            let at = self.lexer.at;
            let rest = self.lexer.rest();
            if rest.starts_with("</") {
                self.close(name, at)?;
                return Ok(children);
            }
            if rest.is_empty() || rest.starts_with('}') {
                let end = at.min(self.source().len());
                let open = opening.span.start - self.offset;
                let span = Span::new(open, (open + 1 + name.len()).min(end));
                let mut mistake =
                    Mistake::new(span, format!("`<{name}>` is not closed: write `</{name}>`"));
                if !rest.is_empty() {
                    mistake = mistake.with_help("a brace among words is written `{'}'}`");
                }
                return self.fail(mistake);
            }
            if rest.starts_with('{') {
                if let Some(length) = blank_braces(rest) {
                    self.lexer.at += length;
                    continue;
                }
                children.push(Child::Expr(self.braces(at)?));
                continue;
            }
            if rest[1..].starts_with("!--") {
                return self.fail(comment(at));
            }
            if !rest[1..].starts_with('>') && name_length(&rest[1..]) == 0 {
                let span = Span::new(at, at + 1);
                return self.fail(
                    Mistake::new(span, "`<` begins a tag")
                        .with_help("among words it is written `{'<'}`"),
                );
            }
            self.span = Span::new(at, at + 1);
            let expr = self.element()?;
            children.push(match expr.kind {
                ExprKind::Tag(tag) => Child::Tag(*tag),
                _ => Child::Expr(expr),
            });
        }
    }

    /// The closing tag at `at`, which the lexer is behind then.
    fn close(&mut self, name: &str, at: usize) -> Parsed<()> {
        let rest = self.source()[at + 2..].trim_start();
        let own = tag_name(rest);
        let behind = rest[own.len()..].trim_start();
        self.lexer.at = self.source().len() - behind.len() + 1;
        let span = Span::new(at, at + 2 + own.len());
        if !behind.starts_with('>') {
            let message = format!("`</{own}` is not closed: write `>`");
            return self.fail(Mistake::new(span, message));
        }
        if own != name {
            let span = Span::new(at, self.lexer.at);
            return self.fail(
                Mistake::new(
                    span,
                    format!("`</{own}>` closes nothing: `<{name}>` is open"),
                )
                .with_help(format!("write `</{name}>`")),
            );
        }
        Ok(())
    }
}

/// The length of the braces that `rest` begins with, if there is nothing but comments in them.
fn blank_braces(rest: &str) -> Option<usize> {
    let mut inner = rest[1..].trim_start();
    while let Some(comment) = inner.strip_prefix("/*") {
        inner = comment.split_once("*/")?.1.trim_start();
    }
    inner.starts_with('}').then(|| rest.len() - inner.len() + 1)
}

fn comment(at: usize) -> Mistake {
    Mistake::new(
        Span::new(at, at + 4),
        "there are no comments like this: write `{/* x */}`",
    )
}

fn prop_name_length(rest: &str) -> usize {
    if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$') {
        return 0;
    }
    rest.find(|c: char| !(c.is_alphanumeric() || "_$-:.".contains(c)))
        .unwrap_or(rest.len())
}

/// Words between tags, as JSX has them: lines without the white space at their ends, in one, and what
/// is before the first line's end and behind the last one's kept.
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
