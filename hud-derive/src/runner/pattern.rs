//! Patterns of lines: `test {test} ... FAILED`.

use std::ops::Range;

use serde::Deserialize;

/// A line of a program's output, with placeholders for the parts that vary.
///
/// | placeholder | text |
/// | --- | --- |
/// | `{}` | any text, or none |
/// | `{test}` | any text: the name of the test or of a part of it |
/// | `{word}` | the same without spaces |
/// | `{label}` | the same, and it begins with `//` |
/// | `{py}` | the same, and it ends with `.py` |
/// | `{name}` | the same as `{test}` for a function: letters, digits, `_` and `.` |
/// | `{detail}` | any text: the reason of the failure |
/// | `{line}` | a number, as a part of the name |
/// | `{n}` | a number |
/// | `{item}` | a number of at most three digits |
/// | `{count}` | a number other than 0 |
/// | `{id}` | a text that begins with a letter, `@` or `/` |
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Pattern {
    parts: Vec<Part>,
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Place(Place),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Any,
    Test,
    Word,
    Label,
    Python,
    Name,
    Detail,
    Line,
    Number,
    Item,
    Count,
    Id,
}

/// The texts of a line at the placeholders of a pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Taken<'l> {
    /// The name of the test, of the file or of the package. It extends from the first of its parts to the last.
    pub(crate) name: &'l str,
    /// The reason of a failure.
    pub(crate) detail: &'l str,
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(pattern: String) -> Result<Self, Self::Error> {
        let mut parts = Vec::new();
        let mut rest = pattern.as_str();
        while let Some((text, after)) = rest.split_once('{') {
            let (name, after) = after
                .split_once('}')
                .ok_or_else(|| format!("`{{` without `}}` in `{pattern}`"))?;
            if !text.is_empty() {
                parts.push(Part::Text(text.to_owned()));
            }
            let place = Place::named(name).ok_or_else(|| {
                format!("no place is named `{{{name}}}`, in `{pattern}`; places are {PLACES}")
            })?;
            parts.push(Part::Place(place));
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        let pattern = Self { parts };
        match pattern.longest().is_empty() {
            true => Err("a pattern without a text of its own matches every line".to_owned()),
            false => Ok(pattern),
        }
    }
}

/// The placeholders that exist.
const PLACES: &str =
    "{}, {test}, {word}, {label}, {py}, {name}, {detail}, {line}, {n}, {item}, {count} and {id}";

impl Pattern {
    /// The longest text that all of its lines contain.
    pub(super) fn longest(&self) -> &str {
        let texts = self.texts();
        texts.max_by_key(|text| text.len()).unwrap_or_default()
    }

    /// The number of bytes that all of its lines have in common. The matching pattern with the most is the closest.
    pub(super) fn weight(&self) -> usize {
        self.texts().map(str::len).sum()
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Place(_) => None,
        })
    }

    /// Returns the texts of a line at the placeholders, if the line matches.
    pub(super) fn taken<'l>(&self, line: &'l str) -> Option<Taken<'l>> {
        let mut found = Found::default();
        if !matches(&self.parts, line, 0, &mut found) {
            return None;
        }
        let text = |range: Option<Range<usize>>| {
            let text = range.and_then(|range| line.get(range));
            text.unwrap_or_default().trim()
        };
        Some(Taken {
            name: text(found.name),
            detail: text(found.detail),
        })
    }
}

#[derive(Default)]
struct Found {
    name: Option<Range<usize>>,
    detail: Option<Range<usize>>,
}

/// True if the line has all parts from an offset on. Each part matches as little text as possible.
fn matches(parts: &[Part], line: &str, at: usize, found: &mut Found) -> bool {
    let rest = line.get(at..).unwrap_or_default();
    let (place, parts) = match parts.split_first() {
        None => return rest.is_empty(),
        Some((Part::Text(text), parts)) => {
            return rest.starts_with(text) && matches(parts, line, at + text.len(), found);
        }
        Some((Part::Place(place), parts)) => (*place, parts),
    };
    let ends: Box<dyn Iterator<Item = usize>> = match parts.first() {
        None => Box::new([rest.len()].into_iter()),
        Some(Part::Text(text)) => Box::new(rest.match_indices(text.as_str()).map(|(end, _)| end)),
        Some(Part::Place(_)) => Box::new(rest.char_indices().map(|(end, _)| end)),
    };
    for end in ends {
        let text = rest.get(..end).unwrap_or_default();
        if !place.takes(text) {
            continue;
        }
        let known = (found.name.clone(), found.detail.clone());
        let range = at..at + end;
        match place {
            Place::Test
            | Place::Word
            | Place::Label
            | Place::Python
            | Place::Name
            | Place::Line => {
                let start = found.name.as_ref().map_or(at, |name| name.start);
                found.name = Some(start..range.end);
            }
            Place::Detail => found.detail = Some(range),
            _ => {}
        }
        if matches(parts, line, at + end, found) {
            return true;
        }
        (found.name, found.detail) = known;
    }
    false
}

