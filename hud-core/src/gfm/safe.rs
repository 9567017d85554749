//! Escaping of text for its place: backslashes, character references, percent-encoding.
//!
//! One pass over the text finds the unsafe characters, and one writes it. Patterns match as the
//! reference's regular expressions do: a match consumes the characters of its pattern. So only the
//! first `@` of `a@b@c` matches as an address. [`SerializeOptions::strict`] lets matches overlap.

use std::borrow::Cow;

use super::character::{Classes, Kind, is_eol, push_reference};
use super::constructs::Constructs;
use super::options::SerializeOptions;
use super::unsafe_patterns::{Before, Beside, Scope, UNSAFE, Unsafe};

/// The adjacent characters of a text, `None` if unknown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Info {
    pub(super) before: Option<char>,
    pub(super) after: Option<char>,
}

impl Info {
    pub(super) const LINE: Self = Self::new('\n', '\n');

    pub(super) const fn new(before: char, after: char) -> Self {
        Self {
            before: Some(before),
            after: Some(after),
        }
    }
}

/// An escaper for texts inside some constructs.
#[derive(Clone, Copy)]
pub(super) struct Safe {
    scope: Scope,
    classes: Classes,
    is_strict: bool,
    percent_encodes: bool,
    /// A punctuation character that is encoded, because a backslash would not escape it.
    encode: Option<char>,
}

impl Safe {
    pub(super) fn new(constructs: Constructs, scope: Scope, options: &SerializeOptions) -> Self {
        Self {
            scope,
            classes: Classes::of(options),
            is_strict: options.strict,
            percent_encodes: constructs.has(Constructs::AUTOLINK),
            encode: None,
        }
    }

    pub(super) fn encoding(self, character: char) -> Self {
        Self {
            encode: Some(character),
            ..self
        }
    }

