//! A cache of the rendered parts of a session's HUD, which renders a part again only if its content changes.

use std::mem;
use std::sync::Arc;

use hud_components::{TURN, shown_by};
use hud_core::Density;
use hud_core::fit::Pressures;
use hud_core::part::{Layer, PartCache, Rendered};
use hud_core::tokens::Family;
use hud_store::section::{Attention, Compacted, Section as _};
use hud_store::state::{Epoch, HudState, RecordEntry};

use crate::budget::family;
use crate::fit::{Layers, Names};
use crate::handoff;
use crate::layout::LayoutError;
use crate::setup::Setup;

/// The last rendered parts of one session with one setup, and their inputs. Sections are compared by content.
///
/// The inputs of each part are known for the built-in layout only. Other layouts are rendered each time.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastParts {
    setup: Option<Arc<Setup>>,
    fixed: Parts,
    changing: Parts,
    /// The static layer as a whole.
    made: Option<Made>,
    /// The pressures of the static layer at the start of an epoch, for the models of a family.
    begun: Option<(Box<Epoch>, &'static Family, Pressures)>,
    handoff: Option<MadeHandoff>,
}

/// The last handoff and its inputs.
#[derive(Clone, Debug)]
struct MadeHandoff {
    text: String,
    entries: Vec<RecordEntry>,
    epoch: Option<Box<Epoch>>,
    tokens: u64,
    family: &'static Family,
}

/// The static layer, and its inputs other than the sections that its parts show.
#[derive(Clone, Debug)]
struct Made {
    rendered: Rendered,
    names: Names,
    family: Option<&'static Family>,
    epoch: Option<Box<Epoch>>,
    covered: &'static [Layer],
}

/// The parts of a layer.
#[derive(Clone, Debug, Default)]
struct Parts {
    known: PartCache,
    /// Their inputs.
    state: HudState,
    family: Option<&'static Family>,
    /// The maximum density of all parts.
    ceiling: Density,
}

impl Parts {
    /// Drops the parts that differ in a state. Returns the names of the changed sections.
    fn follow(&mut self, state: &HudState, ceiling: Density) -> Vec<&'static str> {
        if mem::replace(&mut self.ceiling, ceiling) != ceiling {
            self.known = PartCache::default();
        }
        let family = family(state);
        if self.family.replace(family) != Some(family) {
            // The family changes the token counts.
            self.known = PartCache::default();
        }
        // Each shown section has a part of its name, and the attention sets the shares of the budget.
        let is_shown = |section: &str| shown_by(section).is_some() || section == Attention::NAME;
        let mut changed = self.state.take_sections(state, is_shown);
        if self.state.turn != state.turn {
            self.state.turn = state.turn;
            changed.push(TURN);
        }
        self.known.forget(|part| !is_same(part, &changed));
        changed
    }
}

/// True if a part shows none of the changed sections.
fn is_same(part: &str, changed: &[&str]) -> bool {
    shown_by(part).is_some_and(|shown| !shown.iter().any(|section| changed.contains(section)))
}

impl LastParts {
    /// Returns the parts that were rendered with this setup; none if they were rendered with another one.
    pub(crate) fn with(self, setup: &Arc<Setup>) -> Self {
        let is_same = |known: &Arc<Setup>| Arc::ptr_eq(known, setup);
        match self.setup.as_ref().is_some_and(is_same) {
            true => self,
            false => Self {
                setup: Some(Arc::clone(setup)),
                ..Self::default()
            },
        }
    }

    /// True if the inputs of each part of a state are known.
    fn knows(&self, state: &HudState, setup: &Setup) -> bool {
        // If a layout panics, `setup` is a replacement and not the setup of these parts.
        let is_own = |own: &Arc<Setup>| std::ptr::eq(&**own, setup);
        self.setup.as_ref().is_some_and(is_own) && setup.layout.is_built_in(state)
    }

    /// Updates the cache of the dynamic layer to a state.
    pub(crate) fn follow(&mut self, state: &HudState, setup: &Setup) {
        if self.knows(state, setup) {
            let density = hud_components::density(state, &setup.settings.bands);
            self.changing.follow(state, density);
        }
    }

    /// Returns the cached parts of the dynamic layer, after [`follow`](Self::follow) with the same state.
    pub(crate) fn changing(&self, state: &HudState, setup: &Setup) -> Option<&PartCache> {
        let knows = self.knows(state, setup);
        knows.then_some(&self.changing.known)
    }

    /// Returns the static layer of a state, with the names of its parts.
    pub(crate) fn fixed(
        &mut self,
        layers: &Layers<'_>,
        state: &HudState,
        setup: &Setup,
    ) -> Result<(Rendered, Names), LayoutError> {
        if !self.knows(state, setup) {
            let least = match &state.epoch {
                Some(epoch) => layers.pressures(epoch)?,
                None => Pressures::default(),
            };
            return layers.fixed(state, least, None);
        }
        let changed = self.fixed.follow(state, Density::Full);
        let family = layers.family();
        let is_limited = family.is_some();
        let is_still = |made: &Made| {
            let mut parts = made.names.iter();
            // The selection within a budget depends on more than the parts.
            let is_room_same = state.attention.is_empty()
                && !changed.contains(&Attention::NAME)
                && !changed.contains(&Compacted::NAME)
                && made.epoch == state.epoch;
            made.family == family
                && made.covered == layers.covered
                && parts.all(|part| is_same(part, &changed))
                && (!is_limited || is_room_same)
        };
        if let Some(made) = self.made.take().filter(is_still) {
            let shown = (made.rendered.clone(), made.names.clone());
            self.made = Some(made);
            return Ok(shown);
        }
        let least = self.least(layers, state)?;
        let (rendered, names) = layers.fixed(state, least, Some(&self.fixed.known))?;
        self.made = Some(Made {
            rendered: rendered.clone(),
            names: names.clone(),
            family,
            epoch: state.epoch.clone().filter(|_| is_limited),
            covered: layers.covered,
        });
        Ok((rendered, names))
    }

