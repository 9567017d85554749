//! The end of an expression in braces.

use super::{Mistake, Span, lex};

/// A construct that is open at a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Brace,
    Paren,
    Bracket,
    Template,
    /// `${` in a template.
    Value,
    /// The inside of a tag, from `<` to `>`.
    Head,
    /// The children between an opening and a closing tag.
    Children,
}

/// Finds the `}` that closes the `{` at the byte `open` of `source`. Braces in strings, in templates and in comments
/// are skipped. Text between tags is plain text, in which an apostrophe is no quote.
///
/// A `}` within an unclosed tag closes the expression, so that the error is reported there and not at the end of the
/// file.
///
/// ```
/// use hud_layout::expr::closing;
///
/// let source = "{a && <b>don't</b>} and {b}";
/// assert_eq!(closing(source, 0)?, 18);
/// # Ok::<(), hud_layout::expr::Mistake>(())
/// ```
///
/// # Errors
///
/// If the brace, or a construct within it, is not closed. The error is at the start of that construct, as a position
/// in `source`.
pub fn closing(source: &str, open: usize) -> Result<usize, Mistake> {
    Scanner {
        source,
        bytes: source.as_bytes(),
        at: open + 1,
        open: vec![(Open::Brace, open)],
        after_operand: false,
        no_regex_before: 0,
    }
    .run()
}

/// True if the last `}` of `{code}` closes its first `{`.
///
/// ```
/// use hud_layout::expr::is_whole;
///
/// assert!(is_whole("a && <b>don't</b>"));
/// assert!(!is_whole("list.map(x => { "));
/// ```
#[must_use]
pub fn is_whole(code: &str) -> bool {
    closing(&format!("{{{code}}}"), 0) == Ok(code.len() + 1)
}

/// True if `code` has only white space and comments.
#[must_use]
pub fn is_blank(code: &str) -> bool {
    lex::behind_blank(code) == ("", true)
}

struct Scanner<'s> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    /// The open constructs with the positions at which they open, the outermost brace first.
    open: Vec<(Open, usize)>,
    /// True after a value, where `<` compares and `/` divides.
    after_operand: bool,
    /// No regex ends before this position, so the search is not repeated.
    no_regex_before: usize,
}

