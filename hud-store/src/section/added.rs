//! The sections of a state that are not built in.

use std::any::Any as StdAny;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Bearing, Happened, Item, Pace, Section, Taking};
use crate::event::{Events, HudEvent, Json};
use crate::state::{Change, Numbers};

/// The sections of a state that are not built in, by name.
///
/// Those that the program has registered are values of their types. One of another program, which an
/// event brought back, is kept as it was written.
#[derive(Debug, Default)]
pub struct Added {
    typed: Vec<Box<dyn Any>>,
    /// Those of other programs, which no type is known of.
    written: BTreeMap<String, Written>,
}

/// A section as it is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Written {
    /// The version of its fold.
    v: u32,
    /// The section.
    state: Json,
    /// Whether events were folded since by a program that does not have the section.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    stale: bool,
}

/// Makes a section of which nothing is recorded.
pub(super) type Empty = fn() -> Box<dyn Any>;

pub(super) fn empty<S: Section>() -> Box<dyn Any> {
    Box::new(Typed(S::default()))
}

/// A section of any type.
pub(super) trait Any: Debug + Send + Sync {
    fn name(&self) -> &'static str;
    fn item(&self) -> &'static str;
    fn version(&self) -> u32;
    fn pace(&self) -> Pace;
    fn is_empty(&self) -> bool;
    fn items(&self) -> Vec<Item>;
    fn bearings(&self) -> Vec<Bearing>;
    fn is_news(&self, change: &Change) -> bool;

    /// Takes in an event, and says whether it was one of its own. The name of a new item is seen.
    fn apply(&mut self, event: &HudEvent, when: &Happened<'_>, numbers: &mut Numbers) -> bool;

    /// Becomes what is written, if that is a section of this type.
    fn read(&mut self, text: &str) -> bool;
    fn write(&self) -> Result<String, serde_json::Error>;

    /// Becomes what it was then.
    fn restore(&mut self, then: Box<dyn Any>);
    fn carry_over(&self, own: &dyn Any, taking: &mut Taking<'_>) -> Vec<HudEvent>;
    fn boxed(&self) -> Box<dyn Any>;
    fn empty(&self) -> Box<dyn Any>;
    fn is_same(&self, other: &dyn Any) -> bool;
    fn value(&self) -> &dyn StdAny;
    fn into_value(self: Box<Self>) -> Box<dyn StdAny>;
}

#[derive(Debug)]
struct Typed<S>(S);

impl<S: Section> Typed<S> {
    /// Changes the section, which stays as it was where that panics: the event is in the log already, and
    /// the sessions of a process must outlive it.
    fn unless_it_panics(&mut self, change: impl FnOnce(&mut S)) {
        let before = self.0.clone();
        if catch_unwind(AssertUnwindSafe(|| change(&mut self.0))).is_err() {
            self.0 = before;
        }
    }
}

impl<S: Section> Any for Typed<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn item(&self) -> &'static str {
        S::ITEM
    }

    fn version(&self) -> u32 {
        S::VERSION
    }

    fn pace(&self) -> Pace {
        S::PACE
    }

    fn is_empty(&self) -> bool {
        self.0 == S::default()
    }

    fn items(&self) -> Vec<Item> {
        self.0.items()
    }

    fn bearings(&self) -> Vec<Bearing> {
        self.0.bearings()
    }

    fn is_news(&self, change: &Change) -> bool {
        self.0.is_news(change)
    }

    fn apply(&mut self, event: &HudEvent, when: &Happened<'_>, numbers: &mut Numbers) -> bool {
        if let HudEvent::Other { kind, v, payload } = event
            && let Some(Ok(own)) = S::Event::decode(kind, *v, payload.as_str())
        {
            if let Some(id) = own.names() {
                numbers.see(id);
            }
            self.unless_it_panics(|section| {
                section.apply(own.clipped().as_ref().unwrap_or(&own), when);
            });
            return true;
        }
        if S::OVERHEARS {
            self.unless_it_panics(|section| section.overhear(event, when));
        }
        false
    }