impl Place {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "" => Self::Any,
            "test" => Self::Test,
            "word" => Self::Word,
            "label" => Self::Label,
            "py" => Self::Python,
            "name" => Self::Name,
            "detail" => Self::Detail,
            "line" => Self::Line,
            "n" => Self::Number,
            "item" => Self::Item,
            "count" => Self::Count,
            "id" => Self::Id,
            _ => return None,
        })
    }

    /// True for a text that the placeholder matches.
    fn takes(self, text: &str) -> bool {
        let is_number = || !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_word = || !text.is_empty() && !text.contains(char::is_whitespace);
        match self {
            Self::Any => true,
            Self::Test | Self::Detail => !text.trim().is_empty(),
            Self::Word => is_word(),
            Self::Label => is_word() && text.starts_with("//"),
            Self::Python => is_word() && text.ends_with(".py"),
            Self::Name => {
                let is_of = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
                !text.is_empty() && text.chars().all(is_of)
            }
            Self::Line | Self::Number => is_number(),
            Self::Item => is_number() && text.len() < 4,
            Self::Count => is_number() && text.bytes().any(|byte| byte != b'0'),
            Self::Id => {
                let text = text.trim_start();
                text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '@' | '/'))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn taken<'l>(pattern: &str, line: &'l str) -> Option<(&'l str, &'l str)> {
        let pattern = Pattern::try_from(pattern.to_owned());
        let pattern = pattern.unwrap_or_else(|error| panic!("{error}"));
        pattern.taken(line).map(|taken| (taken.name, taken.detail))
    }

    #[test]
    fn a_line_has_at_each_place_what_is_there() {
        for (pattern, line, expected) in [
            (
                "test {test} ... FAILED",
                "test a b ... FAILED",
                Some(("a b", "")),
            ),
            (
                "--- FAIL: {word} {}",
                "--- FAIL: TestA/x (0.0s)",
                Some(("TestA/x", "")),
            ),
            (
                "FAIL {test} > {test}",
                "FAIL a.ts > b > c",
                Some(("a.ts > b > c", "")),
            ),
            (
                "FAILED {word}::{test} - {detail}",
                "FAILED a.py::b - E - x",
                Some(("a.py::b", "E - x")),
            ),
            (
                "FAIL [{}] {} {word}",
                "FAIL [ 0.1s] a b::c",
                Some(("b::c", "")),
            ),
            (
                "{label} FAILED{}",
                "//a:b FAILED in 3s",
                Some(("//a:b", "")),
            ),
            ("exit status {count}", "exit status 10", Some(("", ""))),
            ("exit status {count}", "exit status 0", None),
            ("{item}) {test}", "1234) x", None),
            ("Failed: {id}", "Failed: 0", None),
            ("{} ok", "é ok", Some(("", ""))),
            ("a{test}b", "ab", None),
        ] {
            assert_eq!(taken(pattern, line), expected, "{pattern}: {line}");
        }
    }

    #[test]
    fn a_wrong_pattern_is_an_error() {
        for (pattern, error) in [
            ("a {test", "`{` without `}` in `a {test`"),
            ("{tests} failed", "no place is named `{tests}`"),
            ("{}", "matches every line"),
        ] {
            let wrong = Pattern::try_from(pattern.to_owned())
                .err()
                .unwrap_or_default();
            assert!(wrong.contains(error), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_read(line in "\\PC{0,80}") {
            for pattern in ["{test} {} {word}é{}", "{}a{}b{}c{detail}"] {
                taken(pattern, &line);
            }
        }
    }
}
