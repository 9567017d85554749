//! The methods of strings, which count in characters.

use super::super::lex::is_blank;
use super::convert::Args;
use super::list::at_place;
use super::{Evaluated, Evaluator, fail};
use crate::expr::{Method, Span, Value};

impl Evaluator<'_> {
    pub(super) fn text_method(&mut self, text: &str, method: Method, args: &Args<'_>) -> Evaluated {
        self.meter.text(text.len(), args.span)?;
        match method {
            Method::Slice => {
                let length = text.chars().count();
                let start = args.place(0, length, 0)?;
                let end = args.place(1, length, length)?.max(start);
                let part = &text[byte_of(text, start)..byte_of(text, end)];
                Ok(Value::text(part))
            }
            Method::At => {
                let at = args.whole(0)?.unwrap_or(0.0);
                let found = at_place(at, text.chars().count()).and_then(|at| text.chars().nth(at));
                Ok(found.map_or(Value::Undefined, |found| Value::text(found.to_string())))
            }
            Method::Includes | Method::StartsWith | Method::EndsWith => {
                let sought = args.text(0)?;
                self.search(text, sought, args.span)?;
                let length = text.chars().count();
                let is_end = method == Method::EndsWith;
                let place = args.clamped(1, length, if is_end { length } else { 0 })?;
                let at = byte_of(text, place);
                Ok(Value::Bool(match method {
                    Method::Includes => text[at..].contains(sought),
                    Method::StartsWith => text[at..].starts_with(sought),
                    _ => text[..at].ends_with(sought),
                }))
            }
            Method::Trim => Ok(Value::text(text.trim_matches(is_blank))),
            Method::Split => self.split(text, args),
            Method::ReplaceAll => {
                let (from, to) = (args.text(0)?, args.text(1)?);
                self.search(text, from, args.span)?;
                self.replace_all(text, from, to, args.span)
            }
            Method::PadStart | Method::PadEnd => self.pad(text, method, args),
            Method::Repeat => {
                let times = args.whole(0)?.unwrap_or(0.0);
                if times < 0.0 || times.is_infinite() {
                    return fail(args.span(0), "`repeat` takes a count from 0 on");
                }
                let times = super::convert::clamp(times, usize::MAX / 2);
                let length = if text.is_empty() {
                    0
                } else {
                    text.len().saturating_mul(times)
                };
                self.meter.text(length, args.span)?;
                if length == 0 {
                    return Ok(Value::text(""));
                }
                Ok(Value::text(text.repeat(times)))
            }
            Method::ToUpperCase => self.text(text.to_uppercase(), args.span),
            Method::ToLowerCase => self.text(text.to_lowercase(), args.span),
            _ => fail(args.span, format!("text has no `{}`", method.name())),
        }
    }

    /// Counts the cost of a search for a string.
    fn search(&mut self, text: &str, sought: &str, span: Span) -> Evaluated<()> {
        Ok(self.meter.text(text.len().max(sought.len()), span)?)
    }

    fn split(&mut self, text: &str, args: &Args<'_>) -> Evaluated {
        let separator = args.optional_text(0)?;
        // As in JavaScript, a limit is counted modulo 2^32: -1 means no limit.
        let limit = args.whole(1)?.unwrap_or(f64::from(u32::MAX));
        let limit = if limit.is_finite() {
            super::convert::clamp(limit.rem_euclid(4_294_967_296.0), usize::MAX / 2)
        } else {
            0
        };
        if limit == 0 {
            return self.list(Vec::new(), args.span);
        }
        let Some(separator) = separator else {
            return self.list(vec![Value::text(text)], args.span);
        };
        self.search(text, separator, args.span)?;
        let most = self.meter.most_items().saturating_add(1).min(limit);
        let parts: Vec<&str> = if separator.is_empty() {
            let characters = text.char_indices().take(most);
            characters
                .map(|(at, c)| &text[at..at + c.len_utf8()])
                .collect()
        } else {
            text.split(separator).take(most).collect()
        };
        // A list that is too long is refused before its items are allocated.
        self.meter.check_list(parts.len(), args.span)?;
        self.list(parts.into_iter().map(Value::text).collect(), args.span)
    }

    fn replace_all(&mut self, text: &str, from: &str, to: &str, span: Span) -> Evaluated {
        let mut replaced = String::new();
        let mut end = 0;
        for (at, found) in text.match_indices(from) {
            replaced.push_str(&text[end..at]);
            end = at + found.len();
            let room = self.meter.most_bytes();
            substitute(&mut replaced, to, text, at, end, room);
            self.meter.check_text(replaced.len(), span)?;
            self.meter.count(to.len() / 32 + 1, span)?;
        }
        replaced.push_str(&text[end..]);
        self.text(replaced, span)
    }

    fn pad(&mut self, text: &str, method: Method, args: &Args<'_>) -> Evaluated {
        let length = text.chars().count();
        let wanted = args.whole(0)?.unwrap_or(0.0);
        let fill = args.optional_text(1)?.unwrap_or(" ");
        let wanted = super::convert::clamp(wanted, usize::MAX / 8);
        if wanted <= length || fill.is_empty() {
            return Ok(Value::text(text));
        }
        let missing = wanted - length;
        // Each character has at least one byte.
        self.meter
            .text(text.len().saturating_add(missing), args.span)?;
        let filling: String = fill.chars().cycle().take(missing).collect();
        let padded = match method {
            Method::PadStart => [&*filling, text].concat(),
            _ => [text, &*filling].concat(),
        };
        self.text(padded, args.span)
    }
}

/// Appends the replacement for the text between `at` and `end`. In it, `$$` is a dollar, `$&` the replaced text, ``
/// $` `` the text before it and `$'` the text after it. It stops once there are more than `room` bytes.
fn substitute(written: &mut String, to: &str, text: &str, at: usize, end: usize, room: usize) {
    let mut rest = to;
    while let Some(dollar) = rest.find('$') {
        written.push_str(&rest[..dollar]);
        rest = &rest[dollar + 1..];
        let (part, length) = match rest.as_bytes().first() {
            Some(b'$') => ("$", 1),
            Some(b'&') => (&text[at..end], 1),
            Some(b'`') => (&text[..at], 1),
            Some(b'\'') => (&text[end..], 1),
            _ => ("$", 0),
        };
        written.push_str(part);
        rest = &rest[length..];
        if written.len() > room {
            return;
        }
    }
    written.push_str(rest);
}

/// The byte offset of the character at `place`.
fn byte_of(text: &str, place: usize) -> usize {
    text.char_indices()
        .nth(place)
        .map_or(text.len(), |(at, _)| at)
}
