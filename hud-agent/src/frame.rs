//! The frame of a turn: what the model sees of the HUD.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use hud_components::news::{News, NewsLine};
use hud_components::text::line;
use hud_components::usage::ShownUsage;
use hud_components::{Asks, Changes, Since};
use hud_core::part::{Layer, PartMeta, RenderedPart};
use hud_core::{Bands, Density, Element, LowerError, Scope, rsx};
use hud_store::section::{Context, Reminder, Section as _};
use hud_store::state::{Change, HudState, changes, news};

use crate::fit::Layers;
use crate::handoff;
use crate::last_parts::LastParts;
use crate::layout::{Layout, LayoutError, RENDERER};
use crate::marks;
use crate::panic::caught;
use crate::placement::Placement;
use crate::prune::clearable;
use crate::settings::{SectionSettings, Settings};
use crate::setup::Setup;
use crate::tool::TOOL;

/// The model's view of the HUD in one turn, with each text in its place. A text is empty or ends with a line
/// ending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The maximum density of the dynamic layer.
    pub density: Density,
    /// The visible parts of the layout, those of the static layer first. Empty if the model sees only the
    /// changes.
    pub parts: Vec<RenderedPart>,
    /// The text at the end of the system prompt.
    pub system: String,
    /// The text of a last message.
    pub message: String,
}

impl Frame {
    /// Renders the whole HUD of a state as one text, in [`system`](Self::system), at one density. The default
    /// density is that of the context use, by the bands of the settings.
    ///
    /// # Errors
    ///
    /// As [`Layout::render`](crate::layout::Layout::render).
    pub fn whole(
        state: &HudState,
        density: Option<Density>,
        setup: &Setup,
    ) -> Result<Self, LayoutError> {
        let bands = &setup.settings.bands;
        let density = density.unwrap_or_else(|| hud_components::density(state, bands));
        let whole = setup
            .layout
            .render(state, &setup.settings, density, &mut |part| {
                Some(part.at(density))
            })?;
        Ok(Self {
            density,
            parts: whole.parts,
            system: whole.markdown,
            message: String::new(),
        })
    }

    /// Returns the length in characters of each of the [parts](Self::parts) of a [whole](Self::whole) HUD,
    /// without the separators.
    ///
    /// # Errors
    ///
    /// As [`Layout::render`](crate::layout::Layout::render).
    pub fn lengths(&self, state: &HudState, setup: &Setup) -> Result<Vec<usize>, LayoutError> {
        let texts = self.texts(state, setup)?.into_iter();
        Ok(texts.map(|text| text.trim_end().chars().count()).collect())
    }

    /// Returns the text of each of the [parts](Self::parts), rendered alone.
    pub(crate) fn texts(
        &self,
        state: &HudState,
        setup: &Setup,
    ) -> Result<Vec<String>, LayoutError> {
        let text = |(at, shown): (usize, &RenderedPart)| {
            let name = &shown.part.name;
            let is_namesake = |other: &&RenderedPart| other.part.name == *name;
            let mut earlier = self.parts.iter().take(at).filter(is_namesake).count();
            let mut alone = |part: &PartMeta| {
                let is_namesake = part.name == *name;
                let is_it = is_namesake && earlier == 0;
                earlier = match is_namesake {
                    // The part is found, so no later one is.
                    true => earlier.checked_sub(1).unwrap_or(usize::MAX),
                    false => earlier,
                };
                is_it.then_some(shown.density)
            };
            let alone = setup
                .layout
                .render(state, &setup.settings, self.density, &mut alone)?;
            Ok(alone.markdown)
        };
        self.parts.iter().enumerate().map(text).collect()
    }
}

