//! What the table of the built-in sections makes: the state, the enum of all events, what an
//! epoch keeps, and the fold.

use std::any::Any;
use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::*;
use crate::event::{
    Encoded, EventId, Events, Json, PayloadError, RedactionEvent, SessionEvent, SessionRestore,
    StoredEvent, Subject,
};
use crate::state::{Change, Numbers};

macro_rules! built_in {
    ($(
        $(#[$meta:meta])*
        $field:ident: $Section:ty $(, $Family:ident($Event:ty))?;
    )*) => {
        /// The state of one session.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(default)]
        pub struct HudState {
            $($(#[$meta])* pub $field: $Section,)*
            /// The sections that are not built in: see [`HudState::section`].
            #[serde(skip_serializing_if = "Added::is_empty")]
            pub sections: Added,
            /// What of the state was shown to the model when its provider began to read the
            /// conversation that there is now. `None` before the first call of the model that was shown
            /// something.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub epoch: Option<Box<Epoch>>,
            /// What the client names as what led to the newest event of which that is known.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub cause: Option<EventId>,
            /// The highest numbers that items were named by.
            pub numbers: Numbers,
            /// The highest turn seen.
            pub turn: u64,
            /// The version of the last event folded; 0 before the first.
            pub version: u64,
            /// How many events were of a kind this program doesn't know.
            pub unknown_events: u64,
        }

        /// The parts of a state as they were when an epoch began: with the first call of the model that
        /// was shown something, with each compaction, and with another model. Until the next one
        /// begins, a provider has the conversation in its cache, and what is said at its front must not
        /// change. What changes with each turn is not in it.
        ///
        /// It follows from the events, so a process that is started anew shows the same text.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(default)]
        pub struct Epoch {
            $(
                #[doc = concat!("See [`HudState::", stringify!($field), "`].")]
                #[serde(skip_serializing_if = "is_empty")]
                pub $field: $Section,
            )*
            /// See [`HudState::sections`].
            #[serde(skip_serializing_if = "Added::is_empty")]
            pub sections: Added,
        }

        impl Epoch {
            /// The epoch that begins with a state; none while there is nothing to show that would stay.
            pub(crate) fn of(state: &HudState) -> Option<Box<Self>> {
                let begins = state.sections.begins_epoch()
                    $(|| <$Section>::PACE == Pace::Steady && !is_empty(&state.$field))*;
                begins.then(|| Box::new(Self {
                    $($field: match <$Section>::PACE {
                        Pace::Steady | Pace::Working => state.$field.clone(),
                        Pace::EachTurn => <$Section>::default(),
                    },)*
                    sections: state.sections.kept(),
                }))
            }

            /// The state with nothing in it but what the epoch began with, to compare with a later one.
            pub fn state(&self) -> HudState {
                HudState {
                    $($field: self.$field.clone(),)*
                    sections: self.sections.clone(),
                    ..HudState::default()
                }
            }

            /// The same, beside a state as it is now: of the sections that a program has registered, what no epoch
            /// keeps is as it is there.
            pub fn state_beside(&self, now: &HudState) -> HudState {
                let mut state = self.state();
                state.sections.with_fleeting_of(&now.sections);
                state
            }

            /// The same within the bounds of the sections, which an event that somebody else wrote may
            /// not keep to.
            fn bounded(self) -> Self {
                let mut bounded = Self { sections: self.sections, ..Self::default() };
                $(bounded.$field.restore(self.$field);)*
                bounded
            }
        }

        /// What happened: an event of one of the sections, of the log itself, or of a kind that is not
        /// built in.
        ///
        /// ```
        /// use hud_store::event::{HudEvent, NoteAdd, NoteEvent};
        ///
        /// let note = NoteAdd { id: "n1".into(), content: "tests need redis".into() };
        /// let event = HudEvent::from(note.clone());
        /// assert_eq!(event, HudEvent::Note(NoteEvent::Add(note)));
        /// assert_eq!(event.kind(), "note.add");
        ///
        /// let stored = event.encode()?;
        /// assert_eq!(stored.payload, r#"{"id":"n1","content":"tests need redis"}"#);
        /// assert_eq!(HudEvent::decode(&stored.kind, stored.v, &stored.payload)?, event);
        /// # Ok::<(), hud_store::event::PayloadError>(())
        /// ```
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum HudEvent {
            $($(
                #[doc = concat!("One of [`", stringify!($Event), "`](crate::event::", stringify!($Event), ").")]
                $Family($Event),
            )?)*
            /// One of [`RedactionEvent`](crate::event::RedactionEvent).
            Redaction(RedactionEvent),
            /// A kind that is not built in, or a payload version that this program is too old to know.
            /// It is kept as it is: the section that it is of [reads](HudEvent::read) it, and where
            /// there is none the fold counts it, so that a newer writer never breaks an older reader.
            Other {
                /// The dotted name.
                kind: String,
                /// The payload's version.
                v: u32,
                /// The payload, whatever it is.
                payload: Json,
            },
        }

        $($(impl From<$Event> for HudEvent {
            fn from(event: $Event) -> Self {
                Self::$Family(event)
            }
        })?)*

        impl HudState {
            /// How the items of a section bear on the work: see [`Section::bearings`]. None where there is
            /// no section of that name.
            pub fn bearings(&self, section: &str) -> Vec<Bearing> {
                $(if section == <$Section>::NAME {
                    return self.$field.bearings();
                })*
                self.sections.bearings(section)
            }

            /// Takes over those built-in sections of another state that are wanted, and gives the names of those that
            /// were others here.
            ///
            /// ```
            /// use hud_store::state::{Blocker, HudState};
            ///
            /// let mut state = HudState::default();
            /// state.blockers = vec![Blocker {
            ///     id: "b1".into(),
            ///     description: "no redis".into(),
            ///     added_at: "2026-11-20T12:00:00Z".parse()?,
            ///     turn: 3,
            /// }];
            /// let mut known = HudState::default();
            /// assert_eq!(known.take_sections(&state, |name| name == "notes"), [""; 0]);
            /// assert_eq!(known.take_sections(&state, |_| true), ["blockers"]);
            /// assert_eq!(known, state);
            /// # Ok::<(), jiff::Error>(())
            /// ```
            pub fn take_sections(
                &mut self,
                from: &Self,
                wants: impl Fn(&str) -> bool,
            ) -> Vec<&'static str> {
                let mut others = Vec::new();
                $(if wants(<$Section>::NAME) && self.$field != from.$field {
                    self.$field.clone_from(&from.$field);
                    others.push(<$Section>::NAME);
                })*
                others
            }

            /// The section of a type; `None` for one that is not built in, if the log that the state is of
            /// was opened without it.
            pub fn section<S: Section>(&self) -> Option<&S> {
                $(if let Some(section) = (&self.$field as &dyn Any).downcast_ref() {
                    return Some(section);
                })*
                self.sections.get()
            }
        }

        impl From<RedactionEvent> for HudEvent {
            fn from(event: RedactionEvent) -> Self {
                Self::Redaction(event)
            }
        }

        impl HudEvent {
            /// The dotted name.
            pub fn kind(&self) -> &str {
                match self {
                    $($(Self::$Family(event) => event.kind(),)?)*
                    Self::Redaction(event) => event.kind(),
                    Self::Other { kind, .. } => kind,
                }
            }

            /// The payload's version as this program writes it.
            pub fn v(&self) -> u32 {
                match self {
                    $($(Self::$Family(event) => event.v(),)?)*
                    Self::Redaction(event) => event.v(),
                    Self::Other { v, .. } => *v,
                }
            }

            /// The stored form. The same event always gives the same bytes.
            ///
            /// # Errors
            /// When serde can't write the payload; no payload of ours is of that sort.
            pub fn encode(&self) -> Result<Encoded, PayloadError> {
                match self {
                    $($(Self::$Family(event) => event.encode(),)?)*
                    Self::Redaction(event) => event.encode(),
                    Self::Other { kind, v, payload } => Ok(Encoded {
                        kind: kind.clone(),
                        v: *v,
                        payload: payload.as_str().to_owned(),
                    }),
                }
            }

            /// The typed form. An older payload is brought up to date; a newer one, or a kind that
            /// is not built in, becomes [`HudEvent::Other`].
            ///
            /// # Errors
            /// When the payload is not JSON, or lacks what its kind and version demand.
            pub fn decode(kind: &str, v: u32, payload: &str) -> Result<Self, PayloadError> {
                $($(if let Some(event) = <$Event>::decode(kind, v, payload) {
                    return event.map(Self::$Family);
                })?)*
                if let Some(event) = RedactionEvent::decode(kind, v, payload) {
                    return event.map(Self::Redaction);
                }
                match Json::parse(payload) {
                    Ok(payload) => Ok(Self::Other { kind: kind.to_owned(), v, payload }),
                    Err(source) => Err(PayloadError { kind: kind.to_owned(), v, source }),
                }
            }

            /// The JSON Schema of the payload of a kind: of its fields, as this program writes them. `None`
            /// for a kind that is not built in.
            ///
            /// ```
            /// use hud_store::event::HudEvent;
            ///
            /// let schema = HudEvent::schema("note.add").unwrap().to_value();
            /// assert_eq!(schema["properties"]["content"]["type"], "string");
            /// assert_eq!(HudEvent::schema("risk.add"), None);
            /// ```
            #[cfg(feature = "schema")]
            pub fn schema(kind: &str) -> Option<schemars::Schema> {
                RedactionEvent::schema(kind)
                    $($(.or_else(|| <$Event>::schema(kind)))?)*
            }

            /// What an event of a built-in section is about; `None` where it is about the log itself,
            /// and for a kind that is not built in: see
            /// [`Sections::subject`](crate::section::Sections::subject).
            ///
            /// ```
            /// use hud_store::event::{FileEdit, HudEvent};
            ///
            /// let event = HudEvent::from(FileEdit::of("src/main.rs"));
            /// let subject = event.subject().unwrap();
            /// assert_eq!((subject.section, subject.item.as_deref()), ("active_files", Some("src/main.rs")));
            /// ```
            pub fn subject(&self) -> Option<Subject<'_>> {
                match self {
                    // It is of the whole session.
                    Self::Session(SessionEvent::Restore(_)) => None,
                    $($(Self::$Family(event) => Some(Subject {
                        section: <$Section>::NAME,
                        item: event.item().map(Cow::from),
                    }),)?)*
                    Self::Redaction(_) | Self::Other { .. } => None,
                }
            }

            /// The words of an event of a built-in section.
            pub(crate) fn built_in_words(&self) -> Cow<'_, str> {
                match self {
                    $($(Self::$Family(event) => event.words(),)?)*
                    Self::Redaction(event) => event.words(),
                    Self::Other { .. } => Cow::from(""),
                }
            }

            /// The same with the beginnings of its texts, if one of them is too long for a state.
            pub(crate) fn clipped(&self) -> Option<Self> {
                match self {
                    $($(Self::$Family(event) => event.clipped().map(Self::$Family),)?)*
                    Self::Redaction(_) | Self::Other { .. } => None,
                }
            }

            /// What the event is in the session above: see [`Section::handed_up`].
            pub(crate) fn handed_up(&self, name: &dyn Fn(&str) -> String) -> Option<Self> {
                match self {
                    $($(Self::$Family(event) => {
                        <$Section>::handed_up(event, name).map(Self::$Family)
                    })?)*
                    Self::Redaction(_) | Self::Other { .. } => None,
                }
            }

            /// The id that the event gives to a new item of a built-in section.
            fn names(&self) -> Option<&str> {
                match self {
                    $($(Self::$Family(event) => event.names(),)?)*
                    Self::Redaction(_) | Self::Other { .. } => None,
                }
            }
        }

        /// The kinds of the built-in sections and of the log itself, with the versions of their payloads.
        pub(crate) fn built_in_kinds() -> impl Iterator<Item = (&'static str, u32)> {
            [$($(<$Event>::KINDS,)?)* RedactionEvent::KINDS]
                .into_iter()
                .flatten()
                .copied()
        }

        /// The names of the built-in sections and the versions of their folds, in the order of the state.
        pub(crate) fn each_built_in() -> impl Iterator<Item = (&'static str, u32)> {
            [$((<$Section>::NAME, <$Section>::VERSION)),*].into_iter()
        }

        /// Gives an event to each section that it is of interest to, from the first in the table to the
        /// last.
        pub(crate) fn apply(state: &mut HudState, event: &HudEvent, stored: &StoredEvent) {
            if let Some(id) = event.names() {
                state.numbers.see(id);
            }
            $(
                let is_own = false $(|| matches!(event, HudEvent::$Family(_)))?;
                if is_own || <$Section>::OVERHEARS {
                    // The section sees the rest of the state, and nobody sees the section meanwhile.
                    let mut section = std::mem::take(&mut state.$field);
                    let when = Happened::of(stored, state);
                    match event {
                        $(HudEvent::$Family(own) => section.apply(own, &when),)?
                        other => section.overhear(other, &when),
                    }
                    state.$field = section;
                }
            )*
            if state.sections.is_empty() && !matches!(event, HudEvent::Other { .. }) {
                return;
            }
            let mut sections = std::mem::take(&mut state.sections);
            let mut numbers = std::mem::take(&mut state.numbers);
            let is_known = sections.apply(event, &Happened::of(stored, state), &mut numbers);
            (state.sections, state.numbers) = (sections, numbers);
            if !is_known && matches!(event, HudEvent::Other { .. }) {
                state.unknown_events = state.unknown_events.saturating_add(1);
            }
        }

        /// Takes every section back to what it was in the event's state.
        pub(crate) fn restore(state: &mut HudState, event: &SessionRestore) {
            let then = (*event.state).clone();
            $(state.$field.restore(then.$field);)*
            state.sections.restore(&then.sections);
            state.epoch = then.epoch.map(|epoch| {
                let mut epoch = epoch.bounded();
                epoch.sections.adopt_kept(&state.sections);
                Box::new(epoch)
            });
        }

        /// What has to be said to turn one state into another: the items that left, that came and that
        /// changed, by section in the order of the state. When something was touched is no difference,
        /// and neither is the order of items.
        ///
        /// ```
        /// use hud_store::state::{HudState, Note, changes};
        ///
        /// let before = HudState::default();
        /// let mut after = HudState::default();
        /// after.notes.push(Note {
        ///     id: "n1".into(),
        ///     content: "tests need redis".into(),
        ///     updated_at: "2026-11-20T12:00:00Z".parse()?,
        ///     by: hud_store::event::Actor::Agent,
        ///     turn: 1,
        /// });
        /// let changes = changes(&before, &after);
        /// assert_eq!((changes[0].id.as_str(), changes[0].before.as_deref()), ("n1", None));
        /// assert_eq!(changes[0].after.as_deref(), Some("tests need redis"));
        /// # Ok::<(), jiff::Error>(())
        /// ```
        pub fn changes(before: &HudState, after: &HudState) -> Vec<Change> {
            let mut changes = Vec::new();
            let mut compare = |section, item, old: &dyn Fn() -> Vec<Item>, new: Vec<Item>| {
                Change::between(section, item, old(), new, &mut changes);
            };
            $(if before.$field != after.$field {
                let (old, new) = (|| before.$field.items(), after.$field.items());
                compare(<$Section>::NAME, <$Section>::ITEM, &old, new);
            })*
            for (section, item, new) in after.sections.items() {
                let mut known = before.sections.items();
                let old = known.find_map(|(name, _, items)| (name == section).then_some(items));
                compare(section, item, &|| old.clone().unwrap_or_default(), new);
            }
            changes
        }

        /// The [`changes`] that are worth saying to a model that was shown the earlier state, as their
        /// sections [see it](Section::is_news).
        pub fn news(before: &HudState, after: &HudState) -> Vec<Change> {
            let mut news = changes(before, after);
            news.retain(|change| {
                $(if change.section == <$Section>::NAME {
                    return after.$field.is_news(change);
                })*
                after.sections.is_news(change)
            });
            news
        }

        /// The events by which a session takes over what another one had.
        pub(crate) fn carry_over(past: &HudState, own: &HudState, taking: &mut Taking<'_>) -> Vec<HudEvent> {
            let mut events = Vec::new();
            $(built_in!(@carry past, own, taking, events, $field $(, $Family)?);)*
            events.extend(past.sections.carry_over(&own.sections, taking));
            events
        }
    };
    (@carry $past:ident, $own:ident, $taking:ident, $events:ident, $field:ident, $Family:ident) => {
        let taken = $past.$field.carry_over(&$own.$field, $taking);
        $events.extend(taken.into_iter().map(HudEvent::$Family));
    };
    // A section without events has none to take over.
    (@carry $past:ident, $own:ident, $taking:ident, $events:ident, $field:ident) => {};
}

fn is_empty<S: Section>(section: &S) -> bool {
    *section == S::default()
}

built_in_sections!(built_in);

impl HudState {
    /// It holds the use of the context, which is read anew each turn: a component of the static
    /// layer takes the parts that it shows.
    pub const CHANGES_EACH_TURN: bool = true;
}

/// Every payload of ours is of texts and whole numbers.
impl Eq for HudEvent {}

impl HudEvent {
    /// The event as one of a family of kinds; `None` if its kind is none of them.
    ///
    /// # Errors
    /// [`PayloadError`] when the payload does not fit its kind.
    pub fn read<E: Events>(&self) -> Result<Option<E>, PayloadError> {
        let decoded = match self {
            Self::Other { kind, v, payload } => E::decode(kind, *v, payload.as_str()),
            built_in => {
                let encoded = built_in.encode()?;
                E::decode(&encoded.kind, encoded.v, &encoded.payload)
            }
        };
        decoded.transpose()
    }

    /// The kinds that are built in, with the versions of their payloads.
    pub fn kinds() -> impl Iterator<Item = (&'static str, u32)> {
        built_in_kinds()
    }
}
