//! Views of a text as it is shown, without its invisible parts. A view maps each part back to the text.

use hud_core::visible::visible;
use hud_store::text::floor_char_boundary;

/// A view of a text: some of its characters are removed or replaced by those that they stand for.
pub(super) struct View {
    pub(super) text: String,
    /// The places of the view's parts. A part is unchanged text, or one character that is written
    /// differently in the text.
    places: Vec<Place>,
}

/// The place of a part of a view.
#[derive(Clone, Copy)]
struct Place {
    here: usize,
    /// The byte offset in the text.
    there: usize,
    /// The number of bytes in the text of the part's one character, if that is written differently. 0
    /// for unchanged text.
    written: usize,
}

/// The difference between a view and its text.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Without invisible characters.
    Seen,
    /// Also without terminal escape sequences.
    Printed,
    /// Like `Printed`, with one level of escapes decoded.
    Decoded,
    /// With the parts of a split literal joined.
    Joined,
    /// With Latin letters in place of those of other scripts that look like them.
    Latin,
}

/// The maximum length in bytes of an escape sequence that contains text.
const LONGEST_SEQUENCE: usize = 4096;

/// Returns the views of a text that may contain a secret which the text itself does not show: without
/// invisible characters, as the HUD shows it; without terminal escape sequences; with the escapes of
/// JSON, HTML, addresses and mail decoded; with joined literals; and with Latin letters. Most texts have
/// none.
pub(super) fn views(text: &str) -> Vec<View> {
    let mut views = Vec::new();
    let is_usual = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    if !text.bytes().fold(true, |all, byte| all & is_usual(byte)) && text.chars().any(is_unseen) {
        views.push(View::of(text, Kind::Seen));
        if text.contains(['\u{1B}', '\u{9B}', '\u{9D}']) {
            views.push(View::of(text, Kind::Printed));
        }
    }
    if has_escapes(text) {
        views.push(View::of(text, Kind::Decoded));
    }
    if has_joints(text) {
        views.push(View::of(text, Kind::Joined));
    }
    if !text.is_ascii() && text.split(is_no_letter).any(is_disguised) {
        views.push(View::of(text, Kind::Latin));
    }
    views
}

fn is_no_letter(character: char) -> bool {
    !character.is_alphabetic()
}

/// True if a Latin word has letters of another script, or is written in letters of another width or
/// style.
fn is_disguised(word: &str) -> bool {
    let has_latin = || word.contains(|c: char| c.is_ascii_alphabetic());
    let is_styled = |c: char| matches!(u32::from(c), 0xFF21..=0xFF5A | 0x1D400..=0x1D7FF);
    !word.is_ascii() && (word.contains(is_styled) || has_latin() && word.contains(is_like_latin))
}

fn is_like_latin(character: char) -> bool {
    !character.is_ascii() && latin(character).is_some()
}

/// Returns the ASCII character that a character looks like.
fn latin(character: char) -> Option<char> {
    const LIKE: &str = "АВЕЅІЈКМНОРСТХУаеѕіјорсхукԁһӏԝѡοαρνικτυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ";
    const LATIN: &str = "ABESIJKMHOPCTXYaesijopcxykdhlwwoapviktuABEZHIKMNOPTYX";
    let code = u32::from(character);
    match code {
        0..=0x7F => None,
        // Fullwidth characters.
        0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0),
        // Mathematical letters, whose alphabets follow each other.
        0x1D400..=0x1D6A3 => {
            let letter = (code - 0x1D400) % 52;
            char::from_u32(if letter < 26 {
                letter + u32::from('A')
            } else {
                letter - 26 + u32::from('a')
            })
        }
        _ => {
            let mut pairs = LIKE.chars().zip(LATIN.chars());
            pairs
                .find(|(like, _)| *like == character)
                .map(|(_, latin)| latin)
        }
    }
}

/// True if a text may have joined parts.
fn has_joints(text: &str) -> bool {
    let joins = joins_lists(text);
    memchr::memchr3_iter(b'"', b'\'', b'\n', text.as_bytes())
        .any(|at| joint(text, at, joins).is_some())
}

