//! Options that the user chooses by number: `2`, `option 4`, `the second one`.

use super::words::{beginning, lower, words};
use crate::lexicon::{Intent, is_unsegmented};

/// The number of the option that a text begins with, before it adds something: `2, and tell the team`.
pub(super) fn begins_with_number(text: &str) -> Option<u32> {
    // The longest choice and the longest text, in bytes.
    const HEAD: usize = 40;
    const ALL: usize = 400;
    let text = text.trim();
    // A list of wishes begins in the same way.
    if text.len() > ALL || text.lines().nth(1).is_some() {
        return None;
    }
    let lowered = lower(beginning(text, ALL));
    let mark = lowered.char_indices().find(|(at, c)| match c {
        '，' | '。' | '、' | '；' | '：' | '؛' | '،' => true,
        ',' | ';' | ':' | '!' | '—' | '–' => lowered[at + c.len_utf8()..].starts_with(' '),
        _ => false,
    });
    let marks = mark.map(|(at, _)| at);
    let joins = Intent::AfterNumber.all_in(&lowered);
    let joins = joins.map(|join| join.start).filter(|at| *at > 0);
    let end = joins.chain(marks).min().filter(|end| *end <= HEAD)?;
    let taken = lowered.get(..end)?.trim();
    // A single letter is a word of a sentence: `a, and then b`.
    let is_said = taken.chars().count() > 1 || taken.chars().all(|c| c.is_ascii_digit());
    number(taken).filter(|_| is_said)
}

/// The number in a short answer: `2`, `option 4`, `#3`, `the second one`, `第二个`.
pub(super) fn number(lowered: &str) -> Option<u32> {
    const NAMES: [(Intent, u32); 6] = [
        (Intent::First, 1),
        (Intent::Second, 2),
        (Intent::Third, 3),
        (Intent::Fourth, 4),
        (Intent::Fifth, 5),
        (Intent::Last, u32::MAX),
    ];
    if let Some(digits) = lowered
        .strip_prefix("第")
        .or(Some(lowered))
        .map(|text| text.trim_start_matches(|c: char| !c.is_ascii_digit() && is_unsegmented(c)))
        && lowered.contains(is_unsegmented)
    {
        let end = digits.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=2).contains(&end) && digits.chars().count() <= end + 3 {
            return digits.get(..end)?.parse().ok();
        }
        let mut names = { NAMES.iter() }.filter(|_| lowered.chars().count() <= 6);
        let named = names.find(|(name, _)| name.is_in(lowered));
        return named.map(|(_, number)| *number);
    }
    let mut found = None;
    for word in words(lowered) {
        let number = word
            .parse::<u32>()
            .ok()
            .filter(|number| (1..=99).contains(number));
        let named = NAMES
            .iter()
            .find(|(name, _)| name.is(word))
            .map(|(_, number)| *number);
        match number.or(named) {
            Some(_) if found.is_some() => return None,
            Some(number) => found = Some(number),
            None if Intent::AroundNumber.is(word) => {}
            None => return None,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_that_is_taken_with_more_behind_it_is_taken() {
        for (text, number) in [
            ("2, and tell the team about it", 2),
            ("Option 3, but without the cache", 3),
            ("the second one please", 2),
            ("Die zweite, aber ohne Cache", 2),
            ("第二个，并且加上测试", 2),
            ("1 and rename the flag while you are at it", 1),
        ] {
            assert_eq!(begins_with_number(text), Some(number), "{text}");
        }
        for text in [
            "1. rename it\n2. test it",
            "a, and then b",
            "2 of the tests fail, look at them",
            "I want three things, first this",
            "fix it",
        ] {
            assert_eq!(begins_with_number(text), None, "{text}");
        }
    }
}
