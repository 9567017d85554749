//! Names for new items: short, since the agent reads and repeats them.

use hud_store::state::{HudState, Numbers};

/// What is numbered within a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Decisions: `d1`, `d2`, ...
    Decision,
    /// Notes: `n1`, ...
    Note,
    /// Steps: `s1`, ...
    Step,
    /// Blockers: `b1`, ...
    Blocker,
    /// Errors: `e1`, ...
    Error,
}

/// The last number of each kind of item in a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbering(Numbers);

impl Numbering {
    /// Goes on where a session is.
    pub fn of(state: &HudState) -> Self {
        Self(state.numbers)
    }

    /// Takes in the numbers of a state.
    pub fn follow(&mut self, state: &HudState) {
        let Numbers {
            decision,
            note,
            step,
            blocker,
            error,
        } = &mut self.0;
        for (last, seen) in [
            (decision, state.numbers.decision),
            (note, state.numbers.note),
            (step, state.numbers.step),
            (blocker, state.numbers.blocker),
            (error, state.numbers.error),
        ] {
            *last = seen.max(*last);
        }
    }

    /// A new id.
    pub fn next(&mut self, item: Item) -> String {
        let (last, letter) = match item {
            Item::Decision => (&mut self.0.decision, 'd'),
            Item::Note => (&mut self.0.note, 'n'),
            Item::Step => (&mut self.0.step, 's'),
            Item::Blocker => (&mut self.0.blocker, 'b'),
            Item::Error => (&mut self.0.error, 'e'),
        };
        *last = last.saturating_add(1);
        format!("{letter}{last}")
    }
}
