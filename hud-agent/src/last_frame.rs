//! A cache of the last frame of a session.

use std::cell::RefCell;
use std::sync::Arc;

use hud_store::state::HudState;

use crate::frame::{Frame, frame_after};
use crate::last_parts::LastParts;
use crate::layout::LayoutError;
use crate::placement::Placement;
use crate::setup::Setup;

/// The last frame of one session, and its inputs. While the inputs are the same, the frame is returned without
/// rendering.
///
/// The only inputs of a frame are the state, the state that the model was shown before, the placement and the
/// setup. States of one session with the same version are equal. For another state, only the changed parts of
/// the built-in layout are rendered and counted again.
///
/// ```
/// use std::sync::Arc;
///
/// use hud_agent::last_frame::LastFrame;
/// use hud_agent::layout::LayoutError;
/// use hud_agent::placement::Placement;
/// use hud_agent::setup::Setup;
/// use hud_store::state::HudState;
///
/// let (state, setup) = (HudState::default(), Arc::new(Setup::default()));
/// let mut last = LastFrame::default();
/// let nothing = || Ok::<_, LayoutError>(None);
/// let mut frame = || last.frame(&state, None, Placement::MessageTail, &setup, nothing);
/// let (first, _) = frame()?;
/// let (second, _) = frame()?;
/// assert!(Arc::ptr_eq(&first, &second));
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LastFrame {
    made: Option<(Key, Arc<Frame>)>,
    parts: LastParts,
}

/// The inputs of a frame within one session.
#[derive(Clone, Debug)]
struct Key {
    version: u64,
    shown: Option<u64>,
    placement: Placement,
    setup: Arc<Setup>,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version
            && self.shown == other.shown
            && self.placement == other.placement
            && Arc::ptr_eq(&self.setup, &other.setup)
    }
}

