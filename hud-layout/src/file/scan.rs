//! Finds the tags and braces of a source, and collects the content of each tag.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::frontmatter::{Declared, constant_of};
use super::prose::{self, Inner};
use super::{Component, MAX_TAGS_DEEP, Piece, Tag};
use crate::expr::{
    Expr, ExprKind, Mistake, Opening, Span, closing, parse_child, parse_opening, tag_name,
};

/// The tag that declares a component.
const DECLARES: &str = "Component";

/// The maximum number of tags after a closing tag that are searched to find out whether it is stray.
const MOST_TAGS_AHEAD: usize = 64;

/// The number of errors after which the scan stops.
const ENOUGH: usize = 100;

/// A tag that is open.
struct Open {
    opening: Opening,
    inner: Vec<Inner>,
    /// The name that the closing tag must have.
    name: String,
}

struct Scan<'s, 'm> {
    source: &'s str,
    at: usize,
    /// The start of the text that is not part of a piece yet.
    words: usize,
    open: Vec<Open>,
    root: Vec<Inner>,
    components: &'m mut BTreeMap<Arc<str>, Component>,
    mistakes: &'m mut Vec<Mistake>,
}

/// The pieces of a source from a byte offset on.
pub(super) fn pieces(
    source: &str,
    from: usize,
    components: &mut BTreeMap<Arc<str>, Component>,
    mistakes: &mut Vec<Mistake>,
) -> Vec<Piece> {
    let mut scan = Scan {
        source,
        at: from,
        words: from,
        open: Vec::new(),
        root: Vec::new(),
        components,
        mistakes,
    };
    scan.run();
    let root = std::mem::take(&mut scan.root);
    prose::assemble(source, root, true, mistakes)
}

impl Scan<'_, '_> {
    fn run(&mut self) {
        while self.at < self.source.len() && self.mistakes.len() < ENOUGH {
            if self.is_line_start() {
                if let Some(end) = self.fence() {
                    self.at = end;
                    continue;
                }
                self.module();
            }
            let rest = &self.source[self.at..];
            let Some(first) = rest.as_bytes().first() else {
                break;
            };
            match first {
                b'\\' => {
                    self.at += 1;
                    self.at += self.source[self.at..]
                        .chars()
                        .next()
                        .map_or(0, char::len_utf8);
                }
                b'`' => self.code(),
                b'{' => self.braces(),
                b'<' => self.angle(),
                _ => {
                    let next = rest
                        .char_indices()
                        .skip(1)
                        .find(|(_, c)| matches!(c, '\\' | '`' | '{' | '<' | '\n'));
                    match next {
                        Some((length, '\n')) if !rest.starts_with('\n') => self.at += length,
                        Some(_) if rest.starts_with('\n') => self.at += 1,
                        Some((length, _)) => self.at += length,
                        None if rest.starts_with('\n') => self.at += 1,
                        None => self.at = self.source.len(),
                    }
                }
            }
        }
        self.take_words(self.at);
        while let Some(open) = self.open.pop() {
            self.unclosed(&open);
            self.close(open);
        }
        if let Some((at, c)) = self
            .source
            .char_indices()
            .find(|&(_, c)| prose::is_place(c))
        {
            let span = Span::new(at, at + c.len_utf8());
            self.mistakes.push(Mistake::new(
                span,
                "this character is for private use: remove it",
            ));
        }
    }

    fn is_line_start(&self) -> bool {
        self.at == 0 || self.source[..self.at].ends_with('\n')
    }

    /// The end of the fenced code that begins with this line.
    fn fence(&self) -> Option<usize> {
        let rest = &self.source[self.at..];
        let line = rest.lines().next()?;
        let bare = line.trim_start_matches([' ', '>', '-', '*', '+']);
        let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = bare.chars().take_while(|&c| c == mark).count();
        if length < 3 || mark == '`' && bare[length..].contains('`') {
            return None;
        }
        let mut at = self.at + rest.split_inclusive('\n').next()?.len();
        for line in self.source[at..].split_inclusive('\n') {
            at += line.len();
            let bare = line.trim_start_matches([' ', '>']).trim_end();
            if bare.len() >= length && bare.chars().all(|c| c == mark) {
                break;
            }
        }
        Some(at)
    }

