//! Outlines of pruned outputs: the lines and the names that are most likely to be needed.

use std::collections::{BTreeMap, HashSet};

use hud_observe::change::defines;
use hud_store::state::{Lines, OutputClass};

/// The least number of characters of a distinctive string.
pub const DISTINCTIVE: usize = 12;

/// The largest outline, in per cent of the output and in characters.
const SHARE: usize = 4;
const LONGEST: usize = 800;

/// The share of whole lines in that, in per cent. The rest is for names.
const LINES: usize = 50;

/// The largest number of characters of the lines that the agent asked to keep.
const KEPT: usize = 4_000;

/// The number of used words of a line that count.
const WORDS: usize = 3;

/// The heading of the names.
const NAMES: &str = "Names: ";

/// An output to outline.
#[derive(Clone, Copy, Debug)]
pub struct Whole<'o> {
    /// Its class.
    pub class: OutputClass,
    /// True if it comes from a command or from a failed call. Its errors are then what matters.
    pub has_errors: bool,
    /// Its text.
    pub text: &'o str,
    /// The lines that the agent asked to keep, counted from 1.
    pub kept: &'o [Lines],
}

/// Returns the outline of an output, which is at most a twenty-fifth of it.
///
/// Half of that is for lines with words that the model used since it read the output. To these come the definitions
/// of a file, the errors of a command and the paths of a search. The lines are unchanged and in the order of the
/// output, without duplicates. Below them are names that none of these lines contains: names that are defined, and
/// names with words that the model used. Lines that the agent asked to keep are added, up to 4,000 characters.
///
/// `used` returns the number of words of a text that the model used.
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
    /// The index of its first line.
    place: usize,
    times: usize,
    is_defined: bool,
}

impl<'o> Whole<'o> {
    /// The lines with their indexes, without those that a client puts around a file.
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

    /// The priority of a line, without the words that the model used.
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

    /// The names with the highest priority that are not in the lines, in the order of the output, as many as fit.
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

/// The words in a name: `Checkpoint` of `MustCheckpointID`.
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

/// True if a line is a tag that a client puts around the content of a file: `<type>file</type>`. Lines of the file
/// itself are numbered.
fn is_wrapper(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('<') && line.ends_with('>')
}

/// True if a line of a command's output reports an error.
pub fn says_error(line: &str) -> bool {
    let line = line.to_lowercase();
    ["error", "fail", "panic"]
        .iter()
        .any(|word| line.contains(word))
}

/// The distinctive strings of a text: paths, and names that are not words of a language.
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

/// True if a word is a name: it has digits, underscores, slashes, or capitals within.
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
