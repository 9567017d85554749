//! The tokens of an expression.

use std::sync::Arc;

use super::number::parse_radix;
use super::{Mistake, Span};

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// The end of the source.
    End,
    Number(f64),
    Text(Arc<str>),
    /// A name or a keyword. Its text is at its span.
    Word,
    /// An operator, a bracket or another sign.
    Sign(&'static str),
    /// The backtick that begins a template.
    Template,
}

/// All signs. A sign comes before each of its prefixes.
const SIGNS: &[&str] = &[
    ">>>=", "===", "!==", "**=", "...", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=",
    "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "**", "<<", ">>", "(", ")", "{", "}", "[", "]", ".", ",", ":", "?", "!", "<", ">", "=", "+",
    "-", "*", "/", "%", "&", "|", "^", "~", ";", "@", "#",
];

/// The sign at the start of `rest`.
fn sign(rest: &str) -> Option<&'static str> {
    let first = rest.as_bytes().first();
    // The first byte excludes most signs, and is cheaper to compare than whole signs.
    let mut begin_so = SIGNS.iter().filter(|sign| sign.as_bytes().first() == first);
    begin_so.find(|sign| rest.starts_with(**sign)).copied()
}

/// Reads the tokens in their order.
pub(super) struct Lexer<'s> {
    pub(super) source: &'s str,
    /// The offset of the next token.
    pub(super) at: usize,
}

