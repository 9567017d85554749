//! Compactions of the conversation.

use hud_store::event::{Actor, CompactAfter, CompactBefore, HudEvent};
use hud_store::state::HudState;

use super::files::close;
use super::{Derived, Deriver, derived, summary};
use crate::settings::Rule;

impl Deriver {
    /// The conversation was compacted. A summary is lifted into events. Without one, the conversation continues from
    /// the boundary, a message of the client. Files that were only read and that the summary does not name are
    /// closed, because their contents are no longer in the context.
    pub(super) fn compaction_ends(
        &mut self,
        summary: Option<&str>,
        boundary: Option<&str>,
        state: &HudState,
    ) -> Vec<Derived> {
        let summary = summary.map(str::trim).filter(|summary| !summary.is_empty());
        let mut numbering = std::mem::take(&mut self.numbering);
        let lifted = summary.filter(|_| self.by(Rule::Summaries)).map(|summary| {
            summary::lift(summary, state, &mut numbering, |path| {
                self.name(path, state)
            })
        });
        self.numbering = numbering;
        let after = HudEvent::from(CompactAfter {
            summary: summary.map(ToOwned::to_owned),
            rest: lifted.as_ref().map(|lifted| lifted.rest.clone()),
            tokens_after: None,
            boundary: boundary.map(ToOwned::to_owned),
        });
        let lifted = lifted.unwrap_or_default();
        let read = state
            .active_files
            .iter()
            .filter(|file| {
                !file.status.is_change() && !lifted.files.iter().any(|(_, path)| *path == file.path)
            })
            .map(|file| close(&file.path));
        let mut events = derived(std::iter::once(after).chain(read).collect());
        self.has_task |= lifted
            .events
            .iter()
            .any(|event| matches!(event, HudEvent::Task(_)));
        self.plan.lifted(&lifted.events);
        events.extend(lifted.events.into_iter().map(|event| Derived {
            actor: Actor::Summary,
            event,
        }));
        events
    }
}

/// The conversation is about to be compacted. Nothing is removed from the state yet, because a compaction may
/// fail or be cancelled.
pub(super) fn compaction_begins(
    trigger: Option<String>,
    tokens_before: Option<u64>,
    state: &HudState,
) -> Vec<Derived> {
    let known = state.context.as_ref().map(|context| context.used);
    derived(vec![HudEvent::from(CompactBefore {
        state: Box::new(state.clone()),
        trigger,
        tokens_before: tokens_before.or(known),
    })])
}
