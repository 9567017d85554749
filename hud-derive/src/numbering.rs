//! Ids for new items. They are short, because the agent reads and repeats them.

use hud_store::state::{HudState, Numbers};

/// The kinds of items that are numbered within a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Decisions: `d1`, `d2`, ...
    Decision,
    /// Findings: `f1`, ...
    Finding,
    /// Notes: `n1`, ...
    Note,
    /// Steps: `s1`, ...
    Step,
    /// Blockers: `b1`, ...
    Blocker,
    /// Errors: `e1`, ...
    Error,
    /// Items of a section that is not built in, by the letter that their ids begin with.
    Other(char),
}

impl Item {
    /// Rules: `c1`, ...
    pub const RULE: Self = Self::Other('c');

    /// Requests: `r1`, ...
    pub(crate) const REQUEST: Self = Self::Other('r');
}

impl From<char> for Item {
    fn from(letter: char) -> Self {
        Self::Other(letter)
    }
}

/// The last number of each kind of item in a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbering {
    numbers: Numbers,
    /// The letter that all ids begin with, if there is only one.
    letter: Option<char>,
}

impl Numbering {
    /// Returns the numbering of a session.
    pub fn of(state: &HudState) -> Self {
        Self {
            numbers: state.numbers.clone(),
            letter: None,
        }
    }

    /// Returns the same numbering with one letter for the ids of all kinds of items.
    #[must_use]
    pub fn under(self, letter: char) -> Self {
        let letter = Some(letter);
        Self { letter, ..self }
    }

    /// Raises the numbers to those of a state.
    pub fn follow(&mut self, state: &HudState) {
        self.numbers.see_all(&state.numbers);
    }

    /// Returns a new id.
    pub fn next(&mut self, item: Item) -> String {
        self.numbers.next(self.letter.unwrap_or(match item {
            Item::Decision => 'd',
            Item::Finding => 'f',
            Item::Note => 'n',
            Item::Step => 's',
            Item::Blocker => 'b',
            Item::Error => 'e',
            Item::Other(letter) => letter,
        }))
    }
}
