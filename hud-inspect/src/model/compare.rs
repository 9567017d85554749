//! What differs between two turns.

use hud_store::state::{Change, HudState, changes};
use serde::Serialize;
use similar::algorithms::{Capture, Compact, Replace, patience};
use similar::{DiffOp, DiffTag};

use super::shown::{LayerText, Shown};

/// How many lines both texts have together before they are no longer compared line by line.
const MOST: usize = 20_000;

/// What differs between what the model saw in two turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// The lines of both, one below the other.
    pub lines: Vec<DiffLine>,
    /// What changed in the state.
    pub changes: Vec<Changed>,
    /// Of each layer, how many bytes at its beginning are the same, and how many it has in the second
    /// turn: what is behind the first byte that differs is read anew by a provider that caches prompts.
    pub same: Vec<(String, usize, usize)>,
}

/// A line of one of the texts, or of both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    /// Which of them has it.
    pub sign: Sign,
    /// What it says, in pieces.
    pub pieces: Vec<Piece>,
}

/// Which text has a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Sign {
    /// Both.
    #[serde(rename = " ")]
    Same,
    /// The first.
    #[serde(rename = "-")]
    Removed,
    /// The second.
    #[serde(rename = "+")]
    Added,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// What it says.
    pub text: String,
    /// Whether it is what makes the line another one.
    pub changed: bool,
}

/// What changed in the state: an item, with what it said and what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// The section.
    pub section: &'static str,
    /// The item's name; empty where the section is one thing.
    pub item: String,
    /// What it said, if there was one.
    pub before: Option<String>,
    /// What it says, if it is there.
    pub after: Option<String>,
}

impl From<Change> for Changed {
    fn from(change: Change) -> Self {
        Self {
            section: change.section,
            item: change.id,
            before: change.before,
            after: change.after,
        }
    }
}

impl Compared {
    /// What differs between two states and what was shown of them.
    pub fn of(before: (&HudState, &Shown), after: (&HudState, &Shown)) -> Self {
        let whole = |shown: &Shown| -> String {
            let texts = shown.layers.iter().map(|layer| layer.markdown.as_str());
            texts.collect::<Vec<_>>().join("\n")
        };
        let same = after.1.layers.iter().map(|layer| {
            let is_own = |other: &&LayerText| other.name == layer.name;
            let other = before.1.layers.iter().find(is_own);
            let other = other.map_or("", |other| &other.markdown);
            let same = layer.markdown.bytes().zip(other.bytes());
            let same = same.take_while(|(one, other)| one == other).count();
            (layer.name.to_owned(), same, layer.markdown.len())
        });
        Self {
            lines: lines(&whole(before.1), &whole(after.1)),
            changes: (changes(before.0, after.0).into_iter())
                .map(Changed::from)
                .collect(),
            same: same.collect(),
        }
    }
}

/// The lines of two texts, with the words that differ in them.
fn lines(before: &str, after: &str) -> Vec<DiffLine> {
    let before: Vec<&str> = before.split_inclusive('\n').collect();
    let after: Vec<&str> = after.split_inclusive('\n').collect();
    let mut lines = Vec::new();
    if before.len() + after.len() > MOST {
        lines.extend(whole(Sign::Removed, &before));
        lines.extend(whole(Sign::Added, &after));
        return lines;
    }
    for op in differing(&before, &after) {
        let old = before.get(op.old_range()).unwrap_or_default();
        let new = after.get(op.new_range()).unwrap_or_default();
        match op.tag() {
            DiffTag::Equal => lines.extend(whole(Sign::Same, new)),
            DiffTag::Delete | DiffTag::Insert => {
                lines.extend(whole(Sign::Removed, old));
                lines.extend(whole(Sign::Added, new));
            }
            DiffTag::Replace => replaced(old, new, &mut lines),
        }
    }
    lines
}

/// What is the same in both and what is not. There is one way to compare lines and words: each kind of item has all of the
/// algorithm compiled once more.
fn differing(before: &[&str], after: &[&str]) -> Vec<DiffOp> {
    let mut found = Compact::new(Replace::new(Capture::new()), before, after);
    let (all_before, all_after) = (0..before.len(), 0..after.len());
    match patience::diff(&mut found, before, all_before, after, all_after) {
        Ok(()) => found.into_inner().into_inner().into_ops(),
        Err(never) => match never {},
    }
}

/// Lines of which no word is marked.
fn whole<'l>(sign: Sign, lines: &'l [&str]) -> impl Iterator<Item = DiffLine> + 'l {
    lines.iter().map(move |line| {
        let piece = |text: &str| Piece {
            text: text.to_owned(),
            changed: false,
        };
        let text = line.strip_suffix('\n').unwrap_or(line);
        DiffLine {
            sign,
            pieces: (!text.is_empty())
                .then(|| piece(text))
                .into_iter()
                .collect(),
        }
    })
}

/// Lines in the place of others. Their words are marked where less than half of the text is another.
fn replaced(old: &[&str], new: &[&str], lines: &mut Vec<DiffLine>) {
    let (old_words, new_words) = (words(old), words(new));
    let ops = differing(&old_words, &new_words);
    let same: usize = ops
        .iter()
        .filter(|op| op.tag() == DiffTag::Equal)
        .flat_map(|op| old_words.get(op.old_range()).unwrap_or_default())
        .map(|word| word.len())
        .sum();
    let all: usize = old.iter().chain(new).map(|line| line.len()).sum();
    if same * 4 < all {
        lines.extend(whole(Sign::Removed, old));
        lines.extend(whole(Sign::Added, new));
        return;
    }
    let changed = ops.iter().filter(|op| op.tag() != DiffTag::Equal);
    let (mut old_changed, mut new_changed) =
        (vec![false; old_words.len()], vec![false; new_words.len()]);
    for op in changed {
        for (changed, range) in [
            (&mut old_changed, op.old_range()),
            (&mut new_changed, op.new_range()),
        ] {
            changed.get_mut(range).unwrap_or_default().fill(true);
        }
    }
    lines.extend(marked(Sign::Removed, &old_words, &old_changed));
    lines.extend(marked(Sign::Added, &new_words, &new_changed));
}

/// The words of lines and the spaces between them; the end of a line is one by itself.
fn words<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let kind = |character: char| match character {
        '\n' => 0,
        character if character.is_whitespace() => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    for mut rest in lines.iter().copied() {
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|next| kind(next) != kind(first));
            let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
            words.push(word);
            rest = behind;
        }
    }
    words
}

/// The lines of words, with those marked that changed.
fn marked(sign: Sign, words: &[&str], changed: &[bool]) -> Vec<DiffLine> {
    let mut lines = Vec::new();
    let mut open: Option<Vec<Piece>> = None;
    for (word, changed) in words.iter().zip(changed.iter().copied()) {
        let pieces = open.get_or_insert_default();
        match pieces.last_mut() {
            _ if *word == "\n" => {
                let pieces = open.take().unwrap_or_default();
                lines.push(DiffLine { sign, pieces });
            }
            Some(last) if last.changed == changed => last.text.push_str(word),
            _ => pieces.push(Piece {
                text: (*word).to_owned(),
                changed,
            }),
        }
    }
    lines.extend(open.map(|pieces| DiffLine { sign, pieces }));
    lines
}
