//! What a model was shown when its provider began to read the conversation.

use serde::{Deserialize, Serialize};

use super::{Decision, HudState, Step, Task};

/// The parts of a state that stay the same until somebody acts on them, as they were when an epoch
/// began: with the first call of the model that was shown something, with each compaction, and with
/// another model. Until the next one begins, a provider has the conversation in its cache, and what
/// is said at its front must not change.
///
/// It follows from the events, so a process that is started anew shows the same text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Epoch {
    /// See [`HudState::task`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<Task>,
    /// See [`HudState::decisions`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// See [`HudState::next_steps`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next_steps: Vec<Step>,
}

impl Epoch {
    /// The epoch that begins with a state; none while there is nothing to show.
    pub(crate) fn of(state: &HudState) -> Option<Box<Self>> {
        let epoch = Self {
            task: state.task.clone(),
            decisions: state.decisions.clone(),
            next_steps: state.next_steps.clone(),
        };
        (epoch != Self::default()).then(|| Box::new(epoch))
    }

    /// The state with nothing in it but what the epoch began with, to compare with a later one.
    pub fn state(&self) -> HudState {
        HudState {
            task: self.task.clone(),
            decisions: self.decisions.clone(),
            next_steps: self.next_steps.clone(),
            ..HudState::default()
        }
    }
}
