//! The reasons why an item is not shown.

use std::fmt;

use hud_core::Density;
use hud_store::state::Change;
use serde::{Serialize, Serializer};

/// An item of the state that is in no line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Absent {
    /// Its section.
    pub section: String,
    /// Its id in the section; empty if the section is a single item.
    pub item: String,
    /// The beginning of its text.
    pub text: String,
    /// The reason why it is not shown.
    pub why: Absence,
    /// The version of the last event about it.
    pub event: Option<u64>,
}

/// The reason why an item is not shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Absence {
    /// The layout has no part for its section, or the settings turned it off.
    NoPart,
    /// Its section shows nothing at this density, or another section shows it.
    Silent,
    /// The section was left out to keep to the budget.
    LeftOut {
        /// The reason that the fit gives.
        reason: String,
    },
    /// The section shows only its first items and the number of others.
    Maximum,
    /// It is a resolved error, and the section lists only open ones.
    Resolved,
    /// At its density, the section shows only the number of its items.
    Density(Density),
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPart => {
                f.write_str("the layout shows no such section, or a setting turned it off")
            }
            Self::Silent => f.write_str(
                "its section has nothing to say at this density, or another one says it",
            ),
            Self::LeftOut { reason } => {
                write!(
                    f,
                    "its section was left out to keep to the budget: {reason}"
                )
            }
            Self::Maximum => {
                f.write_str("its section lists no more than this, and says how many there are")
            }
            Self::Resolved => f.write_str("it was resolved: its section lists what is open"),
            Self::Density(density) => {
                write!(
                    f,
                    "at {density} density its section does not list its items"
                )
            }
        }
    }
}

impl Serialize for Absence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The maximum number of characters that are quoted of an absent item.
const TOLD: usize = 200;

impl Absent {
    pub(super) fn of(item: &Change, why: Absence, event: Option<u64>) -> Self {
        let text = item.after.as_deref().unwrap_or_default();
        Self {
            section: item.section.to_owned(),
            item: item.id.clone(),
            text: text.chars().take(TOLD).collect(),
            why,
            event,
        }
    }
}
