//! The differences between two turns.

use hud_store::state::{Change, HudState, changes};
use serde::Serialize;
use similar::algorithms::{Capture, Compact, Replace, patience};
use similar::{DiffOp, DiffTag};

use super::shown::{LayerText, Shown};

/// The maximum number of lines in both texts that are compared line by line.
const MOST: usize = 20_000;

/// The differences between the texts that the model saw in two turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// The lines of both texts, in order.
    pub lines: Vec<DiffLine>,
    /// The changes in the state.
    pub changes: Vec<Changed>,
    /// For each layer, the number of equal bytes at its beginning and its length in the second turn. A
    /// provider that caches prompts reads the bytes after the first difference again.
    pub same: Vec<(String, usize, usize)>,
}

/// A line of one of the texts, or of both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    /// The text that has the line.
    pub sign: Sign,
    /// Its text, in pieces.
    pub pieces: Vec<Piece>,
}

/// The text that has a line.
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
    /// Its text.
    pub text: String,
    /// True if it is what changed in the line.
    pub changed: bool,
}

/// A change in the state: an item with its old and its new text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// The section.
    pub section: &'static str,
    /// The item's id; empty if the section is a single item.
    pub item: String,
    /// The old text, if the item existed.
    pub before: Option<String>,
    /// The new text, if the item exists.
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
    /// Compares two states and the texts that were shown of them.
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

/// Returns the lines of two texts, with the differing words marked.
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

/// Returns the equal and the differing ranges. Lines and words use the same function, because each item
/// type compiles the whole algorithm again.
fn differing(before: &[&str], after: &[&str]) -> Vec<DiffOp> {
    let mut found = Compact::new(Replace::new(Capture::new()), before, after);
    let (all_before, all_after) = (0..before.len(), 0..after.len());
    match patience::diff(&mut found, before, all_before, after, all_after) {
        Ok(()) => found.into_inner().into_inner().into_ops(),
        Err(never) => match never {},
    }
}

/// Returns lines without marked words.
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

/// Adds lines that replace others. Their words are marked if at least half of the text is the same.
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

/// Returns the words of lines and the spaces between them. A line end is a separate word.
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

/// Returns the lines of words, with the changed words marked.
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
