//! The static layer of a session is not rendered again while what it shows is the same.

use std::sync::Arc;

use hud_core::part::Rendered;
use hud_store::state::HudState;

use crate::fit::{Layers, Names};
use crate::layout::LayoutError;
use crate::setup::Setup;

/// The static layer that was made last for one session, and what it was made of: with one setup, and of the
/// sections that are [steady](HudState::steady), which are compared by what is in them.
///
/// It is known of the built-in layout without a budget only that nothing else is in it. Other layers are made anew.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastFixed {
    setup: Option<Arc<Setup>>,
    made: Option<(HudState, Rendered, Names)>,
}

impl LastFixed {
    /// What was made with a setup; nothing if it was made with another one.
    pub(crate) fn with(self, setup: &Arc<Setup>) -> Self {
        let is_same = |known: &Arc<Setup>| Arc::ptr_eq(known, setup);
        match self.setup.as_ref().is_some_and(is_same) {
            true => self,
            false => Self {
                setup: Some(Arc::clone(setup)),
                made: None,
            },
        }
    }

    /// The static layer of a state, with the names of its parts.
    pub(crate) fn layer(
        &mut self,
        layers: &Layers<'_>,
        state: &HudState,
        setup: &Setup,
    ) -> Result<(Rendered, Names), LayoutError> {
        // Where a layout panics, there is a setup in the place of the one that this is of.
        let is_own = |own: &Arc<Setup>| std::ptr::eq(&**own, setup);
        if !self.setup.as_ref().is_some_and(is_own) || !layers.is_steady(state) {
            return layers.fixed(state);
        }
        if let Some((before, rendered, names)) = &self.made
            && state.is_steady_since(before)
        {
            return Ok((rendered.clone(), names.clone()));
        }
        let (rendered, names) = layers.fixed(state)?;
        self.made = Some((state.steady(), rendered.clone(), names.clone()));
        Ok((rendered, names))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use hud_core::Density;
    use hud_core::part::Layer;
    use hud_store::event::{
        Actor, ContextSnapshot, DecisionRecord, EventId, FileEdit, FindingRecord, HudEvent,
        NoteAdd, RequestMake, SessionId, StepAdd, StoredEvent, TaskSet,
    };
    use hud_store::fold::fold;
    use jiff::Timestamp;
    use proptest::prelude::*;

    use super::*;
    use crate::frame::{frame, frame_after};
    use crate::placement::Placement;

    const PLACEMENTS: [Placement; 4] = [
        Placement::SystemTail,
        Placement::MessageTail,
        Placement::Delta,
        Placement::Epoch,
    ];

    fn event(kind: u8, n: u8) -> HudEvent {
        let (id, text) = (format!("i{}", n % 4), format!("text {n}"));
        match kind {
            0 => TaskSet { description: text }.into(),
            1 => DecisionRecord {
                id,
                summary: text,
                details: None,
                weight: None,
            }
            .into(),
            2 => StepAdd {
                id,
                description: text,
            }
            .into(),
            3 => RequestMake { id, text }.into(),
            4 => NoteAdd { id, content: text }.into(),
            5 => FindingRecord {
                id,
                text,
                weight: None,
            }
            .into(),
            6 => FileEdit::of(text).into(),
            _ => ContextSnapshot {
                used: u64::from(n) * 400,
                limit: Some(100_000),
                assumed: false,
                usable: None,
                model: n.is_multiple_of(7).then(|| format!("m{n}")),
                call: None,
                provider: None,
            }
            .into(),
        }
    }

    fn then(state: HudState, event: HudEvent, turn: u64) -> HudState {
        let version = state.version + 1;
        let stored = StoredEvent {
            seq: version,
            session: SessionId::new("s").unwrap(),
            version,
            id: EventId::now_v7(),
            turn,
            at: Timestamp::UNIX_EPOCH,
            actor: Actor::Agent,
            cause: None,
            event,
        };
        fold(state, &stored)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Whatever happens, a frame has the bytes of one that is made anew.
        #[test]
        fn a_layer_that_is_not_made_again_is_the_same(
            happened in prop::collection::vec((0..8_u8, any::<u8>(), 0..4_usize), 1..24),
        ) {
            let setup = Arc::new(Setup::default());
            let last = RefCell::new(LastFixed::default().with(&setup));
            let mut state = HudState::default();
            for (turn, (kind, n, placement)) in (0..).zip(happened) {
                state = then(state, event(kind, n), turn);
                let placement = PLACEMENTS[placement];
                let anew = frame(&state, None, placement, &setup).unwrap();
                prop_assert_eq!(frame_after(&state, None, placement, &setup, &last).unwrap(), anew);
            }
        }
    }

    #[test]
    fn it_is_made_again_only_when_something_steady_changed_or_the_setup() {
        let setup = Arc::new(Setup::default());
        let mut last = LastFixed::default().with(&setup);
        let layers = |state: &HudState| Layers::of(state, &setup);
        let state = then(HudState::default(), event(0, 1), 1);
        last.layer(&layers(&state), &state, &setup).unwrap();
        // A layer that is taken from memory is seen to be so.
        last.made.as_mut().unwrap().1.markdown = "known".to_owned();
        let mut said = |state: &HudState| {
            let (rendered, _) = last.layer(&layers(state), state, &setup).unwrap();
            rendered.markdown
        };
        let worked = (4..8).fold(state, |state, kind| then(state, event(kind, 9), 2));
        assert_eq!(said(&worked), "known");
        for kind in 0..4 {
            let steadier = then(worked.clone(), event(kind, 9), 3);
            assert!(said(&steadier).contains("text 9"), "{kind}");
        }
        let other = Arc::new(Setup::default());
        assert!(last.with(&other).made.is_none());
    }

    #[test]
    fn the_static_layer_shows_what_is_steady_and_nothing_else() {
        let setup = Setup::default();
        let state = (0..8).fold(HudState::default(), |state, kind| {
            then(state, event(kind, 3), u64::from(kind))
        });
        let fixed = |state: &HudState| {
            let is_static = &mut |part: &hud_core::part::PartMeta| {
                (part.layer == Layer::Static).then_some(Density::Full)
            };
            let rendered = setup
                .layout
                .render(state, &setup.settings, Density::Full, is_static);
            rendered.unwrap().markdown
        };
        assert!(!fixed(&state).is_empty());
        assert_eq!(fixed(&state.steady()), fixed(&state));
    }
}
