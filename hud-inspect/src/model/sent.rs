//! Whether what is shown of a turn is what the client was handed for the model.

use hud_agent::frame::frame;
use hud_agent::placement::Placement;
use hud_agent::sent::made_with;
use hud_agent::setup::Setup;
use hud_store::event::{ContextFrame, FrameText};
use hud_store::state::HudState;
use serde::Serialize;

use super::shown::LayerText;

/// What a client was handed last when a turn began, as the log says it: by the hashes of its texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Handed {
    /// The version of the event that says so.
    pub event: u64,
    /// What it says.
    pub frame: ContextFrame,
    /// Whether other things were recorded between then and the turn, so that what was handed out may be of another
    /// state than the turn's.
    pub is_older: bool,
    /// The state that the model had been shown before, where it was handed only what changed since.
    pub base: Option<HudState>,
}

/// What the log says about the texts that are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verdict {
    /// It does not say what was handed out, or not of this state.
    #[default]
    Unknown,
    /// They are what the client was handed, byte by byte.
    Same,
    /// The client was handed another text: of another layout, with other settings or by another program.
    Other,
    /// The client was handed only what had changed, which is in [`Sent::changes`] byte by byte.
    Changes,
    /// The client was handed only what had changed, and what that was can't be made again.
    OtherChanges,
    /// They are shown in another way on purpose.
    Trial,
}

/// What the client was handed, beside what is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sent {
    /// What the log says about the texts that are shown.
    pub verdict: Verdict,
    /// The version of the event that says what was handed out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u64>,
    /// The version of the state that it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The version of the state that the model had been shown before, where it is only what changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<u64>,
    /// Where it was put.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// How dense it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub density: Option<String>,
    /// Of each text, whether it is the one that was handed out.
    pub layers: Vec<(&'static str, bool)>,
    /// The text of what had changed, where the client was handed that alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<String>,
}

impl Handed {
    /// The setup that it was made with, as far as the log has it, and where it was put.
    pub(super) fn setup(&self, setup: &Setup) -> (Setup, Option<Placement>) {
        let mut own = setup.clone();
        own.settings = made_with(&self.frame, &own.settings);
        (own, self.frame.placement.parse().ok())
    }

    /// What it says about texts that were made with [its setup](Self::setup).
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
        // A placement that a newer program knows.
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
