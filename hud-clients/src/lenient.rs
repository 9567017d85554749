//! JSON as clients really write it: with half an emoji, a byte order mark, bytes that are not UTF-8, NUL
//! bytes, backslashes that escape nothing, and lists that are nested very deep.
//!
//! If a client cuts a text in the middle of an emoji, `JSON.stringify` writes the half as `\ud83d`. That
//! is valid JSON by its grammar, but it is not a valid string. The rest of such a document must not be
//! lost. [`Lenient`] is a reader whose output a strict parser accepts: it replaces invalid characters
//! with U+FFFD and keeps the rest. [`Repairs`] reports the changes.
//!
//! ```
//! use serde_json::{Value, json};
//!
//! let (value, repairs) = hud_clients::lenient::from_slice::<Value>(br#"{"prompt": "Fix it \ud83d", "n": 1}"#)?;
//! assert_eq!(value, json!({ "prompt": "Fix it \u{FFFD}", "n": 1 }));
//! assert!(repairs.characters);
//! # Ok::<(), serde_json::Error>(())
//! ```

use std::fmt;
use std::io::{self, BufRead, ErrorKind, Read};

use serde::Deserializer as _;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

/// The maximum nesting depth of lists and objects. A deeper value is read as null, because events are
/// stored within others and parsers have limits too.
pub const DEEPEST: usize = 100;

/// U+FFFD in UTF-8.
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// The changes that made a document readable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// True if U+FFFD replaced an invalid character.
    pub characters: bool,
    /// True if a backslash that escapes nothing was read as a backslash.
    pub escapes: bool,
    /// True if null replaced a value that was nested deeper than [`DEEPEST`].
    pub depth: bool,
}

impl Repairs {
    /// True if the document was not changed.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}

/// Writes the changes for a note.
impl fmt::Display for Repairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes = [
            (self.characters, "replaced what is no character".to_owned()),
            (
                self.escapes,
                "read backslashes that escape nothing as they are".to_owned(),
            ),
            (
                self.depth,
                format!("left out what is nested more than {DEEPEST} deep"),
            ),
        ];
        let made: Vec<_> = { changes.into_iter() }
            .filter_map(|(is_made, change)| is_made.then_some(change))
            .collect();
        f.write_str(&made.join(", "))
    }
}

/// Parses one document. A document that a strict parser rejects is repaired first.
///
/// # Errors
///
/// The error of the repaired document, if that is not JSON either.
pub fn from_slice<T: DeserializeOwned>(json: &[u8]) -> serde_json::Result<(T, Repairs)> {
    match serde_json::from_slice(json) {
        Ok(value) => Ok((value, Repairs::default())),
        // The values are wrong; the JSON is valid.
        Err(error) if error.is_data() => Err(error),
        Err(_) => {
            let (repaired, repairs) = repaired(json);
            Ok((serde_json::from_slice(&repaired)?, repairs))
        }
    }
}

/// Parses the first document of a reader, with repairs. It does not wait for input after the document.
///
/// # Errors
///
/// As [`from_slice`], and those of the reader.
pub fn from_reader<T: DeserializeOwned>(reader: impl BufRead) -> serde_json::Result<(T, Repairs)> {
    let mut lenient = Lenient::new(reader);
    let value = T::deserialize(&mut serde_json::Deserializer::from_reader(&mut lenient))?;
    Ok((value, lenient.repairs))
}

/// Returns the value of an object's field, even if the rest of the document is damaged. An example is
/// the `id` of a request that cannot be read.
pub fn field(json: &[u8], name: &str) -> Option<Value> {
    let mut found = None;
    let mut parser = serde_json::Deserializer::from_reader(Lenient::new(json));
    // A value that was found before an error counts.
    let _ = parser.deserialize_map(Field {
        name,
        found: &mut found,
    });
    found
}

/// Visits an object until a field is found.
struct Field<'f> {
    name: &'f str,
    found: &'f mut Option<Value>,
}

impl<'de> Visitor<'de> for Field<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            if name == self.name {
                *self.found = Some(fields.next_value()?);
                return Ok(());
            }
            fields.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

/// Returns a document in a form that a strict parser accepts, and the changes. Valid parts stay the
/// same, byte for byte.
pub fn repaired(json: &[u8]) -> (Vec<u8>, Repairs) {
    let mut lenient = Lenient::new(json);
    let mut repaired = Vec::with_capacity(json.len());
    // Reading from a slice cannot fail, and `Lenient` itself returns no errors.
    let _ = lenient.read_to_end(&mut repaired);
    (repaired, lenient.repairs)
}

