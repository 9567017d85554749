//! A layout whose file may change between two frames: [`Live`].

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hud_agent::layout::Layout;
use hud_core::{Element, rsx};
use hud_store::state::HudState;

use crate::accept::accept;
use crate::catalogue::Catalogue;
use crate::make::note;
use crate::report::Mistakes;
use crate::section;
use crate::template::{Source, Template, hash};

/// How long a file may be missing or empty before that counts: editors write a new file in place of the old
/// one, or empty it first.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// What was found where a layout's file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// There is no file, or nothing in it.
    Nothing,
    /// The file as it was.
    Same,
    /// The layout, and the components that have files of their own.
    Layout(Source, Vec<Source>),
    /// A file that is not used.
    Refused {
        /// What it is called.
        name: String,
        /// Why it is not used.
        why: String,
    },
}

/// The layout of a file that may change while sessions are served. What is shown is the last layout that was
/// good, and before there was one what the program shows by itself: never nothing.
///
/// Time and what is found are given to it, so that it has neither a clock nor a disk.
#[derive(Debug)]
pub struct Live {
    catalogue: Catalogue,
    /// Since when there has been nothing.
    nothing_since: Option<Duration>,
    /// The hash of what was taken in last, good or not.
    seen: Option<String>,
    current: Arc<Current>,
}

/// What is shown now.
#[derive(Debug, Default)]
pub struct Current {
    /// The last layout that was good.
    pub template: Option<Template>,
    /// What the HUD says of a file that is not: a line.
    pub line: Option<String>,
    /// All that is wrong with it, for a person.
    pub problem: Option<String>,
}

impl Live {
    /// A layout that has not been looked for yet.
    pub fn new(catalogue: Catalogue) -> Self {
        Self {
            catalogue,
            nothing_since: None,
            seen: None,
            current: Arc::default(),
        }
    }

    /// What is shown now.
    pub fn current(&self) -> Arc<Current> {
        Arc::clone(&self.current)
    }

    /// Whether what is found next must be known even if the file is as it was.
    pub fn is_waiting(&self) -> bool {
        self.nothing_since.is_some()
    }

    /// Takes in what was found at a time, and says whether something else is shown from now on.
    pub fn found(&mut self, found: Found, now: Duration) -> bool {
        match found {
            Found::Same => false,
            Found::Nothing => {
                if self.seen.is_none() {
                    return false;
                }
                let since = *self.nothing_since.get_or_insert(now);
                if now.saturating_sub(since) < PATIENCE {
                    return false;
                }
                self.seen = None;
                self.nothing_since = None;
                self.show(Current::default())
            }
            Found::Refused { name, why } => {
                self.nothing_since = None;
                let seen = hash(&format!("{name}\0{why}"));
                if self.seen.as_ref() == Some(&seen) {
                    return false;
                }
                self.seen = Some(seen);
                self.show(Current {
                    template: self.current.template.clone(),
                    line: None,
                    problem: Some(format!("{name} is not used: {why}")),
                })
            }
            Found::Layout(source, components) => {
                self.nothing_since = None;
                let seen = hash_of(&source, &components);
                if self.seen.as_ref() == Some(&seen) {
                    return false;
                }
                self.seen = Some(seen);
                let read = read(&source, &components, &self.catalogue);
                self.show(match read {
                    Ok(template) => Current {
                        template: Some(template),
                        ..Current::default()
                    },
                    Err(Wrong { line, problem }) => Current {
                        template: self.current.template.clone(),
                        line: Some(line),
                        problem: Some(problem),
                    },
                })
            }
        }
    }

    fn show(&mut self, current: Current) -> bool {
        self.current = Arc::new(current);
        true
    }
}

/// The hash of a layout with its components.
pub fn hash_of(source: &Source, components: &[Source]) -> String {
    let mut all = source.text.clone();
    for component in components {
        all.push('\0');
        all.push_str(&component.name);
        all.push('\0');
        all.push_str(&component.text);
    }
    hash(&all)
}

/// Why a file is not shown.
struct Wrong {
    line: String,
    problem: String,
}

fn read(source: &Source, components: &[Source], catalogue: &Catalogue) -> Result<Template, Wrong> {
    let template = Template::read(source, components, catalogue).map_err(|wrong| Wrong {
        line: line(&wrong),
        problem: wrong.to_string(),
    })?;
    match accept(&template, &HudState::default()) {
        Ok(_) => Ok(template),
        Err(refused) => Err(Wrong {
            line: "layout file refused: last good shown, run `hud layout check`".to_owned(),
            problem: format!("{}: {refused}", source.name),
        }),
    }
}

/// What the HUD says of a file with mistakes: at most 25 tokens.
fn line(wrong: &Mistakes) -> String {
    let place = wrong.list.first().map_or_else(String::new, |first| {
        format!(" at {}:{}", first.line, first.column)
    });
    let count = match wrong.count() {
        1 => "1 mistake".to_owned(),
        count => format!("{count} mistakes"),
    };
    format!("layout file: {count}{place}, last good shown; run `hud layout check`")
}

/// A live layout that the threads of a program share.
#[derive(Clone, Debug)]
pub struct Shared(Arc<Mutex<Live>>);

impl Shared {
    /// A live layout.
    pub fn new(live: Live) -> Self {
        Self(Arc::new(Mutex::new(live)))
    }

    /// Works with the layout.
    pub fn with<T>(&self, work: impl FnOnce(&mut Live) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A layout that shows what is current in place of what another one shows.
    #[must_use]
    pub fn in_place_of(&self, layout: Layout) -> Layout {
        let shared = self.clone();
        layout.with_view(move |state, own| shared.with(|live| live.current()).show(state, own))
    }
}

impl Current {
    /// What is shown of a state, where `own` is what the program shows by itself.
    pub fn show<'a>(&self, state: &'a HudState, own: Element<'a>) -> Element<'a> {
        let of_session = section::of(state, &Catalogue::built_in());
        let shown = match of_session.as_ref().or(self.template.as_ref()) {
            Some(template) => template.elements(state).element,
            None => own,
        };
        match &self.line {
            Some(line) => rsx! { {shown} {note(line)} },
            None => shown,
        }
    }
}