    fn read(&mut self, text: &str) -> bool {
        let Ok(read) = serde_json::from_str(text) else {
            return false;
        };
        self.0 = read;
        true
    }

    fn write(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&self.0)
    }

    fn restore(&mut self, then: Box<dyn Any>) {
        if let Ok(then) = then.into_value().downcast::<S>() {
            self.0.restore(*then);
        }
    }

    fn carry_over(&self, own: &dyn Any, taking: &mut Taking<'_>) -> Vec<HudEvent> {
        let Some(own) = own.value().downcast_ref::<S>() else {
            return Vec::new();
        };
        let events = self.0.carry_over(own, taking);
        let other = |event: S::Event| HudEvent::Other {
            kind: event.kind().to_owned(),
            v: event.v(),
            payload: event.json(),
        };
        events.into_iter().map(other).collect()
    }

    fn boxed(&self) -> Box<dyn Any> {
        Box::new(Self(self.0.clone()))
    }

    fn empty(&self) -> Box<dyn Any> {
        empty::<S>()
    }

    fn is_same(&self, other: &dyn Any) -> bool {
        other.value().downcast_ref::<S>() == Some(&self.0)
    }

    fn value(&self) -> &dyn StdAny {
        &self.0
    }

    fn into_value(self: Box<Self>) -> Box<dyn StdAny> {
        Box::new(self.0)
    }
}

impl Added {
    pub(super) fn of(sections: impl Iterator<Item = Box<dyn Any>>) -> Self {
        Self {
            typed: sections.collect(),
            written: BTreeMap::new(),
        }
    }