    /// The escaped `value` between the characters of `info`.
    pub(super) fn text(self, value: &str, info: Info) -> Cow<'_, str> {
        // Fast path: most texts have no unsafe characters.
        if self.scope.is_plain(value, info) {
            return Cow::Borrowed(value);
        }
        let (hits, has_backslash) = self.hits(value, info);
        if hits.is_empty() && (self.percent_encodes || !has_backslash) {
            return Cow::Borrowed(value);
        }
        let mut out = String::with_capacity(value.len() + hits.len());
        self.write_hits(&mut out, value, info, &hits);
        Cow::Owned(out)
    }

    /// Writes the escaped `value` between the characters of `info`.
    pub(super) fn write(self, out: &mut String, value: &str, info: Info) {
        let (hits, _) = self.hits(value, info);
        self.write_hits(out, value, info, &hits);
    }

    fn write_hits(self, out: &mut String, value: &str, info: Info, hits: &[Hit]) {
        // All offsets here are boundaries of hits, so slices never split a character.
        let mut written = 0;
        let mut index = 0;
        while let Some(hit) = hits.get(index) {
            if let Some(run) = self.intraword_run(value, info, hits, index) {
                index += run;
                continue;
            }
            if !is_settled_by_neighbour(hits, index) {
                self.copy(out, &value[written..hit.at], Some('\\'));
                self.encode(out, hit.character);
                written = hit.end();
            }
            index += 1;
        }
        self.copy(out, &value[written..], info.after);
    }

    /// The unsafe characters, and true if there is a backslash.
    fn hits(self, value: &str, info: Info) -> (Vec<Hit>, bool) {
        let mut hits = Vec::new();
        // The offset where the search for each pattern continues: after its last match.
        let mut resume = [0; UNSAFE.len()];
        if let Some(before) = info.before.filter(|_| !self.is_strict)
            && let Ok(before) = u8::try_from(before)
        {
            let next = Beside::of(value.chars().next().or(info.after));
            for (index, pattern) in self.scope.patterns_of(before, Beside::of(None), next) {
                resume[index] = pattern.end(0, value.chars().next().or(info.after));
            }
        }
        let bytes = value.as_bytes();
        let has_backslash = self.scope.each_candidate(value, info, |at, byte| {
            let before = match at.checked_sub(1).and_then(|before| bytes.get(before)) {
                Some(before) => Beside::of_byte(*before),
                None => Beside::of(info.before),
            };
            let after = match bytes.get(at + 1) {
                Some(after) => Beside::of_byte(*after),
                None => Beside::of(info.after),
            };
            let mut found: Option<Hit> = None;
            for (index, pattern) in self.scope.patterns_of(byte, before, after) {
                let matched = pattern.at(value, at, info);
                let Some(matched) = matched.filter(|matched| matched.start >= resume[index]) else {
                    continue;
                };
                if !self.is_strict {
                    resume[index] = matched.end;
                }
                let hit = found.get_or_insert(Hit::new(at, char::from(byte)));
                hit.before &= !matches!(pattern.before, Before::Anything);
                hit.after &= pattern.after.is_some();
            }
            hits.extend(found);
        });
        if self.is_strict {
            self.add_lost(&mut hits, value, info);
        }
        (hits, has_backslash)
    }

    /// Adds hits for lost characters that no pattern covers.
    fn add_lost(self, hits: &mut Vec<Hit>, value: &str, info: Info) {
        // A byte order mark, if the line may be the first of the document.
        if value.starts_with('\u{FEFF}') && info.before.is_some_and(is_eol) {
            hits.insert(0, Hit::unconditional(0, '\u{FEFF}'));
        }
        // The carriage return would merge with the line feed after the text.
        if let Some(head) = value
            .strip_suffix('\r')
            .filter(|_| info.after == Some('\n'))
        {
            hits.pop_if(|last| last.at == head.len());
            hits.push(Hit::unconditional(head.len(), '\r'));
        }
        for (at, space) in spaces_of_odd_breaks(value, info.after) {
            insert(hits, Hit::unconditional(at, space));
        }
        if let Some(at) = self.open_address(value, info.after) {
            insert(hits, Hit::unconditional(at, '<'));
        }
    }

    /// The offset of a `<` that could begin an address that continues in the code after the text,
    /// such as `<+` before the code `a@b.c>`. Backticks are allowed in mailbox names.
    fn open_address(self, value: &str, after: Option<char>) -> Option<usize> {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c);
        if !self.is_strict || !matches!(after, Some('`' | '$' | '*' | '_' | '~')) {
            return None;
        }
        let at = value.trim_end_matches(is_of_name).strip_suffix('<')?.len();
        Some(at)
    }

    /// The number of unsafe underscores that stay unescaped, if they begin a run inside a word
    /// (`a_b`), where underscores form no attention.
    fn intraword_run(self, value: &str, info: Info, hits: &[Hit], index: usize) -> Option<usize> {
        let first = hits.get(index).filter(|hit| hit.character == '_')?;
        let is_letter = |character| self.classes.kind(Some(character)) == Kind::Letter;
        // A character next to attention can later be encoded, such as `a` as `&#x61;`.
        let is_exposed = |side: &str, character: char, beyond| {
            side.len() == character.len_utf8()
                && character.len_utf16() == 1
                && matches!(beyond, Some('*' | '_'))
        };

        let (head, tail) = value.split_at(first.at);
        let previous = head.chars().next_back().or(info.before)?;
        let is_encoded = index
            .checked_sub(1)
            .is_some_and(|hit| hits[hit].end() == first.at);
        if !is_letter(previous) || is_encoded || is_exposed(head, previous, info.before) {
            return None;
        }
        let after_run = tail.trim_start_matches('_');
        let next = after_run.chars().next().or(info.after)?;
        if !is_letter(next) || is_exposed(after_run, next, info.after) {
            return None;
        }
        let run = tail.len() - after_run.len();
        let last = hits.get(index + run - 1)?;
        (last.end() == first.at + run).then_some(run)
    }

    /// Copies text, and doubles backslashes that would escape the character after them.
    fn copy(self, out: &mut String, text: &str, after: Option<char>) {
        if self.percent_encodes {
            out.push_str(text);
            return;
        }
        let mut rest = text;
        while let Some((head, tail)) = rest.split_once('\\') {
            out.push_str(head);
            out.push('\\');
            let next = tail.chars().next().or(after);
            if next.is_some_and(|next| next.is_ascii_punctuation()) {
                out.push('\\');
            }
            rest = tail;
        }
        out.push_str(rest);
    }

    fn encode(self, out: &mut String, character: char) {
        if self.percent_encodes {
            out.push_str(&format!("%{:02X}", u32::from(character)));
        } else if character.is_ascii_punctuation() && self.encode != Some(character) {
            out.extend(['\\', character]);
        } else {
            push_reference(out, character);
        }
    }
}

