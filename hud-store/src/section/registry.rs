//! Which sections there are, apart from the built-in ones.

use super::added::Empty;
use super::{Added, Section, built_in_kinds, each_built_in};
use crate::event::{Events, HudEvent, PayloadError, Subject};
use crate::state::HudState;

/// The sections of a program: the built-in ones, and those that are added to them.
///
/// A log is opened with it, and folds what is registered, names it and says what changed of it. There is no
/// registry of the process: two logs may have different sections.
#[derive(Debug, Clone, Default)]
pub struct Sections {
    added: Vec<Registered>,
}

/// [`Section::handed_up`], of events that are not read yet.
type HandedUp = fn(&HudEvent, &dyn Fn(&str) -> String) -> Option<HudEvent>;

/// What is known of a section by its type.
#[derive(Debug, Clone, Copy)]
struct Registered {
    name: &'static str,
    kinds: &'static [(&'static str, u32)],
    empty: Empty,
    item: fn(&HudEvent) -> Option<String>,
    handed_up: HandedUp,
    check: fn(&str, u32, &str) -> Option<PayloadError>,
}

/// Why a section can't be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SectionError {
    /// A section of that name is there.
    #[error("there is a section `{name}` already: give this one another NAME")]
    NameTaken {
        /// The name.
        name: &'static str,
    },
    /// The name could not be written where names are written.
    #[error(
        "`{name}` is no name for a section: use small letters, digits and `_`, and begin with a \
         letter"
    )]
    BadName {
        /// The name.
        name: &'static str,
    },
    /// The kind is another section's.
    #[error(
        "section `{name}` has events of the kind `{kind}`, which are those of {owner}: give them \
         another kind"
    )]
    KindTaken {
        /// The section that was to be registered.
        name: &'static str,
        /// The kind.
        kind: &'static str,
        /// Whose it is.
        owner: String,
    },
    /// The kind could not be written where kinds are written.
    #[error(
        "section `{name}` has events of the kind `{kind}`: a kind is two words or more of small \
         letters, digits and `_`, with dots between them, as `risk.add` is"
    )]
    BadKind {
        /// The section that was to be registered.
        name: &'static str,
        /// The kind.
        kind: &'static str,
    },
}

/// A name that no section has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no section `{name}`{}: the sections are {}", like(.nearest), .names.join(", "))]
pub struct UnknownSection {
    /// The name.
    pub name: String,
    /// The section whose name is most like it, if one is like it.
    pub nearest: Option<&'static str>,
    /// The names of the sections.
    pub names: Vec<&'static str>,
}

