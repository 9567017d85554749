//! JSON as models write it. Every syntax error that is fixed is counted.

use serde_json::{Map, Number, Value};

use super::DEEPEST;

/// The result of parsing a text.
pub(super) struct Read {
    pub(super) value: Value,
    /// The number of syntax errors that were fixed.
    pub(super) mends: u32,
    /// True if the text ends in the middle of a value. That value is left out, with everything around it
    /// up to the next list, because half a path or half a number has another meaning.
    pub(super) is_cut: bool,
}

/// Returns the value in a text: the first object or list that looks like a response, or else the first
/// one.
pub(super) fn read(text: &str) -> Option<Read> {
    if let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(text) {
        let (mends, is_cut) = (0, false);
        return Some(Read {
            value,
            mends,
            is_cut,
        });
    }
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    let mut first = None;
    while let Some(begin) = (at..chars.len()).find(|at| matches!(chars[*at], '{' | '[')) {
        let mut reader = Reader {
            chars: &chars,
            at: begin,
            mends: 0,
            is_cut: false,
        };
        let value = reader.value(0);
        at = reader.at.max(begin + 1);
        let Some(value) = value else { continue };
        let is_some = match &value {
            Value::Array(list) => list.iter().any(Value::is_object),
            Value::Object(fields) => !fields.is_empty(),
            _ => false,
        };
        let is_response = super::is_response(&value);
        if is_response || (first.is_none() && is_some) {
            let read = Read {
                value,
                mends: reader.mends + around(&chars, begin, reader.at),
                is_cut: reader.is_cut,
            };
            if is_response {
                return Some(read);
            }
            first = Some(read);
        }
    }
    first
}

/// Returns the number of errors around a value. Fences count as one, and other text as another.
fn around(chars: &[char], begin: usize, end: usize) -> u32 {
    let parts = [&chars[..begin], &chars[end.min(chars.len())..]];
    let text: String = parts.into_iter().flatten().collect();
    let (fences, words): (Vec<&str>, Vec<&str>) = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .partition(|line| line.starts_with("```"));
    u32::from(!fences.is_empty()) + u32::from(!words.is_empty())
}

