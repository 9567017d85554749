//! An index of the events of a session. It needs a few bytes for each event, and a little more for each
//! item.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use hud_store::event::{ContextEvent, HudEvent, StoredEvent};
use hud_store::section::Sections;

use super::event::EventQuery;

/// The kind of the events that record what a client was handed.
const FRAME: &str = "context.frame";

/// The index that stands for no section.
const NONE: u16 = u16::MAX;

/// The index of the events that were read.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// For each event in order, its index in [`Index::sorts`].
    rows: Vec<u16>,
    /// Each combination of kind, section and actor, once.
    sorts: Vec<Sort>,
    kinds: Names,
    about: Names,
    actors: Names,
    /// The versions of the events about each subject, by the subject's hash, in ascending order.
    subjects: HashMap<u64, Vec<u32>>,
    /// The frames that were handed out: the version of the event, and the version of the state in the
    /// frame.
    handed: Vec<(u32, u32)>,
}

/// The properties that many events share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sort {
    /// The kind, as an index in [`Index::kinds`].
    kind: u16,
    /// The section, as an index in [`Index::about`].
    section: u16,
    /// The actor, as an index in [`Index::actors`].
    actor: u16,
}

/// Unique names in the order of their first use, with their counts.
#[derive(Clone, Debug, Default)]
struct Names(Vec<(String, u64)>);

impl Names {
    /// Counts a name and returns its index. Real logs have fewer kinds and sections than the index type
    /// allows. In a made-up log, the excess names share an index.
    fn see(&mut self, name: &str) -> u16 {
        let known = self.0.iter().position(|(known, _)| known == name);
        let at = known.unwrap_or_else(|| {
            if self.0.len() < usize::from(NONE) {
                self.0.push((name.to_owned(), 0));
            }
            self.0.len() - 1
        });
        if let Some((_, count)) = self.0.get_mut(at) {
            *count += 1;
        }
        u16::try_from(at).unwrap_or(NONE)
    }

    fn name(&self, place: u16) -> Option<&str> {
        self.0.get(usize::from(place)).map(|(name, _)| &**name)
    }

    fn each(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(name, count)| (&**name, *count))
    }

    /// Returns true for each name that is wanted, by index.
    fn which(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<bool> {
        self.0.iter().map(|(name, _)| is_wanted(name)).collect()
    }
}

/// A page of the events that match a query.
pub(super) struct Matching {
    /// The versions of the events on the page.
    pub(super) versions: Vec<u64>,
    /// The number of matching events in the session.
    pub(super) total: u64,
    /// The number of matching events before the page.
    pub(super) before: u64,
}

