//! Texts of people and models, in blocks and sentences. Reads enough markdown to tell a list from a paragraph, and
//! loses nothing of a text in another format.

use hud_store::text::{beginning, floor_char_boundary};

use super::lexicon::Intent;

/// The number of bytes that are read at the beginning and at the end of a text. A request and a conclusion are in
/// one of them.
const READ: (usize, usize) = (64 * 1024, 16 * 1024);

/// The beginning of a text and, if it is too long to be read completely, its end.
pub(super) fn read(text: &str) -> [&str; 2] {
    ends(text, READ)
}

/// The beginning and the end of a text, of at most these numbers of bytes. If they cover the whole text, the end is
/// empty.
pub fn ends(text: &str, (first, last): (usize, usize)) -> [&str; 2] {
    if text.len() <= first + last {
        return [text, ""];
    }
    let (begin, end) = (
        floor_char_boundary(text, first),
        floor_char_boundary(text, text.len() - last),
    );
    [&text[..begin], &text[end..]]
}

/// A piece of a text, without the marks of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'t> {
    /// Its kind.
    pub kind: Kind,
    /// Its text without marks.
    pub text: &'t str,
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A heading.
    Heading,
    /// An item of a list.
    Item {
        /// Its indent in columns.
        indent: usize,
        /// Its number, if the list is ordered.
        number: Option<u32>,
        /// The state of its box, if it has one.
        checked: Option<bool>,
    },
    /// A line of a paragraph.
    Line,
    /// A line of a quotation.
    Quote,
    /// A line of code between fences.
    Code,
    /// A row of a table.
    Row,
    /// An empty line.
    Gap,
}

/// The blocks of a text, line by line.
pub fn blocks(text: &str) -> impl Iterator<Item = Block<'_>> {
    let mut fence: Option<&str> = None;
    text.lines().filter_map(move |line| {
        let trimmed = line.trim();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                return None;
            }
            (None, Some(mark)) => {
                fence = Some(mark);
                return None;
            }
            (Some(_), _) => {
                return Some(Block {
                    kind: Kind::Code,
                    text: line,
                });
            }
            (None, None) => {}
        }
        Some(block(line, trimmed))
    })
}

/// The blocks of a text in reverse order.
pub(super) fn blocks_from_end(text: &str) -> Box<dyn Iterator<Item = Block<'_>> + '_> {
    // Without a fence, the kind of a line does not depend on the lines before it.
    match text.contains("```") || text.contains("~~~") {
        true => Box::new(blocks(text).collect::<Vec<_>>().into_iter().rev()),
        false => Box::new(text.lines().rev().map(|line| block(line, line.trim()))),
    }
}

fn block<'t>(line: &'t str, trimmed: &'t str) -> Block<'t> {
    let of = |kind, text: &'t str| Block {
        kind,
        text: text.trim(),
    };
    if trimmed.is_empty() {
        return of(Kind::Gap, "");
    }
    let level = trimmed.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&level) && trimmed[level..].starts_with(' ') {
        return of(Kind::Heading, trimmed[level..].trim_end_matches('#'));
    }
    if let Some(quoted) = trimmed.strip_prefix('>') {
        return of(Kind::Quote, quoted);
    }
    if trimmed.starts_with('|') && trimmed.len() > 1 && trimmed.ends_with('|') {
        return of(Kind::Row, trimmed);
    }
    if trimmed.len() > 2
        && trimmed
            .bytes()
            .all(|byte| matches!(byte, b'-' | b'*' | b'_' | b'=' | b' '))
    {
        return of(Kind::Gap, "");
    }
    let indent = line.len() - line.trim_start().len();
    match item(trimmed) {
        Some((number, text)) => {
            let (checked, text) = check_box(text.trim_start());
            of(
                Kind::Item {
                    indent,
                    number,
                    checked,
                },
                text,
            )
        }
        None => of(Kind::Line, trimmed),
    }
}

