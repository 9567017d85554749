//! Text made safe for where it is: escapes, references, percent-encoding.
//!
//! One pass over the text finds the unsafe characters, one writes it. Patterns are matched as the
//! reference's regular expressions would: a match uses up the characters its pattern looks at, so
//! of `a@b@c` only the first `@` is an address's. [`Options::strict`] lets matches share them.

use super::character::{Classes, Kind, is_eol, push_reference};
use super::constructs::Constructs;
use super::options::Options;
use super::unsafe_patterns::{Before, Scope, UNSAFE, Unsafe};

/// The characters beside what is being written, `None` where none is known.
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

/// Makes texts safe inside some constructs.
#[derive(Clone, Copy)]
pub(super) struct Safe {
    scope: Scope,
    classes: Classes,
    is_strict: bool,
    percent_encodes: bool,
    /// A punctuation character that a backslash would not keep from its meaning.
    encode: Option<char>,
}

impl Safe {
    pub(super) fn new(constructs: Constructs, scope: Scope, options: &Options) -> Self {
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

    /// Writes `value`, which will be between the characters of `info`.
    pub(super) fn write(self, out: &mut String, value: &str, info: Info) {
        let hits = self.hits(value, info);
        // All offsets below are where hits begin and end, so slices never split a character.
        let mut written = 0;
        let mut index = 0;
        while let Some(hit) = hits.get(index) {
            if let Some(run) = self.intraword_run(value, info, &hits, index) {
                index += run;
                continue;
            }
            if !is_settled_by_neighbour(&hits, index) {
                self.copy(out, &value[written..hit.at], Some('\\'));
                self.encode(out, hit.character);
                written = hit.end();
            }
            index += 1;
        }
        self.copy(out, &value[written..], info.after);
    }

    fn hits(self, value: &str, info: Info) -> Vec<Hit> {
        let mut hits = Vec::new();
        let may_be_lost = self.is_strict && value.contains(['\r', '\u{FEFF}', '<']);
        if !may_be_lost && !self.scope.concerns(value) {
            return hits;
        }
        let open_address = self.open_address(value, info.after);
        let mut line = Line::default();
        // Where the search for each pattern goes on: after its last match.
        let mut resume = [0; UNSAFE.len()];
        // Matches may begin with the character before, so offsets in here count it as one.
        let mut characters = value.char_indices().map(|(at, c)| (at + 1, c));
        let mut current = info
            .before
            .map(|before| (0, before))
            .or_else(|| characters.next());
        let mut previous = None;
        while let Some((offset, character)) = current {
            let following = characters.next();
            let next = following.map_or(info.after, |(_, next)| Some(next));
            let mut found: Option<Hit> = None;
            for (index, pattern) in self.scope.patterns_of(character) {
                let matched = pattern.at(offset, previous, next, line);
                let Some(matched) = matched.filter(|matched| matched.start >= resume[index]) else {
                    continue;
                };
                if !self.is_strict {
                    resume[index] = matched.end;
                }
                let hit = found.get_or_insert(Hit::new(offset, character));
                hit.before &= !matches!(pattern.before, Before::Anything);
                hit.after &= pattern.after.is_some();
            }

            let is_lost = match character {
                // It would be one line ending with the line feed after the text.
                '\r' => following.is_none() && next == Some('\n'),
                // A byte order mark, if the line is the first of the document.
                '\u{FEFF}' => offset == 1 && info.before.is_some_and(is_eol),
                '<' => open_address.is_some_and(|at| at + 1 == offset),
                _ => false,
            };
            if self.is_strict && is_lost {
                found = Some(Hit {
                    before: false,
                    after: false,
                    ..Hit::new(offset, character)
                });
            }
            if offset > 0 {
                hits.extend(found);
            }
            line.advance(offset, character);
            previous = Some(character);
            current = following;
        }
        hits
    }

    /// Where a `<` is that could begin an address of which code behind the text is a part, as in
    /// the text `<+` before the code `a@b.c>`: backticks may be in the name of a mailbox.
    fn open_address(self, value: &str, after: Option<char>) -> Option<usize> {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c);
        if !self.is_strict || !matches!(after, Some('`' | '$' | '*' | '_' | '~')) {
            return None;
        }
        let at = value.trim_end_matches(is_of_name).strip_suffix('<')?.len();
        Some(at)
    }