    /// Reports an `import` or `export` at the start of this line, and skips it.
    fn module(&mut self) {
        let rest = &self.source[self.at..];
        let line = rest.lines().next().unwrap_or_default();
        let names = line.starts_with("import {") || line.starts_with("import * ");
        let is_import = names
            || line.starts_with("import ")
                && (line.contains(" from ") || line.contains(['"', '\'']));
        let is_export = line.strip_prefix("export ").is_some_and(|rest| {
            [
                "const ",
                "let ",
                "var ",
                "default ",
                "function ",
                "class ",
                "async ",
            ]
            .iter()
            .any(|word| rest.starts_with(word))
        });
        if is_import || is_export {
            let span = Span::new(self.at, self.at + 6);
            let message = match is_import {
                true => "tags need no import: remove this line",
                false => {
                    "a layout exports nothing but functions: declare a component with `<Component name=\"..\">`"
                }
            };
            self.mistakes.push(Mistake::new(span, message));
            self.take_words(self.at);
            // A brace that is opened on this line may be closed on a later one.
            let opens = line.find('{').map(|at| self.at + at);
            let end = opens.and_then(|open| closing(self.source, open).ok());
            let end = end.unwrap_or(self.at).max(self.at);
            self.at = end + self.source[end..].lines().next().unwrap_or_default().len();
            self.words = self.at;
        }
    }

    /// Skips inline code, which has no tags and no expressions.
    fn code(&mut self) {
        let rest = &self.source[self.at..];
        let length = rest.bytes().take_while(|&b| b == b'`').count();
        let block = rest.find("\n\n").map_or(rest, |end| &rest[..end]);
        let mut at = length;
        while let Some(found) = block[at..].find('`') {
            at += found;
            let run = block[at..].bytes().take_while(|&b| b == b'`').count();
            at += run;
            if run == length {
                self.at += at;
                return;
            }
        }
        self.at += length;
    }

    /// Adds the text before a byte offset to the content of the open tag.
    fn take_words(&mut self, end: usize) {
        if self.words < end {
            let span = Span::new(self.words, end);
            self.inner().push(Inner::Words(span));
        }
        self.words = end;
    }

    fn inner(&mut self) -> &mut Vec<Inner> {
        match self.open.last_mut() {
            Some(open) => &mut open.inner,
            None => &mut self.root,
        }
    }

    fn braces(&mut self) {
        let start = self.at;
        self.take_words(start);
        match closing(&self.source[start..], 0) {
            Ok(length) => {
                let code = &self.source[start + 1..start + length];
                match parse_child(code, start + 1) {
                    Ok(Some(expr)) => self
                        .inner()
                        .push(Inner::Piece(Piece::Expr(Arc::new(expr)), start)),
                    Ok(None) => {}
                    Err(wrong) => self.mistakes.extend(wrong),
                }
                self.at = start + length + 1;
            }
            Err(mut mistake) => {
                mistake.span.start += start;
                mistake.span.end += start;
                self.mistakes.push(mistake);
                let line = self.source[start..].find('\n');
                self.at = line.map_or(self.source.len(), |length| start + length);
            }
        }
        self.words = self.at;
    }

