//! What was changed in a file: the names that are new in it, and where.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use hud_components::text::is_document;
use hud_store::state::Lines;
use hud_store::text::beginning;
use serde::{Deserialize, Serialize};

use crate::manifest;

pub mod diff;

/// A change of a file by a call, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Change {
    /// What the new text names that the old one did not, the most telling first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The lines that are new, as they are counted afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
    /// Whether there was no such file before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub created: bool,
    /// The packages that the project depends on since, where the file is a manifest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
    /// The removed and the added lines, each after its `-` or `+`, with a line `@@` between two places of
    /// the file. Of a long change only the lines that define something, head a section or set a key.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub diff: String,
}

/// How many bytes of a text are looked at.
const LONGEST: usize = 64 * 1024;

/// How many names one change has.
const NAMES: usize = 3;

/// How long a name is that says something, in bytes.
const TELLING: std::ops::RangeInclusive<usize> = 3..=64;

/// Whether a word comes before the name of what is defined, in the languages that have such words.
fn is_defining(word: &str) -> bool {
    matches!(
        word,
        "class"
            | "contract"
            | "def"
            | "defmodule"
            | "defp"
            | "enum"
            | "fn"
            | "fun"
            | "func"
            | "function"
            | "interface"
            | "macro"
            | "macro_rules"
            | "module"
            | "object"
            | "protocol"
            | "struct"
            | "sub"
            | "trait"
            | "type"
            | "union"
    )
}

/// Whether a word comes before a name that holds a value, which any function has many of.
fn is_binding(word: &str) -> bool {
    matches!(word, "const" | "final" | "let" | "static" | "val" | "var")
}

/// Whether a word may be between such a word and the name.
fn is_between(word: &str) -> bool {
    matches!(word, "async" | "const" | "mut" | "ref")
}

/// The kind of a file's text, by the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Code, in which any word can be a name.
    Code,
    /// Keys with values.
    Data,
    /// Sentences, in which only what is marked as code is a name.
    Prose,
}

impl Kind {
    /// The kind of the file at a path.
    pub fn of(path: &str) -> Self {
        let file = path.rsplit('/').next().unwrap_or(path);
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        match extension.to_ascii_lowercase().as_str() {
            "csv" | "log" => Self::Prose,
            _ if is_document(path) => Self::Prose,
            "json" | "jsonc" | "json5" | "toml" | "yaml" | "yml" | "ini" | "cfg" | "conf"
            | "env" | "properties" => Self::Data,
            _ if file.starts_with(".env") => Self::Data,
            _ => Self::Code,
        }
    }
}

/// How telling a name is, the most telling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Defined,
    Bound,
    Named,
    Called,
}

impl Change {
    /// What replacing one text by another changes in a file.
    pub fn of(path: &str, removed: &str, added: &str) -> Self {
        Self {
            names: names(path, removed, added),
            ..Self::without_names(path, removed, added)
        }
    }

    /// The same where the names are known already.
    pub fn without_names(path: &str, removed: &str, added: &str) -> Self {
        Self {
            dependencies: manifest::gained(
                path,
                beginning(removed, LONGEST),
                beginning(added, LONGEST),
            ),
            diff: diff::lines(path, beginning(removed, LONGEST), beginning(added, LONGEST)),
            ..Self::default()
        }
    }

    /// Whether nothing is known of it.
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    /// This with what another report of the same change adds.
    #[must_use]
    pub fn and(mut self, other: Option<&Self>) -> Self {
        if let Some(other) = other {
            if self.names.is_empty() {
                self.names.clone_from(&other.names);
            }
            if self.diff.is_empty() {
                self.diff.clone_from(&other.diff);
            }
            if self.dependencies.is_empty() {
                self.dependencies.clone_from(&other.dependencies);
            }
            self.lines = other.lines.or(self.lines);
            self.created |= other.created;
        }
        self
    }
}

/// What is known of lines or names. A text decides how many there are, so its hashes can't be foreseen.
type Known<'t, T> = HashMap<&'t str, T, RandomState>;