/// The number of an item and the text after its mark.
fn item(line: &str) -> Option<(Option<u32>, &str)> {
    for mark in ["- ", "* ", "+ ", "• ", "– ", "・"] {
        if let Some(text) = line.strip_prefix(mark) {
            return Some((None, text));
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=3).contains(&digits) {
        return None;
    }
    let (number, rest) = line.split_at(digits);
    let rest = ['.', ')', '、', '．'].into_iter().find_map(|mark| {
        let rest = rest.strip_prefix(mark)?;
        // `1.5 s` is not an item.
        (mark as u32 > 0x7f || rest.starts_with(char::is_whitespace)).then_some(rest)
    })?;
    Some((number.parse().ok(), rest))
}

/// The state of the box before a text, and the text after the box. `None` if there is no box.
fn check_box(text: &str) -> (Option<bool>, &str) {
    for (mark, checked) in [
        ("[ ]", false),
        ("[x]", true),
        ("[X]", true),
        ("☐", false),
        ("☑", true),
        ("☒", true),
        ("✅", true),
        ("✔", true),
        ("✓", true),
    ] {
        if let Some(rest) = text.strip_prefix(mark) {
            return (Some(checked), rest.trim_start());
        }
    }
    (None, text)
}

/// The words of a text, separated by white space.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let bytes = rest.as_bytes();
        let is_plain = |byte: &u8| byte.is_ascii() && !matches!(byte, b'\t'..=b'\r' | b' ');
        let end = match bytes.iter().position(|byte| !is_plain(byte)) {
            None => rest.len(),
            Some(at) if bytes[at].is_ascii() => at,
            Some(_) => rest.find(char::is_whitespace).unwrap_or(rest.len()),
        };
        let (word, behind) = rest.split_at(end);
        rest = behind;
        (!word.is_empty()).then_some(word)
    })
}

/// The sentences of a line. A sentence ends with a full stop, a question mark or an exclamation mark, in Latin
/// script or in CJK. The marks belong to the sentences.
pub fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line.trim();
    std::iter::from_fn(move || {
        let mut is_code = false;
        // Marks of CJK are found by their first bytes, because most texts are ASCII.
        for (at, byte) in rest.bytes().enumerate() {
            let length = match byte {
                b'`' => {
                    is_code = !is_code;
                    continue;
                }
                b'.' | b'!' | b'?' if !is_code => {
                    let behind = &rest[at + 1..];
                    let ends = behind.chars().next().is_none_or(char::is_whitespace)
                        && begins(behind.trim_start())
                        && !(byte == b'.' && is_short(&rest[..at]));
                    usize::from(ends)
                }
                0xE3 | 0xEF => match rest[at..].starts_with(['。', '！', '？']) {
                    true => '。'.len_utf8(),
                    false => 0,
                },
                _ => continue,
            };
            if length > 0 {
                let (sentence, others) = rest.split_at(at + length);
                rest = others.trim_start();
                return Some(sentence.trim());
            }
        }
        let last = std::mem::take(&mut rest);
        (!last.is_empty()).then_some(last)
    })
}

/// True if a sentence may begin with this text. False in the middle of `e.g. this`.
fn begins(text: &str) -> bool {
    text.chars()
        .next()
        .is_none_or(|first| !first.is_lowercase())
}

/// True if the word before a full stop is an abbreviation or a single letter.
fn is_short(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or(before);
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    (letters == 1 && word.chars().count() == 1)
        || ["e.g", "i.e", "vs", "cf", "etc", "approx", "z.B", "d.h"].contains(&word)
}

/// A text in lower case, with `'` for every apostrophe.
pub(crate) fn lower(text: &str) -> String {
    let lower = text.to_lowercase();
    // Most texts have neither the first byte of the other apostrophes nor the backtick.
    match memchr::memchr2(0xE2, b'`', lower.as_bytes()) {
        None => lower,
        Some(_) => lower.replace(['\u{2019}', '\u{2018}', '`'], "'"),
    }
}

/// The byte offsets after the marks that separate the clauses of a sentence.
pub(super) fn after_marks(text: &str) -> impl Iterator<Item = usize> {
    text.char_indices().filter_map(|(at, mark)| {
        let end = at + mark.len_utf8();
        let is_apart = || text.get(end..).is_some_and(|rest| rest.starts_with(' '));
        match mark {
            '，' | '、' | '；' | '。' => Some(end),
            ',' | ';' | ':' | '.' | '،' => is_apart().then_some(end + 1),
            '-' | '—' => { text.get(..at)?.ends_with(' ') && is_apart() }.then_some(end + 1),
            _ => None,
        }
    })
}

/// A text without the phrases of an intent at its beginning, and without the marks after them.
pub(super) fn without_start(text: &str, intent: Intent) -> &str {
    const LONGEST: usize = 80;
    let mut text = text;
    loop {
        let begin = beginning(text, LONGEST);
        let lowered = lower(begin);
        // Lower case letters may be longer than upper case ones.
        let rest = { intent.after(&lowered) }.filter(|_| lowered.len() == begin.len());
        let rest = rest.and_then(|rest| text.get(begin.len() - rest.len()..));
        let rest = rest.map(|rest| rest.trim_start_matches([' ', '.', ',', ':', '!']));
        match rest {
            Some(rest) if !rest.is_empty() => text = rest,
            _ => return text,
        }
    }
}

