//! How much of its HUD an agent gives to which section.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Happened, Item, Pace, Relation, Section, Taking};

/// How many sections have a share at most.
pub const ATTENTION_CAP: usize = 50;

crate::events! {@built_in
    /// What happens to attention.
    pub enum AttentionEvent {
        /// the agent gives a section a share of its HUD.
        "attention.set" 1 Set(
            /// Gives a section a share of the HUD.
            AttentionSet {
                /// Which one, by its name in the state.
                section: String,
                /// How much, in per cent; absent for an equal part of what the others leave.
                #[serde(skip_serializing_if = "Option::is_none")]
                percent: Option<u8>,
            }
        ) item section,
        /// a section has no share of its own any more.
        "attention.end" 1 End(
            /// Takes a section's share back.
            AttentionEnd {
                /// Which one.
                section: String,
            }
        ) item section,
    }
}

/// The shares of the HUD by section: so many per cent, or an equal part of what the others leave.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Attention(BTreeMap<String, Option<u8>>);

impl Attention {
    /// Each section with its share, by name: per cent, or `None` for an equal part of what is left.
    pub fn shares(&self) -> impl Iterator<Item = (&str, Option<u8>)> {
        self.0
            .iter()
            .map(|(section, share)| (section.as_str(), *share))
    }

    /// Whether no section has a share of its own.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Section for Attention {
    const NAME: &'static str = "attention";
    const ITEM: &'static str = "share";
    const PACE: Pace = Pace::Working;
    type Event = AttentionEvent;

    fn apply(&mut self, event: &AttentionEvent, _: &Happened<'_>) {
        match event {
            AttentionEvent::Set(e) => {
                if self.0.len() < ATTENTION_CAP || self.0.contains_key(&e.section) {
                    let percent = e.percent.map(|percent| percent.min(100));
                    self.0.insert(e.section.clone(), percent);
                }
            }
            AttentionEvent::End(e) => drop(self.0.remove(&e.section)),
        }
    }

    fn items(&self) -> Vec<Item> {
        self.shares()
            .map(|(section, share)| {
                let share = share.map_or_else(|| "%*".to_owned(), |percent| format!("{percent}%"));
                Item::named(section, share)
            })
            .collect()
    }

    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<AttentionEvent> {
        if taking.relation() != Relation::Resumed || !own.is_empty() {
            return Vec::new();
        }
        self.shares()
            .map(|(section, percent)| {
                let section = section.to_owned();
                AttentionSet { section, percent }.into()
            })
            .collect()
    }

    fn restore(&mut self, then: Self) {
        self.0 = then.0.into_iter().take(ATTENTION_CAP).collect();
    }
}