/// A reader that repairs the JSON of another reader. It does not read past the end of its output.
#[derive(Debug)]
pub struct Lenient<R> {
    input: Input<R>,
    /// The repaired bytes. Those from `given` on are not returned yet.
    output: Vec<u8>,
    given: usize,
    /// True once the first bytes were checked.
    has_begun: bool,
    is_in_string: bool,
    /// The number of open lists and objects.
    depth: usize,
    /// The four digits of the first half of a surrogate pair whose second half may follow.
    half: Option<[u8; 4]>,
    /// True if the last byte of a string was a NUL byte. A run of them becomes one character.
    is_zeroed: bool,
    repairs: Repairs,
    lines: Option<Lines>,
}

/// The state of a reader that may have a document on each line. Everything that is open at the end of a
/// line ends there, so a torn line does not affect the next one.
#[derive(Debug, Default)]
struct Lines {
    is_repaired: bool,
    repaired: u64,
}

impl<R: BufRead> Lenient<R> {
    /// Returns a reader that repairs the JSON of another reader.
    pub fn new(input: R) -> Self {
        let input = Input {
            bytes: input,
            wide: None,
        };
        Self {
            input,
            output: Vec::new(),
            given: 0,
            has_begun: false,
            is_in_string: false,
            depth: 0,
            half: None,
            is_zeroed: false,
            repairs: Repairs::default(),
            lines: None,
        }
    }

    /// Returns a reader for input that may have a document on each line.
    pub(crate) fn of_lines(input: R) -> Self {
        Self {
            lines: Some(Lines::default()),
            ..Self::new(input)
        }
    }

    /// Returns the number of changed lines of a reader [of lines](Self::of_lines).
    pub(crate) fn repaired_lines(&self) -> u64 {
        self.lines
            .as_ref()
            .map_or(0, |lines| lines.repaired + u64::from(lines.is_repaired))
    }

    /// Returns the changes so far.
    pub fn repairs(&self) -> Repairs {
        self.repairs
    }