/// Returns the number of bytes, from an offset on, that join two parts of a text: the quotes and the
/// operator between two literals, or the end of a continued line. `at` is the offset of the quote, or of
/// the line end. `joins` is true if the text may have a list whose parts are joined.
fn joint(text: &str, at: usize, joins: bool) -> Option<usize> {
    /// The maximum number of blanks around an operator.
    const BLANKS: usize = 40;
    let bytes = text.as_bytes();
    let blanks = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter()
            .take(BLANKS)
            .take_while(|byte| byte.is_ascii_whitespace())
            .count()
    };
    match bytes[at] {
        quote @ (b'"' | b'\'') => {
            // The quote ends a literal.
            let ends = match bytes[..at] {
                [.., word, b' '] => word.is_ascii_alphanumeric(),
                [.., byte] => byte.is_ascii_graphic() && !b"=([{,:+\\".contains(&byte),
                [] => false,
            };
            if !ends {
                return None;
            }
            let gap = blanks(at + 1);
            let from = at + 1 + gap;
            let rest = bytes.get(from..)?;
            let operator = match rest {
                [b'.', b'.', ..] | [b'+', b'+', ..] | [b'<', b'>', ..] | [b'|', b'|', ..] => 2,
                [b'+' | b'.' | b'&' | b'~', ..] => 1,
                [b'\\', b'\n', ..] => 2,
                [b',', ..] if joins && is_list_joined(text, at) => 1,
                // Literals on two lines.
                [first, ..] if *first == quote && bytes[at + 1..from].contains(&b'\n') => 0,
                _ => return None,
            };
            let next = from + operator + blanks(from + operator);
            let opens = bytes.get(next) == Some(&quote)
                && bytes.get(next + 1).is_some_and(|byte| *byte != quote);
            opens.then_some(next + 1 - at)
        }
        b'\n' => {
            // The blanks before the line end are removed with it.
            let line = bytes[..at].strip_suffix(b"\r").unwrap_or(&bytes[..at]);
            match line {
                [.., before, b'\\'] if *before != b'\\' && *before != b' ' => {
                    Some(1 + blanks(at + 1))
                }
                [.., before, b'='] if before.is_ascii_alphanumeric() => {
                    let word = |byte: &&u8| byte.is_ascii_graphic();
                    let length = 1 + line[..line.len() - 1]
                        .iter()
                        .rev()
                        .take(200)
                        .take_while(word)
                        .count();
                    let next = bytes.get(at + 1..).unwrap_or_default();
                    let first: Vec<u8> = next.iter().take(200).take_while(word).copied().collect();
                    // The end of a Base64 text, or of a name, does not continue a line.
                    let is_wrapped = length % 4 != 0
                        && first.first().is_some_and(u8::is_ascii_alphanumeric)
                        && !first.iter().any(|byte| b"=:(){".contains(byte));
                    is_wrapped.then_some(1)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// True if a text may have a list whose parts are joined.
fn joins_lists(text: &str) -> bool {
    [".join(", "concat!("]
        .iter()
        .any(|call| text.contains(call))
}

/// True if the parts of a list are joined without a separator: `["a", "b"].join("")`, `concat!("a",
/// "b")`.
fn is_list_joined(text: &str, at: usize) -> bool {
    const NEAR: usize = 200;
    let from = floor_char_boundary(text, at.saturating_sub(NEAR));
    let to = floor_char_boundary(text, at + NEAR);
    let (before, behind) = (&text[from..at], &text[at..to]);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let rest = behind.split('\n').next().unwrap_or_default();
    ["concat!(", "\".join(", "'.join("]
        .iter()
        .any(|call| line.contains(call))
        || [".join(\"\")", ".join('')"]
            .iter()
            .any(|call| rest.contains(call))
}

/// True if a character would be invisible between two letters of a key.
fn is_unseen(character: char) -> bool {
    match character {
        ' '..='~' | '\t' | '\n' | '\r' => false,
        _ => visible(character.encode_utf8(&mut [0; 4])).is_empty(),
    }
}

/// True if a text has escapes that can be decoded.
fn has_escapes(text: &str) -> bool {
    memchr::memchr3_iter(b'\\', b'&', b'%', text.as_bytes()).any(|at| escape(text, at).is_some())
        || is_quoted_printable(text)
}

/// True if a text looks like quoted-printable mail, in which some characters are written as `=3D`.
fn is_quoted_printable(text: &str) -> bool {
    text.contains("=3D")
}

/// Returns the character that an escape at a byte offset stands for, and the length of the escape in
/// bytes.
fn escape(text: &str, at: usize) -> Option<(char, usize)> {
    let rest = text.as_bytes().get(at..)?;
    let hex = |from: usize, count: usize| -> Option<char> {
        let digits = text.get(at + from..at + from + count)?;
        digits
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit())
            .then_some(())?;
        char::from_u32(u32::from_str_radix(digits, 16).ok()?)
    };
    match rest {
        [b'\\', ..] => {
            // A text that is quoted within another has more backslashes.
            let signs = rest
                .iter()
                .take(8)
                .take_while(|byte| **byte == b'\\')
                .count();
            let (decoded, length) = match rest.get(signs..)? {
                [b'u', b'{', digits @ ..] => {
                    let count = digits.iter().take(6).take_while(|b| **b != b'}').count();
                    (hex(signs + 2, count)?, count + 3)
                }
                [b'u', ..] => (hex(signs + 1, 4)?, 5),
                [b'x', ..] => (hex(signs + 1, 2)?, 3),
                [b'0', b'3', b'3', b'[', ..] => ('\u{1B}', 3),
                [a @ b'0'..=b'1', b @ b'0'..=b'7', c @ b'0'..=b'7', ..] => {
                    let code =
                        u32::from(a - b'0') * 64 + u32::from(b - b'0') * 8 + u32::from(c - b'0');
                    (char::from_u32(code).filter(char::is_ascii_graphic)?, 3)
                }
                [b'e', b'[', ..] => ('\u{1B}', 1),
                _ => return None,
            };
            Some((decoded, signs + length))
        }
        [b'%', ..] => hex(1, 2).filter(|c| matches!(c, ' '..='~')).map(|c| (c, 3)),
        [b'&', ..] => entity(rest),
        _ => None,
    }
}

/// Returns the character that an HTML entity stands for, and the length of the entity in bytes.
fn entity(rest: &[u8]) -> Option<(char, usize)> {
    const LONGEST: usize = 8;
    const NAMED: [(&[u8], char); 9] = [
        (b"quot", '"'),
        (b"apos", '\''),
        (b"lt", '<'),
        (b"gt", '>'),
        (b"amp", '&'),
        (b"nbsp", ' '),
        (b"colon", ':'),
        (b"equals", '='),
        (b"excl", '!'),
    ];
    let end = rest
        .iter()
        .take(LONGEST + 2)
        .position(|byte| *byte == b';')?;
    let name = &rest[1..end];
    let known = NAMED.iter().find(|(known, _)| *known == name);
    let number = || {
        let digits = std::str::from_utf8(name.strip_prefix(b"#")?).ok()?;
        let number = match digits.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => digits.parse().ok()?,
        };
        char::from_u32(number)
    };
    let decoded = known.map(|(_, decoded)| *decoded).or_else(number)?;
    Some((decoded, end + 1))
}

/// Returns the same for a quoted-printable escape. A soft line break stands for no character.
fn printable(text: &str, at: usize) -> Option<(Option<char>, usize)> {
    match text.as_bytes().get(at..)? {
        [b'=', b'\n', ..] => Some((None, 2)),
        [b'=', b'\r', b'\n', ..] => Some((None, 3)),
        [
            b'=',
            a @ (b'0'..=b'9' | b'A'..=b'F'),
            b @ (b'0'..=b'9' | b'A'..=b'F'),
            ..,
        ] => {
            let digits = [*a, *b];
            let digits = std::str::from_utf8(&digits).ok()?;
            let decoded = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            matches!(decoded, ' '..='~').then_some((Some(decoded), 3))
        }
        _ => None,
    }
}

impl View {
    fn of(text: &str, kind: Kind) -> Self {
        let mut view = Self {
            text: String::with_capacity(text.len()),
            places: Vec::new(),
        };
        let joins = kind == Kind::Joined && joins_lists(text);
        let is_mail = kind == Kind::Decoded && is_quoted_printable(text);
        let mut at = 0;
        let mut is_copied = false;
        // The end of the last line that was checked for escapes.
        let mut line = 0;
        while let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
            if kind == Kind::Decoded && !is_mail && at >= line {
                line = memchr::memchr(b'\n', &text.as_bytes()[at..])
                    .map_or(text.len(), |end| at + end + 1);
                // Lines without escapes are the same as in the text.
                if !has_escapes(&text[at..line]) {
                    (at, is_copied) = (line, false);
                    continue;
                }
            }
            let decoded = match character {
                '\\' | '&' | '%' if kind == Kind::Decoded => {
                    escape(text, at).map(|(decoded, width)| (Some(decoded), width))
                }
                '=' if is_mail => printable(text, at),
                '"' | '\'' if kind == Kind::Joined => {
                    joint(text, at, joins).map(|width| (None, width))
                }
                // Includes the sign that marks the line end.
                '\\' | '=' | '\r' if kind == Kind::Joined => {
                    let rest = &text.as_bytes()[at + 1..];
                    let end = usize::from(character != '\r' && rest.starts_with(b"\r"));
                    let is_end = character != '\r' && rest.get(end) == Some(&b'\n');
                    let width = is_end.then(|| joint(text, at + 1 + end, joins)).flatten();
                    width.map(|width| (None, 1 + end + width))
                }
                _ if kind == Kind::Latin && is_like_latin(character) => {
                    latin(character).map(|latin| (Some(latin), character.len_utf8()))
                }
                _ => None,
            };
            let width = decoded.map_or(character.len_utf8(), |(_, width)| width);
            let shown = decoded.map_or(Some(character), |(shown, _)| shown);
            let next = at + width;
            match shown {
                Some(shown) if !is_unseen(shown) => {
                    if !is_copied || decoded.is_some() {
                        view.places.push(Place {
                            here: view.text.len(),
                            there: at,
                            written: decoded.map_or(0, |(_, width)| width),
                        });
                    }
                    is_copied = decoded.is_none();
                    view.text.push(shown);
                    at = next;
                }
                unseen => {
                    let more = unseen.filter(|_| kind != Kind::Seen);
                    at = next + more.map_or(0, |control| sequence(&text[next..], control));
                    is_copied = false;
                }
            }
        }
        view
    }

    /// Maps a part of the view to a part of the text, including the invisible characters within it.
    pub(super) fn part(&self, (begin, end): (usize, usize)) -> (usize, usize) {
        let place = |at: usize| {
            let known = self.places.partition_point(|place| place.here <= at);
            self.places.get(known.saturating_sub(1)).copied()
        };
        let first = place(begin).map_or(begin, |place| match place.written {
            0 => place.there + (begin - place.here),
            _ => place.there,
        });
        // Invisible characters after the part do not belong to it.
        let last = end.saturating_sub(1);
        let last = place(last).map_or(end, |place| match place.written {
            0 => place.there + (last - place.here) + 1,
            written => place.there + written,
        });
        (first, last)
    }
}

/// Returns the number of bytes of a terminal escape sequence after its first control character. The
/// terminal shows none of them.
fn sequence(rest: &str, control: char) -> usize {
    let bytes = rest.as_bytes();
    let run = |from: usize, is: fn(u8) -> bool| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| is(**byte)).count()
    };
    let (kind, body) = match (control, bytes.first()) {
        ('\u{9B}', _) => (b'[', 0),
        ('\u{9D}', _) => (b']', 0),
        ('\u{1B}', Some(kind @ 0x20..=0x7E)) => (*kind, 1),
        _ => return 0,
    };
    match kind {
        b'[' => {
            let last = run(run(body, |b| matches!(b, 0x30..=0x3F)), |b| {
                matches!(b, 0x20..=0x2F)
            });
            match bytes.get(last) {
                Some(0x40..=0x7E) => last + 1,
                _ => last,
            }
        }
        // A title or a link. It ends with the bell or the string terminator on the same line.
        b']' | b'P' | b'X' | b'^' | b'_' => {
            let end = run(body, |b| !matches!(b, 0x07 | 0x1B | b'\n'));
            match bytes.get(end..) {
                _ if end - body > LONGEST_SEQUENCE => body,
                Some([0x07, ..]) => end + 1,
                Some([0x1B, b'\\', ..]) => end + 2,
                _ => body,
            }
        }
        0x20..=0x2F => {
            let last = run(body, |b| matches!(b, 0x20..=0x2F));
            match bytes.get(last) {
                Some(0x30..=0x7E) => last + 1,
                _ => last,
            }
        }
        _ => body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded_and_a_part_covers_them() {
        for (text, shown, covered) in [
            (r"a k\u0065y.", "a key.", r"k\u0065y"),
            (r"a ke\\u0079.", "a key.", r"ke\\u0079"),
            (r"a \u001b[31mk\x1b[0mey.", "a key.", r"k\x1b[0mey"),
            (r"a \033[1mkey\e[0m.", "a key.", "key"),
            ("a%20k%65y.", "a key.", "k%65y"),
            ("a&nbsp;key&#46;", "a key.", "key"),
            ("a=3D k=\ney.", "a= key.", "k=\ney"),
            (r#"a "k" + "ey.""#, r#"a "key.""#, r#"k" + "ey"#),
            ("a 'k' .\n  'ey.'", "a 'key.'", "k' .\n  'ey"),
            ("a k\\\n   ey.", "a key.", "k\\\n   ey"),
            ("a k=\ney.", "a key.", "k=\ney"),
            ("a kеy.", "a key.", "kеy"),
            ("ａ ｋｅｙ.", "a key.", "ｋｅｙ"),
            (r"a k\145y.", "a key.", r"k\145y"),
        ] {
            let views = views(text);
            let view = views.iter().find(|view| view.text == shown);
            let view = view.unwrap_or_else(|| panic!("{text:?}"));
            let begin = shown.find("key").unwrap_or_default();
            let (begin, end) = view.part((begin, begin + 3));
            assert_eq!(&text[begin..end], covered);
        }
    }

    #[test]
    fn what_is_unseen_is_left_out_and_a_part_covers_it() {
        for (text, shown, covered) in [
            ("a k\u{200B}ey.", "a key.", "k\u{200B}ey"),
            ("a k\u{1B}[1;31mey\u{1B}[0m.", "a key.", "k\u{1B}[1;31mey"),
            (
                "a k\u{1B}]8;;http://x\u{7}ey.",
                "a key.",
                "k\u{1B}]8;;http://x\u{7}ey",
            ),
            ("a k\u{1B}(Bey.", "a key.", "k\u{1B}(Bey"),
            ("a k\u{9B}1mey.", "a key.", "k\u{9B}1mey"),
            (
                "\u{202E}é k\u{8}\u{AD}ey\u{2066}.",
                "é key.",
                "k\u{8}\u{AD}ey",
            ),
        ] {
            let views = views(text);
            let view = views.last().map(|view| view.text.as_str());
            assert_eq!(view, Some(shown), "{text:?}");
            let begin = shown.find("key").unwrap_or_default();
            let (begin, end) = views[views.len() - 1].part((begin, begin + 3));
            assert_eq!(&text[begin..end], covered);
        }
    }

    #[test]
    fn texts_of_what_is_seen_have_no_views() {
        for text in [
            "plain\ttext\r\n",
            "naïve 日本 ✓ العربية e\u{301}",
            r"C:\new & 5 %\n",
            "a: YWJj\nb: YWI=\nc",
            "['a', 'b'] \"c\", \"d\"",
            "русский и english",
        ] {
            assert!(views(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_sequence_that_does_not_end_hides_nothing() {
        let views = views("\u{1B}]0;a key\nmore \u{1B}[12");
        assert_eq!(views[1].text, "0;a key\nmore ");
    }
}
