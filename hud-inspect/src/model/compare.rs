//! What differs between two turns.

use hud_store::state::{Change, HudState, changes};
use serde::Serialize;
use similar::{Algorithm, ChangeTag, TextDiff};

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
    let count = before.lines().count() + after.lines().count();
    if count > MOST {
        let all = |text: &str, sign| -> Vec<DiffLine> {
            let line = |line: &str| DiffLine {
                sign,
                pieces: vec![Piece {
                    text: line.to_owned(),
                    changed: false,
                }],
            };
            text.lines().map(line).collect()
        };
        return [all(before, Sign::Removed), all(after, Sign::Added)].concat();
    }
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .diff_lines(before, after);
    let mut lines = Vec::new();
    for change in diff
        .ops()
        .iter()
        .flat_map(|op| diff.iter_inline_changes(op))
    {
        let mut pieces: Vec<Piece> = Vec::new();
        for (changed, text) in change.iter_strings_lossy() {
            let text = text.trim_end_matches('\n').to_owned();
            match pieces.last_mut() {
                _ if text.is_empty() => {}
                Some(last) if last.changed == changed => last.text.push_str(&text),
                _ => pieces.push(Piece { text, changed }),
            }
        }
        lines.push(DiffLine {
            sign: match change.tag() {
                ChangeTag::Equal => Sign::Same,
                ChangeTag::Delete => Sign::Removed,
                ChangeTag::Insert => Sign::Added,
            },
            pieces,
        });
    }
    lines
}
