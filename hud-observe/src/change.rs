//! The changes of a file: its new names, its new lines, and a diff.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use hud_components::text::is_document;
use hud_store::state::Lines;
use hud_store::text::beginning;
use serde::{Deserialize, Serialize};

use crate::manifest;

mod diff;

/// The change of a file by a call, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Change {
    /// The names that are in the new text and not in the old one, the most specific first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The new lines, by their numbers after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
    /// True if the file is new.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub created: bool,
    /// The packages that the change adds to the project's dependencies, if the file is a manifest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
    /// The removed and the added lines, each after its `-` or `+`, with a line `@@` between two places of the
    /// file. A long change keeps only the lines that define something, are a heading or set a key.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub diff: String,
}

/// The maximum number of bytes of a text to analyze.
const LONGEST: usize = 64 * 1024;

/// The maximum number of names of a change.
const NAMES: usize = 3;

/// The allowed length of a name in bytes.
const TELLING: std::ops::RangeInclusive<usize> = 3..=64;

/// True if the word is a keyword that precedes the name of a definition in some language.
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

/// True if the word is a keyword that precedes the name of a variable, of which any function has many.
fn is_binding(word: &str) -> bool {
    matches!(word, "const" | "final" | "let" | "static" | "val" | "var")
}

/// True if the word may be between such a keyword and the name.
fn is_between(word: &str) -> bool {
    matches!(word, "async" | "const" | "mut" | "ref")
}

/// The kind of a file's text, from the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Code, in which any word can be a name.
    Code,
    /// Data, as keys with values.
    Data,
    /// Prose, in which only text marked as code is a name.
    Prose,
}

impl Kind {
    /// Returns the kind of the file at a path.
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

/// The rank of a name, the most specific first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Defined,
    Bound,
    Named,
    Called,
}

impl Change {
    /// Returns the change that replaces one text by another.
    pub fn of(path: &str, removed: &str, added: &str) -> Self {
        Self {
            names: names(path, removed, added),
            ..Self::without_names(path, removed, added)
        }
    }

    /// Returns the same change without names, for callers that know them.
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

    /// True if nothing is known of the change.
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the change with the additional fields of another report of it.
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

/// A map by lines or names. Its hasher is seeded, because the text controls the keys.
type Known<'t, T> = HashMap<&'t str, T, RandomState>;

/// Returns the new names in the added text.
fn names(path: &str, removed: &str, added: &str) -> Vec<String> {
    let (removed, added) = (beginning(removed, LONGEST), beginning(added, LONGEST));
    let kind = Kind::of(path);
    let old_lines: Known<'_, ()> = removed.lines().map(|line| (line.trim(), ())).collect();
    // The rank of each name, the number of its occurrences, and the position of the first one.
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
                // A span with a dot is the path of another file, and not a name in this one.
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
    // The order is by rank, count and position. Positions are unique.
    let mut found: Vec<_> = found.into_iter().collect();
    // A name that is called once is not specific.
    found.retain(|(_, (rank, often, _))| *rank != Rank::Called || *often > 1);
    found.sort_by_key(|(_, (rank, often, place))| (*rank, usize::MAX - often, *place));
    let names = found.into_iter().map(|(name, _)| name.to_owned());
    names.take(NAMES).collect()
}

/// True if the text is a name, and not a path, a sentence or a number.
fn is_whole(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))
}

/// True if a line of code begins a definition, with any modifiers before its keyword (`pub async`, `export
/// default`).
pub fn defines(line: &str) -> bool {
    let is_outermost = !line.starts_with([' ', '\t']);
    let mut first = identifiers(line).take(4);
    let is_word = |word| is_defining(word) || (is_outermost && is_binding(word));
    !is_aside(line) && first.any(|(_, word)| is_word(word))
}

/// True if a line does not describe the content of a text: a comment or an import.
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

/// Visits the names of a line of code.
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
            // The receiver of a method is in brackets before the name.
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

/// Returns the key of a configuration line: `key = `, `key:`, `"key":`, `[table]`.
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

/// True if a word has a form that only code has: `camelCase`, `snake_case`, `CONSTANT`.
fn looks_like_a_name(word: &str) -> bool {
    // Most words are plain words.
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

/// Returns the words of a text that could be names, with their byte offsets.
fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // Returns whether the letter at an offset belongs to a word, and its length. `None` at the end.
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
