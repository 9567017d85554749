//! Layouts that may change between two frames: that of a file, and those that agents set for their sessions.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hud_agent::layout::Layout;
use hud_core::{Element, rsx};
use hud_store::state::HudState;

use crate::accept::accept;
use crate::catalogue::Catalogue;
use crate::make::note;
use crate::report::Mistakes;
use crate::section::AgentLayout;
use crate::template::{Source, Template, hash};
use crate::trial::Trials;

/// How long a file may be missing or empty before that counts: editors write a new file in place of the old
/// one, or empty it first.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// How many layouts of sessions are kept as they were read.
const KEPT: usize = 32;

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

/// The layout of a file that may change while sessions are served, and in its place those that agents set. What is
/// shown is the last layout that was good, and before there was one what the program shows by itself: never nothing.
///
/// A layout that fails in two frames in a row is suspended: until it changes, the one before it is shown.
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
    /// Layouts that agents set, by their text, as they were read with the components that there are.
    of_sessions: BTreeMap<String, Result<Template, Mistakes>>,
    trials: Trials,
}

/// What is shown now.
#[derive(Debug, Default)]
pub struct Current {
    /// The last layout that was good.
    pub template: Option<Template>,
    /// The one that was good before it.
    pub before: Option<Template>,
    /// What the HUD says of a file that is not: a line.
    pub line: Option<String>,
    /// All that is wrong with it, for a person.
    pub problem: Option<String>,
}

/// What is shown of a session.
struct Shown {
    /// A layout; without one, it is what the program shows by itself.
    template: Option<Template>,
    /// What is said of layouts that are not shown, a line each.
    lines: Vec<String>,
}

impl Live {
    /// A layout that has not been looked for yet.
    pub fn new(catalogue: Catalogue) -> Self {
        Self {
            catalogue,
            nothing_since: None,
            seen: None,
            current: Arc::default(),
            of_sessions: BTreeMap::new(),
            trials: Trials::default(),
        }
    }

    /// What is shown now, where no agent has set anything.
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
                let problem = Some(format!("{name} is not used: {why}"));
                self.show(self.without_another(None, problem))
            }
            Found::Layout(source, components) => {
                self.nothing_since = None;
                let seen = hash_of(&source, &components);
                if self.seen.as_ref() == Some(&seen) {
                    return false;
                }
                self.seen = Some(seen);
                let read = read(&source, &components, &self.catalogue);
                let current = match read {
                    Ok(template) => {
                        self.trials.forget(&template);
                        Current {
                            before: self.current.template.clone(),
                            template: Some(template),
                            ..Current::default()
                        }
                    }
                    Err(Wrong { line, problem }) => {
                        let shown = match self.current.template {
                            Some(_) => "last good",
                            None => "built-in",
                        };
                        let line = format!("{line}, {shown} shown; run `hud layout check`");
                        self.without_another(Some(line), Some(problem))
                    }
                };
                self.show(current)
            }
        }
    }

    /// What is shown while a file is not good.
    fn without_another(&self, line: Option<String>, problem: Option<String>) -> Current {
        Current {
            template: self.current.template.clone(),
            before: self.current.before.clone(),
            line,
            problem,
        }
    }

    fn show(&mut self, current: Current) -> bool {
        self.current = Arc::new(current);
        // Its components may be others.
        self.of_sessions.clear();
        true
    }

    /// Begins a frame: takes in how layouts did in the one before it. Gives what is to be said, to a person, of those
    /// that are suspended from now on.
    pub fn begin_frame(&mut self) -> Vec<String> {
        self.trials.begin_frame()
    }

    /// Another layout than the one that was shown failed as a whole.
    fn failed(&mut self) {
        self.trials.last_failed();
    }

    /// The layout that is shown where no agent has set one; none where the program shows its own.
    pub(crate) fn base(&self) -> Option<Template> {
        let templates = [&self.current.template, &self.current.before];
        let mut good = templates
            .into_iter()
            .flatten()
            .filter(|template| self.trials.suspended(template).is_none());
        good.next().cloned()
    }

    /// The tags that an agent's layout can use, besides components that have files of their own. Nobody allowed the
    /// functions of such a layout, so none is run.
    pub(crate) fn of_agents(&self) -> Catalogue {
        self.catalogue.clone().for_agents()
    }

    /// Reads a layout that an agent sets: it can use the components of the project or the user.
    pub(crate) fn read(&mut self, text: &str) -> Result<Template, Mistakes> {
        if let Some(read) = self.of_sessions.get(text) {
            return read.clone();
        }
        let components = match &self.current.template {
            Some(template) => template.component_files(),
            None => &[],
        };
        let read = Template::read(&Source::new("layout", text), components, &self.of_agents());
        if self.of_sessions.len() >= KEPT {
            self.of_sessions.clear();
        }
        self.of_sessions.insert(text.to_owned(), read.clone());
        read
    }

    /// An agent sets a layout anew: it is shown again, whatever it did before.
    pub(crate) fn forgive(&mut self, template: &Template) {
        self.trials.forget(template);
    }

    /// Whether something else may be shown of a state than what the program shows by itself.
    fn shows_other(&self, state: &HudState) -> bool {
        let own = state.section::<AgentLayout>();
        own.is_some_and(|own| {
            own.proposed().is_some() || own.newest_first().next().flatten().is_some()
        }) || self.current.template.is_some()
            || self.current.line.is_some()
            || self.base().is_some()
    }

    fn shown(&mut self, state: &HudState) -> Shown {
        let current = self.current();
        let mut lines: Vec<String> = current.line.clone().into_iter().collect();
        let own = state.section::<AgentLayout>();
        if let Some(own) = own {
            lines.extend(own.proposed());
        }
        let mut template = None;
        // What is said is of the one that should be shown.
        let mut said = None;
        for text in own.into_iter().flat_map(AgentLayout::newest_first) {
            let Some(text) = text else { break };
            match self.read(text) {
                Ok(read) => match self.trials.suspended(&read) {
                    None => {
                        template = Some(read);
                        break;
                    }
                    Some(place) => said.get_or_insert_with(|| {
                        format!(
                            "your layout failed twice at {place}: not shown until you set it anew"
                        )
                    }),
                },
                Err(wrong) => said.get_or_insert_with(|| {
                    format!(
                        "your layout: {}, not shown; see `layout.check`",
                        count(&wrong)
                    )
                }),
            };
        }
        lines.extend(said);
        let template = template.or_else(|| {
            let suspended = current
                .template
                .as_ref()
                .and_then(|template| self.trials.suspended(template));
            lines.extend(suspended.map(|place| {
                format!("layout file: failed twice at {place}, suspended until it changes")
            }));
            self.base()
        });
        Shown { template, lines }
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
    /// In short: how a line of the HUD begins.
    line: String,
    problem: String,
}

