//! The numbers that items are named by.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The highest number that an item of each kind was named by, as `n7` is for a note: the next one is
/// to have a name that none ever had, also when the last one left.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Numbers {
    /// Of decisions: `d1`, `d2`, ...
    pub decision: u64,
    /// Of notes: `n1`, ...
    pub note: u64,
    /// Of steps: `s1`, ...
    pub step: u64,
    /// Of blockers: `b1`, ...
    pub blocker: u64,
    /// Of errors: `e1`, ...
    pub error: u64,
    /// Of other items, by the letter that their names begin with.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub others: BTreeMap<char, u64>,
}

impl Numbers {
    /// A name that no item has had: a letter and a number.
    pub fn next(&mut self, letter: char) -> String {
        let highest = self.highest(letter);
        *highest = highest.saturating_add(1);
        format!("{letter}{highest}")
    }

    /// Takes in the name of a new item.
    pub fn see(&mut self, id: &str) {
        if let Some((letter, number)) = parts(id) {
            let highest = self.highest(letter);
            *highest = number.max(*highest);
        }
    }

    /// Takes in the numbers of another state of the session.
    pub fn see_all(&mut self, others: &Self) {
        for (letter, number) in others.each() {
            let highest = self.highest(letter);
            *highest = number.max(*highest);
        }
    }

    /// A name that no item has had, for one of the kind that `id` names; `id` itself where that is
    /// no name of ours.
    pub(crate) fn name_like(&mut self, id: &str) -> String {
        match id.chars().next() {
            Some(letter @ ('d' | 'n' | 's' | 'b' | 'e')) => self.next(letter),
            _ => match parts(id) {
                Some((letter, _)) => self.next(letter),
                None => id.to_owned(),
            },
        }
    }

    fn each(&self) -> impl Iterator<Item = (char, u64)> {
        let Self {
            decision,
            note,
            step,
            blocker,
            error,
            others,
        } = self;
        let built_in = [
            ('d', *decision),
            ('n', *note),
            ('s', *step),
            ('b', *blocker),
            ('e', *error),
        ];
        let others = others.iter().map(|(letter, number)| (*letter, *number));
        built_in.into_iter().chain(others)
    }

    fn highest(&mut self, letter: char) -> &mut u64 {
        match letter {
            'd' => &mut self.decision,
            'n' => &mut self.note,
            's' => &mut self.step,
            'b' => &mut self.blocker,
            'e' => &mut self.error,
            other => self.others.entry(other).or_default(),
        }
    }
}

/// The letter and the number of a name of ours.
fn parts(id: &str) -> Option<(char, u64)> {
    let letter = id.chars().next().filter(char::is_ascii_lowercase)?;
    Some((letter, id.get(1..)?.parse().ok()?))
}
