//! The choices of a fit, and their reasons.

use super::share::Share;
use super::{Level, Pressures, Total, Valued, Worth};
use crate::density::Density;
use crate::part::PartMeta;

/// The choices of a fit. Its counts are in the units of its [counter](Self::counter).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The name of the counter.
    pub counter: String,
    /// The budget.
    pub budget: u64,
    /// The count of the whole output.
    pub count: u64,
    /// The total priority of the parts that are shown.
    pub worth: Total,
    /// The upper bound of all choices whose parts, with their separators, take no more than this
    /// choice. With [shares](super::share), it holds for the choices in which each share has at
    /// least what its own part of the budget holds, and at most that and the unused rests of all
    /// shares. With hysteresis, it holds for all choices, whatever the shares.
    pub bound: Total,
    /// The pressures of the choice, if it has [hysteresis](super::Fitting::steadily).
    pub pressures: Option<Pressures>,
    /// The parts of the layout, in its order. Parts that must not be shown are not in it.
    pub parts: Vec<PartReport>,
}

impl Report {
    /// The maximum by which another choice can be better.
    pub fn gap(&self) -> Total {
        self.bound.beyond(self.worth)
    }

    /// The parts that have output and were left out.
    pub fn left_out(&self) -> impl Iterator<Item = &PartReport> {
        let parts = self.parts.iter();
        parts.filter(|part| {
            !matches!(part.choice, Choice::Level(_)) && part.reason != Reason::Silent
        })
    }
}

/// The choice for a part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartReport {
    /// The part's own facts.
    pub part: PartMeta,
    /// The choice.
    pub choice: Choice,
    /// The cost of the choice, with the separators of the part.
    pub count: u32,
    /// The priority of the choice.
    pub worth: Worth,
    /// The priority of the whole part.
    pub whole: Valued,
    /// The part's own share of the budget, if it has one.
    pub share: Option<Share>,
    /// The reason that the part does not show more.
    pub reason: Reason,
    /// A density at which the part takes more than at a higher one, if there is one. It is chosen
    /// from as it is.
    pub larger_at: Option<Density>,
}

/// The choice for a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The part is shown at a level.
    Level(Level),
    /// Only the handle of the part is shown.
    Handle,
    /// The part is not shown.
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

/// The reason that a part does not show more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It has no output.
    Silent,
    /// Its priority is 0 or less.
    Worthless,
    /// All of it is shown.
    Whole,
    /// All of it is shown at its maximum density.
    Ceiling(Density),
    /// The next level of a higher priority takes more than is left.
    Room {
        /// True if none of it is shown yet.
        is_absent: bool,
        /// The additional cost of the next level.
        more: u32,
        /// The unused rest of the budget.
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