fn read(source: &Source, components: &[Source], catalogue: &Catalogue) -> Result<Template, Wrong> {
    let template = Template::read(source, components, catalogue).map_err(|wrong| Wrong {
        line: format!("layout file: {}", count(&wrong)),
        problem: wrong.to_string(),
    })?;
    match accept(&template, &HudState::default()) {
        Ok(_) => Ok(template),
        Err(refused) => Err(Wrong {
            line: "layout file refused".to_owned(),
            problem: format!("{}: {refused}", source.name),
        }),
    }
}

/// How many mistakes there are, and where the first one is: the HUD says no more of a layout with mistakes.
fn count(wrong: &Mistakes) -> String {
    let place = wrong.list.first().map_or_else(String::new, |first| {
        format!(" at {}:{}", first.line, first.column)
    });
    match wrong.count() {
        1 => format!("1 mistake{place}"),
        count => format!("{count} mistakes{place}"),
    }
}

/// A live layout that the threads of a program share. A program [provides](hud_agent::tool::Operations::providing) it
/// for the operations of [`AgentLayout`], which then know of the files.
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
        let (looked_at, shown, failed) = (self.clone(), self.clone(), self.clone());
        let is_other = move |state: &HudState| looked_at.with(|live| live.shows_other(state));
        layout
            .with_view(is_other, move |state, own| shown.show(state, own))
            .with_failed(move |_| failed.with(Live::failed))
    }

    /// What is shown of a state, where `own` is what the program shows by itself.
    pub fn show<'a>(&self, state: &'a HudState, own: Element<'a>) -> Element<'a> {
        let (shown, watch) = self.with(|live| {
            let shown = live.shown(state);
            let watch = live.trials.watch(shown.template.as_ref());
            (shown, watch)
        });
        let element = match &shown.template {
            Some(template) => template.watched(state, watch).element,
            None => own,
        };
        let mut lines = shown.lines.into_iter().map(|line| note(&line)).peekable();
        match lines.peek() {
            Some(_) => rsx! { {element} {lines.collect::<Vec<_>>()} },
            None => element,
        }
    }
}
