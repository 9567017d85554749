//! What stays of an output that leaves: the lines and the names that are most likely to be needed.

use std::collections::{BTreeMap, HashSet};

use hud_observe::change::defines;
use hud_store::state::{Lines, OutputClass};

/// Characters that a string has at least to be distinctive.
pub const DISTINCTIVE: usize = 12;

/// How much of an output stays at most, in per cent, and in characters.
const SHARE: usize = 4;
const LONGEST: usize = 800;

/// How much of that is for whole lines, in per cent; the rest is for names.
const LINES: usize = 50;

/// How many characters stay of the lines that the agent asked to keep.
const KEPT: usize = 4_000;

/// How many of a line's words count.
const WORDS: usize = 3;

/// What comes before the names.
const NAMES: &str = "Names: ";

/// Whose lines are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Whole<'o> {
    /// What kind of output it is.
    pub class: OutputClass,
    /// Whether it is of a command, or of something that failed: its errors are what matters.
    pub has_errors: bool,
    /// What was said.
    pub text: &'o str,
    /// The lines that the agent asked to keep, counted from 1.
    pub kept: &'o [Lines],
}

/// What of an output stays, at most a twenty-fifth of it: half of that are the lines with words that the model
/// `used` since it was read, and besides, of a file its definitions, of a command its errors, of a search its
/// paths; in the order of the output, each as it is. A line that is there twice stays once. Below them are names
/// that none of these lines has: those that are defined, and those that have words that the model used. Lines
/// that the agent asked to keep stay besides, up to 4,000 characters of them.
///
/// `used` gives how many words of a text the model used.
pub fn outline(whole: &Whole<'_>, used: impl Fn(&str) -> usize) -> String {
    let length = whole.text.chars().count();
    let room = (length * SHARE / 100).min(LONGEST);
    let mut lines = whole.kept();
    let mut left = room * LINES / 100;
    let mut known: HashSet<&str> = lines.iter().map(|(_, line)| line.trim()).collect();
    let mut ranked: Vec<(usize, usize, &str)> = Vec::new();
    for (place, line) in whole.lines() {
        let worth = whole.worth(line) + 2 * used(line).min(WORDS);
        if worth > 0 && line.chars().nth(left).is_none() && known.insert(line.trim()) {
            ranked.push((worth, place, line));
        }
    }
    ranked.sort_by_key(|(worth, place, _)| (usize::MAX - worth, *place));
    let before = left;
    for (_, place, line) in ranked {
        let chars = line.chars().count() + 1;
        if chars <= left {
            left -= chars;
            lines.push((place, line));
        }
    }
    lines.sort_unstable_by_key(|(place, _)| *place);
    let mut outline = lines
        .iter()
        .fold(String::new(), |all, (_, line)| all + line + "\n");
    let names = whole.names(&outline, room - (before - left), used);
    if !names.is_empty() {
        outline.push_str(NAMES);
        outline.push_str(&names.join(" "));
        outline.push('\n');
    }
    outline
}

/// A name in an output.
#[derive(Default)]
struct Name {
    /// Its first line.
    place: usize,
    times: usize,
    is_defined: bool,
}

impl<'o> Whole<'o> {
    /// The lines with their places, but for those that a client puts around a file.
    fn lines(&self) -> impl Iterator<Item = (usize, &'o str)> {
        let is_file = self.class == OutputClass::Read;
        let lines = self.text.lines().enumerate();
        lines.filter(move |(_, line)| !is_file || !is_wrapper(line))
    }

    /// The lines that the agent asked to keep.
    fn kept(&self) -> Vec<(usize, &'o str)> {
        if self.kept.is_empty() {
            return Vec::new();
        }
        let is_kept = |place: usize| {
            let number = u64::try_from(place + 1).unwrap_or(u64::MAX);
            let mut ranges = self.kept.iter();
            ranges.any(|range| range.first <= number && number <= range.last)
        };
        let mut left = KEPT;
        let lines = self.text.lines().enumerate();
        lines
            .filter(|(place, _)| is_kept(*place))
            .take_while(|(_, line)| {
                let chars = line.chars().count() + 1;
                let fits = chars <= left;
                left = left.saturating_sub(chars);
                fits
            })
            .collect()
    }

    /// What a line is worth whatever the model said.
    fn worth(&self, line: &str) -> usize {
        let code = unnumbered(line);
        if code.trim().is_empty() {
            return 0;
        }
        match self.class {
            OutputClass::Read if defines(code) => match code.starts_with([' ', '\t']) {
                true => 4,
                false => 8,
            },
            OutputClass::Read => 0,
            _ if self.has_errors && says_error(line) => 6,
            _ if line.contains('/') => 2,
            _ => 0,
        }
    }

