//! Checks if the shown text of a turn is the one that the client was handed for the model.

use hud_agent::frame::frame;
use hud_agent::placement::Placement;
use hud_agent::sent::made_with;
use hud_agent::setup::Setup;
use hud_store::event::{ContextFrame, FrameText};
use hud_store::state::HudState;
use serde::Serialize;

use super::shown::LayerText;

/// The last frame that a client was handed before a turn, from the log. The log has the hashes of its
/// texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Handed {
    /// The version of the event.
    pub event: u64,
    /// The contents of the event.
    pub frame: ContextFrame,
    /// True if other events were recorded between then and the turn, so that the frame may be of another
    /// state than the turn's.
    pub is_older: bool,
    /// The state that the model was shown before, if the frame has only the changes since then.
    pub base: Option<HudState>,
}

/// The result of comparing the shown texts with the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verdict {
    /// The log has no frame of this state.
    #[default]
    Unknown,
    /// The texts are those that the client was handed, byte for byte.
    Same,
    /// The client was handed another text, because of another layout, other settings or another program.
    Other,
    /// The client was handed only the changes, which are in [`Sent::changes`] byte for byte.
    Changes,
    /// The client was handed only the changes, and they cannot be reproduced.
    OtherChanges,
    /// The texts are shown differently on request.
    Trial,
}

/// The frame that the client was handed, compared with the shown texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sent {
    /// The result of the comparison.
    pub verdict: Verdict,
    /// The version of the event that records the frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u64>,
    /// The version of the state in the frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The version of the state that the model was shown before, if the frame has only changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<u64>,
    /// The placement of the frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// The density of the frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub density: Option<String>,
    /// For each text, its name. The boolean is true if it is the one that was handed out.
    pub layers: Vec<(&'static str, bool)>,
    /// The text of the changes, if the client was handed only these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<String>,
}

impl Handed {
    /// Returns the setup of the frame, as far as the log has it, and its placement.
    pub(super) fn setup(&self, setup: &Setup) -> (Setup, Option<Placement>) {
        let mut own = setup.clone();
        own.settings = made_with(&self.frame, &own.settings);
        (own, self.frame.placement.parse().ok())
    }

    /// Compares texts that were made with [its setup](Self::setup) with the frame.
    pub(super) fn verdict(&self, state: &HudState, layers: &[LayerText], setup: &Setup) -> Sent {
        let kept = &self.frame;
        let mut sent = Sent {
            verdict: Verdict::Unknown,
            event: Some(self.event),
            version: Some(kept.version),
            base: kept.base,
            placement: Some(kept.placement.clone()),
            density: Some(kept.density.clone()),
            ..Sent::default()
        };
        let (setup, placement) = self.setup(setup);
        // The placement may be unknown because a newer program recorded it.
        let Some(placement) = placement else {
            return sent;
        };
        if kept.base.is_some() {
            let base = self.base.as_ref();
            let made = base.and_then(|base| frame(state, Some(base), placement, &setup).ok());
            let is_it = |text: &str, kept: Option<FrameText>| FrameText::of(text) == kept;
            let made = made.filter(|made| {
                is_it(&made.system, kept.system) && is_it(&made.message, kept.message)
            });
            sent.verdict = match (&made, self.is_older) {
                (Some(_), _) => Verdict::Changes,
                (None, true) => Verdict::Unknown,
                (None, false) => Verdict::OtherChanges,
            };
            sent.changes = made.map(|made| made.message);
            return sent;
        }
        let shown = |name| {
            let layer = layers.iter().find(|layer| layer.name == name)?;
            FrameText::of(&layer.markdown)
        };
        let both = [
            ("system", shown("system"), kept.system),
            ("message", shown("message"), kept.message),
        ];
        let both = both
            .into_iter()
            .filter(|(_, shown, kept)| shown.is_some() || kept.is_some());
        sent.layers = both
            .map(|(name, shown, kept)| (name, shown == kept))
            .collect();
        let is_same = sent.layers.iter().all(|(_, is_same)| *is_same);
        sent.verdict = match (is_same, self.is_older) {
            (true, _) => Verdict::Same,
            (false, true) => Verdict::Unknown,
            (false, false) => Verdict::Other,
        };
        sent
    }
}