impl Scanner<'_> {
    fn run(mut self) -> Result<usize, Mistake> {
        while let Some(&byte) = self.bytes.get(self.at) {
            let Some(&(open, _)) = self.open.last() else {
                break;
            };
            match open {
                Open::Template => self.template(byte),
                Open::Head => self.head(byte)?,
                Open::Children => self.children(byte),
                Open::Brace | Open::Paren | Open::Bracket | Open::Value => self.code(byte)?,
            }
            if self.open.is_empty() {
                return Ok(self.at - 1);
            }
        }
        Err(self.unclosed())
    }

    fn code(&mut self, byte: u8) -> Result<(), Mistake> {
        let next = self
            .source
            .get(self.at..)
            .and_then(|rest| rest.chars().next());
        if let Some(blank) = next.filter(|next| lex::is_blank(*next)) {
            self.at += blank.len_utf8();
            return Ok(());
        }
        let rest = &self.bytes[self.at..];
        match byte {
            b'/' if rest.starts_with(b"/*") => self.comment()?,
            b'/' if rest.starts_with(b"//") => {
                self.at = self.find("\n", self.at).unwrap_or(self.bytes.len());
            }
            b'/' if !self.after_operand => self.regex(),
            b'"' | b'\'' => self.text(byte)?,
            b'`' => self.push(Open::Template, 1),
            b'{' => self.push(Open::Brace, 1),
            b'(' => self.push(Open::Paren, 1),
            b'[' => self.push(Open::Bracket, 1),
            b'}' => self.close_brace(),
            b')' | b']' => {
                let closes = if byte == b')' {
                    Open::Paren
                } else {
                    Open::Bracket
                };
                if self.open.last().is_some_and(|(open, _)| *open == closes) {
                    self.open.pop();
                }
                self.at += 1;
                self.after_operand = true;
            }
            b'<' if !self.after_operand && begins_tag(rest) => self.open_tag(),
            b if is_word(b) => {
                // A number may end with a point.
                let is_part = |byte: u8| is_word(byte) || b.is_ascii_digit() && byte == b'.';
                let end = rest.iter().position(|byte| !is_part(*byte));
                self.at += end.unwrap_or(rest.len());
                self.after_operand = true;
            }
            _ => {
                self.at += 1;
                self.after_operand = false;
            }
        }
        Ok(())
    }

    fn push(&mut self, open: Open, bytes: usize) {
        self.open.push((open, self.at));
        self.at += bytes;
        self.after_operand = false;
    }

    /// Closes the innermost brace and everything that is open in it.
    fn close_brace(&mut self) {
        while let Some((open, _)) = self.open.pop() {
            if matches!(open, Open::Brace | Open::Value) {
                break;
            }
        }
        self.at += 1;
        self.after_operand = true;
    }

    fn text(&mut self, quote: u8) -> Result<(), Mistake> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.bytes.get(self.at) {
                Some(b'\\') => self.at += 2,
                None | Some(b'\n') => {
                    let quote = char::from(quote).to_string();
                    return Err(self.not_closed(start, "this text", &quote));
                }
                Some(byte) => {
                    self.at += 1;
                    if *byte == quote {
                        self.after_operand = true;
                        return Ok(());
                    }
                }
            }
        }
    }

    fn comment(&mut self) -> Result<(), Mistake> {
        let end = self.find("*/", self.at + 2);
        self.at = end.ok_or_else(|| self.not_closed(self.at, "this comment", "*/"))? + 2;
        Ok(())
    }

    /// Skips a regex. Expressions have none, but one may be written.
    fn regex(&mut self) {
        if self.at < self.no_regex_before {
            self.at += 1;
            return;
        }
        let line = &self.bytes[self.at..];
        let mut at = 1;
        while let Some(byte) = line.get(at) {
            match byte {
                b'\\' => at += 1,
                b'\n' => break,
                b'/' => {
                    self.at += at + 1;
                    self.after_operand = true;
                    return;
                }
                _ => {}
            }
            at += 1;
        }
        self.no_regex_before = self.at + at;
        self.at += 1;
    }

    fn template(&mut self, byte: u8) {
        match byte {
            b'\\' => self.at += 2,
            b'`' => {
                self.open.pop();
                self.at += 1;
                self.after_operand = true;
            }
            b'$' if self.bytes.get(self.at + 1) == Some(&b'{') => self.push(Open::Value, 2),
            _ => self.at += 1,
        }
    }

    fn open_tag(&mut self) {
        if self.bytes.get(self.at + 1) == Some(&b'>') {
            self.push(Open::Children, 2);
        } else {
            self.push(Open::Head, 1);
        }
    }

    fn head(&mut self, byte: u8) -> Result<(), Mistake> {
        match byte {
            b'"' | b'\'' => {
                let quote = char::from(byte).to_string();
                let end = self.find(&quote, self.at + 1);
                self.at = end.ok_or_else(|| self.not_closed(self.at, "this text", &quote))? + 1;
            }
            b'{' => self.push(Open::Brace, 1),
            b'}' => self.close_brace(),
            b'/' if self.bytes.get(self.at + 1) == Some(&b'*') => self.comment()?,
            b'/' if self.bytes.get(self.at + 1) == Some(&b'>') => {
                self.open.pop();
                self.at += 2;
                self.after_operand = true;
            }
            b'>' => {
                if let Some(last) = self.open.last_mut() {
                    last.0 = Open::Children;
                }
                self.at += 1;
            }
            _ => self.at += 1,
        }
        Ok(())
    }

    fn children(&mut self, byte: u8) {
        let rest = &self.bytes[self.at..];
        match byte {
            b'{' => self.push(Open::Brace, 1),
            b'}' => self.close_brace(),
            b'<' if rest.starts_with(b"</") => {
                self.open.pop();
                self.at = self.find(">", self.at).unwrap_or(self.bytes.len() - 1) + 1;
                self.after_operand = true;
            }
            b'<' if begins_tag(rest) => self.open_tag(),
            _ => self.at += 1,
        }
    }

    fn find(&self, what: &str, from: usize) -> Option<usize> {
        let rest = self.source.get(from..)?;
        rest.find(what).map(|found| from + found)
    }

    fn not_closed(&self, start: usize, what: &str, end: &str) -> Mistake {
        let span = Span::new(start, (start + 1).min(self.bytes.len()));
        Mistake::new(span, format!("{what} is not closed: write `{end}`"))
    }

    /// The error for the innermost construct that is still open at the end.
    fn unclosed(&self) -> Mistake {
        let (open, start) = self.open.last().copied().unwrap_or((Open::Brace, 0));
        let (what, end) = match open {
            Open::Brace | Open::Value => ("`{`", "}"),
            Open::Paren => ("`(`", ")"),
            Open::Bracket => ("`[`", "]"),
            Open::Template => ("this template", "`"),
            Open::Head | Open::Children => {
                let name = tag_name(&self.source[start + 1..]);
                let end = if open == Open::Head {
                    "`/>`".to_owned()
                } else {
                    format!("`</{name}>`, or `<{name} />` where nothing is in it")
                };
                let span = Span::new(start, start + 1 + name.len());
                return Mistake::new(span, format!("`<{name}>` is not closed: write {end}"));
            }
        };
        self.not_closed(start, what, end)
    }
}

/// True if a tag begins at the `<` at the start of `rest`.
fn begins_tag(rest: &[u8]) -> bool {
    rest.get(1).is_some_and(|byte| {
        byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'>' | 128..)
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 128..)
}

/// The name at the start of a tag.
pub(crate) fn tag_name(rest: &str) -> &str {
    let end = rest.find(|c: char| !(c.is_alphanumeric() || "_$.:-".contains(c)));
    &rest[..end.unwrap_or(rest.len())]
}