    /// The names that are worth most and not in the lines, in the order of the output, as many as there is
    /// room for.
    fn names(&self, lines: &str, room: usize, used: impl Fn(&str) -> usize) -> Vec<&'o str> {
        let mut left = room.saturating_sub(NAMES.len());
        let mut names: BTreeMap<&str, Name> = BTreeMap::new();
        for (place, line) in self.lines() {
            let code = unnumbered(line);
            let is_defined = self.class == OutputClass::Read && defines(code);
            for name in distinctive(code) {
                let known = names.entry(name).or_insert_with(|| Name {
                    place,
                    ..Name::default()
                });
                known.times += 1;
                known.is_defined |= is_defined;
            }
        }
        let mut ranked: Vec<(usize, usize, &str)> = names
            .into_iter()
            .filter(|(name, _)| !lines.contains(name))
            .map(|(name, known)| {
                let of_words: usize = words_of(name).map(&used).sum();
                let worth = 3 * usize::from(known.is_defined)
                    + usize::from(known.times > 1)
                    + 2 * used(name).min(WORDS)
                    + of_words.min(2);
                (usize::MAX - worth, known.place, name)
            })
            .collect();
        ranked.sort_unstable();
        ranked.retain(|(_, _, name)| {
            let chars = name.chars().count() + 1;
            let fits = chars <= left;
            left -= if fits { chars } else { 0 };
            fits
        });
        ranked.sort_by_key(|(_, place, _)| *place);
        ranked.into_iter().map(|(_, _, name)| name).collect()
    }
}

/// The words that a name is made of: `Checkpoint` of `MustCheckpointID`.
fn words_of(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let begins = |c: char| c.is_uppercase() || !c.is_alphanumeric();
        let first = rest.chars().next()?.len_utf8();
        let end = rest
            .get(first..)?
            .find(begins)
            .map_or(rest.len(), |end| first + end);
        let (word, behind) = rest.split_at(end);
        rest = behind;
        Some(word.trim_matches(|c: char| !c.is_alphanumeric()))
    })
    .filter(move |word| word.len() < name.len())
}

/// Whether a line is a tag that a client puts around what a file holds: `<type>file</type>`. Lines of the file
/// itself have their numbers.
fn is_wrapper(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('<') && line.ends_with('>')
}

/// True if a line of what a command printed reports that something went wrong.
pub fn says_error(line: &str) -> bool {
    let line = line.to_lowercase();
    ["error", "fail", "panic"]
        .iter()
        .any(|word| line.contains(word))
}

/// The distinctive strings of a text: paths, and names that are no words of a language.
pub fn distinctive(text: &str) -> impl Iterator<Item = &str> {
    let is_of = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    text.split(move |c| !is_of(c))
        .flat_map(|word| {
            let between = if word.contains('/') { '\0' } else { '.' };
            word.split(between)
        })
        .map(|word| word.trim_matches(['.', '-', '/']))
        .filter(|word| word.chars().count() >= DISTINCTIVE && is_name(word))
}

/// Whether a word is a name: it has digits, underscores, slashes, or capitals within.
fn is_name(word: &str) -> bool {
    let marks = |c: char| c.is_numeric() || matches!(c, '_' | '/');
    word.contains(marks) || word.chars().skip(1).any(char::is_uppercase)
}

/// A line without its number.
pub fn unnumbered(line: &str) -> &str {
    let rest = line.trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits == 0 {
        return line;
    }
    let rest = rest.get(digits..).unwrap_or_default();
    ["→", "\t", "| ", ": ", "|"]
        .iter()
        .find_map(|mark| rest.strip_prefix(mark))
        .unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(class: OutputClass, text: &str, kept: &[Lines]) -> String {
        let whole = Whole {
            class,
            has_errors: false,
            text,
            kept,
        };
        outline(&whole, |line| {
            usize::from(line.to_lowercase().contains("bucket"))
        })
    }

    /// A file as opencode shows it.
    fn file() -> String {
        let mut text = "<path>/p/limit.rs</path>\n<type>file</type>\n<content>\n".to_owned();
        for n in 0..60 {
            text.push_str(&format!(
                "{}: pub fn take_{n}() {{}}\n{}:     let count_of_requests = refill_tokens({n});\n",
                2 * n + 1,
                2 * n + 2
            ));
        }
        text.push_str("121:     let leaky = TokenBucketLimiter::new();\n</content>\n");
        text
    }

    #[test]
    fn of_a_file_its_definitions_stay_and_names_and_nothing_that_the_client_put_around_it() {
        let outline = of(OutputClass::Read, &file(), &[]);
        insta::assert_snapshot!(outline, @r"
        1: pub fn take_0() {}
        3: pub fn take_1() {}
        5: pub fn take_2() {}
        7: pub fn take_3() {}
        Names: count_of_requests refill_tokens TokenBucketLimiter
        ");
        assert!(outline.chars().count() * 25 <= file().chars().count());
    }

    #[test]
    fn lines_that_the_agent_asked_to_keep_stay_as_they_are() {
        let kept = Lines {
            first: 124,
            last: 124,
        };
        let outline = of(OutputClass::Read, &file(), &[kept]);
        assert!(
            outline.contains("121:     let leaky = TokenBucketLimiter::new();\n"),
            "{outline}"
        );
        let all = Lines {
            first: 1,
            last: u64::MAX,
        };
        let most = of(OutputClass::Read, &file().repeat(9), &[all])
            .chars()
            .count();
        assert!(most <= KEPT + LONGEST, "{most}");
    }

    #[test]
    fn a_name_is_made_of_words() {
        let words: Vec<&str> = words_of("MustCheckpointID").collect();
        assert_eq!(words, ["Must", "Checkpoint", "I", "D"]);
        let words: Vec<&str> = words_of("src/a_b.rs").collect();
        assert_eq!(words, ["src", "a", "b", "rs"]);
    }
}