impl Index {
    /// Adds the next event. Returns the section that it is about.
    pub(super) fn take<'s>(
        &mut self,
        event: &'s StoredEvent,
        sections: &'s Sections,
    ) -> Option<&'s str> {
        let subject = sections.subject(&event.event);
        let section = subject.as_ref().map(|subject| subject.section);
        let version = u32::try_from(event.version).unwrap_or(u32::MAX);
        if let Some(subject) = subject {
            let item = subject.item.unwrap_or(Cow::Borrowed(""));
            let about = self.subjects.entry(hash_of(subject.section, &item));
            let about = about.or_default();
            if about.last().is_none_or(|last| *last < version) {
                about.push(version);
            }
        }
        if let HudEvent::Context(ContextEvent::Frame(frame)) = &event.event {
            let shown = u32::try_from(frame.version).unwrap_or(u32::MAX);
            self.handed.push((version, shown));
        }
        let sort = Sort {
            kind: self.kinds.see(event.event.kind()),
            section: section.map_or(NONE, |section| self.about.see(section)),
            actor: self.actors.see(event.actor.as_str()),
        };
        let sort = self.place_of(sort);
        self.rows.push(sort);
        section
    }

    fn place_of(&mut self, sort: Sort) -> u16 {
        let known = self.sorts.iter().position(|known| *known == sort);
        let place = known.unwrap_or_else(|| {
            // As for names, there is room for everything that a program records.
            if self.sorts.len() < usize::from(NONE) {
                self.sorts.push(sort);
            }
            self.sorts.len() - 1
        });
        u16::try_from(place).unwrap_or(NONE)
    }

    fn sort(&self, version: u64) -> Option<Sort> {
        self.sorts.get(usize::from(self.row(version)?)).copied()
    }

    /// Returns the kind and the actor of an event.
    pub(super) fn known_of(&self, version: u64) -> Option<(&str, &str)> {
        let sort = self.sort(version)?;
        Some((self.kinds.name(sort.kind)?, self.actors.name(sort.actor)?))
    }

    /// Returns the kinds of the events, with the number of events of each.
    pub(super) fn kinds(&self) -> impl Iterator<Item = (&str, u64)> {
        self.kinds.each()
    }

    /// Returns the sections of the events, with the number of events of each.
    pub(super) fn sections(&self) -> impl Iterator<Item = (&str, u64)> {
        self.about.each()
    }

    /// Returns the version of the last event about an item, up to a version.
    pub(super) fn last_about(&self, section: &str, item: &str, version: u64) -> Option<u64> {
        let about = self.about(section, item);
        let until = about.partition_point(|known| u64::from(*known) <= version);
        let last = about.get(until.checked_sub(1)?)?;
        Some(u64::from(*last))
    }

    /// Returns the same for an item that no event names, such as a repository's `branch`. It is the last
    /// event of its kind, or else the last one about the section.
    pub(super) fn last_like(&self, section: &str, item: &str, version: u64) -> Option<u64> {
        let of_section = self.about.which(|name| name == section);
        let of_item = format!("{section}.{item}");
        let of_item = self.kinds.which(|name| name == of_item);
        let is_in = |list: &[bool], at: u16| list.get(usize::from(at)) == Some(&true);
        let last = |is_it: &dyn Fn(&Sort) -> bool| {
            let sorts: Vec<bool> = self.sorts.iter().map(is_it).collect();
            // Most sections have no event, and then no row is checked.
            sorts.contains(&true).then_some(())?;
            let is_it = |version: &u64| self.row(*version).is_some_and(|sort| is_in(&sorts, sort));
            let known = u64::try_from(self.rows.len()).unwrap_or(u64::MAX);
            (1..=version.min(known)).rev().find(is_it)
        };
        last(&|sort| is_in(&of_item, sort.kind))
            .or_else(|| last(&|sort| is_in(&of_section, sort.section)))
    }

    /// Returns the versions of the events about an item, in ascending order.
    fn about(&self, section: &str, item: &str) -> &[u32] {
        let about = self.subjects.get(&hash_of(section, item));
        about.map_or(&[], Vec::as_slice)
    }

    fn row(&self, version: u64) -> Option<u16> {
        let at = usize::try_from(version.checked_sub(1)?).ok()?;
        self.rows.get(at).copied()
    }

    /// Returns the last frame of a state up to a version: the version of its event, and the version of
    /// its state.
    pub(super) fn handed(&self, version: u64) -> Option<(u64, u64)> {
        let mut handed = self.handed.iter().rev();
        let known = handed.find(|(_, shown)| u64::from(*shown) <= version);
        known.map(|(event, shown)| (u64::from(*event), u64::from(*shown)))
    }

    /// True if an event other than a frame was recorded after version `behind`, up to version `until`.
    pub(super) fn has_news(&self, behind: u64, until: u64) -> bool {
        let frame = self.kinds.0.iter().position(|(kind, _)| kind == FRAME);
        let mut sorts = (behind.saturating_add(1)..=until).map_while(|version| self.sort(version));
        sorts.any(|sort| Some(usize::from(sort.kind)) != frame)
    }

    /// Returns a page of the events that match a query.
    pub(super) fn matching(&self, query: &EventQuery, limit: usize) -> Matching {
        let kind = query.kind.as_deref();
        let kinds = self
            .kinds
            .which(|name| kind.is_none_or(|kind| is_of(name, kind)));
        let sections = self
            .about
            .which(|name| query.section.as_deref() == Some(name));
        let is_in = |list: &[bool], at: u16| list.get(usize::from(at)) == Some(&true);
        let sorts = self.sorts.iter().map(|sort| {
            is_in(&kinds, sort.kind) && (query.section.is_none() || is_in(&sections, sort.section))
        });
        let sorts: Vec<bool> = sorts.collect();
        let is_wanted = |sort: u16| is_in(&sorts, sort);
        if kind.is_none() && query.section.is_none() {
            // All events match, so the rows need not be checked.
            let total = u64::try_from(self.rows.len()).unwrap_or(u64::MAX);
            let before = query.from.saturating_sub(1).max(query.skip).min(total);
            let versions = (before + 1..=total).take(limit).collect();
            return Matching {
                versions,
                total,
                before,
            };
        }
        let mut found = Matching {
            versions: Vec::new(),
            total: 0,
            before: 0,
        };
        let mut take = |version: u64| {
            found.total += 1;
            if version < query.from || found.total <= query.skip {
                found.before += 1;
            } else if found.versions.len() < limit {
                found.versions.push(version);
            }
        };
        match (&query.section, &query.item) {
            (Some(section), Some(item)) => {
                let own = self.about(section, item).iter();
                own.map(|version| u64::from(*version))
                    .filter(|version| self.row(*version).is_some_and(is_wanted))
                    .for_each(take);
            }
            _ => {
                let rows = (1_u64..).zip(&self.rows);
                rows.filter(|(_, sort)| is_wanted(**sort))
                    .for_each(|(version, _)| take(version));
            }
        }
        found
    }
}

/// True if a kind is the wanted one, or of the wanted family.
fn is_of(kind: &str, wanted: &str) -> bool {
    kind.strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Hashes a subject. Two subjects with the same hash would be confused, which would show a wrong event
/// for a line.
fn hash_of(section: &str, item: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (section, item).hash(&mut hasher);
    hasher.finish()
}