    /// The number of unsafe underscores to leave as they are, if they begin a run inside a word
    /// (`a_b`), where underscores form no attention.
    fn intraword_run(self, value: &str, info: Info, hits: &[Hit], index: usize) -> Option<usize> {
        let first = hits.get(index).filter(|hit| hit.character == '_')?;
        let is_letter = |character| self.classes.kind(Some(character)) == Kind::Letter;
        // A character beside attention can become a reference later, `a` turning into `&#x61;`.
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

    /// Copies text, doubling backslashes that would escape what follows them.
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
    /// Whether it is unsafe only because of what is before it.
    before: bool,
    /// Whether it is unsafe only because of what is after it.
    after: bool,
}

impl Hit {
    /// A hit that is conditional until an unconditional pattern matches too.
    fn new(offset: usize, character: char) -> Self {
        Self {
            at: offset.saturating_sub(1),
            character,
            before: true,
            after: true,
        }
    }

    fn end(&self) -> usize {
        self.at + self.character.len_utf8()
    }

    fn is_unconditional(&self) -> bool {
        !self.before && !self.after
    }
}

/// Whether a character is unsafe only because of a neighbour that is going to be escaped anyway.
fn is_settled_by_neighbour(hits: &[Hit], index: usize) -> bool {
    let hit = &hits[index];
    let previous = index.checked_sub(1).map(|previous| &hits[previous]);
    let next = hits.get(index + 1);
    hit.after && next.is_some_and(|next| next.at == hit.at + 1 && next.is_unconditional())
        || hit.before
            && previous
                .is_some_and(|previous| previous.at + 1 == hit.at && previous.is_unconditional())
}

/// How the line up to a character began.
#[derive(Clone, Copy, Default)]
pub(super) struct Line {
    /// Where its line ending before is, while there were only tabs and spaces, then digits.
    eol: Option<usize>,
    has_digits: bool,
    /// How many `w` there are right before.
    www: usize,
}

impl Line {
    pub(super) fn advance(&mut self, offset: usize, character: char) {
        self.www = if matches!(character, 'w' | 'W') {
            self.www + 1
        } else {
            0
        };
        match character {
            _ if is_eol(character) => {
                self.eol = Some(offset);
                self.has_digits = false;
            }
            '\t' | ' ' if !self.has_digits => {}
            '0'..='9' if self.eol.is_some() => self.has_digits = true,
            _ => self.eol = None,
        }
    }
}

/// What a pattern matched, from the first character it looks at to after the last.
pub(super) struct Match {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Unsafe {
    /// The match of this pattern with the character at `offset`, which is one of its own.
    pub(super) fn at(
        &self,
        offset: usize,
        previous: Option<char>,
        next: Option<char>,
        line: Line,
    ) -> Option<Match> {
        let start = match self.before {
            Before::Anything => offset,
            Before::Break => line.eol.filter(|_| !line.has_digits)?,
            Before::BreakDigits => line.eol.filter(|_| line.has_digits)?,
            Before::Www => offset.checked_sub(3).filter(|_| line.www >= 3)?,
            Before::OneOf(set) => offset
                .checked_sub(1)
                .filter(|_| previous.is_some() && set.contains(previous))?,
        };
        let end = match self.after {
            None => offset + 1,
            Some(set) if set.contains(next) => offset + 1 + usize::from(next.is_some()),
            Some(_) => return None,
        };
        Some(Match { start, end })
    }
}
