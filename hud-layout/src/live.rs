//! Layouts that can change between two frames: the layout of a file, and the layouts that agents set for their
//! sessions.

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

/// The time for which a file may be missing or empty before its layout is dropped. Some editors replace a file with
/// a new one, or empty it first.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// The maximum number of parsed layouts of sessions that are kept.
const KEPT: usize = 32;

/// The result of reading a layout's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// There is no file, or it is empty.
    Nothing,
    /// The file has not changed.
    Same,
    /// The layout, and the component files.
    Layout(Source, Vec<Source>),
    /// A file that is not used.
    Refused {
        /// The name of the file.
        name: String,
        /// The reason why it is not used.
        why: String,
    },
}

/// The layout of a file that can change while sessions are served, and the layouts that agents set in its place. It
/// shows the last good layout. Before there is one, it shows the program's own layout.
///
/// A layout that fails in two frames in a row is suspended. The layout before it is then shown until it changes.
///
/// The time and the file's content are passed in, so it needs neither a clock nor a disk.
#[derive(Debug)]
pub struct Live {
    catalogue: Catalogue,
    /// The time since which there has been no file.
    nothing_since: Option<Duration>,
    /// The hash of the last layout that was found, good or not.
    seen: Option<String>,
    current: Arc<Current>,
    /// The parsed layouts that agents set, by their text. They were parsed with the current components.
    of_sessions: BTreeMap<String, Result<Template, Mistakes>>,
    trials: Trials,
}

/// The layout that is shown now.
#[derive(Debug, Default)]
pub struct Current {
    /// The last good layout.
    pub template: Option<Template>,
    /// The good layout before it.
    pub before: Option<Template>,
    /// The line that the HUD shows for a file that is not good.
    pub line: Option<String>,
    /// All errors of the file, as text for the user.
    pub problem: Option<String>,
}

/// The content that is shown of a session.
struct Shown {
    /// The layout, or `None` if the program's own layout is shown.
    template: Option<Template>,
    /// The lines for layouts that are not shown.
    lines: Vec<String>,
}

impl Live {
    /// Returns a live layout without a file.
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

    /// The layout that is shown if no agent has set one.
    pub fn current(&self) -> Arc<Current> {
        Arc::clone(&self.current)
    }

    /// True while the file is missing or empty. The next result must then be passed in even if the file has not
    /// changed.
    pub fn is_waiting(&self) -> bool {
        self.nothing_since.is_some()
    }

    /// Updates the layout with the result of reading the file. It returns true if the shown layout may have
    /// changed.
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

    /// The current layout, with a line and a problem for a file that is not good.
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
        // The components may have changed.
        self.of_sessions.clear();
        true
    }

    /// Begins a frame and records the failures of the frame before it. It returns the messages, for the user, about
    /// the layouts that are suspended from now on.
    pub fn begin_frame(&mut self) -> Vec<String> {
        self.trials.begin_frame()
    }

    /// Records that the last layout failed as a whole, and that another one was shown in its place.
    fn failed(&mut self) {
        self.trials.last_failed();
    }

    /// The layout that is shown if no agent has set one, or `None` if the program's own layout is shown.
    pub(crate) fn base(&self) -> Option<Template> {
        let templates = [&self.current.template, &self.current.before];
        let mut good = templates
            .into_iter()
            .flatten()
            .filter(|template| self.trials.suspended(template).is_none());
        good.next().cloned()
    }

    /// The tags that an agent's layout can use, without component files. No user allowed the functions of such a
    /// layout, so none is run.
    pub(crate) fn of_agents(&self) -> Catalogue {
        self.catalogue.clone().for_agents()
    }

    /// Parses a layout that an agent sets. It can use the components of the project and the user.
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

    /// Clears the failures of a layout that an agent sets again, so that it is shown.
    pub(crate) fn forgive(&mut self, template: &Template) {
        self.trials.forget(template);
    }

    /// True if the content for a state may differ from that of the program's own layout.
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
        // The message is about the first layout that can't be shown.
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

/// The reason why a file is not shown.
struct Wrong {
    /// The short reason, which begins the line of the HUD.
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

/// The number of errors and the position of the first one. The HUD shows no more about a layout with errors.
fn count(wrong: &Mistakes) -> String {
    let place = wrong.list.first().map_or_else(String::new, |first| {
        format!(" at {}:{}", first.line, first.column)
    });
    match wrong.count() {
        1 => format!("1 mistake{place}"),
        count => format!("{count} mistakes{place}"),
    }
}

/// A live layout that the threads of a program share. A program [provides](hud_agent::tool::Operations::providing)
/// it for the operations of [`AgentLayout`], which can then use the files.
#[derive(Clone, Debug)]
pub struct Shared(Arc<Mutex<Live>>);

impl Shared {
    /// Wraps a live layout.
    pub fn new(live: Live) -> Self {
        Self(Arc::new(Mutex::new(live)))
    }

    /// Calls `work` with the live layout.
    pub fn with<T>(&self, work: impl FnOnce(&mut Live) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns a layout that shows the current layout in place of another one.
    #[must_use]
    pub fn in_place_of(&self, layout: Layout) -> Layout {
        let (looked_at, shown, failed) = (self.clone(), self.clone(), self.clone());
        let is_other = move |state: &HudState| looked_at.with(|live| live.shows_other(state));
        layout
            .with_view(is_other, move |state, own| shown.show(state, own))
            .with_failed(move |_| failed.with(Live::failed))
    }

    /// The element for a state. `own` is the element of the program's own layout.
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