    /// Repairs the next few bytes. Returns false at the end.
    fn advance(&mut self) -> io::Result<bool> {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.input.begin()?;
        }
        let buffer = self.input.buffer()?;
        let Some(&byte) = buffer.first() else {
            self.end_half();
            return Ok(false);
        };
        let has_lines = self.lines.is_some();
        let is_plain = |byte: &u8| match self.is_in_string {
            true => matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'),
            false if *byte == b'\n' => !has_lines,
            false => !matches!(byte, b'"' | b'[' | b'{' | b']' | b'}' | 0 | 0xEF),
        };
        let plain = buffer.iter().take_while(|byte| is_plain(byte)).count();
        if plain > 0 && self.half.is_none() {
            if self.depth <= DEEPEST {
                self.output.extend_from_slice(&buffer[..plain]);
            }
            self.is_zeroed = false;
            self.input.consume(plain);
            return Ok(true);
        }
        self.input.consume(1);
        match self.is_in_string {
            _ if has_lines && byte == b'\n' => self.end_line(),
            true => self.in_string(byte)?,
            false => self.outside(byte)?,
        }
        Ok(true)
    }

    /// Ends a line, and everything that is open on it.
    fn end_line(&mut self) {
        self.end_half();
        self.is_in_string = false;
        self.is_zeroed = false;
        self.depth = 0;
        self.give(b"\n");
        if let Some(lines) = &mut self.lines {
            lines.repaired += u64::from(std::mem::take(&mut lines.is_repaired));
        }
    }

    /// Records a change.
    fn repair(&mut self, made: impl FnOnce(&mut Repairs) -> &mut bool) {
        *made(&mut self.repairs) = true;
        if let Some(lines) = &mut self.lines {
            lines.is_repaired = true;
        }
    }

    /// Outputs bytes, unless they are nested too deep.
    fn give(&mut self, bytes: &[u8]) {
        if self.depth <= DEEPEST {
            self.output.extend_from_slice(bytes);
        }
    }

    /// Outputs U+FFFD for the first half of a surrogate pair that has no second half.
    fn end_half(&mut self) {
        if self.half.take().is_some() {
            self.repair(|made| &mut made.characters);
            self.give(b"\\ufffd");
        }
    }

    fn replace(&mut self) {
        self.repair(|made| &mut made.characters);
        self.give(REPLACEMENT);
    }

    /// Handles a byte outside a string.
    fn outside(&mut self, byte: u8) -> io::Result<()> {
        match byte {
            b'"' => {
                self.is_in_string = true;
                self.give(b"\"");
            }
            b'[' | b'{' => {
                self.depth += 1;
                if self.depth == DEEPEST + 1 {
                    self.repair(|made| &mut made.depth);
                    self.output.extend_from_slice(b"null");
                }
                self.give(&[byte]);
            }
            b']' | b'}' => {
                self.give(&[byte]);
                self.depth = self.depth.saturating_sub(1);
            }
            // NUL bytes between values, as a torn write leaves them. On a separate line, they make the
            // line damaged.
            0 if self.lines.is_none() => self.repair(|made| &mut made.characters),
            // A byte order mark; one may also be in the middle, where two files were joined.
            0xEF => {
                let mut mark = vec![byte];
                for expected in [0xBB, 0xBF] {
                    if self.input.next_if(|byte| byte == expected)?.is_none() {
                        break;
                    }
                    mark.push(expected);
                }
                if mark.len() < 3 {
                    self.give(&mark);
                }
            }
            _ => self.give(&[byte]),
        }
        Ok(())
    }

    /// Handles a byte of a string.
    fn in_string(&mut self, byte: u8) -> io::Result<()> {
        let was_zeroed = std::mem::take(&mut self.is_zeroed);
        if byte != b'\\' {
            self.end_half();
        }
        match byte {
            b'"' => {
                self.give(b"\"");
                self.is_in_string = false;
            }
            b'\\' => self.escape()?,
            0 => {
                self.is_zeroed = true;
                if !was_zeroed {
                    self.replace();
                }
            }
            // A control character, such as a raw line break, is valid; only its escape is missing.
            0x01..=0x1F => self.give(format!("\\u{byte:04x}").as_bytes()),
            0x80.. => self.character(byte)?,
            _ => self.give(&[byte]),
        }
        Ok(())
    }

    /// Handles an escape whose backslash was read.
    fn escape(&mut self) -> io::Result<()> {
        if self.input.next_if(|byte| byte == b'u')?.is_none() {
            self.end_half();
            match self.input.next_if(|byte| b"\"\\/bfnrt".contains(&byte))? {
                Some(escaped) => self.give(&[b'\\', escaped]),
                None => {
                    self.repair(|made| &mut made.escapes);
                    self.give(b"\\\\");
                }
            }
            return Ok(());
        }
        let (mut digits, mut count) = ([0; 4], 0);
        for digit in &mut digits {
            let Some(next) = self.input.next_if(|byte| byte.is_ascii_hexdigit())? else {
                break;
            };
            (*digit, count) = (next, count + 1);
        }
        let read = std::str::from_utf8(&digits).unwrap_or_default();
        let Some(code) = (count == 4)
            .then(|| u16::from_str_radix(read, 16).ok())
            .flatten()
        else {
            self.end_half();
            self.repair(|made| &mut made.escapes);
            self.give(b"\\\\u");
            self.give(&digits[..count]);
            return Ok(());
        };
        match (code, self.half) {
            (0xDC00..=0xDFFF, Some(half)) => {
                self.half = None;
                self.give(b"\\u");
                self.give(&half);
            }
            (0xDC00..=0xDFFF, None) => {
                self.repair(|made| &mut made.characters);
                digits = *b"fffd";
            }
            (0xD800..=0xDBFF, _) => {
                self.end_half();
                // The first half is kept until the second one is read.
                self.half = Some(digits);
                return Ok(());
            }
            _ => self.end_half(),
        }
        self.give(b"\\u");
        self.give(&digits);
        Ok(())
    }

    /// Handles a character of several bytes whose first byte was read.
    fn character(&mut self, first: u8) -> io::Result<()> {
        let mut bytes = vec![first];
        loop {
            match std::str::from_utf8(&bytes) {
                Ok(_) => {
                    self.give(&bytes);
                    return Ok(());
                }
                Err(error) if error.error_len().is_none() => {}
                Err(_) => break,
            }
            let goes_on = |byte| {
                let longer = [&bytes[..], &[byte]].concat();
                std::str::from_utf8(&longer)
                    .map_or_else(|error| error.error_len().is_none(), |_| true)
            };
            match self.input.next_if(goes_on)? {
                Some(byte) => bytes.push(byte),
                None => break,
            }
        }
        self.replace();
        Ok(())
    }
}