/// The names that are new in the added text.
fn names(path: &str, removed: &str, added: &str) -> Vec<String> {
    let (removed, added) = (beginning(removed, LONGEST), beginning(added, LONGEST));
    let kind = Kind::of(path);
    let old_lines: Known<'_, ()> = removed.lines().map(|line| (line.trim(), ())).collect();
    // Each with its rank, how often it is there, and where first.
    let mut found: Known<'_, (Rank, usize, usize)> = Known::default();
    let mut place = 0;
    let mut meet = |name, rank| {
        place += 1;
        let known = found.entry(name).or_insert((rank, 0, place));
        known.0 = known.0.min(rank);
        known.1 += 1;
    };
    for line in added.lines() {
        if old_lines.contains_key(line.trim()) || is_aside(line) && kind != Kind::Prose {
            continue;
        }
        match kind {
            Kind::Prose => {
                // A file is named by its path, and no name of what is in this one.
                let spans = line.split('`').skip(1).step_by(2);
                for span in spans.filter(|span| !span.contains('.')) {
                    meet(span.trim_end_matches("()"), Rank::Named);
                }
            }
            Kind::Data => {
                if let Some(key) = key(line) {
                    meet(key, Rank::Defined);
                }
            }
            Kind::Code => in_code(line, &mut meet),
        }
    }
    found.retain(|name, _| TELLING.contains(&name.len()) && is_whole(name));
    match kind {
        Kind::Prose => found.retain(|name, _| !removed.contains(name)),
        Kind::Code | Kind::Data if found.is_empty() => {}
        Kind::Code | Kind::Data => {
            for (_, old) in identifiers(removed) {
                found.remove(old);
            }
        }
    }
    // Their order is that of rank, number and place, which no two share.
    let mut found: Vec<_> = found.into_iter().collect();
    // What is called once may be anything.
    found.retain(|(_, (rank, often, _))| *rank != Rank::Called || *often > 1);
    found.sort_by_key(|(_, (rank, often, place))| (*rank, usize::MAX - often, *place));
    let names = found.into_iter().map(|(name, _)| name.to_owned());
    names.take(NAMES).collect()
}

/// Whether a name is one: a path, a sentence and a number are none.
fn is_whole(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))
}

/// Whether a line of code begins a definition, whatever comes before the word that says so (`pub async`,
/// `export default`).
pub fn defines(line: &str) -> bool {
    let is_outermost = !line.starts_with([' ', '\t']);
    let mut first = identifiers(line).take(4);
    let is_word = |word| is_defining(word) || (is_outermost && is_binding(word));
    !is_aside(line) && first.any(|(_, word)| is_word(word))
}

/// Whether a line says nothing of what the text does: a comment, an import.
fn is_aside(line: &str) -> bool {
    let line = line.trim_start();
    let word = line.split(char::is_whitespace).next().unwrap_or_default();
    matches!(
        word,
        "import" | "use" | "using" | "from" | "#include" | "package" | "require"
    ) || ["//", "/*", "* ", "--", "<!--", ";", "\"\"\""]
        .iter()
        .any(|mark| line.starts_with(mark))
        || (line.starts_with('#') && !line.starts_with("#["))
}

/// Meets the names of a line of code.
fn in_code<'t>(line: &'t str, meet: &mut impl FnMut(&'t str, Rank)) {
    let is_outermost = !line.starts_with([' ', '\t']);
    let mut before: Option<Rank> = None;
    let mut depth = 0_i32;
    let mut end = 0;
    for (start, name) in identifiers(line) {
        let between = line.get(end..start).unwrap_or_default();
        end = start + name.len();
        if is_defining(name) {
            before = Some(Rank::Defined);
            depth = 0;
        } else if is_binding(name) && before.is_none() {
            before = Some(Rank::Bound);
            depth = 0;
        } else if let Some(rank) = before {
            depth += brackets(between);
            // What a method is of is in brackets before its name.
            if depth > 0 || is_between(name) {
                continue;
            }
            before = None;
            let holds = between.trim_matches([' ', '\t', ')', '*', '&']).is_empty();
            if holds && (rank == Rank::Defined || is_outermost || looks_like_a_name(name)) {
                meet(name, rank);
            }
        } else if looks_like_a_name(name) {
            let behind = line.get(end..).unwrap_or_default().trim_start();
            let is_part = line[..start].ends_with(['.', '$']);
            let is_bound = behind.starts_with(":=")
                || (behind.starts_with('=') && !behind.starts_with("=="))
                || (behind.starts_with(':') && !behind.starts_with("::"));
            let rank = match behind.starts_with(['(', '!']) {
                true => Rank::Called,
                false if is_bound && !is_part => Rank::Bound,
                false => Rank::Named,
            };
            meet(name, rank);
        }
    }
}

fn brackets(text: &str) -> i32 {
    text.bytes().fold(0, |depth, byte| match byte {
        b'(' | b'<' => depth + 1,
        b')' | b'>' => depth - 1,
        _ => depth,
    })
}

/// The key of a line of a configuration: `key = `, `key:`, `"key":`, `[table]`.
fn key(line: &str) -> Option<&str> {
    let line = line.trim_start().trim_start_matches("- ");
    if let Some(table) = line.strip_prefix('[') {
        return table.trim_start_matches('[').split(']').next();
    }
    let (key, _) = line.split_once(['=', ':'])?;
    Some(
        key.trim()
            .trim_start_matches("export ")
            .trim_matches(['"', '\'']),
    )
}