    fn angle(&mut self) {
        let start = self.at;
        let rest = &self.source[start..];
        self.take_words(start);
        let mut note = |mistake| self.mistakes.push(mistake);
        let next = rest[1..].chars().next();
        let skip = if rest.starts_with("<!--") {
            note(Mistake::new(
                Span::new(start, start + 4),
                "this is an HTML comment: write `{/* .. */}`",
            ));
            rest.find("-->").map_or(rest.len(), |end| end + 3)
        } else if let Some(length) = autolink(rest) {
            let url = &rest[1..length - 1];
            note(
                Mistake::new(Span::new(start, start + length), "this is not a tag")
                    .with_help(format!("a link is written `[text]({url})`")),
            );
            length
        } else if rest.starts_with("</") {
            self.closing_tag(start)
        } else if next.is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '>')) {
            self.opening_tag(start)
        } else {
            note(
                Mistake::new(Span::new(start, start + 1), "`<` begins a tag")
                    .with_help("in text it is written `\\<`"),
            );
            1
        };
        self.at = start + skip;
        self.words = self.at;
    }

    /// Parses an opening tag. It returns the length of the tag.
    fn opening_tag(&mut self, start: usize) -> usize {
        let rest = &self.source[start..];
        let opening = match parse_opening(rest, start) {
            Ok(opening) => opening,
            Err(wrong) => {
                let (opening, ends) = broken(rest, start);
                self.mistakes.extend(wrong);
                if !ends {
                    return rest.find('\n').unwrap_or(rest.len());
                }
                opening
            }
        };
        let length = opening.span.end - start;
        let name = opening
            .name
            .as_ref()
            .map_or_else(String::new, |name| name.text.to_string());
        let open = Open {
            opening,
            inner: Vec::new(),
            name,
        };
        if open.opening.closes_itself {
            self.close(open);
        } else {
            // Tags that are nested too deeply are matched, but their content is dropped.
            if self.open.len() == MAX_TAGS_DEEP {
                self.mistakes.push(Mistake::new(
                    open.opening.span,
                    format!("more than {MAX_TAGS_DEEP} tags are nested here"),
                ));
            }
            self.open.push(open);
        }
        length
    }

    /// Parses a closing tag. It returns the length of the tag.
    fn closing_tag(&mut self, start: usize) -> usize {
        let rest = &self.source[start..];
        let end = rest.find('>').map_or(rest.len(), |end| end + 1);
        // The search is limited to this line, because a file can have thousands of closing tags.
        let length = rest[..end].find('\n').unwrap_or(end);
        let name = rest[2..length].trim_end_matches('>').trim();
        if !rest[..length].ends_with('>') {
            self.mistakes.push(Mistake::new(
                Span::new(start, start + length),
                format!("`</{name}` is not closed: write `>`"),
            ));
        }
        match self.matching(name) {
            Some(at) => {
                while self.open.len() > at + 1 {
                    if let Some(open) = self.open.pop() {
                        self.unclosed(&open);
                        self.close(open);
                    }
                }
            }
            None => {
                let span = Span::new(start, start + length);
                let Some(open) = self
                    .open
                    .last()
                    .filter(|open| !self.is_stray(open, &rest[length..]))
                else {
                    let message = format!("`</{name}>` closes nothing: no `<{name}>` is open here");
                    self.mistakes.push(Mistake::new(span, message));
                    return length;
                };
                let (line, _, _) = crate::report::place(self.source, open.opening.span.start);
                let message = match name {
                    "" => format!("`</>` closes a fragment: write `</{}>`", open.name),
                    name => format!("expected `</{}>`, found `</{name}>`", open.name),
                };
                let help = format!("`<{}>` of line {line} is open", open.name);
                self.mistakes
                    .push(Mistake::new(span, message).with_help(help));
                // The closing tag is treated as the one of the innermost open tag.
            }
        }
        if let Some(open) = self.open.pop() {
            self.close(open);
        }
        length
    }

    /// The index of the open tag that a closing tag closes. Only the innermost tags are searched.
    fn matching(&self, name: &str) -> Option<usize> {
        let near = self.open.len().saturating_sub(2 * MAX_TAGS_DEEP);
        let found = self
            .open
            .iter()
            .skip(near)
            .rposition(|open| open.name == name);
        found.map(|at| near + at)
    }

    /// True if a closing tag closes nothing, because the innermost open tag is closed by a later one.
    fn is_stray(&self, open: &Open, rest: &str) -> bool {
        // Errors beyond this number are not reported, so the search is not needed.
        if self.mistakes.len() >= crate::report::MOST {
            return false;
        }
        let mut opened = 0_usize;
        for (at, _) in rest.match_indices('<').take(MOST_TAGS_AHEAD) {
            let behind = &rest[at + 1..];
            let closes = behind.starts_with('/');
            let name = tag_name(&behind[usize::from(closes)..]);
            match (name == open.name, closes) {
                (true, true) if opened == 0 => return true,
                (true, true) => opened -= 1,
                (true, false) => opened += 1,
                (false, _) => {}
            }
        }
        false
    }

    fn unclosed(&mut self, open: &Open) {
        let name = &open.name;
        let start = open.opening.span.start;
        self.mistakes.push(Mistake::new(
            Span::new(start, start + 1 + name.len()),
            format!(
                "`<{name}>` is not closed: write `</{name}>`, or `<{name} />` where nothing is in it"
            ),
        ));
    }

    /// Makes a piece of a tag that is closed.
    fn close(&mut self, open: Open) {
        let Open { opening, inner, .. } = open;
        let depth = self.open.len();
        let children = match depth > MAX_TAGS_DEEP {
            true => Vec::new(),
            false => prose::assemble(self.source, inner, false, self.mistakes),
        };
        let start = opening.span.start;
        if opening
            .name
            .as_ref()
            .is_some_and(|name| &*name.text == DECLARES)
        {
            return self.declare(opening, children);
        }
        let tag = Tag {
            name: opening.name,
            props: opening.props,
            children,
            span: opening.span,
        };
        self.inner()
            .push(Inner::Piece(Piece::Tag(Arc::new(tag)), start));
    }

    /// Adds a component that is declared.
    fn declare(&mut self, opening: Opening, pieces: Vec<Piece>) {
        if !self.open.is_empty() {
            return self.mistakes.push(Mistake::new(
                opening.span,
                "a component is declared outside of all tags",
            ));
        }
        let mut head = Declared::default();
        let mut span = opening.span;
        for prop in &opening.props {
            if &*prop.name.text == "name" {
                span = prop.value.span;
            }
            if let Some(value) = constant_of(&prop.value, self.mistakes) {
                head.set(
                    &prop.name.text,
                    prop.name.span,
                    value,
                    prop.value.span,
                    self.mistakes,
                );
            }
        }
        let Some(name) = head.name.clone() else {
            return self.mistakes.push(
                Mistake::new(opening.span, "`<Component>` lacks the required prop `name`")
                    .with_help("write `<Component name=\"Risk\" props={{title: \"string\"}}>`"),
            );
        };
        let component = Component { head, span, pieces };
        if self.components.insert(name.clone(), component).is_some() {
            self.mistakes.push(Mistake::new(
                span,
                format!("`{name}` is declared twice: remove one"),
            ));
        }
    }
}

