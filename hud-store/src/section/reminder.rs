//! What the HUD asks the agent to record, and when the agent last recorded anything.

use serde::{Deserialize, Serialize};

use super::list::newest;
use super::{CompactEvent, Happened, Item, Pace, Section, StepEvent};
use crate::bounded::first;
use crate::event::HudEvent;
use crate::state::Change;

/// How many ids that were asked about are kept.
const ASKED_CAP: usize = 100;

/// How many steps of a plan in the agent's words are kept.
const WRITTEN_CAP: usize = 20;

crate::events! {@built_in
    /// What happens to reminders.
    pub enum ReminderEvent {
        /// the agent wrote a plan that is not on the HUD.
        "reminder.plan" 1 Plan(
            /// Keeps a plan that the agent wrote into its text.
            ReminderPlan {
                /// The steps, in order.
                #[serde(deserialize_with = "first::<_, _, WRITTEN_CAP>")]
                steps: Vec<String>,
            }
        ),
        /// the HUD asks the agent to record something.
        "reminder.ask" 1 Ask(
            /// Asks for a record, once.
            ReminderAsk {
                /// The ids of what was derived and is worth a record.
                #[serde(deserialize_with = "first::<_, _, ASKED_CAP>")]
                items: Vec<String>,
                /// Whether it is for the plan that the agent wrote.
                plan: bool,
                /// Whether it is because a compaction is near.
                compaction: bool,
            }
        ),
        /// what was asked was shown.
        "reminder.end" 1 End(
            /// Asks no longer.
            ReminderEnd {}
        ),
    }
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Asked {
    /// The ids of what was derived and is worth a record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<String>,
    /// The steps of a plan that the agent wrote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// Whether a compaction is near.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub compaction: bool,
}

/// The section: what is asked for, and what is needed to ask for it once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Reminder {
    /// What is asked for; `None` before, after it was shown, and once the agent recorded something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asks: Option<Asked>,
    /// The turn in which the agent last recorded something with the tool; 0 before.
    pub recorded: u64,
    /// The turn in which something was asked for last; 0 before.
    pub asked: u64,
    /// How many times it was since the agent last recorded something.
    pub unanswered: u32,
    /// A plan that the agent wrote and that is not on the HUD, until it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
    /// The turn in which it was written.
    pub written_at: u64,
    /// The ids of what was asked about, which is not asked about again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<String>,
    /// Whether it was asked because of the compaction that is near.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub warned: bool,
}

impl Section for Reminder {
    const NAME: &'static str = "reminder";
    const PACE: Pace = Pace::EachTurn;
    const OVERHEARS: bool = true;
    type Event = ReminderEvent;

    fn apply(&mut self, event: &ReminderEvent, when: &Happened<'_>) {
        match event {
            ReminderEvent::Plan(e) => {
                self.written.clone_from(&e.steps);
                self.written.truncate(WRITTEN_CAP);
                self.written_at = when.turn;
            }
            ReminderEvent::Ask(e) => {
                let steps = match e.plan {
                    true => std::mem::take(&mut self.written),
                    false => Vec::new(),
                };
                self.known.extend(e.items.iter().cloned());
                newest(&mut self.known, ASKED_CAP);
                self.asks = Some(Asked {
                    items: e.items.clone(),
                    steps,
                    compaction: e.compaction,
                });
                self.asked = when.turn;
                self.unanswered = self.unanswered.saturating_add(1);
                self.warned |= e.compaction;
            }
            ReminderEvent::End(_) => self.asks = None,
        }
    }

    /// A record by the agent answers what is asked, and a plan on the HUD is there.
    fn overhear(&mut self, event: &HudEvent, when: &Happened<'_>) {
        if when.actor.is_agent() {
            self.recorded = when.turn;
            self.unanswered = 0;
            self.asks = None;
        }
        match event {
            HudEvent::Step(StepEvent::Add(_)) => self.written.clear(),
            HudEvent::Compact(CompactEvent::After(_)) => {
                self.asks = None;
                self.warned = false;
            }
            _ => {}
        }
    }

    /// What is asked for.
    fn items(&self) -> Vec<Item> {
        let asked = self.asks.iter();
        let said = |asked: &Asked| Item::whole([&*asked.items, &*asked.steps].concat().join(", "));
        asked.map(said).collect()
    }

    /// That nothing is asked any more is no news.
    fn is_news(&self, change: &Change) -> bool {
        change.after.is_some()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(&mut self.known, ASKED_CAP);
        self.written.truncate(WRITTEN_CAP);
    }
}