/// Returns the frame of a state, with each layer in its place.
///
/// The parts of the static layer are always full. They are read from the provider's cache, so they must not
/// change for other reasons. The density of the dynamic parts follows the context use. With a
/// [budget](crate::settings::Budget), both layers fit into it. The changes of [`Placement::Delta`] are not
/// limited.
///
/// `shown` is the model's [knowledge](crate::known) for [`Placement::Delta`]: the state that it last saw, and
/// its own actions since. `None` if it has seen no state, and then it sees everything.
///
/// After a compaction the static layer of the built-in layout begins with the [handoff](mod@crate::handoff),
/// which replaces the parts that it covers. The handoff does not change until the next compaction, and later
/// changes appear with the dynamic layer. Changes do not mention sections that the layout does not show or
/// that are off.
///
/// ```
/// use hud_agent::frame::frame;
/// use hud_agent::placement::Placement;
/// use hud_agent::setup::Setup;
/// use hud_store::state::HudState;
///
/// let mut state = HudState::default();
/// state.repository.branch = Some("main".to_owned());
/// let frame = frame(&state, None, Placement::MessageTail, &Setup::default())?;
/// assert_eq!((&*frame.system, &*frame.message), ("", "**Git:** on `main`\n"));
/// # Ok::<(), hud_agent::layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// As [`Layout::render`](crate::layout::Layout::render).
pub fn frame(
    state: &HudState,
    shown: Option<&HudState>,
    placement: Placement,
    setup: &Setup,
) -> Result<Frame, LayoutError> {
    frame_after(state, shown, placement, setup, &RefCell::default())
}

/// Returns the [`frame`] of a state, with the cached parts that have not changed.
pub(crate) fn frame_after(
    state: &HudState,
    shown: Option<&HudState>,
    placement: Placement,
    setup: &Setup,
    last: &RefCell<LastParts>,
) -> Result<Frame, LayoutError> {
    // The code of sections may be custom, like that of the layout.
    caught(|| placed(state, shown, placement, setup, last)).unwrap_or_else(|message| {
        let part = None;
        Err(LayoutError::Panicked { part, message })
    })
}

fn placed(
    state: &HudState,
    shown: Option<&HudState>,
    placement: Placement,
    setup: &Setup,
    last: &RefCell<LastParts>,
) -> Result<Frame, LayoutError> {
    let bands = &setup.settings.bands;
    let density = hud_components::density(state, bands);
    if let (Placement::Delta, Some(shown)) = (placement, shown) {
        let mut news = worth_saying(shown, state, bands);
        let seen = Seen::of(setup, state)?;
        news.retain(|change| seen.has(change.section));
        let context = state.context.as_ref();
        let asks = news.extract_if(.., |change| change.section == Reminder::NAME);
        let asks = asks.count() > 0;
        let changed = rsx! {
            <Changes changes={&news} context />
            if asks { <Asks state /> }
        };
        let message = said(&changed, state, setup)?;
        let is_taken = setup.most_bytes.is_none_or(|most| message.len() <= most);
        // The client truncates a longer text, so the frame shows everything again within the limit.
        if is_taken {
            return Ok(Frame {
                density,
                message,
                ..Frame::default()
            });
        }
    }
    let begun = begun(state, placement, setup);
    let mut layers = Layers::of(state, setup);
    let is_handed = handoff::is_due(state, placement, setup);
    if is_handed {
        layers.covered = match placement {
            // Later changes follow in the conversation.
            Placement::Delta => &[Layer::Static, Layer::Dynamic],
            _ => &[Layer::Static],
        };
    }
    last.borrow_mut().follow(state, setup);
    let show = |begun: Option<&HudState>| {
        let fixed_of = begun.unwrap_or(state);
        let (mut fixed, sections) = last.borrow_mut().fixed(&layers, fixed_of, setup)?;
        if is_handed && placement != Placement::Delta {
            let tokens = layers.of_handoff(state, &fixed.markdown)?;
            let text = match begun {
                Some(_) => last.borrow_mut().handoff(state, tokens, setup)?,
                None => handoff::of_past(state, None, tokens, None, setup)?,
            };
            fixed.markdown = joined(text, fixed.markdown);
        }
        let sections: Vec<&str> = sections.iter().map(|name| &**name).collect();
        let since = match begun {
            Some(begun) => {
                let news = since(begun, state, &sections, setup);
                said(&rsx! { <Since news={&news} /> }, state, setup)?
            }
            None => String::new(),
        };
        let last = last.borrow();
        let known = last.changing(state, setup);
        let changing = layers.changing(state, density, [&fixed.markdown, &since], known)?;
        Ok::<_, LayoutError>((fixed, since, changing))
    };
    let mut shown = show(begun.as_ref())?;
    // If the earlier static layer and the later changes together do not fit, the current static layer is
    // shown.
    let (fixed, since, changing) = &shown;
    if !since.is_empty() && !layers.hold([&fixed.markdown, since, &changing.markdown])? {
        shown = show(None)?;
    }
    let (fixed, since, changing) = shown;
    let last = last.borrow();
    let known = last.changing(state, setup);
    let changing = match placement {
        Placement::MessageTail | Placement::Epoch => {
            layers.affordable(state, density, &since, changing, known)?
        }
        Placement::SystemTail | Placement::Delta => changing,
    };
    let parts = [fixed.parts, changing.parts].concat();
    let (fixed, changing) = (fixed.markdown, changing.markdown);
    let (system, message) = match placement {
        Placement::MessageTail | Placement::Epoch => (fixed, joined(since, changing)),
        Placement::SystemTail => (joined(joined(fixed, since), changing), String::new()),
        Placement::Delta => {
            let mut message = joined(fixed, changing);
            if is_handed {
                let tokens = layers.of_handoff(state, &message)?;
                let bytes = (setup.most_bytes).map(|most| most.saturating_sub(message.len() + 1));
                let text = handoff::of_past(state, None, tokens, bytes, setup)?;
                message = joined(text, message);
            }
            if let Some(most) = setup.most_bytes.filter(|most| message.len() > *most) {
                message = Frame::in_bytes(state, most, setup)?.system;
            }
            (String::new(), message)
        }
    };
    Ok(Frame {
        density,
        parts,
        system,
        message,
    })
}