/// Returns the name and the span of a tag with a syntax error, and true if the tag has an end.
fn broken(rest: &str, start: usize) -> (Opening, bool) {
    let name = tag_name(&rest[1..]);
    // A `>` within braces or quotes does not end the tag.
    let (mut depth, mut quote, mut end) = (0_usize, None, None);
    for (at, c) in rest.char_indices().skip(1) {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (Some(_), '\n') if depth == 0 => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.saturating_sub(1),
            (None, '>') if depth == 0 && !rest[..at].ends_with('=') => {
                end = Some(at);
                break;
            }
            _ => {}
        }
    }
    // If no end was found, an unclosed quote or brace may contain it.
    let end = end.or_else(|| rest.find('>'));
    let length = end.map_or(rest.len(), |end| end + 1);
    let opening = Opening {
        name: (!name.is_empty()).then(|| crate::expr::Name {
            text: name.into(),
            span: Span::new(start + 1, start + 1 + name.len()),
        }),
        props: vec![crate::expr::Prop {
            name: crate::expr::Name {
                text: super::BROKEN.into(),
                span: Span::new(start, start + 1),
            },
            value: Expr::new(ExprKind::Undefined, Span::new(start, start + 1)),
        }],
        closes_itself: rest[..length].ends_with("/>"),
        span: Span::new(start, start + length),
    };
    (opening, end.is_some())
}

/// The length of `<https://..>` or `<name@host>`.
fn autolink(rest: &str) -> Option<usize> {
    let end = rest
        .find(['>', '\n', ' '])
        .filter(|&end| rest[end..].starts_with('>'))?;
    let inner = &rest[1..end];
    let has_scheme = inner.split_once(':').is_some_and(|(scheme, behind)| {
        scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_alphabetic()) && !behind.is_empty()
    });
    let is_mail = !inner.starts_with('/') && inner.contains('@');
    (has_scheme || is_mail).then_some(end + 1)
}