/// Whether a word is one that only code has: `camelCase`, `snake_case`, `CONSTANT`.
fn looks_like_a_name(word: &str) -> bool {
    // Most words are as those of a sentence.
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return false;
    }
    let inner = word.trim_matches('_');
    let has_lower = inner.contains(char::is_lowercase);
    if inner.contains('_') {
        return inner.len() > 4 && inner.contains(char::is_alphabetic);
    }
    let humps = inner
        .char_indices()
        .skip(1)
        .filter(|(_, c)| c.is_uppercase())
        .count();
    has_lower && humps > 0
}

/// The words of a text that could be names, with where they begin.
fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // How long the letter at a place is, where it is of a word and where it is not; none at the end.
    let part = |at: usize| -> Option<(bool, usize)> {
        match text.as_bytes().get(at)? {
            byte if byte.is_ascii() => Some((byte.is_ascii_alphanumeric() || *byte == b'_', 1)),
            _ => {
                let letter = text.get(at..)?.chars().next()?;
                Some((letter.is_alphanumeric(), letter.len_utf8()))
            }
        }
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            while let Some((false, length)) = part(at) {
                at += length;
            }
            let start = at;
            while let Some((true, length)) = part(at) {
                at += length;
            }
            let word = text.get(start..at).filter(|word| !word.is_empty())?;
            if !word.starts_with(|c: char| c.is_ascii_digit()) {
                return Some((start, word));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn named(path: &str, removed: &str, added: &str) -> Vec<String> {
        Change::of(path, removed, added).names
    }

    #[test]
    fn what_is_defined_comes_before_what_is_only_named() {
        for (path, removed, added, expected) in [
            (
                "a.go",
                "func TestOld(t *testing.T) {",
                "func TestNew(t *testing.T) {\n\twantShell := 1",
                &["TestNew", "wantShell"][..],
            ),
            (
                "a.go",
                "",
                "func (s *Store) Load(id string) error {",
                &["Load"],
            ),
            (
                "a.rs",
                "",
                "pub async fn load<T>(x: T) {\n    let y = 1;",
                &["load"],
            ),
            (
                "a.py",
                "",
                "class Parser:\n    def parse(self):\n        x = 1",
                &["Parser", "parse"],
            ),
            (
                "a.ts",
                "",
                "export const rotate = () => 1\n  let i = 0",
                &["rotate"],
            ),
            ("a.js", "", "function go() {}\nclass Way {}", &["Way"]),
        ] {
            assert_eq!(named(path, removed, added), expected, "{added}");
        }
    }

    #[test]
    fn only_what_the_removed_text_had_not_is_new() {
        let removed = "case paths.MetadataFileName:\n\treturn shouldSkip(name)";
        let added =
            "case paths.MetadataFileName, paths.SummaryFileName:\n\treturn shouldSkip(name)";
        assert_eq!(named("a.go", removed, added), ["SummaryFileName"]);
        assert!(named("a.go", added, removed).is_empty());
    }

    #[test]
    fn comments_and_imports_name_nothing() {
        let added = "// See oldHelper\nimport { someThing } from './x'\nuse crate::other_thing;";
        assert!(named("a.ts", "", added).is_empty());
    }

    #[test]
    fn configuration_names_its_keys_and_prose_what_it_marks_as_code() {
        assert_eq!(
            named("a.toml", "", "[server]\nport = 1"),
            ["server", "port"]
        );
        assert_eq!(named("a.json", "", "  \"retryCount\": 3,"), ["retryCount"]);
        assert_eq!(named("ci.yml", "jobs:\n", "jobs:\n  lint:\n"), ["lint"]);
        assert_eq!(
            named("a.md", "", "GitHub calls `load_all()` here"),
            ["load_all"]
        );
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(path in ".{0,12}", removed in "(.|\\n){0,80}", added in "(.|\\n){0,200}") {
            let names = named(&path, &removed, &added);
            prop_assert!(names.len() <= NAMES);
            prop_assert!(names.iter().all(|name| added.contains(name.as_str())));
        }

        #[test]
        fn words_of_any_script_are_found_letter_by_letter(text in "([a-z_0-9é東. -]|\\PC){0,40}") {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            let words = words.filter(|word| !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()));
            let found: Vec<_> = identifiers(&text).collect();
            prop_assert_eq!(found.iter().map(|(_, word)| *word).collect::<Vec<_>>(), words.collect::<Vec<_>>());
            prop_assert!(found.iter().all(|(at, word)| text[*at..].starts_with(word)));
        }
    }
}