/// Returns the state that the static layer shows, if that is an earlier one: the state of the epoch, whose
/// text stays in the provider's cache. `None` before the first model call of an epoch.
pub(crate) fn begun(state: &HudState, placement: Placement, setup: &Setup) -> Option<HudState> {
    let stays = match placement {
        Placement::Epoch => true,
        Placement::MessageTail | Placement::SystemTail => handoff::is_due(state, placement, setup),
        Placement::Delta => false,
    };
    let epoch = state.epoch.as_ref().filter(|_| stays);
    epoch.map(|epoch| epoch.state_beside(state))
}

/// Returns the news of the sections in the static layer, in the order of the state.
fn since<'a>(
    begun: &'a HudState,
    state: &'a HudState,
    shown: &[&str],
    setup: &Setup,
) -> Vec<News<'a>> {
    let mut changes = changes(begun, state);
    changes.retain(|change| shown.contains(&change.section));
    marks::mark(&mut changes, state);
    let names = setup.sections.names().filter(|name| shown.contains(name));
    let mut said = BTreeSet::new();
    let of_each = names.map(|name| {
        let own = changes.extract_if(.., |change| change.section == name);
        let own = own.collect();
        let news = match setup
            .operations
            .nouns()
            .iter()
            .find(|noun| noun.name == name)
        {
            Some(noun) => (noun.since)(begun, state, own),
            None => News::of(own),
        };
        sparing(news, &mut said, setup.operations.list_of(name))
    });
    let mut news: Vec<News<'_>> = of_each.collect();
    // Sections that are registered only with the log.
    news.push(sparing(News::of(changes), &mut said, None));
    news
}

/// The maximum number of news lines of a section.
const NEWEST: usize = 4;

/// The maximum number of characters of a line.
const SAID: usize = 160;

/// Shortens the news. All news since an epoch began are in the conversation, and each turn pays for them again
/// in full. So a text appears once, a long line is clipped, and only the last of many lines are shown.
fn sparing<'a>(
    mut news: News<'a>,
    said: &mut BTreeSet<String>,
    list: Option<&'static str>,
) -> News<'a> {
    news.lines.retain(|new| {
        let Some(after) = &new.after else {
            return true;
        };
        // The comparison uses the visible text.
        let shown = line(after, new.most.min(SAID));
        let shown = shown.strip_suffix('…').unwrap_or(&shown);
        !said.iter().any(|said| said.contains(shown)) && said.insert(shown.to_owned())
    });
    let more = news.lines.len().saturating_sub(NEWEST);
    if let (2.., Some(list), Some(first)) = (more, list, news.lines.first()) {
        let rest = NewsLine {
            before: None,
            after: Some(format!("{} more: {TOOL} {list}", more + 1)),
            ..first.clone()
        };
        news.lines.splice(0..=more, [rest]);
    }
    for line in &mut news.lines {
        line.most = line.most.min(SAID);
    }
    news
}

