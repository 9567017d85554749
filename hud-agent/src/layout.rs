//! What shows a session's state: [`Layout`].

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, LazyLock};

use hud_components::{Ceiling, Hud, KnowledgeLimit, SectionItems};
use hud_core::fit::{FitError, Fitted, Fitting};
use hud_core::graph::Diagram;
use hud_core::node::{Part, Relates, Value};
use hud_core::part::{Arrangement, Handles, Layer, PartCache, PartMeta, Rendered};
use hud_core::trace::Trace;
use hud_core::{Density, Element, LowerError, Renderer, Scope, rsx};
use hud_store::event::Actor;
use hud_store::section::Pace;
use hud_store::state::{Decision, HudState, Note, Step, StepStatus, Task};
use jiff::Timestamp;

use crate::panic::caught;
use crate::prune::clearable;
use crate::settings::{SectionSettings, Settings};
use crate::tool::Operations;

/// How a session's state is shown: a function from the state to elements, whose
/// [parts](hud_core::part) go where a [placement](crate::placement) puts them. By default
/// [`Hud`].
///
/// A part that shows a section is named as the section is. Sections that the program has registered, and
/// that no part of the layout is named as, come after it, each as a part of its own that lists what they
/// say.
///
/// ```
/// use hud_agent::layout::Layout;
/// use hud_components::{DecisionsList, TaskSection};
/// use hud_core::{Element, component, rsx};
/// use hud_store::state::HudState;
///
/// /// What was to be done, and what was decided: no more.
/// #[component]
/// fn Short<'a>(state: &'a HudState) -> Element<'a> {
///     rsx! {
///         <TaskSection task={state.task.as_ref()} />
///         <DecisionsList decisions={&state.decisions} />
///     }
/// }
///
/// let layout = Layout::new(|state| rsx! { <Short state /> });
/// let names = layout.parts(&HudState::default())?;
/// assert_eq!(names.iter().map(|part| &*part.name).collect::<Vec<_>>(), ["task", "decisions"]);
/// # Ok::<(), hud_agent::layout::LayoutError>(())
/// ```
#[derive(Clone)]
pub struct Layout {
    view: Arc<View>,
    /// Those of registered sections, by their names.
    sections: BTreeMap<&'static str, Arc<View>>,
    renderer: Option<Arc<Renderer>>,
    /// Whether the built-in layout shows a state.
    is_built_in: Arc<IsBuiltIn>,
    /// What the agent calls to see all of a section.
    handles: Handles,
    refresh: Option<Arc<Refresh>>,
    trace: Option<Trace>,
    failed: Option<Arc<Failed>>,
}

/// Why a layout can't be rendered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// A node of the layout's own has no rule in its renderer, or its tree is too deep.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// It can't be fitted into a budget.
    #[error(transparent)]
    Fit(FitError),
    /// A component of it panicked, or the function that it is.
    #[error("the layout panicked{}: {message}", at(.part.as_deref()))]
    Panicked {
        /// The part that was rendered last when it did, if one was.
        part: Option<String>,
        /// What it said.
        message: String,
    },
}

impl From<FitError> for LayoutError {
    fn from(error: FitError) -> Self {
        match error {
            FitError::Lower(error) => Self::Lower(error),
            error => Self::Fit(error),
        }
    }
}

fn at(part: Option<&str>) -> String {
    part.map_or_else(String::new, |part| format!(" at its part `{part}`"))
}

/// The renderer of HUDs. It keeps the texts of a session, of a layout and of a program's sections from ending the
/// tag around a HUD.
pub(crate) static RENDERER: LazyLock<Renderer> = LazyLock::new(|| Renderer::default().guarded());

/// Those of the built-in sections.
static HANDLES: LazyLock<Handles> = LazyLock::new(|| Operations::built_in().handles());

/// Looks for another layout, and says whether there is one.
type Refresh = dyn Fn() -> bool + Send + Sync;

/// Takes the reason why a layout could not be rendered.
type Failed = dyn Fn(&LayoutError) + Send + Sync;

type IsBuiltIn = dyn Fn(&HudState) -> bool + Send + Sync;

type View = dyn for<'a> Fn(&'a HudState) -> Element<'a> + Send + Sync;

