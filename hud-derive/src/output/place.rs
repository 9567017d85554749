//! Places in files, in the formats of compilers, linters and tests.

/// A place and the text after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place<'l> {
    /// The place as `src/a.rs:12:5`, regardless of the format of the tool.
    pub at: String,
    /// The text after the place. May be empty.
    pub text: &'l str,
}

/// The place that a line begins with: `a.rs:12:5: text`, `a.ts(12,5): text`, `a.java:[12,5] text`.
pub(super) fn place(line: &str) -> Option<Place<'_>> {
    let line = line.strip_prefix("e: file://").unwrap_or(line);
    // The colon after a drive letter is not the one before the line number.
    let drive = usize::from(line.get(1..3).is_some_and(|next| next == ":\\")) * 2;
    let end = drive + line.get(drive..)?.find([':', '(', ' '])?;
    let (path, rest) = line.split_at_checked(end)?;
    if !is_path(path) {
        return None;
    }
    let (numbers, text) = if let Some(rest) = rest.strip_prefix('(') {
        rest.split_once(')')?
    } else if let Some(rest) = rest.strip_prefix(":[") {
        rest.split_once(']')?
    } else {
        let rest = rest.strip_prefix(':')?;
        let is_number = |c: char| c.is_ascii_digit() || c == ':';
        rest.split_at_checked(rest.find(|c| !is_number(c)).unwrap_or(rest.len()))?
    };
    let mut numbers = numbers
        .split([':', ',', '-'])
        .map(str::trim)
        .filter(|n| !n.is_empty());
    let is_number = |n: &&str| n.len() < 8 && n.bytes().all(|b| b.is_ascii_digit());
    let row = numbers.next().filter(is_number)?;
    let column = numbers.next().filter(is_number);
    let at = match column {
        Some(column) => format!("{path}:{row}:{column}"),
        None => format!("{path}:{row}"),
    };
    let text = text.trim_start_matches([':', '-', ' ', '\t']).trim_end();
    Some(Place { at, text })
}

/// True if a word is the name of a file with an extension.
fn is_path(word: &str) -> bool {
    let ending = word.rsplit_once('.').map(|(_, ending)| ending);
    let is_ending = |ending: &str| {
        (1..=6).contains(&ending.len())
            && ending.starts_with(|c: char| c.is_ascii_alphabetic())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    word.len() <= 200 && ending.is_some_and(is_ending)
}

/// True if the text at a place is not a failure: a warning, or a note about another line.
pub(super) fn is_aside(text: &str) -> bool {
    const ASIDES: &[&str] = &["warn", "note", "info", "hint", "help", "debug", "remark"];
    let begins = |word: &&str| {
        let start = text.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    text.is_empty()
        || text.starts_with('#')
        || ASIDES.iter().any(begins)
        || text.contains("(related information)")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Option<(String, &str)> {
        place(line).map(|place| (place.at, place.text))
    }

    #[test]
    fn a_place_is_read_whichever_way_a_tool_writes_it() {
        for (line, at, text) in [
            (
                "src/a.go:5:21: undefined: x",
                "src/a.go:5:21",
                "undefined: x",
            ),
            ("a.py:3: error: no", "a.py:3", "error: no"),
            ("a.py:3:1 - error: no", "a.py:3:1", "error: no"),
            (
                "src/a.ts(12,5): error TS2304: no",
                "src/a.ts:12:5",
                "error TS2304: no",
            ),
            ("/p/A.java:[3,5] no", "/p/A.java:3:5", "no"),
            ("e: file:///p/A.kt:3:5 no", "/p/A.kt:3:5", "no"),
            (r"C:\a\b.cs(1,2): error", r"C:\a\b.cs:1:2", "error"),
        ] {
            assert_eq!(found(line), Some((at.to_owned(), text)), "{line}");
        }
    }

    #[test]
    fn times_addresses_and_prose_are_no_places() {
        for line in [
            "10:20:30 start",
            "http://a.b:80/x",
            "see a.rs: x",
            "1.2:3: x",
            "",
            "é:",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