/// A text without the marks of emphasis and code, and with the texts of links in place of the links.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    // Most of a text is between marks, so it is copied in runs.
    while let Some(mark) = memchr::memchr3(b'`', b'*', b'[', rest.as_bytes()) {
        plain.push_str(&rest[..mark]);
        let (c, after) = (rest.as_bytes()[mark], &rest[mark + 1..]);
        match c {
            b'`' => rest = after,
            b'*' if after.starts_with('*') => rest = &after[1..],
            b'*' if is_at_edge(&plain) => match emphasised(after) {
                Some((said, behind)) => {
                    plain.push_str(said);
                    rest = behind;
                }
                None => {
                    plain.push('*');
                    rest = after;
                }
            },
            b'[' => match link(after) {
                Some((said, behind)) => {
                    plain.push_str(said);
                    rest = behind;
                }
                None => {
                    plain.push('[');
                    rest = after;
                }
            },
            c => {
                plain.push(c.into());
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// True if a word may begin after a text.
fn is_at_edge(text: &str) -> bool {
    !text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '*' | '.'))
}

/// The text between the stars of `*this*` and the text after them. The argument begins after the first star.
/// `*.rs` and `2 * 3 * 4` have no emphasis.
fn emphasised(text: &str) -> Option<(&str, &str)> {
    const MOST: usize = 60;
    let (said, behind) = text.split_once('*')?;
    // A full stop ends a sentence, but not in `*a*.rs`.
    let next = behind.strip_prefix('.').unwrap_or(behind);
    let is_said = said.len() <= MOST
        && said.starts_with(char::is_alphanumeric)
        && said.ends_with(char::is_alphanumeric)
        && !next.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | '_' | '/'));
    is_said.then_some((said, behind))
}

/// The text of a link and the text after the link. The argument begins after the first bracket.
fn link(text: &str) -> Option<(&str, &str)> {
    let (said, target) = text.split_once("](")?;
    let is_said = said.len() < 200 && !said.contains(['[', ']', '\n']);
    let (target, behind) = target.split_once(')')?;
    (is_said && !target.contains(char::is_whitespace)).then_some((said, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, &str)> {
        blocks(text).map(|block| (block.kind, block.text)).collect()
    }

    #[test]
    fn a_text_is_read_in_blocks() {
        let item = |indent, number, checked| Kind::Item {
            indent,
            number,
            checked,
        };
        assert_eq!(
            kinds(
                "## Done ##\nHi.\n- [x] a\n  2) b\n> q\n```sh\n# no\n```\n| a |\n---\n・日本\n1.5 s"
            ),
            [
                (Kind::Heading, "Done"),
                (Kind::Line, "Hi."),
                (item(0, None, Some(true)), "a"),
                (item(2, Some(2), None), "b"),
                (Kind::Quote, "q"),
                (Kind::Code, "# no"),
                (Kind::Row, "| a |"),
                (Kind::Gap, ""),
                (item(0, None, None), "日本"),
                (Kind::Line, "1.5 s"),
            ]
        );
    }

    #[test]
    fn sentences_end_where_the_next_begins() {
        let of = |line| sentences(line).collect::<Vec<_>>();
        assert_eq!(
            of("It is a.rs. Then e.g. B? Yes! no"),
            ["It is a.rs.", "Then e.g. B?", "Yes! no"]
        );
        assert_eq!(
            of("原因は設定です。次に進む"),
            ["原因は設定です。", "次に進む"]
        );
        assert_eq!(of("Use `a. B`. C"), ["Use `a. B`.", "C"]);
        assert_eq!(of("  "), Vec::<&str>::new());
    }

    #[test]
    fn marks_leave_and_links_are_their_texts() {
        assert_eq!(
            plain("**`a_b`** [c](http://d) e[0](x y)"),
            "a_b c e[0](x y)"
        );
        assert_eq!(
            plain("to *start* it, *.rs and *.go, 2 *3* 4*5*6, *a b*."),
            "to start it, *.rs and *.go, 2 3 4*5*6, a b."
        );
    }

    #[test]
    fn of_a_long_text_the_beginning_and_the_end_are_read() {
        let text = "ä".repeat(100_000);
        let [begin, end] = read(&text);
        assert!(begin.len() <= READ.0 && end.len() <= READ.1 + 1 && !end.is_empty());
        assert_eq!(read("short"), ["short", ""]);
    }
}