impl<R: BufRead> Read for Lenient<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.given == self.output.len() {
            self.output.clear();
            self.given = 0;
            if !self.advance()? && self.output.is_empty() {
                return Ok(0);
            }
        }
        let left = self.output.get(self.given..).unwrap_or_default();
        let count = left.len().min(into.len());
        into[..count].copy_from_slice(&left[..count]);
        self.given += count;
        Ok(count)
    }
}

/// The bytes of a document as UTF-8, even if the input is UTF-16.
#[derive(Debug)]
struct Input<R> {
    bytes: R,
    /// The text of a UTF-16 document, and the number of bytes of it that were read.
    wide: Option<(Vec<u8>, usize)>,
}

impl<R: BufRead> Input<R> {
    /// Detects by the byte order mark if the document is UTF-16, as some shells on Windows write it.
    fn begin(&mut self) -> io::Result<()> {
        let decode = match self.buffer()? {
            [0xFF, 0xFE, ..] => u16::from_le_bytes,
            [0xFE, 0xFF, ..] => u16::from_be_bytes,
            _ => return Ok(()),
        };
        self.bytes.consume(2);
        let mut bytes = Vec::new();
        self.bytes.read_to_end(&mut bytes)?;
        let units = bytes.chunks_exact(2).map(|unit| decode([unit[0], unit[1]]));
        let text: String = char::decode_utf16(units)
            .map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        self.wide = Some((text.into_bytes(), 0));
        Ok(())
    }