    /// The same sections with nothing in them.
    pub(crate) fn emptied(&self) -> Self {
        Self::of(self.typed.iter().map(|section| section.empty()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.typed.is_empty() && self.written.is_empty()
    }

    /// The section of that type, if the state has it.
    pub fn get<S: Section>(&self) -> Option<&S> {
        self.typed
            .iter()
            .find_map(|section| section.value().downcast_ref())
    }

    /// Those that the program has registered: name, what an item is called, and the items.
    pub fn items(&self) -> impl Iterator<Item = (&'static str, &'static str, Vec<Item>)> {
        self.typed
            .iter()
            .map(|section| (section.name(), section.item(), section.items()))
    }

    /// How often a section changes that the program has registered; `None` if there is none of that name.
    pub fn pace(&self, name: &str) -> Option<Pace> {
        let section = self.typed.iter().find(|section| section.name() == name);
        section.map(|section| section.pace())
    }

    /// How the items of one of them bear on the work.
    pub(super) fn bearings(&self, name: &str) -> Vec<Bearing> {
        let section = self.typed.iter().find(|section| section.name() == name);
        section
            .map(|section| section.bearings())
            .unwrap_or_default()
    }

    /// Whether a change of one of them is worth saying.
    pub(super) fn is_news(&self, change: &Change) -> bool {
        let mut typed = self.typed.iter();
        let section = typed.find(|section| section.name() == change.section);
        section.is_none_or(|section| section.is_news(change))
    }

    /// Whether a section that the program has registered, and that stays the same until somebody acts on
    /// it, has something to show.
    pub(super) fn begins_epoch(&self) -> bool {
        self.typed
            .iter()
            .any(|section| section.pace() == Pace::Steady && !section.is_empty())
    }

    /// Those that an epoch keeps.
    pub(super) fn kept(&self) -> Self {
        let kept = self.typed.iter().filter(|s| s.pace() != Pace::EachTurn);
        Self {
            typed: kept.map(|section| section.boxed()).collect(),
            written: BTreeMap::new(),
        }
    }

    /// Takes over those of another state that no epoch keeps.
    pub(super) fn with_fleeting_of(&mut self, now: &Self) {
        let fleeting = now.typed.iter().filter(|s| s.pace() == Pace::EachTurn);
        self.typed.extend(fleeting.map(|section| section.boxed()));
    }

    /// Takes in an event, and says whether it was one of theirs.
    pub(super) fn apply(
        &mut self,
        event: &HudEvent,
        when: &Happened<'_>,
        numbers: &mut Numbers,
    ) -> bool {
        for written in self.written.values_mut() {
            written.stale = true;
        }
        let mut is_known = false;
        for section in &mut self.typed {
            is_known |= section.apply(event, when, numbers);
        }
        is_known
    }

    /// Goes back to what the sections were then. One that is not there, or was written by another
    /// version or by a program that did not have it, stays as it is: what it said is in events that
    /// others may still fold.
    pub(super) fn restore(&mut self, then: &Self) {
        for section in &mut self.typed {
            let mut known = section.boxed();
            if then.become_of(known.as_mut()) {
                section.restore(known);
            }
        }
        let is_registered = |name: &str| self.typed.iter().any(|section| section.name() == name);
        let others = then.written.iter().filter(|(name, _)| !is_registered(name));
        self.written = others.map(|(name, w)| (name.clone(), w.clone())).collect();
    }

    /// Makes a section what it is here, if it is.
    fn become_of(&self, section: &mut dyn Any) -> bool {
        if let Some(typed) = self
            .typed
            .iter()
            .find(|typed| typed.name() == section.name())
        {
            return typed.write().is_ok_and(|text| section.read(&text));
        }
        self.written
            .get(section.name())
            .filter(|written| !written.stale && written.v == section.version())
            .is_some_and(|written| section.read(written.state.as_str()))
    }

    /// Gives a section that is written here its type, and says whether it could be read. One that could
    /// not is empty.
    pub(super) fn adopt(&mut self, mut empty: Box<dyn Any>) -> bool {
        let is_read = self.become_of(empty.as_mut());
        self.typed.retain(|typed| typed.name() != empty.name());
        self.written.remove(empty.name());
        self.typed.push(empty);
        is_read
    }

    /// Gives those that are written here, and that an epoch keeps, the types that they have elsewhere.
    /// Says whether all of them could be read.
    pub(super) fn adopt_kept(&mut self, known: &Self) -> bool {
        let mut is_read = true;
        for section in &known.typed {
            if section.pace() != Pace::EachTurn {
                is_read &= self.adopt(section.empty());
            }
        }
        is_read
    }

    /// What a session takes over of them.
    pub(super) fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<HudEvent> {
        let pairs = self.typed.iter().filter_map(|section| {
            let own = own.typed.iter().find(|own| own.name() == section.name());
            Some((section, own?))
        });
        pairs
            .flat_map(|(section, own)| section.carry_over(own.as_ref(), taking))
            .collect()
    }

    fn written(&self) -> Result<BTreeMap<&str, Written>, serde_json::Error> {
        let mut all = BTreeMap::new();
        for section in &self.typed {
            let written = Written {
                v: section.version(),
                state: Json::parse(&section.write()?)?,
                stale: false,
            };
            all.insert(section.name(), written);
        }
        for (name, written) in &self.written {
            all.entry(name).or_insert_with(|| written.clone());
        }
        Ok(all)
    }
}

impl Clone for Added {
    fn clone(&self) -> Self {
        Self {
            typed: self.typed.iter().map(|section| section.boxed()).collect(),
            written: self.written.clone(),
        }
    }
}

/// A section is the same as one that is written with the same words.
impl PartialEq for Added {
    fn eq(&self, other: &Self) -> bool {
        let has_same = |section: &dyn Any| {
            let other = other.typed.iter().find(|o| o.name() == section.name());
            other.is_some_and(|other| section.is_same(other.as_ref()))
        };
        if self.typed.len() == other.typed.len() && self.typed.iter().all(|s| has_same(s.as_ref()))
        {
            return self.written == other.written;
        }
        match (self.written(), other.written()) {
            (Ok(one), Ok(other)) => one == other,
            _ => false,
        }
    }
}

impl Serialize for Added {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = self.written().map_err(serde::ser::Error::custom)?;
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Added {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self {
            typed: Vec::new(),
            written: BTreeMap::deserialize(deserializer)?,
        })
    }
}

/// Any object: what is in it is known to the program that wrote it.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for Added {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Added".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}