/// The sections that the model sees.
struct Seen<'s> {
    settings: &'s Settings,
    parts: BTreeSet<Cow<'static, str>>,
}

impl<'s> Seen<'s> {
    fn of(setup: &'s Setup, state: &HudState) -> Result<Self, LayoutError> {
        let parts = setup.layout.parts(state)?.into_iter();
        Ok(Self {
            settings: &setup.settings,
            parts: parts.map(|part| part.name).collect(),
        })
    }

    /// True if the layout shows a section. A section without a part, such as memory, is visible if any part
    /// is.
    fn has(&self, section: &str) -> bool {
        static BUILT_IN: LazyLock<Vec<PartMeta>> = LazyLock::new(|| {
            let parts = Layout::default().parts(&HudState::default());
            parts.unwrap_or_default()
        });
        let is_off = |settings: &SectionSettings| !settings.on;
        if self.parts.is_empty() || self.settings.sections.get(section).is_some_and(is_off) {
            return false;
        }
        self.parts.contains(section) || BUILT_IN.iter().all(|part| part.name != section)
    }
}

/// Renders an element outside of the layout.
fn said(element: &Element<'_>, state: &HudState, setup: &Setup) -> Result<String, LowerError> {
    let clearable = clearable(state, &setup.settings);
    let bands = Scope::new(Density::Full).provide(&setup.settings.bands);
    let clearing = bands.scope().provide(&clearable);
    let trace = setup.layout.trace();
    let traced = trace.map(|trace| clearing.scope().provide(trace));
    let scope = traced.as_ref().unwrap_or(&clearing);
    RENDERER.markdown(element, scope.scope())
}

fn joined(first: String, second: String) -> String {
    if first.is_empty() || second.is_empty() {
        return first + &second;
    }
    format!("{first}\n{second}")
}

/// Returns the changes to show. A change of the context use is left out if it calls for no action
/// ([`ShownUsage::landmark`]).
fn worth_saying(shown: &HudState, state: &HudState, bands: &Bands) -> Vec<Change> {
    let usage = |state: &HudState| {
        let context = state.context.as_ref();
        let shown = context.map(|context| ShownUsage::of(context, bands));
        ShownUsage::landmark(shown.as_ref())
    };
    let mut news = news(shown, state);
    if usage(shown) == usage(state) {
        news.retain(|change| change.section != Context::NAME);
    }
    marks::mark(&mut news, state);
    news
}

#[cfg(test)]
mod tests {
    use hud_store::event::{
        Actor, CompactAfter, ConstraintAdd, ContextSnapshot, DecisionRecord, EventId, FileOpen,
        FindingRecord, HudEvent, NoteAdd, RecordMessage, RequestMake, SessionId, StoredEvent,
        TaskSet, TaskUpdate,
    };
    use hud_store::fold::fold;
    use hud_store::state::{FileStatus, Speaker};
    use jiff::Timestamp;

    use super::*;

    fn then(state: &HudState, events: impl IntoIterator<Item = HudEvent>) -> HudState {
        then_by(&Actor::Agent, state, events)
    }