    fn buffer(&mut self) -> io::Result<&[u8]> {
        if let Some((text, read)) = &self.wide {
            return Ok(text.get(*read..).unwrap_or_default());
        }
        loop {
            match self.bytes.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(_) => break,
            }
        }
        // `fill_buf` returns the bytes that are already buffered.
        self.bytes.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        match &mut self.wide {
            Some((_, read)) => *read += count,
            None => self.bytes.consume(count),
        }
    }

    /// Consumes and returns the next byte, if `is_wanted` accepts it.
    fn next_if(&mut self, is_wanted: impl Fn(u8) -> bool) -> io::Result<Option<u8>> {
        let next = self.buffer()?.first().copied();
        let next = next.filter(|byte| is_wanted(*byte));
        if next.is_some() {
            self.consume(1);
        }
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(json: &[u8]) -> (Value, Repairs) {
        let read = from_slice(json).unwrap();
        assert_eq!(from_reader::<Value>(json).unwrap().0, read.0);
        read
    }

    #[test]
    fn only_what_is_no_character_is_replaced() {
        for (document, expected) in [
            (&br#"{"a":"\ud83d"}"#[..], "\u{FFFD}"),
            (br#"{"a":"\ud83d\ud83d\ude00"}"#, "\u{FFFD}\u{1F600}"),
            (br#"{"a":"\ud83dx\ude00"}"#, "\u{FFFD}x\u{FFFD}"),
            (br#"{"a":"\ud83d\n\ud83d\\"}"#, "\u{FFFD}\n\u{FFFD}\\"),
            (br#"{"a":"\uDE00 x"}"#, "\u{FFFD} x"),
            (b"{\"a\":\"\xFF\xC3\xA9\xC3\"}", "\u{FFFD}\u{E9}\u{FFFD}"),
            (
                b"{\"a\":\"\xF0\x9F\x98 \xF0\x9F\x98\x80\"}",
                "\u{FFFD} \u{1F600}",
            ),
            (b"{\"a\":\"x\0\0\0y\0z\"}", "x\u{FFFD}y\u{FFFD}z"),
        ] {
            let (value, repairs) = read(document);
            assert_eq!(value, json!({ "a": expected }), "{document:?}");
            assert!(repairs.characters, "{document:?}");
        }
        let (value, repairs) = read(br#"{"a":"\\ud83d"}"#);
        assert_eq!(value, json!({ "a": "\\ud83d" }));
        assert!(repairs.is_none());
    }

    #[test]
    fn marks_zeroed_bytes_and_wide_documents_are_read() {
        let expected = json!({ "a": ["\u{1F600}", 1] });
        let text = expected.to_string();
        let wide = |decode: fn(u16) -> [u8; 2]| {
            let marked = format!("\u{FEFF}{text}");
            marked.encode_utf16().flat_map(decode).collect::<Vec<_>>()
        };
        for document in [
            format!("\u{FEFF}{text}").into_bytes(),
            format!("\0\0\u{FEFF}\0{text}\0\0\n").into_bytes(),
            wide(u16::to_le_bytes),
            wide(u16::to_be_bytes),
        ] {
            assert_eq!(read(&document).0, expected, "{document:?}");
        }
    }

    #[test]
    fn raw_line_breaks_and_backslashes_that_escape_nothing_are_kept() {
        let (value, repairs) = read(b"{\"a\":\"x\ny\t\x1b[0m\"}");
        assert_eq!(value, json!({ "a": "x\ny\t\u{1b}[0m" }));
        assert!(repairs.is_none());
        let (value, repairs) = read(br#"{"a":"C:\Work\user \u12"}"#);
        assert_eq!(value, json!({ "a": r"C:\Work\user \u12" }));
        assert!(repairs.escapes);
    }

    #[test]
    fn what_is_nested_too_deep_is_left_out() {
        let deep = format!(
            "{{\"deep\":{}1{},\"b\":2}}",
            "[".repeat(5_000),
            "]".repeat(5_000)
        );
        let (value, repairs) = read(deep.as_bytes());
        assert_eq!(value["b"], 2);
        assert!(repairs.depth);
        let text = value.to_string();
        assert_eq!(text.matches('[').count(), DEEPEST - 1);
        assert!(text.contains("[null]"));
    }

    /// A reader that fails when it would wait for a client.
    struct Waits<'b>(&'b [u8]);

    impl Read for Waits<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            match self.0.is_empty() {
                true => Err(io::Error::other("waits")),
                false => self.0.read(into),
            }
        }
    }

    #[test]
    fn nothing_after_the_document_is_waited_for() {
        let input = io::BufReader::with_capacity(1, Waits(br#"{"a":"\ud83d"}"#));
        assert_eq!(
            from_reader::<Value>(input).unwrap().0,
            json!({ "a": "\u{FFFD}" })
        );
    }

    #[test]
    fn a_field_is_found_before_what_is_damaged() {
        for document in [
            &br#"{"a":{"id":1},"id":7,"b":"#[..],
            br#"{"a":"\ud83d","id":7 x"#,
            b"{\"a\":\"\xFF\",\"id\":7}",
        ] {
            assert_eq!(field(document, "id"), Some(json!(7)), "{document:?}");
        }
        let deep = format!(
            "{{\"a\":{}{},\"id\":7}}",
            "[".repeat(9_000),
            "]".repeat(9_000)
        );
        assert_eq!(field(deep.as_bytes(), "id"), Some(json!(7)));
        for document in [&b"[7]"[..], b"7", b"{\"a\": x, \"id\": 7}", b""] {
            assert_eq!(field(document, "id"), None, "{document:?}");
        }
    }

    #[test]
    fn what_is_no_json_stays_none() {
        for document in [
            &b""[..],
            b"{",
            br#"{"a":"\ud8"#,
            b"{\"a\" 1}",
            b"\xEF\xBB",
            b"]",
        ] {
            assert!(from_slice::<Value>(document).is_err(), "{document:?}");
        }
    }

    proptest! {
        #[test]
        fn good_documents_stay_the_same_byte_for_byte(text in any::<String>(), n in any::<i64>()) {
            let document = json!({ text.clone(): [text, n, null] }).to_string();
            let (repaired, repairs) = repaired(document.as_bytes());
            prop_assert_eq!(repaired, document.as_bytes());
            prop_assert!(repairs.is_none());
        }

        #[test]
        fn any_text_is_read_whatever_is_put_into_it(
            text in any::<String>(), torn in prop::collection::vec(any::<u8>(), 0..6), at in any::<prop::sample::Index>(),
        ) {
            let torn: Vec<u8> = torn.into_iter().filter(|byte| !b"\"\\".contains(byte)).collect();
            let mut document = json!(text).to_string().into_bytes();
            // Not between a backslash and the character that it escapes.
            let places: Vec<usize> = (1..document.len()).filter(|at| {
                !document[at.saturating_sub(6)..*at].contains(&b'\\')
            }).collect();
            if !places.is_empty() {
                let at = *at.get(&places);
                document.splice(at..at, torn);
                prop_assert!(from_slice::<String>(&document).is_ok(), "{document:?}");
            }
        }
    }
}