struct Reader<'t> {
    chars: &'t [char],
    at: usize,
    mends: u32,
    is_cut: bool,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn mend(&mut self) {
        self.mends = self.mends.saturating_add(1);
    }

    fn begins(&self, text: &str) -> bool {
        let mut at = self.at;
        text.chars().all(|c| {
            at += 1;
            self.chars.get(at - 1) == Some(&c)
        })
    }

    /// Skips white space and comments.
    fn space(&mut self) {
        loop {
            while self
                .peek()
                .is_some_and(|c| c.is_whitespace() || c == '\u{feff}')
            {
                self.at += 1;
            }
            if self.begins("//") {
                self.mend();
                while self.peek().is_some_and(|c| c != '\n') {
                    self.at += 1;
                }
            } else if self.begins("/*") {
                self.mend();
                self.at += 2;
                while self.at < self.chars.len() && !self.begins("*/") {
                    self.at += 1;
                }
                self.at = (self.at + 2).min(self.chars.len());
            } else {
                return;
            }
        }
    }

    /// Parses a value. `None` if there is none, or if it is nested too deeply.
    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        self.space();
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.list(depth),
            quote if closing(quote).is_some() => self.text(quote).map(Value::String),
            _ => self.bare(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut fields = Map::new();
        while self.goes_on('}', fields.len()) {
            let name = self.name()?;
            if self.is_cut {
                break;
            }
            self.space();
            match self.peek() {
                Some(':') => self.at += 1,
                Some('=') => {
                    self.at += if self.begins("=>") { 2 } else { 1 };
                    self.mend();
                }
                _ => self.mend(),
            }
            self.space();
            let value = match self.peek() {
                None | Some(',' | '}' | ']') => {
                    self.mend();
                    Value::Null
                }
                Some(_) => self.value(depth + 1)?,
            };
            // A list that is cut off has only lost its last value.
            if self.is_cut && !value.is_array() {
                break;
            }
            if fields.insert(name, value).is_some() {
                self.mend();
            }
        }
        Some(Value::Object(fields))
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut values = Vec::new();
        while self.goes_on(']', values.len()) {
            let value = self.value(depth + 1)?;
            if self.is_cut {
                break;
            }
            values.push(value);
        }
        Some(Value::Array(values))
    }

    /// Moves to the next member of an object or a list that has `members` so far, and returns true. At
    /// the end, moves past it and returns false.
    fn goes_on(&mut self, end: char, members: usize) -> bool {
        // One comma is expected before each member but the first.
        let mut has_comma = members == 0;
        loop {
            self.space();
            match self.peek() {
                Some(c) if c == end => {
                    self.at += 1;
                    if has_comma && members > 0 {
                        self.mend();
                    }
                    return false;
                }
                // The end of the enclosing value, because the own end is missing.
                None | Some('}' | ']') => {
                    self.mend();
                    return false;
                }
                Some(',') => {
                    self.at += 1;
                    if has_comma {
                        self.mend();
                    }
                    has_comma = true;
                }
                Some(_) => {
                    if !has_comma {
                        self.mend();
                    }
                    return true;
                }
            }
        }
    }

    /// Parses the name of a field.
    fn name(&mut self) -> Option<String> {
        let c = self.peek()?;
        if closing(c).is_some() {
            return self.text(c);
        }
        let mut name = String::new();
        while let Some(c) = self.peek() {
            if c.is_whitespace() || matches!(c, ':' | '=' | ',' | '{' | '}' | '[' | ']' | '"') {
                break;
            }
            name.push(c);
            self.at += 1;
        }
        self.is_cut |= self.peek().is_none();
        self.mend();
        (!name.is_empty()).then_some(name)
    }

    /// Parses a quoted string.
    fn text(&mut self, quote: char) -> Option<String> {
        let close = closing(quote)?;
        self.at += 1;
        if quote != '"' {
            self.mend();
        }
        let mut text = String::new();
        loop {
            match self.next() {
                None => {
                    self.is_cut = true;
                    self.mend();
                    break;
                }
                Some('\\') => self.escape(&mut text),
                Some(c) if c == close => {
                    if self.ends_here() {
                        break;
                    }
                    // An unescaped quote within the string.
                    self.mend();
                    text.push(c);
                }
                Some(c) => {
                    if c.is_control() {
                        self.mend();
                    }
                    text.push(c);
                }
            }
        }
        Some(text)
    }

    /// True if a string may end before this place, because the next character may follow a string.
    fn ends_here(&self) -> bool {
        let mut behind = self.chars.iter().skip(self.at);
        let next = behind.by_ref().find(|c| !c.is_whitespace());
        match next {
            None | Some('}' | ']' | ':' | '=' | '/') => true,
            // A comma within a string is followed by words. A comma after a string is followed by a
            // value or a name.
            Some(',') => behind.find(|c| !c.is_whitespace()).is_none_or(|c| {
                closing(*c).is_some()
                    || matches!(c, '{' | '[' | '}' | ']' | '-' | '/')
                    || c.is_alphanumeric()
            }),
            // A comma is missing, and the next line begins with a name or a value.
            Some(c) => {
                let is_next_line = self.chars[self.at..]
                    .iter()
                    .take_while(|c| c.is_whitespace())
                    .any(|c| *c == '\n');
                is_next_line && (closing(*c).is_some() || matches!(c, '{' | '['))
            }
        }
    }

    fn escape(&mut self, text: &mut String) {
        match self.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some(c @ ('"' | '\\' | '/')) => text.push(c),
            Some('u') => match self.unicode() {
                Some(c) => text.push(c),
                None => {
                    self.mend();
                    text.push(char::REPLACEMENT_CHARACTER);
                }
            },
            Some(c) => {
                self.mend();
                if c != '\'' && c != '\n' {
                    text.push('\\');
                }
                text.push(c);
            }
            None => self.mend(),
        }
    }

    fn unicode(&mut self) -> Option<char> {
        let high = self.hex()?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high);
        }
        if !self.begins("\\u") {
            return None;
        }
        let before = self.at;
        self.at += 2;
        match self.hex() {
            Some(low @ 0xdc00..0xe000) => {
                char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
            }
            _ => {
                self.at = before;
                None
            }
        }
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.chars.get(self.at..self.at + 4)?;
        let number = digits
            .iter()
            .try_fold(0, |number, c| Some(number * 16 + c.to_digit(16)?))?;
        self.at += 4;
        Some(number)
    }

    /// Parses a number, a literal such as `true`, or a string without quotes.
    fn bare(&mut self) -> Option<Value> {
        let begin = self.at;
        while self
            .peek()
            .is_some_and(|c| !matches!(c, ',' | '}' | ']' | '\n'))
        {
            self.at += 1;
        }
        self.is_cut |= self.peek().is_none();
        let word: String = self.chars.get(begin..self.at)?.iter().collect();
        let word = word.trim();
        if word.is_empty() {
            return None;
        }
        let exact = match word {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" => Some(Value::Null),
            word => serde_json::from_str::<Number>(word).ok().map(Value::Number),
        };
        if exact.is_some() {
            return exact;
        }
        self.mend();
        Some(match word {
            "True" | "TRUE" => Value::Bool(true),
            "False" | "FALSE" => Value::Bool(false),
            "None" | "undefined" | "NaN" | "Null" | "NULL" => Value::Null,
            word => {
                let number = word.trim_start_matches('+');
                let number = number
                    .parse::<f64>()
                    .ok()
                    .filter(|number| number.is_finite());
                match number.and_then(Number::from_f64) {
                    Some(number) => Value::Number(number),
                    None => Value::String(word.to_owned()),
                }
            }
        })
    }
}

/// Returns the quote that closes a string that begins with a quote.
const fn closing(quote: char) -> Option<char> {
    match quote {
        '"' | '\'' | '`' => Some(quote),
        '\u{201c}' => Some('\u{201d}'),
        '\u{2018}' => Some('\u{2019}'),
        _ => None,
    }
}
