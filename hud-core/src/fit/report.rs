//! What was chosen, and why.

use super::share::Share;
use super::{Level, Pressures, Total, Valued, Worth};
use crate::density::Density;
use crate::part::PartMeta;

/// What a fit chose. What it counts is what its [counter](Self::counter) counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The name of the counter.
    pub counter: String,
    /// What there was.
    pub budget: u64,
    /// What all of it takes as it is written.
    pub count: u64,
    /// What the parts that are shown are worth.
    pub worth: Total,
    /// No choice whose parts take no more than these together with what keeps them apart is worth more. Where parts
    /// have [shares](super::share), none in which each share has at least what its own part of the budget holds, and
    /// no more than that and what all shares leave; where the choice is steady, none whatever the shares are.
    pub bound: Total,
    /// The pressures at which it was chosen, where the choice is [steady](super::Fitting::steadily).
    pub pressures: Option<Pressures>,
    /// The parts of the layout, in its order, but for those that are not to be shown.
    pub parts: Vec<PartReport>,
}

impl Report {
    /// How much more another choice can be worth at most.
    pub fn gap(&self) -> Total {
        self.bound.beyond(self.worth)
    }

    /// The parts that have something to say, and were left out.
    pub fn left_out(&self) -> impl Iterator<Item = &PartReport> {
        let parts = self.parts.iter();
        parts.filter(|part| {
            !matches!(part.choice, Choice::Level(_)) && part.reason != Reason::Silent
        })
    }
}

/// What was chosen for a part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartReport {
    /// What the part says of itself.
    pub part: PartMeta,
    /// How it is shown.
    pub choice: Choice,
    /// What that takes, with what keeps it apart from its neighbours.
    pub count: u32,
    /// What that is worth.
    pub worth: Worth,
    /// What all of it is worth.
    pub whole: Valued,
    /// Its share of the budget, if it has one of its own.
    pub share: Option<Share>,
    /// Why it does not say more.
    pub reason: Reason,
    /// A density at which it takes more than at a higher one, if there is one. It is used as it is.
    pub larger_at: Option<Density>,
}

/// How a part is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// As much of it as a level has.
    Level(Level),
    /// Only where to find it.
    Handle,
    /// Not at all.
    Absent,
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Level(level) => level.fmt(f),
            Self::Handle => f.pad("handle"),
            Self::Absent => f.pad("absent"),
        }
    }
}

/// Why a part does not say more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It has nothing to say.
    Silent,
    /// It is worth nothing, or less.
    Worthless,
    /// It says all that it has.
    Whole,
    /// It says all that it has at the density that it may have at most.
    Ceiling(Density),
    /// The next that is worth more takes more than is left.
    Room {
        /// Whether it says nothing yet.
        is_absent: bool,
        /// How much more that takes.
        more: u32,
        /// What is left.
        left: u64,
    },
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = match self {
            Self::Silent => "it has nothing to say".to_owned(),
            Self::Worthless => "it is worth nothing".to_owned(),
            Self::Whole => "all of it".to_owned(),
            Self::Ceiling(density) => format!("all of it, as no more than {density} is wanted"),
            Self::Room {
                is_absent,
                more,
                left,
            } => {
                let what = if *is_absent {
                    "the least of it"
                } else {
                    "the next of it"
                };
                let are = if *left == 1 { "is" } else { "are" };
                format!("{what} takes {more} more, and {left} {are} left")
            }
        };
        f.pad(&text)
    }
}