fn like(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

impl Sections {
    /// The built-in sections.
    pub const fn new() -> Self {
        Self { added: Vec::new() }
    }

    /// These, and one more.
    ///
    /// # Errors
    /// [`SectionError`] when its name or one of its kinds is taken, or is not of the right form.
    pub fn with<S: Section>(mut self) -> Result<Self, SectionError> {
        let name = S::NAME;
        if !is_word(name) {
            return Err(SectionError::BadName { name });
        }
        if self.names().any(|known| known == name) {
            return Err(SectionError::NameTaken { name });
        }
        for (nth, &(kind, _)) in S::Event::KINDS.iter().enumerate() {
            let words = kind.split('.');
            if words.clone().count() < 2 || !words.clone().all(is_word) {
                return Err(SectionError::BadKind { name, kind });
            }
            let is_kind = |(known, _): &(&str, u32)| *known == kind;
            let owner = if built_in_kinds().any(|known| is_kind(&known)) {
                "a built-in section".to_owned()
            } else if let Some(other) = self.added.iter().find(|s| s.kinds.iter().any(is_kind)) {
                format!("section `{}`", other.name)
            } else if S::Event::KINDS.iter().take(nth).any(is_kind) {
                "another event of its own".to_owned()
            } else {
                continue;
            };
            return Err(SectionError::KindTaken { name, kind, owner });
        }
        self.added.push(Registered {
            name,
            kinds: S::Event::KINDS,
            empty: super::added::empty::<S>,
            item: item::<S>,
            handed_up: handed_up::<S>,
            check: check::<S>,
        });
        Ok(self)
    }

    /// The names of all sections: the built-in ones in the order of the state, and then those that
    /// were added, in the order in which they were.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        each_built_in()
            .map(|(name, _)| name)
            .chain(self.added_names())
    }

    /// The names of the sections that were added.
    pub fn added_names(&self) -> impl Iterator<Item = &'static str> {
        self.added.iter().map(|section| section.name)
    }

    /// The section of that name.
    ///
    /// # Errors
    /// [`UnknownSection`] with the names that there are.
    pub fn find(&self, name: &str) -> Result<&'static str, UnknownSection> {
        if let Some(known) = self.names().find(|known| *known == name) {
            return Ok(known);
        }
        let names: Vec<_> = self.names().collect();
        let likeness = |known: &str| strsim::normalized_damerau_levenshtein(known, name);
        let part = |known: &&str| !name.is_empty() && known.split('_').any(|word| word == name);
        let nearest = names.iter().copied().find(part).or_else(|| {
            let best = names
                .iter()
                .copied()
                .max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
            best.filter(|best| likeness(best) >= 0.5)
        });
        Err(UnknownSection {
            name: name.to_owned(),
            nearest,
            names,
        })
    }

    /// What an event is about; `None` where it is about the log itself or nothing that is known.
    pub fn subject<'e>(&self, event: &'e HudEvent) -> Option<Subject<'e>> {
        if let HudEvent::Other { .. } = event {
            let section = self.of_kind(event.kind())?;
            return Some(Subject {
                section: section.name,
                item: (section.item)(event).map(Into::into),
            });
        }
        event.subject()
    }

    /// What an event is in the session above: see [`Section::handed_up`].
    pub fn handed_up(&self, event: &HudEvent, name: &dyn Fn(&str) -> String) -> Option<HudEvent> {
        if let HudEvent::Other { .. } = event {
            return (self.of_kind(event.kind())?.handed_up)(event, name);
        }
        event.handed_up(name)
    }

    /// Whether events of the kind are folded.
    pub fn knows(&self, kind: &str) -> bool {
        built_in_kinds().any(|(known, _)| known == kind) || self.of_kind(kind).is_some()
    }

    /// The state of a session of which nothing is recorded, with all sections in it.
    pub fn empty_state(&self) -> HudState {
        HudState {
            sections: Added::of(self.added.iter().map(|section| (section.empty)())),
            ..HudState::default()
        }
    }

    /// A state that was read from JSON, with the sections in it that are registered. `None` if one of
    /// them is missing, of another version, or was not folded to the end: such a state has to be folded
    /// anew.
    pub fn adopt(&self, state: HudState) -> Option<HudState> {
        let mut state = state;
        let mut is_read = true;
        for section in &self.added {
            is_read &= state.sections.adopt((section.empty)());
        }
        if let Some(epoch) = &mut state.epoch {
            is_read &= epoch.sections.adopt_kept(&state.sections);
        }
        is_read.then_some(state)
    }

    /// A number for these sections and the versions of their folds: a state that others folded is of
    /// another number. A log keeps it with each snapshot.
    pub fn fingerprint(&self) -> i64 {
        let added = self.added.iter().map(|section| {
            let empty = (section.empty)();
            (empty.name(), empty.version())
        });
        // FNV-1a, which is the same on every machine.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut take = |bytes: &[u8]| {
            for byte in bytes {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        take(&crate::fold::VERSION.to_le_bytes());
        for (name, version) in each_built_in().chain(added) {
            take(name.as_bytes());
            take(&version.to_le_bytes());
        }
        i64::try_from(hash >> 1).unwrap_or_default()
    }

    /// Why the payload of an event of an added section does not fit, if it doesn't.
    pub(crate) fn misfit(&self, kind: &str, v: u32, payload: &str) -> Option<PayloadError> {
        (self.of_kind(kind)?.check)(kind, v, payload)
    }

    fn of_kind(&self, kind: &str) -> Option<&Registered> {
        let has = |section: &&Registered| section.kinds.iter().any(|(known, _)| *known == kind);
        self.added.iter().find(has)
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn item<S: Section>(event: &HudEvent) -> Option<String> {
    let event: S::Event = event.read().ok()??;
    event.item().map(str::to_owned)
}

fn handed_up<S: Section>(event: &HudEvent, name: &dyn Fn(&str) -> String) -> Option<HudEvent> {
    let event: S::Event = event.read().ok()??;
    let up = S::handed_up(&event, name)?;
    Some(HudEvent::Other {
        kind: up.kind().to_owned(),
        v: up.v(),
        payload: up.json(),
    })
}

fn check<S: Section>(kind: &str, v: u32, payload: &str) -> Option<PayloadError> {
    S::Event::decode(kind, v, payload)?.err()
}