    /// Returns the handoff of a state's epoch, in at most so many tokens.
    pub(crate) fn handoff(
        &mut self,
        state: &HudState,
        tokens: u64,
        setup: &Setup,
    ) -> Result<String, LayoutError> {
        let family = family(state);
        let epoch = state.epoch.as_ref();
        if let Some(made) = &self.handoff
            && made.tokens == tokens
            && made.family == family
            && made.epoch.as_ref() == epoch
            && made.entries == state.record.compacted()
        {
            return Ok(made.text.clone());
        }
        let text = handoff::of_past(state, epoch.map(|epoch| &**epoch), tokens, None, setup)?;
        self.handoff = Some(MadeHandoff {
            text: text.clone(),
            entries: state.record.compacted().to_vec(),
            epoch: epoch.cloned(),
            tokens,
            family,
        });
        Ok(text)
    }

    /// Returns the pressures at the start of a state's epoch.
    fn least(&mut self, layers: &Layers<'_>, state: &HudState) -> Result<Pressures, LayoutError> {
        let (Some(epoch), Some(family)) = (&state.epoch, layers.family()) else {
            return Ok(Pressures::default());
        };
        if let Some((begun, of, least)) = &self.begun
            && *of == family
            && begun == epoch
        {
            return Ok(least.clone());
        }
        let least = layers.pressures(epoch)?;
        self.begun = Some((epoch.clone(), family, least.clone()));
        Ok(least)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use hud_store::event::{
        Actor, AttentionSet, CompactAfter, ContextSnapshot, DecisionRecord, DecisionRemove,
        EventId, FileEdit, FindingRecord, HudEvent, NoteAdd, NoteRemove, RequestMake, SessionId,
        StepAdd, StoredEvent, TaskSet,
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
            8 => AttentionSet {
                section: ["notes", "decisions", "findings", "nothing"][usize::from(n % 4)]
                    .to_owned(),
                percent: (n > 9).then_some(n / 2),
            }
            .into(),
            9 => NoteRemove { id }.into(),
            10 => CompactAfter {
                summary: Some(text),
                rest: None,
                tokens_after: None,
                boundary: None,
            }
            .into(),
            11 => DecisionRemove { id }.into(),
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

    /// A setup with a budget in tokens; 0 for no budget.
    fn setup(tokens: u64, percent: u8) -> Arc<Setup> {
        let mut setup = Setup::default();
        setup.settings.budget.tokens = tokens;
        setup.settings.budget.static_percent = percent;
        Arc::new(setup)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

        /// A cached frame has the bytes of a new one after any events, within any budget.
        #[test]
        fn what_is_not_made_again_is_the_same(
            tokens in prop_oneof![Just(0), 1..600_u64],
            percent in 0..=100_u8,
            happened in prop::collection::vec((0..12_u8, any::<u8>(), 0..4_usize), 1..24),
        ) {
            let setup = setup(tokens, percent);
            let last = RefCell::new(LastParts::default().with(&setup));
            let mut state = HudState::default();
            for (turn, (kind, n, placement)) in (0..).zip(happened) {
                state = then(state, event(kind, n), turn / 2);
                let placement = PLACEMENTS[placement];
                let anew = frame(&state, None, placement, &setup).unwrap();
                prop_assert_eq!(frame_after(&state, None, placement, &setup, &last).unwrap(), anew);
            }
        }
    }

    #[test]
    fn the_static_layer_is_made_again_only_when_something_of_it_changed_or_the_setup() {
        for tokens in [0, 300] {
            let setup = setup(tokens, 60);
            let mut last = LastParts::default().with(&setup);
            let layers = |state: &HudState| Layers::of(state, &setup);
            let state = then(HudState::default(), event(0, 1), 1);
            // The epoch has begun.
            let state = then(state, event(7, 9), 1);
            last.fixed(&layers(&state), &state, &setup).unwrap();
            // This text marks a layer that comes from the cache.
            last.made.as_mut().unwrap().rendered.markdown = "known".to_owned();
            let mut said = |state: &HudState| {
                let (rendered, _) = last.fixed(&layers(state), state, &setup).unwrap();
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
    }

    #[test]
    fn a_part_that_shows_the_same_is_neither_rendered_nor_counted_again() {
        for tokens in [0, 300] {
            let setup = setup(tokens, 60);
            let last = RefCell::new(LastParts::default().with(&setup));
            let show = |state: &HudState| {
                let frame = frame_after(state, None, Placement::MessageTail, &setup, &last);
                frame.unwrap().message
            };
            let state = (0..8).fold(HudState::default(), |state, kind| {
                then(state, event(kind, 3), u64::from(kind))
            });
            assert!(show(&state).contains("text 3"));
            // The text `another` would show if the notes were rendered again, but the state changed only
            // another section.
            let mut noted = state.clone();
            noted.notes[0].content = "another".to_owned();
            last.borrow_mut().changing.state.notes = noted.notes.clone();
            let more = then(noted, event(5, 77), 9);
            let shown = show(&more);
            assert!(
                shown.contains("text 77") && shown.contains("text 3"),
                "{shown}"
            );
            assert!(!shown.contains("another"), "{shown}");
        }
    }
}