impl<'s> Lexer<'s> {
    pub(super) fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or("")
    }

    /// The next token and its span in the source.
    pub(super) fn next(&mut self) -> Result<(Token, Span), Mistake> {
        self.skip_blank()?;
        let start = self.at;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok((Token::End, Span::new(start, start)));
        };
        let begins_number =
            first == '.' && rest[1..].starts_with(|next: char| next.is_ascii_digit());
        let token = if first.is_ascii_digit() || begins_number {
            self.number()?
        } else if first == '"' || first == '\'' {
            self.at += 1;
            let (text, _) = self.text(&[first])?;
            Token::Text(text.into())
        } else if first == '`' {
            self.at += 1;
            Token::Template
        } else if is_name_start(first) {
            self.at += name_length(rest);
            Token::Word
        } else if let Some(sign) = sign(rest) {
            // `a?.5:b` is a conditional.
            let sign = if sign == "?." && rest[2..].starts_with(|c: char| c.is_ascii_digit()) {
                "?"
            } else {
                sign
            };
            self.at += sign.len();
            Token::Sign(sign)
        } else {
            let span = Span::new(start, start + first.len_utf8());
            return Err(Mistake::new(
                span,
                format!("`{}` means nothing here", first.escape_default()),
            ));
        };
        Ok((token, Span::new(start, self.at)))
    }

    fn skip_blank(&mut self) -> Result<(), Mistake> {
        self.skip_comments()?;
        if self.rest().starts_with("//") {
            let span = Span::new(self.at, self.at + 2);
            return Err(Mistake::new(
                span,
                "a comment in an expression is written `/* .. */`",
            ));
        }
        Ok(())
    }

    /// Skips white space and comments.
    pub(super) fn skip_comments(&mut self) -> Result<(), Mistake> {
        let before = self.rest();
        let (rest, is_closed) = behind_blank(before);
        self.at += before.len() - rest.len();
        if is_closed {
            return Ok(());
        }
        let span = Span::new(self.at, self.at + 2);
        Err(Mistake::new(span, "this comment is not closed: write `*/`"))
    }

    fn number(&mut self) -> Result<Token, Mistake> {
        let start = self.at;
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let radix = match bytes.get(1) {
            Some(b'x' | b'X') if bytes[0] == b'0' => 16,
            Some(b'o' | b'O') if bytes[0] == b'0' => 8,
            Some(b'b' | b'B') if bytes[0] == b'0' => 2,
            _ => 10,
        };
        let mut end = 0;
        while let Some(byte) = bytes.get(end) {
            let is_sign =
                matches!(byte, b'+' | b'-') && radix == 10 && matches!(bytes[end - 1], b'e' | b'E');
            let is_part = byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'$')
                || (radix == 10 && *byte == b'.')
                || is_sign;
            if !is_part {
                break;
            }
            end += 1;
        }
        let written = &rest[..end];
        self.at += end;
        let value = if radix == 10 {
            let is_octal = written.len() > 1
                && written.starts_with('0')
                && written.as_bytes()[1].is_ascii_digit();
            decimal(written).filter(|_| !is_octal)
        } else {
            parse_radix(&written[2..], radix)
        };
        value.map(Token::Number).ok_or_else(|| {
            Mistake::new(
                Span::new(start, self.at),
                format!("`{written}` is not a number"),
            )
        })
    }

    /// The text up to one of these ends, with its escapes resolved. The end is consumed. The text of a template also
    /// ends at `${`.
    pub(super) fn text(&mut self, ends: &[char]) -> Result<(String, char), Mistake> {
        let is_template = ends.contains(&'`');
        let start = self.at;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let Some(next) = rest.chars().next() else {
                return Err(self.unclosed(start, ends));
            };
            self.at += next.len_utf8();
            match next {
                '\\' => self.escape(&mut text)?,
                '\n' | '\r' if !is_template => return Err(self.unclosed(start, ends)),
                // In a template, all line endings are `\n`.
                '\r' => {
                    if !self.rest().starts_with('\n') {
                        text.push('\n');
                    }
                }
                '$' if is_template && rest[1..].starts_with('{') => {
                    self.at += 1;
                    return Ok((text, '$'));
                }
                end if ends.contains(&end) => return Ok((text, end)),
                other => text.push(other),
            }
        }
    }

    fn unclosed(&self, start: usize, ends: &[char]) -> Mistake {
        let (what, end) = if ends.contains(&'`') {
            ("this template", '`')
        } else {
            ("this text", ends[0])
        };
        let span = Span::new(start - 1, start);
        Mistake::new(span, format!("{what} is not closed: write `{end}`"))
    }

    fn escape(&mut self, text: &mut String) -> Result<(), Mistake> {
        let start = self.at - 1;
        let rest = self.rest();
        let Some(next) = rest.chars().next() else {
            return Ok(());
        };
        self.at += next.len_utf8();
        let wrong = |end: usize| {
            let span = Span::new(start, end);
            Mistake::new(span, "there is no such escape").with_help("a backslash is written `\\\\`")
        };
        match next {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'v' => text.push('\u{b}'),
            '0' if !rest[1..].starts_with(|digit: char| digit.is_ascii_digit()) => text.push('\0'),
            '0'..='9' => return Err(wrong(self.at)),
            'x' => {
                let code = self.hex(2).ok_or_else(|| wrong(self.at))?;
                text.extend(char::from_u32(code));
            }
            'u' => {
                let code = self.unicode().ok_or_else(|| wrong(self.at))?;
                let Some(char) = char::from_u32(code) else {
                    return Err(Mistake::new(
                        Span::new(start, self.at),
                        "this is half a character: write both of its halves",
                    ));
                };
                text.push(char);
            }
            // The line continues.
            '\n' | '\u{2028}' | '\u{2029}' => {}
            '\r' => {
                if self.rest().starts_with('\n') {
                    self.at += 1;
                }
            }
            other => text.push(other),
        }
        Ok(())
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let digits = self.rest().get(..digits)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        self.at += digits.len();
        u32::from_str_radix(digits, 16).ok()
    }

    /// The code point after `\u`. It combines two escapes that are the halves of a character.
    fn unicode(&mut self) -> Option<u32> {
        if let Some(rest) = self.rest().strip_prefix('{') {
            let end = rest.find('}')?;
            let digits = &rest[..end];
            if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return None;
            }
            self.at += end + 2;
            return u32::from_str_radix(digits, 16).ok();
        }
        let first = self.hex(4)?;
        if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
            let before = self.at;
            self.at += 2;
            match self.hex(4) {
                Some(second) if (0xdc00..0xe000).contains(&second) => {
                    return Some(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00));
                }
                _ => self.at = before,
            }
        }
        Some(first)
    }
}

/// Parses a decimal number as written in source, where digits may have `_` between them.
fn decimal(written: &str) -> Option<f64> {
    let bytes = written.as_bytes();
    let lonely = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        bytes[at] == b'_' && !(is_digit(before) && is_digit(bytes.get(at + 1)))
    };
    if (0..bytes.len()).any(lonely) {
        return None;
    }
    super::number::parse_decimal(&written.replace('_', ""))
}

/// True if JavaScript treats the character as white space, which includes line ends.
pub(super) fn is_blank(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// The text without the white space at its start.
pub(super) fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

/// Skips white space and comments at the start of the text. If a comment is not closed, it returns the text from
/// that comment on, and false.
pub(super) fn behind_blank(text: &str) -> (&str, bool) {
    let mut rest = trim_start(text);
    while let Some(comment) = rest.strip_prefix("/*") {
        match comment.split_once("*/") {
            Some((_, behind)) => rest = trim_start(behind),
            None => return (rest, false),
        }
    }
    (rest, true)
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

/// The length in bytes of the name at the start of `rest`, or 0 if there is none.
pub(super) fn name_length(rest: &str) -> usize {
    if !rest.starts_with(is_name_start) {
        return 0;
    }
    rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .unwrap_or(rest.len())
}