/// An unsafe character.
struct Hit {
    at: usize,
    character: char,
    /// True if it is unsafe only because of the character before it.
    before: bool,
    /// True if it is unsafe only because of the character after it.
    after: bool,
}

impl Hit {
    /// A hit that is conditional until an unconditional pattern also matches.
    fn new(at: usize, character: char) -> Self {
        Self {
            at,
            character,
            before: true,
            after: true,
        }
    }

    fn unconditional(at: usize, character: char) -> Self {
        Self {
            before: false,
            after: false,
            ..Self::new(at, character)
        }
    }

    fn end(&self) -> usize {
        self.at + self.character.len_utf8()
    }

    fn is_unconditional(&self) -> bool {
        !self.before && !self.after
    }
}

/// Inserts a hit in order, and replaces one at the same offset.
fn insert(hits: &mut Vec<Hit>, hit: Hit) {
    let index = hits.partition_point(|other| other.at < hit.at);
    if hits.get(index).is_some_and(|other| other.at == hit.at) {
        hits.remove(index);
    }
    hits.insert(index, hit);
}

/// The spaces and tabs before a vertical tab or form feed at the end of a line. `after` is the
/// character after the text. Some parsers, such as pulldown-cmark, treat both as white space, and
/// two of these as a hard break. Other parsers do not accept a reference to a vertical tab, so the
/// space is encoded instead.
fn spaces_of_odd_breaks(value: &str, after: Option<char>) -> impl Iterator<Item = (usize, char)> {
    let bytes = value.as_bytes();
    let odd = { bytes.iter().enumerate() }.filter(|(_, byte)| matches!(byte, b'\x0B' | b'\x0C'));
    odd.filter_map(move |(at, _)| {
        let space = at.checked_sub(1)?;
        let is_space = matches!(bytes[space], b' ' | b'\t');
        let next = value[at + 1..].chars().next().or(after);
        (is_space && next.is_some_and(is_eol)).then(|| (space, char::from(bytes[space])))
    })
}

/// True if a character is unsafe only because of a neighbor that will be escaped anyway.
fn is_settled_by_neighbour(hits: &[Hit], index: usize) -> bool {
    let hit = &hits[index];
    let previous = index.checked_sub(1).map(|previous| &hits[previous]);
    let next = hits.get(index + 1);
    hit.after && next.is_some_and(|next| next.at == hit.at + 1 && next.is_unconditional())
        || hit.before
            && previous
                .is_some_and(|previous| previous.at + 1 == hit.at && previous.is_unconditional())
}

/// The range of a match, with all characters of the pattern. A match may begin with the character
/// before the text, so offsets are one higher than in the text.
pub(super) struct Match {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Unsafe {
    /// The match of this pattern for the character at `at`, in a text between the characters of
    /// `info`. The character is one of the pattern's.
    pub(super) fn at(&self, value: &str, at: usize, info: Info) -> Option<Match> {
        let (head, tail) = value.split_at_checked(at)?;
        let start = match self.before {
            Before::Anything => at + 1,
            Before::Break => line_ending(head, info.before)?,
            Before::BreakDigits => {
                let blank = head.trim_end_matches(|c: char| c.is_ascii_digit());
                line_ending(blank, info.before).filter(|_| blank.len() < head.len())?
            }
            Before::Www => {
                let is_w = |c: &char| matches!(c, 'w' | 'W');
                let before = head.chars().rev().chain(info.before);
                (before.take(3).filter(is_w).count() == 3).then(|| at - 2)?
            }
            Before::OneOf(set) => {
                let previous = head.chars().next_back().or(info.before);
                (previous.is_some() && set.contains(previous)).then_some(at)?
            }
        };
        let next = tail.chars().nth(1).or(info.after);
        let is_wanted = self.after.is_none_or(|set| set.contains(next));
        is_wanted.then(|| Match {
            start,
            end: self.end(at + 1, next),
        })
    }

    /// The end of a match for the character at this offset.
    fn end(&self, offset: usize, next: Option<char>) -> usize {
        offset + 1 + usize::from(self.after.is_some() && next.is_some())
    }
}

/// The offset of the line ending before the trailing tabs and spaces of a text.
fn line_ending(text: &str, before: Option<char>) -> Option<usize> {
    let line = text.trim_end_matches(['\t', ' ']);
    match line.chars().next_back() {
        Some(last) => is_eol(last).then_some(line.len()),
        None => before.is_some_and(is_eol).then_some(0),
    }
}