impl LastFrame {
    /// Returns the [frame](crate::frame::frame) of a state. If the setup's layout panics, the frame is that of
    /// the built-in layout, with the error. Such a frame is not cached.
    ///
    /// `shown` is the version of the state that the model was shown, and `known` returns the model's knowledge
    /// since. It is called only if the frame is not cached.
    ///
    /// # Errors
    ///
    /// As [`frame`](crate::frame::frame) and as `known`. The last frame stays in the cache then.
    pub fn frame<E: From<LayoutError>>(
        &mut self,
        state: &HudState,
        shown: Option<u64>,
        placement: Placement,
        setup: &Arc<Setup>,
        known: impl FnOnce() -> Result<Option<HudState>, E>,
    ) -> Result<(Arc<Frame>, Option<LayoutError>), E> {
        let key = Key {
            version: state.version,
            shown,
            placement,
            setup: Arc::clone(setup),
        };
        if let Some((last, frame)) = &self.made
            && *last == key
        {
            return Ok((Arc::clone(frame), None));
        }
        let known = known()?;
        let parts = RefCell::new(std::mem::take(&mut self.parts).with(setup));
        let show = |setup: &Setup| frame_after(state, known.as_ref(), placement, setup, &parts);
        let (made, why) = setup.showing(show)?;
        self.parts = parts.into_inner();
        let made = Arc::new(made);
        self.made = why.is_none().then(|| (key, Arc::clone(&made)));
        Ok((made, why))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use hud_core::node::Part;
    use hud_core::part::Layer;
    use hud_core::rsx;
    use hud_store::event::{Actor, ContextSnapshot, HudEvent, NewEvent, NoteAdd, SessionId};
    use hud_store::log::{Expected, Log, state_of};
    use hud_store::memory::MemoryLog;
    use jiff::Timestamp;

    use super::*;
    use crate::frame::frame;
    use crate::layout::Layout;

    /// Returns the state after events, each one second later.
    fn state(events: &[HudEvent]) -> HudState {
        let (mut log, session) = (MemoryLog::new(), SessionId::new("s").unwrap());
        for (second, event) in (0..).zip(events) {
            let event = NewEvent {
                at: Timestamp::from_second(second).unwrap(),
                ..NewEvent::now(1, Actor::Agent, event.clone())
            };
            log.append(&session, Expected::Any, &[event]).unwrap();
        }
        state_of(&log, &session).unwrap()
    }

    fn note(content: &str) -> HudEvent {
        NoteAdd {
            id: content.into(),
            content: content.into(),
        }
        .into()
    }

    fn used(used: u64) -> HudEvent {
        ContextSnapshot {
            used,
            limit: Some(100_000),
            assumed: false,
            usable: None,
            model: None,
            call: None,
            provider: None,
        }
        .into()
    }

    fn shown(last: &mut LastFrame, state: &HudState, setup: &Arc<Setup>) -> Arc<Frame> {
        let none = || Ok::<_, LayoutError>(None);
        let placement = Placement::MessageTail;
        last.frame(state, None, placement, setup, none).unwrap().0
    }

    #[test]
    fn what_changes_nothing_is_not_rendered_again() {
        thread_local!(static RENDERED: Cell<u32> = const { Cell::new(0) });
        let layout = Layout::new(|state| {
            RENDERED.set(RENDERED.get() + 1);
            rsx! { for note in &state.notes { {note.content.as_str()} } }
        });
        let setup = Arc::new(Setup::default().with_layout(layout));
        let (state, mut last) = (state(&[note("redis")]), LastFrame::default());
        let first = shown(&mut last, &state, &setup);
        let times = RENDERED.get();
        assert!(times > 0 && first.message.contains("redis"));
        assert!(Arc::ptr_eq(&first, &shown(&mut last, &state, &setup)));
        assert_eq!(RENDERED.get(), times);
    }

    #[test]
    fn an_event_another_band_of_use_and_other_settings_are_seen_at_once() {
        let (setup, mut last) = (Arc::new(Setup::default()), LastFrame::default());
        let (a, b) = (note("a"), note("b"));
        let mut settings = Setup::default();
        settings.settings.sections.insert("notes".to_owned(), {
            serde_json::from_str(r#"{ "on": false }"#).unwrap()
        });
        let other = Arc::new(settings);
        for (events, setup) in [
            (vec![a.clone(), used(10_000)], &setup),
            (vec![a.clone(), used(10_000), b.clone()], &setup),
            (
                vec![a.clone(), used(10_000), b.clone(), used(92_000)],
                &setup,
            ),
            (
                vec![a.clone(), used(10_000), b.clone(), used(92_000)],
                &other,
            ),
            (vec![a, used(10_000), b], &other),
        ] {
            let state = state(&events);
            let now = frame(&state, None, Placement::MessageTail, setup).unwrap();
            assert_eq!(*shown(&mut last, &state, setup), now);
        }
    }

    #[test]
    fn a_view_of_ones_own_shows_what_it_likes_in_any_layer_and_is_seen_at_once() {
        let layout = Layout::default().with_view(
            |state| !state.notes.is_empty(),
            |state, own| {
                let newest = state.notes.last().map(|note| note.content.as_str());
                rsx! { {own} <Part name="newest" layer={Layer::Static}>{newest}</Part> }
            },
        );
        let setup = Arc::new(Setup::default().with_layout(layout));
        let mut last = LastFrame::default();
        for (notes, newest) in [(vec![], ""), (vec!["a"], "a\n"), (vec!["a", "b"], "b\n")] {
            let notes: Vec<HudEvent> = notes.into_iter().map(note).collect();
            let state = state(&notes);
            let shown = shown(&mut last, &state, &setup);
            assert!(shown.system.contains(newest), "{}", shown.system);
        }
    }

    #[test]
    fn another_placement_and_what_was_shown_meanwhile_are_seen_at_once() {
        let (setup, mut last) = (Arc::new(Setup::default()), LastFrame::default());
        let (before, now) = (state(&[note("a")]), state(&[note("a"), note("b")]));
        let mut of = |placement, shown: Option<&HudState>| {
            let known = || Ok::<_, LayoutError>(shown.cloned());
            let version = shown.map(|shown| shown.version);
            last.frame(&now, version, placement, &setup, known)
                .unwrap()
                .0
        };
        assert!(of(Placement::Delta, None).message.contains("- b"));
        assert!(
            of(Placement::Delta, Some(&before))
                .message
                .contains("what changed")
        );
        assert_eq!(of(Placement::Delta, Some(&now)).message, "");
        assert!(of(Placement::SystemTail, None).system.contains("- b"));
    }

    #[test]
    fn a_layout_that_panics_is_reported_each_time() {
        let layout = Layout::new(|_| panic!("no layout"));
        let setup = Arc::new(Setup::default().with_layout(layout));
        let (state, mut last) = (state(&[note("a")]), LastFrame::default());
        for _ in 0..2 {
            let none = || Ok::<_, LayoutError>(None);
            let shown = last.frame(&state, None, Placement::MessageTail, &setup, none);
            let (frame, why) = shown.unwrap();
            assert!(why.is_some() && frame.message.contains("- a"));
        }
    }
}
