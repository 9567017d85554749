//! The layout of a session's state: [`Layout`].

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

/// The view of a session's state: a function from the state to elements. A [placement](crate::placement) sets
/// the position of their [parts](hud_core::part). The default is [`Hud`].
///
/// A part that shows a section has the name of the section. The layout may have no part for a section that the
/// program registered. Such a section follows the layout, as a part that lists its items.
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
    /// The views of registered sections, by name.
    sections: BTreeMap<&'static str, Arc<View>>,
    renderer: Option<Arc<Renderer>>,
    /// True if the built-in layout shows a state.
    is_built_in: Arc<IsBuiltIn>,
    /// The calls with which the agent lists a whole section.
    handles: Handles,
    refresh: Option<Arc<Refresh>>,
    trace: Option<Trace>,
    failed: Option<Arc<Failed>>,
}

/// An error of rendering a layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// A custom node has no rule in the renderer, or the tree is too deep.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// It can't be fitted into a budget.
    #[error(transparent)]
    Fit(FitError),
    /// The layout's function or one of its components panicked.
    #[error("the layout panicked{}: {message}", at(.part.as_deref()))]
    Panicked {
        /// The last rendered part, if there was one.
        part: Option<String>,
        /// The message of the panic.
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

/// The renderer of HUDs. It escapes texts that would end the tag around a HUD.
pub(crate) static RENDERER: LazyLock<Renderer> = LazyLock::new(|| Renderer::default().guarded());

/// The handles of the built-in sections.
static HANDLES: LazyLock<Handles> = LazyLock::new(|| Operations::built_in().handles());

/// Checks for a new layout, and returns true if there is one.
type Refresh = dyn Fn() -> bool + Send + Sync;

/// Receives the error of a layout that could not be rendered.
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
    /// Returns a custom layout.
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

    /// Returns the layout with a wrapper for the states for which `for_state` returns true. `view` receives
    /// the state and the layout's element for it, and returns the element to show.
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

    /// Returns the layout with a refresh, for a layout that can change between two frames. `refresh` returns
    /// true if it has changed.
    #[must_use]
    pub fn with_refresh(self, refresh: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self {
            refresh: Some(Arc::new(refresh)),
            ..self
        }
    }

    /// Returns the layout with a failure handler, for a layout that can be replaced after an error. `failed`
    /// receives the error, and the built-in layout is shown instead.
    #[must_use]
    pub fn with_failed(self, failed: impl Fn(&LayoutError) + Send + Sync + 'static) -> Self {
        Self {
            failed: Some(Arc::new(failed)),
            ..self
        }
    }

    /// Reports the error of a failed rendering.
    pub(crate) fn failed(&self, error: &LayoutError) {
        if let Some(failed) = &self.failed {
            failed(error);
        }
    }

    /// Refreshes the layout, and returns true if it has changed. Servers call it before each frame. The layout
    /// does not change within a frame.
    pub fn refresh(&self) -> bool {
        self.refresh.as_ref().is_some_and(|refresh| refresh())
    }

    /// Returns the layout with a renderer that knows custom nodes. Its texts are [guarded](Renderer::guarded).
    #[must_use]
    pub fn with_renderer(self, renderer: Renderer) -> Self {
        Self {
            renderer: Some(Arc::new(renderer.guarded())),
            is_built_in: Arc::new(|_| false),
            ..self
        }
    }

    /// Returns the layout with a component for a registered section that the layout itself does not show. It
    /// replaces the section's [own component](crate::section::AgentSection::component). The
    /// [`PACE`](hud_store::section::Section::PACE) of the section determines its layer. The component's own
    /// layer has no effect.
    #[must_use]
    pub fn with_section(
        mut self,
        name: &'static str,
        view: impl for<'a> Fn(&'a HudState) -> Element<'a> + Send + Sync + 'static,
    ) -> Self {
        self.sections.insert(name, Arc::new(view));
        self
    }

    /// Returns the layout with the section components of another layout, for sections without one.
    #[must_use]
    pub(crate) fn with_sections_of(mut self, other: &Self) -> Self {
        for (name, view) in &other.sections {
            self.sections
                .entry(name)
                .or_insert_with(|| Arc::clone(view));
        }
        self.with_handles(&other.handles)
    }

    /// Returns the layout with additional handles.
    #[must_use]
    pub(crate) fn with_handles(mut self, handles: &Handles) -> Self {
        self.handles.add(handles);
        self
    }

    /// True if it shows a state exactly as [`Hud`] does, without a trace. The inputs of the parts of a custom
    /// layout are unknown.
    pub(crate) fn is_built_in(&self, state: &HudState) -> bool {
        self.trace.is_none() && state.sections.is_empty() && self.shows_built_in(state)
    }

    /// True if it shows the built-in sections of a state as [`Hud`] does.
    pub(crate) fn shows_built_in(&self, state: &HudState) -> bool {
        (self.is_built_in)(state)
    }

    /// Returns the layout with a [trace](hud_core::trace), which records the source of each line of its texts.
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

    /// Returns the trace, if there is one.
    pub(crate) const fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }

    /// Returns its renderer.
    pub fn renderer(&self) -> &Renderer {
        self.renderer.as_deref().unwrap_or(&RENDERER)
    }

    /// Returns its parts for a state in their order, with those of registered sections that it does not show
    /// itself.
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

    /// Renders the parts to which `choose` gives a density. The settings of a [section](Settings::sections)
    /// apply to the part with its name. The bands of the settings are a context value, and `density` applies
    /// to elements around the parts.
    ///
    /// # Errors
    ///
    /// [`LayoutError`], but never with the built-in layout.
    pub fn render(
        &self,
        state: &HudState,
        settings: &Settings,
        density: Density,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Result<Rendered, LayoutError> {
        self.render_known(state, settings, density, None, choose)
    }

    /// Renders the parts to which `choose` gives a density. Parts in the cache are not rendered again.
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

    /// [`render`](Self::render) with an element that was already made of the state, in place of the layout's
    /// own.
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

    /// Renders the parts to which `choose` gives a density as MDX. Nodes that markdown does not have become
    /// elements of [`mdx`](hud_core::mdx). Returns `None` for a layout with its own renderer, whose rules are
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

    /// Returns the parts to which `choose` gives a density as an object: [`render`](Self::render) for
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

    /// Returns the parts to which `choose` gives a density as a graph: [`render`](Self::render) for
    /// [`graph`](hud_core::graph). The root is the session, with relations to its origin sessions.
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

    /// Shows the parts to which `choose` gives a density.
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

    /// Renders as much as fits into a budget. The settings of sections apply. `density` applies to elements
    /// around the parts.
    ///
    /// # Errors
    ///
    /// [`LayoutError::Fit`] if the floors do not fit, with the smallest rendering, or if the counter can't
    /// count. Otherwise as [`render`](Self::render).
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

    /// Shows the layout's element for a state.
    fn shown<T>(
        &self,
        state: &HudState,
        settings: &Settings,
        density: Density,
        show: impl FnOnce(&Renderer, &Element<'_>, Scope<'_>, &Arrangement) -> Result<T, LayoutError>,
    ) -> Result<T, LayoutError> {
        self.shown_of(|| (self.view)(state), state, settings, density, show)
    }

    /// Shows an element, followed by the registered sections that it has no part for.
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

    /// Returns the registered sections without a part in the layout, in the order of their registration.
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

    /// True if it shows nothing, neither for a new session nor for one with a task, a decision, a plan and a
    /// note. All its frames would be empty. A program can warn of that at its start.
    pub fn is_empty(&self) -> bool {
        let has_none = |state: &HudState| self.parts(state).is_ok_and(|parts| parts.is_empty());
        has_none(&HudState::default()) && has_none(&begun())
    }
}

/// The last rendered part. Its code may be custom, and its panic must not end the session.
#[derive(Default)]
struct Last(RefCell<Option<Cow<'static, str>>>);

impl Last {
    fn is(&self, part: &PartMeta) {
        let name = Some(part.name.clone());
        self.0.replace(name.filter(|name| !name.is_empty()));
    }

    /// Returns the result of a rendering. A panic becomes an error that names the part.
    fn caught<T>(&self, show: impl FnOnce() -> Result<T, LayoutError>) -> Result<T, LayoutError> {
        caught(show).unwrap_or_else(|message| {
            let part = self.0.take().map(Cow::into_owned);
            Err(LayoutError::Panicked { part, message })
        })
    }
}

/// Returns the layer of a section, from its pace.
fn layer(state: &HudState, name: &str) -> Layer {
    match state.sections.pace(name) {
        Some(Pace::Steady) => Layer::Static,
        Some(Pace::Working | Pace::EachTurn) | None => Layer::Dynamic,
    }
}

/// Returns the arrangement of the parts that the settings define.
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

/// Returns the state of a session with a few items.
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