/// The layout with all built-in sections.
impl Default for Layout {
    fn default() -> Self {
        Self {
            is_built_in: Arc::new(|_| true),
            ..Self::new(|state| rsx! { <Hud state /> })
        }
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layout").finish_non_exhaustive()
    }
}

impl Layout {
    /// A layout of one's own.
    pub fn new(view: impl for<'a> Fn(&'a HudState) -> Element<'a> + Send + Sync + 'static) -> Self {
        Self {
            view: Arc::new(view),
            sections: BTreeMap::new(),
            renderer: None,
            is_built_in: Arc::new(|_| false),
            handles: HANDLES.clone(),
            refresh: None,
            trace: None,
            failed: None,
        }
    }

    /// The same layout, but that `view` has the last word of each state for which `for_state` says so: it is given
    /// the state and what the layout shows of it.
    #[must_use]
    pub fn with_view(
        self,
        for_state: impl Fn(&HudState) -> bool + Send + Sync + 'static,
        view: impl for<'a> Fn(&'a HudState, Element<'a>) -> Element<'a> + Send + Sync + 'static,
    ) -> Self {
        let (own, is_built_in) = (Arc::clone(&self.view), Arc::clone(&self.is_built_in));
        let for_state = Arc::new(for_state);
        let is_for = Arc::clone(&for_state);
        Self {
            view: Arc::new(move |state| match for_state(state) {
                true => view(state, own(state)),
                false => own(state),
            }),
            is_built_in: Arc::new(move |state| is_built_in(state) && !is_for(state)),
            ..self
        }
    }

    /// The same layout, which may change between two frames: `refresh` looks whether it has, and says so.
    #[must_use]
    pub fn with_refresh(self, refresh: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self {
            refresh: Some(Arc::new(refresh)),
            ..self
        }
    }

    /// The same layout, which may change for another one where it can't be rendered: `failed` is given the reason. The built-in
    /// one is shown in its place.
    #[must_use]
    pub fn with_failed(self, failed: impl Fn(&LayoutError) + Send + Sync + 'static) -> Self {
        Self {
            failed: Some(Arc::new(failed)),
            ..self
        }
    }

    /// It could not be rendered.
    pub(crate) fn failed(&self, error: &LayoutError) {
        if let Some(failed) = &self.failed {
            failed(error);
        }
    }

    /// Looks whether the layout has changed; who serves frames asks before each. Within a frame nothing
    /// changes.
    pub fn refresh(&self) -> bool {
        self.refresh.as_ref().is_some_and(|refresh| refresh())
    }

    /// The same layout, written by a renderer that knows nodes of its own. Its texts are [guarded](Renderer::guarded).
    #[must_use]
    pub fn with_renderer(self, renderer: Renderer) -> Self {
        Self {
            renderer: Some(Arc::new(renderer.guarded())),
            is_built_in: Arc::new(|_| false),
            ..self
        }
    }

    /// The same layout with a component for a registered section that it does not show itself, in place of
    /// the one of the section's [own](crate::section::AgentSection::component). How often the section changes
    /// ([`PACE`](hud_store::section::Section::PACE)) says which layer it is in, whatever the component
    /// declares.
    #[must_use]
    pub fn with_section(
        mut self,
        name: &'static str,
        view: impl for<'a> Fn(&'a HudState) -> Element<'a> + Send + Sync + 'static,
    ) -> Self {
        self.sections.insert(name, Arc::new(view));
        self
    }

    /// The same layout with the components of another one for the sections that it has none for.
    #[must_use]
    pub(crate) fn with_sections_of(mut self, other: &Self) -> Self {
        for (name, view) in &other.sections {
            self.sections
                .entry(name)
                .or_insert_with(|| Arc::clone(view));
        }
        self.with_handles(&other.handles)
    }

    /// The same layout with what the agent calls to see all of some sections, besides those that it knows.
    #[must_use]
    pub(crate) fn with_handles(mut self, handles: &Handles) -> Self {
        self.handles.add(handles);
        self
    }

    /// Whether it shows a state as [`Hud`] does, and nobody takes down how: of a layout of one's own it is not known
    /// what its parts show.
    pub(crate) fn is_built_in(&self, state: &HudState) -> bool {
        self.trace.is_none() && state.sections.is_empty() && self.shows_built_in(state)
    }

    /// True if it shows the built-in sections of a state as [`Hud`] does.
    pub(crate) fn shows_built_in(&self, state: &HudState) -> bool {
        (self.is_built_in)(state)
    }

    /// The same layout, which takes down in a [trace](hud_core::trace) what gives which line of its texts.
    ///
    /// ```
    /// use hud_agent::frame::frame;
    /// use hud_agent::placement::Placement;
    /// use hud_agent::setup::Setup;
    /// use hud_core::trace::Trace;
    /// use hud_store::state::HudState;
    ///
    /// let trace = Trace::default();
    /// let mut setup = Setup::default();
    /// setup.layout = setup.layout.with_trace(trace.clone());
    /// let mut state = HudState::default();
    /// state.repository.branch = Some("main".to_owned());
    /// let frame = frame(&state, None, Placement::SystemTail, &setup)?;
    /// let traced = trace.explain(&frame.system);
    /// assert_eq!(traced.part(traced.lines[0][0]), Some("repository"));
    /// # Ok::<(), hud_agent::layout::LayoutError>(())
    /// ```
    #[must_use]
    pub fn with_trace(self, trace: Trace) -> Self {
        Self {
            trace: Some(trace),
            ..self
        }
    }

    /// What takes down what gives which line, if something does.
    pub(crate) const fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }

    /// What writes it.
    pub fn renderer(&self) -> &Renderer {
        self.renderer.as_deref().unwrap_or(&RENDERER)
    }

    /// The parts that it has for a state, in their order, with those of registered sections that it does
    /// not show itself.
    ///
    /// # Errors
    ///
    /// As [`render`](Self::render).
    pub fn parts(&self, state: &HudState) -> Result<Vec<PartMeta>, LayoutError> {
        let mut parts = Vec::new();
        self.render(state, &Settings::default(), Density::Full, &mut |part| {
            parts.push(part.clone());
            None
        })?;
        Ok(parts)
    }

    /// Renders the parts that `choose` gives a density, as far as the settings of the
    /// [sections](Settings::sections) with their names let them be shown. The bands of the settings are
    /// an ambient value, and `density` is that of what the layout has around its parts.
    ///
    /// # Errors
    ///
    /// [`LayoutError`]: never, with the built-in layout.
    pub fn render(
        &self,
        state: &HudState,
        settings: &Settings,
        density: Density,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Result<Rendered, LayoutError> {
        self.render_known(state, settings, density, None, choose)
    }

    /// Renders the parts that `choose` gives a density, but for those that are known.
    pub(crate) fn render_known(
        &self,
        state: &HudState,
        settings: &Settings,
        density: Density,
        known: Option<&PartCache>,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Result<Rendered, LayoutError> {
        self.chosen(
            state,
            settings,
            density,
            choose,
            |renderer, layout, scope, arrangement, choose| match known {
                Some(known) => renderer.parts_cached(layout, scope, arrangement, known, choose),
                None => renderer.parts(layout, scope, arrangement, choose),
            },
        )
    }

    /// [`render`](Self::render) of what was made of the state before, in place of what the layout shows of it.
    ///
    /// # Errors
    ///
    /// As [`render`](Self::render).
    pub fn render_made(
        &self,
        made: &Element<'_>,
        state: &HudState,
        settings: &Settings,
        density: Density,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Result<Rendered, LayoutError> {
        let last = Last::default();
        let mut choose = |meta: &PartMeta| {
            last.is(meta);
            choose(meta)
        };
        last.caught(|| {
            self.shown_of(
                || Element::borrowed(made),
                state,
                settings,
                density,
                |renderer, layout, scope, arrangement| {
                    Ok(renderer.parts(layout, scope, arrangement, &mut choose)?)
                },
            )
        })
    }

    /// Renders the parts that `choose` gives a density as MDX, with nodes that markdown does not know as elements:
    /// [`render`](Self::render) for [`mdx`](hud_core::mdx). Not with a renderer of the layout's own, whose rules are
    /// for markdown.
    ///
    /// # Errors
    ///
    /// As [`render`](Self::render).
    #[cfg(feature = "formats")]
    pub(crate) fn mdx(
        &self,
        state: &HudState,
        settings: &Settings,
        density: Density,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Result<Option<String>, LayoutError> {
        static MDX: LazyLock<Renderer> = LazyLock::new(|| hud_core::mdx::renderer().guarded());

        if self.renderer.is_some() {
            return Ok(None);
        }
        let rendered = self.chosen(
            state,
            settings,
            density,
            choose,
            |_, layout, scope, arrangement, choose| MDX.parts(layout, scope, arrangement, choose),
        )?;
        Ok(Some(rendered.markdown))
    }

    /// The parts that `choose` gives a density as an object: [`render`](Self::render) for
    /// [`data`](hud_core::data).
    ///
    /// # Errors
    ///
    /// As [`render`](Self::render).
    pub fn data(
        &self,
        state: &HudState,
        settings: &Settings,
        density: Density,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Result<Value, LayoutError> {
        let (value, _) = self.chosen(
            state,
            settings,
            density,
            choose,
            |renderer, layout, scope, arrangement, choose| {
                renderer.data_parts(layout, scope, arrangement, choose)
            },
        )?;
        Ok(value)
    }

    /// The parts that `choose` gives a density as a graph: [`render`](Self::render) for
    /// [`graph`](hud_core::graph). Around them is the session, with the sessions that it comes from.
    ///
    /// # Errors
    ///
    /// As [`render`](Self::render).
    pub fn diagram(
        &self,
        state: &HudState,
        settings: &Settings,
        density: Density,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Result<Diagram, LayoutError> {
        let origin = state.origin.clone().unwrap_or_default();
        let others = [
            ("resumes", origin.resumes),
            ("was begun by", origin.parent),
            ("begins with", origin.project),
            ("is a fork of", origin.forks),
        ];
        let origin = rsx! {
            for (how, other) in others {
                if let Some(session) = other { <Relates how to={session.as_str()} /> }
            }
        };
        let (diagram, _) = self.chosen(
            state,
            settings,
            density,
            choose,
            |renderer, layout, scope, arrangement, choose| {
                renderer.diagram_parts("session", &origin, layout, scope, arrangement, choose)
            },
        )?;
        Ok(diagram)
    }

    /// Shows the parts that `choose` gives a density.
    fn chosen<T>(
        &self,
        state: &HudState,
        settings: &Settings,
        density: Density,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
        show: impl FnOnce(
            &Renderer,
            &Element<'_>,
            Scope<'_>,
            &Arrangement,
            &mut dyn FnMut(&PartMeta) -> Option<Density>,
        ) -> Result<T, LowerError>,
    ) -> Result<T, LayoutError> {
        let last = Last::default();
        let mut choose = |meta: &PartMeta| {
            last.is(meta);
            choose(meta)
        };
        last.caught(|| {
            self.shown(
                state,
                settings,
                density,
                |renderer, layout, scope, arrangement| {
                    Ok(show(renderer, layout, scope, arrangement, &mut choose)?)
                },
            )
        })
    }

    /// Renders as much as a budget holds, as far as the settings of the sections let it be shown. `density` is that of
    /// what the layout has around its parts.
    ///
    /// # Errors
    ///
    /// [`LayoutError::Fit`] when what has to be there does not fit, with the smallest rendering, or when the
    /// counter can't count; otherwise as [`render`](Self::render).
    pub fn fit(
        &self,
        state: &HudState,
        settings: &Settings,
        density: Density,
        fitting: &Fitting<'_>,
    ) -> Result<Fitted, LayoutError> {
        let last = Last::default();
        let ceiling = |meta: &PartMeta| {
            last.is(meta);
            fitting.ceiling(meta)
        };
        let fitting = fitting.clone().with_ceiling(&ceiling);
        last.caught(|| {
            self.shown(
                state,
                settings,
                density,
                |renderer, layout, scope, arrangement| {
                    Ok(renderer.fit(layout, scope, arrangement, &fitting)?)
                },
            )
        })
    }

    /// Shows all that there is of a state.
    fn shown<T>(
        &self,
        state: &HudState,
        settings: &Settings,
        density: Density,
        show: impl FnOnce(&Renderer, &Element<'_>, Scope<'_>, &Arrangement) -> Result<T, LayoutError>,
    ) -> Result<T, LayoutError> {
        self.shown_of(|| (self.view)(state), state, settings, density, show)
    }

    /// Shows elements, and what else there is of a state.
    fn shown_of<'a, T>(
        &self,
        made: impl FnOnce() -> Element<'a>,
        state: &'a HudState,
        settings: &Settings,
        density: Density,
        show: impl FnOnce(&Renderer, &Element<'_>, Scope<'_>, &Arrangement) -> Result<T, LayoutError>,
    ) -> Result<T, LayoutError> {
        let clearable = clearable(state, settings);
        let limit = KnowledgeLimit(settings.memory.knowledge);
        let ceiling = Ceiling(density);
        let most = Scope::new(density).provide(&ceiling);
        let bands = most.scope().provide(&settings.bands);
        let limited = bands.scope().provide(&limit);
        let clearing = limited.scope().provide(&clearable);
        let traced = self
            .trace
            .as_ref()
            .map(|trace| clearing.scope().provide(trace));
        let scope = traced.as_ref().unwrap_or(&clearing);
        let mut layout = made();
        if !state.sections.is_empty() {
            let mut shown = BTreeSet::new();
            let mut see = |part: &PartMeta| {
                shown.insert(part.name.clone());
                None
            };
            self.renderer()
                .parts(&layout, scope.scope(), &Arrangement::default(), &mut see)?;
            layout = rsx! { {layout} {self.others(state, &shown)} };
        }
        let arrangement = Arrangement {
            handles: self.handles.clone(),
            ..arrangement(&settings.sections)
        };
        show(self.renderer(), &layout, scope.scope(), &arrangement)
    }

    /// The sections that the program has registered and the layout has no part for, in the order in
    /// which they were.
    fn others<'a>(&self, state: &'a HudState, shown: &BTreeSet<Cow<'static, str>>) -> Element<'a> {
        let others = state.sections.items();
        rsx! {
            for (name, _, items) in others.filter(|(name, ..)| !shown.contains(*name)) {
                match self.sections.get(name) {
                    Some(view) => <Part name layer={layer(state, name)}>{view(state)}</Part>,
                    None => <Part name layer={layer(state, name)}>
                        <SectionItems name items bearings={state.bearings(name)} />
                    </Part>,
                }
            }
        }
    }

    /// Whether it shows nothing, neither of a session that begins nor of one that has a task, a
    /// decision, a plan and a note. Its frames are empty then, which is worth a warning when a program
    /// starts.
    pub fn is_empty(&self) -> bool {
        let has_none = |state: &HudState| self.parts(state).is_ok_and(|parts| parts.is_empty());
        has_none(&HudState::default()) && has_none(&begun())
    }
}

/// The part that was rendered last: it may be anybody's code, and its mistake must not end the session.
#[derive(Default)]
struct Last(RefCell<Option<Cow<'static, str>>>);

impl Last {
    fn is(&self, part: &PartMeta) {
        let name = Some(part.name.clone());
        self.0.replace(name.filter(|name| !name.is_empty()));
    }

    /// What is shown, or an error that names the part.
    fn caught<T>(&self, show: impl FnOnce() -> Result<T, LayoutError>) -> Result<T, LayoutError> {
        caught(show).unwrap_or_else(|message| {
            let part = self.0.take().map(Cow::into_owned);
            Err(LayoutError::Panicked { part, message })
        })
    }
}

/// The layer of a section, by how often it changes.
fn layer(state: &HudState, name: &str) -> Layer {
    match state.sections.pace(name) {
        Some(Pace::Steady) => Layer::Static,
        Some(Pace::Working | Pace::EachTurn) | None => Layer::Dynamic,
    }
}

/// What settings change of a layout.
fn arrangement(sections: &BTreeMap<String, SectionSettings>) -> Arrangement {
    let mut arrangement = Arrangement::default();
    for (name, section) in sections {
        if !section.on {
            arrangement.off.insert(name.clone());
        }
        if section.order != 0 {
            arrangement.order.insert(name.clone(), section.order);
        }
        if let Some(cap) = section.cap {
            arrangement.caps.insert(name.clone(), cap);
        }
    }
    arrangement
}

/// A session in which something happened.
fn begun() -> HudState {
    let at = Timestamp::UNIX_EPOCH;
    let text = || "x".to_owned();
    HudState {
        task: Some(Task {
            description: text(),
            latest_request: Some(text()),
            by: Actor::User,
            restated: None,
            offer: None,
            done: false,
            pinned: false,
            set_at: at,
            updated_at: at,
            turn: 0,
        }),
        decisions: vec![Decision {
            id: text(),
            summary: text(),
            details: None,
            by: Actor::Agent,
            turn: 1,
            recorded_at: at,
            weight: None,
        }],
        next_steps: vec![Step {
            id: text(),
            description: text(),
            status: StepStatus::Pending,
            summarised: false,
            by: Actor::Derived,
            turn: 0,
        }],
        notes: vec![Note {
            id: text(),
            content: text(),
            updated_at: at,
            by: Actor::Agent,
            turn: 0,
        }],
        ..HudState::default()
    }
}

#[cfg(test)]
mod tests {
    use hud_core::component;

    use super::*;

    #[test]
    fn a_layout_that_shows_nothing_is_found_and_one_that_waits_for_something_is_not() {
        assert!(Layout::new(|_| rsx! {}).is_empty());
        assert!(!Layout::default().is_empty());
        let waits = Layout::new(|state| {
            rsx! {
                if let Some(task) = &state.task {
                    <Part name="task">{task.description.as_str()}</Part>
                }
            }
        });
        assert!(!waits.is_empty());
    }

    #[test]
    fn a_layout_that_panics_is_an_error_that_names_its_part() {
        let error = |layout: Layout| layout.parts(&begun()).unwrap_err().to_string();
        let at_once = Layout::new(|_| panic!("no layout"));
        assert_eq!(error(at_once), "the layout panicked: no layout");

        #[component(part = "notes")]
        fn Broken<'a>(notes: &'a [Note]) -> Element<'a> {
            let third = &notes[2];
            rsx! { {&*third.content} }
        }
        let layout = Layout::new(|state| {
            rsx! { <Part name="task">"Do it"</Part> <Broken notes={&state.notes} /> }
        });
        let shown = layout.render(&begun(), &Settings::default(), Density::Full, &mut |part| {
            Some(part.at(Density::Full))
        });
        assert_eq!(
            shown.unwrap_err(),
            LayoutError::Panicked {
                part: Some("notes".to_owned()),
                message: "index out of bounds: the len is 1 but the index is 2".to_owned(),
            }
        );
    }

    #[test]
    fn settings_leave_parts_out_move_and_cap_them_by_name() {
        let shown = |settings: &Settings| {
            let full = &mut |_: &PartMeta| Some(Density::Full);
            let layout = Layout::default();
            let shown = layout
                .render(&begun(), settings, Density::Full, full)
                .unwrap();
            let names: Vec<_> = shown
                .parts
                .iter()
                .map(|shown| shown.part.name.to_string())
                .collect();
            (names.join(" "), shown.markdown)
        };
        let (names, _) = shown(&Settings::default());
        assert_eq!(
            names,
            "task warning context core_memory knowledge requests constraints earlier blockers decisions active_files next_steps \
             errors checks repository findings notes dependencies working_memory used_before compacted age reminder"
        );
        let settings = r#"{ "sections": {
            "warning": { "on": false },
            "context": { "on": false },
            "notes": { "order": -1, "cap": 0 },
            "decisions": { "order": 1 }
        } }"#;
        let (names, markdown) = shown(&serde_json::from_str(settings).unwrap());
        assert_eq!(
            names,
            "task notes core_memory knowledge requests constraints earlier blockers active_files next_steps errors checks \
             repository findings dependencies working_memory used_before compacted age reminder decisions"
        );
        insta::assert_snapshot!(markdown, @"
        # Task

        x

        **Began as:** x

        ## Notes (1)

        - 1 more: `hud notes.list`

        ## Next Steps (0/1 done)

        1. [ ] x

        ## Decisions (1)

        - x
        ");
    }
}