    fn then_by(
        actor: &Actor,
        state: &HudState,
        events: impl IntoIterator<Item = HudEvent>,
    ) -> HudState {
        events.into_iter().fold(state.clone(), |state, event| {
            let stored = StoredEvent {
                seq: state.version + 1,
                session: SessionId::new("s").unwrap(),
                version: state.version + 1,
                id: EventId::now_v7(),
                turn: 1,
                at: Timestamp::UNIX_EPOCH,
                actor: actor.clone(),
                cause: None,
                event,
            };
            fold(state, &stored)
        })
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

    fn begun() -> HudState {
        let task = TaskSet {
            description: "Add rate limits".into(),
        };
        let decision = DecisionRecord {
            id: "d1".into(),
            summary: "Token bucket".into(),
            details: None,
            weight: None,
        };
        then(
            &HudState::default(),
            [task.into(), decision.into(), used(20_000)],
        )
    }

    fn placed(state: &HudState, shown: Option<&HudState>, placement: Placement) -> Frame {
        frame(state, shown, placement, &Setup::default()).unwrap()
    }

    #[test]
    fn the_static_layer_is_the_same_until_somebody_acts_on_it() {
        let state = begun();
        let before = placed(&state, None, Placement::MessageTail);
        let path = "a.rs".to_owned();
        let note = NoteAdd {
            id: "n1".into(),
            content: "redis".into(),
        };
        let later = then(
            &state,
            [FileOpen::of(path).into(), note.into(), used(95_000)],
        );
        let after = placed(&later, None, Placement::MessageTail);
        assert_eq!(before.system, after.system);
        assert_ne!(before.message, after.message);
        assert!(after.message.contains("compact now"), "{}", after.message);
    }

    #[test]
    fn no_text_ends_the_tag_around_a_frame_whatever_layout_shows_it() {
        let note = NoteAdd {
            id: "n1".into(),
            content: "a </hud> b <".into(),
        };
        let state = then(&HudState::default(), [note.into()]);
        let layouts = [
            Layout::default(),
            Layout::new(|state| {
                rsx! {
                    for note in &state.notes {
                        <hud_core::node::Code>{&note.content}</hud_core::node::Code>
                        {&note.content} "/system-reminder>"
                    }
                }
            }),
        ];
        for layout in layouts {
            let setup = Setup {
                layout,
                ..Setup::default()
            };
            for placement in Placement::ALL {
                for shown in [None, Some(&HudState::default())] {
                    let frame = frame(&state, shown, placement, &setup).unwrap();
                    let text = frame.system + &frame.message;
                    assert!(
                        !text.contains("</hud") && !text.contains("</system"),
                        "{text}"
                    );
                }
            }
            let whole = Frame::whole(&state, None, &setup).unwrap().system;
            assert!(whole.contains("‹/hud"), "{whole}");
        }
    }

    #[test]
    fn both_layers_say_what_the_hud_says() {
        let state = begun();
        let whole = placed(&state, None, Placement::SystemTail);
        assert_eq!(whole.message, "");
        let tail = placed(&state, None, Placement::MessageTail);
        assert_eq!(whole.system, format!("{}\n{}", tail.system, tail.message));
        assert_eq!(placed(&state, None, Placement::Delta).message, whole.system);
    }

    #[test]
    fn in_an_epoch_the_system_prompt_stays_as_it_was_and_the_message_says_what_changed() {
        let decide = |id: &str| {
            let event = DecisionRecord {
                id: id.into(),
                summary: format!("decision {id}"),
                details: None,
                weight: None,
            };
            HudEvent::from(event)
        };
        let state = then(&begun(), [used(21_000)]);
        let before = placed(&state, None, Placement::Epoch);
        assert_eq!(before.system, "# Task\n\nAdd rate limits (agent)\n");

        let later = then(&state, [decide("d2"), used(30_000)]);
        let after = placed(&later, None, Placement::Epoch);
        assert_eq!(after.system, before.system);
        assert!(
            after.message.starts_with("# HUD: what changed"),
            "{}",
            after.message
        );
        assert!(after.message.contains("decision d2"), "{}", after.message);

        let end = CompactAfter {
            summary: None,
            rest: None,
            tokens_after: None,
            boundary: None,
        };
        let anew = placed(&then(&later, [end.into()]), None, Placement::Epoch);
        assert!(anew.system.contains("decision d2"), "{}", anew.system);
        assert!(!anew.message.contains("what changed"), "{}", anew.message);
    }

    #[test]
    fn what_changed_in_an_epoch_is_said_once_and_the_last_of_it() {
        let decide = |n: u32| {
            let event = DecisionRecord {
                id: format!("e{n}"),
                summary: format!("decision {n} {}", "long ".repeat(60)),
                details: None,
                weight: None,
            };
            HudEvent::from(event)
        };
        let state = then(&begun(), [used(21_000)]);
        let later = then(&state, (0..9).map(decide));
        let message = placed(&later, None, Placement::Epoch).message;
        assert!(message.contains("7 more: hud decisions.list"), "{message}");
        let said = message.lines().filter(|line| line.contains("long"));
        let lengths: Vec<usize> = said.map(|line| line.chars().count()).collect();
        assert_eq!(lengths.len(), 3, "{message}");
        assert!(lengths.iter().all(|length| *length < 200), "{message}");

        let request = RequestMake {
            id: "r1".into(),
            text: "Per tenant, please".into(),
        };
        let update = TaskUpdate {
            description: None,
            latest_request: Some("Per tenant, please".into()),
        };
        let asked = then(&state, [request.into(), update.into()]);
        let message = placed(&asked, None, Placement::Epoch).message;
        assert_eq!(message.matches("Per tenant").count(), 1, "{message}");

        // Texts that differ only after their visible beginning count as equal.
        let long = format!("Per tenant, {}", "and for each of its keys ".repeat(9));
        let request = RequestMake {
            id: "r1".into(),
            text: format!("{long} by day"),
        };
        let update = TaskUpdate {
            description: None,
            latest_request: Some(format!("{long} by night")),
        };
        let asked = then(&state, [request.into(), update.into()]);
        let message = placed(&asked, None, Placement::Epoch).message;
        assert_eq!(message.matches("Per tenant").count(), 1, "{message}");
    }

    #[test]
    fn a_last_message_that_is_not_kept_has_tokens_by_those_in_the_context() {
        let notes = |n: u32| {
            let note = NoteAdd {
                id: format!("n{n}"),
                content: format!("note {n} says that {}", "the bucket is full ".repeat(6)),
            };
            HudEvent::from(note)
        };
        let state = then(&begun(), (0..40).map(notes));
        let lost = then(&compacted(), (40..80).map(notes));
        let length = |state: &HudState, used_tokens| {
            let state = then(state, [used(used_tokens)]);
            let mut setup = Setup::default();
            setup.settings.budget.tail_permille = 20;
            let frame = frame(&state, None, Placement::MessageTail, &setup);
            frame.unwrap().message.len()
        };
        let (little, much) = (length(&lost, 1_000), length(&lost, 45_000));
        assert!(little < much, "{little} {much}");
        // The HUD shows little of a conversation that is whole.
        assert_eq!(length(&state, 1_000), length(&state, 45_000));
        let whole = |state: &HudState| {
            let mut setup = Setup::default();
            setup.settings.budget.tail_permille = 0;
            frame(state, None, Placement::MessageTail, &setup).unwrap()
        };
        let little = then(&state, [used(1_000)]);
        assert!(whole(&little).message.len() > length(&state, 1_000));
    }

    #[test]
    fn what_is_new_has_the_ids_that_the_hud_shows() {
        let state = begun();
        let derived = HudEvent::from(FindingRecord {
            id: "f1".into(),
            text: "the key lacks the tenant".into(),
            weight: Some(5),
        });
        let later = then_by(&Actor::Derived, &state, [derived]);
        let own = HudEvent::from(FindingRecord {
            id: "f2".into(),
            text: "the port is taken".into(),
            weight: None,
        });
        let later = then(&later, [own]);
        let delta = placed(&later, Some(&state), Placement::Delta).message;
        assert!(delta.contains("the key lacks the tenant (f1)"), "{delta}");
        assert!(delta.contains("the port is taken\n"), "{delta}");
    }

    /// A session after a compaction.
    fn compacted() -> HudState {
        let said = |by: Speaker, text: &str| {
            let about = None;
            let text = text.to_owned();
            HudEvent::from(RecordMessage {
                by,
                text,
                about,
                retracts: None,
            })
        };
        let asked = said(
            Speaker::User,
            "Limit each tenant to 20 requests. Never block /healthz.",
        );
        let state = then_by(&Actor::User, &begun(), [asked]);
        let report = said(
            Speaker::Agent,
            "The bucket refills 20 a second.\n\n- next: tests",
        );
        let end = HudEvent::from(CompactAfter {
            summary: None,
            rest: None,
            tokens_after: None,
            boundary: None,
        });
        then(&state, [report, used(20_000), end])
    }

    #[test]
    fn after_a_compaction_the_handoff_is_shown_and_stays_until_the_next() {
        let state = compacted();
        let note = NoteAdd {
            id: "n1".into(),
            content: "redis is on port 6379".into(),
        };
        let decision = DecisionRecord {
            id: "d2".into(),
            summary: "Key by header".into(),
            details: None,
            weight: None,
        };
        let later = then(&state, [note.into(), decision.into(), used(22_000)]);
        for placement in Placement::ALL {
            let first = placed(&state, None, placement);
            let all = first.system.clone() + &first.message;
            assert!(all.contains("Never block /healthz."), "{placement}: {all}");
            assert!(all.contains("next: tests"), "{placement}: {all}");
            assert_eq!(all.matches("Token bucket").count(), 1, "{placement}: {all}");
            let second = placed(&later, None, placement);
            let all = second.system.clone() + &second.message;
            assert!(all.contains("Key by header"), "{placement}: {all}");
            if matches!(placement, Placement::Epoch | Placement::MessageTail) {
                assert_eq!(first.system, second.system, "{placement}");
            }
        }
        let delta = placed(&later, Some(&state), Placement::Delta).message;
        assert!(delta.contains("Key by header"), "{delta}");
        assert!(!delta.contains("/healthz"), "{delta}");
    }

    #[test]
    fn a_rule_that_is_newer_than_the_handoff_is_shown_however_little_room_there_is() {
        let state = compacted();
        let decide = |n: u32| {
            let summary = format!("decision {n} is about the bucket of tenant {n}");
            HudEvent::from(DecisionRecord {
                id: format!("e{n}"),
                summary,
                details: None,
                weight: None,
            })
        };
        let rule = HudEvent::from(ConstraintAdd {
            id: "c1".into(),
            text: "Never log a token".into(),
        });
        let state = then_by(&Actor::User, &state, [rule]);
        let state = then(&state, (0..9).map(decide));
        for tokens in [40, 80, 160, 320, 640] {
            let mut setup = Setup::default();
            setup.settings.budget.tokens = tokens;
            for placement in [
                Placement::Epoch,
                Placement::MessageTail,
                Placement::SystemTail,
            ] {
                let frame = frame(&state, None, placement, &setup).unwrap();
                let all = frame.system + &frame.message;
                assert!(
                    all.contains("Never log a token"),
                    "{tokens} {placement}: {all}"
                );
            }
        }
    }

    #[test]
    fn a_handoff_has_no_section_that_is_off_and_a_custom_layout_has_no_handoff() {
        let state = compacted();
        let mut setup = Setup::default();
        for section in ["task", "requests"] {
            let sections = &mut setup.settings.sections;
            sections.entry(section.to_owned()).or_default().on = false;
        }
        let text = frame(&state, None, Placement::Delta, &setup)
            .unwrap()
            .message;
        assert!(
            !text.contains("healthz") && text.contains("Token bucket"),
            "{text}"
        );
        let layout = Layout::new(|_| rsx! { "mine" });
        let setup = Setup::default().with_layout(layout);
        let text = frame(&state, None, Placement::Delta, &setup)
            .unwrap()
            .message;
        assert!(text.contains("mine") && !text.contains("healthz"), "{text}");
    }

    #[test]
    fn no_message_is_longer_than_its_client_takes() {
        let notes = |from: u32| {
            (from..from + 60).map(|n| {
                HudEvent::from(NoteAdd {
                    id: format!("n{n}"),
                    content: format!("note {n}: 漏桶 {}", "per tenant ".repeat(20)),
                })
            })
        };
        let mut setup = Setup::default();
        for before in [begun(), compacted()] {
            let state = then(&before, notes(0));
            for most in [2_000, 5_000, 10_000] {
                setup.most_bytes = Some(most);
                for shown in [None, Some(&before)] {
                    let text = frame(&state, shown, Placement::Delta, &setup)
                        .unwrap()
                        .message;
                    assert!(text.len() <= most, "{most}: {}", text.len());
                    assert!(text.len() > 1_000, "{most}: {text}");
                }
            }
        }
    }

    #[test]
    fn a_delta_says_what_is_new_and_nothing_twice() {
        let state = begun();
        assert_eq!(placed(&state, Some(&state), Placement::Delta).message, "");
        let little = then(&state, [used(21_000)]);
        assert_eq!(placed(&little, Some(&state), Placement::Delta).message, "");
        let open = |path: &str| FileOpen::of(path).into();
        let one = then(&state, [open("a.rs")]);
        let mut other = one.clone();
        other.active_files[0].status = FileStatus::Referenced;
        assert_eq!(placed(&other, Some(&one), Placement::Delta).message, "");
        let much = then(&state, [open("a.rs"), used(41_000)]);
        insta::assert_snapshot!(placed(&much, Some(&state), Placement::Delta).message, @"
        # HUD: what changed

        - **file**: a.rs (reading)
        - **context**: 40%
        ");
    }
}
