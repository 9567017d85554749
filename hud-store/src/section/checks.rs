//! What the last run of each check said.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::newest;
use super::{Bearing, Happened, Item, Pace, Relation, Section, Taking, with};
use crate::event::HudEvent;

/// How many checks are kept.
pub const CHECKS_CAP: usize = 12;

crate::events! {@built_in
    /// What happens to checks.
    pub enum CheckEvent {
        /// a check ran: tests, a linter, a build.
        "check.run" 1 Run(
            /// A check ran.
            CheckRun {
                /// The check: the command without what only narrows how it reports. The same one again takes
                /// the place of the last.
                check: String,
                /// Whether it passed.
                passed: bool,
                /// What it said of the whole: `42 passed`, `3 failed, 39 passed`.
                #[serde(skip_serializing_if = "Option::is_none")]
                said: Option<String>,
            }
        ) item check words [check, said],
    }
}

/// The last run of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Check {
    /// The check: see [`CheckRun::check`].
    pub check: String,
    /// Whether it passed.
    pub passed: bool,
    /// What it said of the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// The turn in which it ran.
    pub turn: u64,
    /// When it ran.
    pub at: Timestamp,
    /// How often files were changed since, after which it may say something else.
    #[serde(default)]
    pub edits_since: u64,
}

/// The section: checks, the one that ran last at the end; at most [`CHECKS_CAP`].
pub type Checks = Vec<Check>;

impl Check {
    /// How it bears on the work: open while it fails, and settled when it passed and nothing was changed
    /// since.
    pub const fn bearing(&self) -> Bearing {
        let bearing = Bearing::holds(self.turn);
        match (self.passed, self.edits_since) {
            (true, 1..) => bearing,
            (passed, _) => bearing.when(!passed),
        }
    }
}

impl Section for Checks {
    const NAME: &'static str = "checks";
    const ITEM: &'static str = "check";
    const PACE: Pace = Pace::Working;
    const OVERHEARS: bool = true;
    type Event = CheckEvent;

    fn apply(&mut self, event: &CheckEvent, when: &Happened<'_>) {
        let CheckEvent::Run(run) = event;
        self.retain(|known| known.check != run.check);
        self.push(Check {
            check: run.check.clone(),
            passed: run.passed,
            said: run.said.clone(),
            turn: when.turn,
            at: when.at,
            edits_since: 0,
        });
        newest(self, CHECKS_CAP);
    }

    fn overhear(&mut self, event: &HudEvent, _: &Happened<'_>) {
        if matches!(event, HudEvent::File(event) if event.is_change()) {
            for check in self {
                check.edits_since = check.edits_since.saturating_add(1);
            }
        }
    }

    fn items(&self) -> Vec<Item> {
        let said = |check: &Check| {
            let outcome = if check.passed { "passed" } else { "failed" };
            Item::new(&check.check, with(outcome, ": ", check.said.as_deref()))
        };
        self.iter().map(said).collect()
    }

    fn bearings(&self) -> Vec<Bearing> {
        self.iter().map(Check::bearing).collect()
    }

    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<CheckEvent> {
        if taking.relation() != Relation::Resumed {
            return Vec::new();
        }
        let is_new = |check: &&Check| own.iter().all(|own| own.check != check.check);
        let run = |check: &Check| {
            let run = CheckRun {
                check: check.check.clone(),
                passed: check.passed,
                said: check.said.clone(),
            };
            run.into()
        };
        self.iter().filter(is_new).map(run).collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(self, CHECKS_CAP);
    }
}
