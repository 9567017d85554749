//! What shows a session's state: [`Layout`].

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use hud_components::Hud;
use hud_core::part::{Arrangement, PartMeta, Rendered};
use hud_core::{Density, Element, LowerError, Renderer, Scope, rsx};
use hud_store::state::{Decision, HudState, Note, Step, StepStatus, Task};
use jiff::Timestamp;

use crate::settings::{SectionSettings, Settings};

/// How a session's state is shown: a function from the state to elements, whose
/// [parts](hud_core::part) go where a [placement](crate::placement) puts them. By default
/// [`Hud`].
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
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[derive(Clone)]
pub struct Layout {
    view: Arc<View>,
    renderer: Option<Arc<Renderer>>,
}

type View = dyn for<'a> Fn(&'a HudState) -> Element<'a> + Send + Sync;

/// The layout with all built-in sections.
impl Default for Layout {
    fn default() -> Self {
        Self::new(|state| rsx! { <Hud state /> })
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
            renderer: None,
        }
    }

    /// The same layout, written by a renderer that knows nodes of its own.
    #[must_use]
    pub fn with_renderer(self, renderer: Renderer) -> Self {
        Self {
            renderer: Some(Arc::new(renderer)),
            ..self
        }
    }

    /// What writes it.
    pub fn renderer(&self) -> &Renderer {
        self.renderer.as_deref().unwrap_or(Renderer::builtin())
    }

    /// The parts that it has for a state, in their order.
    ///
    /// # Errors
    ///
    /// As [`render`](Self::render).
    pub fn parts(&self, state: &HudState) -> Result<Vec<PartMeta>, LowerError> {
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
    /// [`LowerError`] where a node of the layout's own has no rule in its renderer, and where its tree
    /// is too deep: never, with the built-in layout.
    pub fn render(
        &self,
        state: &HudState,
        settings: &Settings,
        density: Density,
        choose: &mut dyn FnMut(&PartMeta) -> Option<Density>,
    ) -> Result<Rendered, LowerError> {
        let scope = Scope::new(density).provide(&settings.bands);
        let layout = (self.view)(state);
        let arrangement = arrangement(&settings.sections);
        self.renderer()
            .parts(&layout, scope.scope(), &arrangement, choose)
    }

    /// Whether it shows nothing, neither of a session that begins nor of one that has a task, a
    /// decision, a plan and a note. Its frames are empty then, which is worth a warning when a program
    /// starts.
    pub fn is_empty(&self) -> bool {
        let has_none = |state: &HudState| self.parts(state).is_ok_and(|parts| parts.is_empty());
        has_none(&HudState::default()) && has_none(&begun())
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
            set_at: at,
            updated_at: at,
        }),
        decisions: vec![Decision {
            id: text(),
            summary: text(),
            details: None,
            recorded_at: at,
        }],
        next_steps: vec![Step {
            id: text(),
            description: text(),
            status: StepStatus::Pending,
        }],
        notes: vec![Note {
            id: text(),
            content: text(),
            updated_at: at,
        }],
        ..HudState::default()
    }
}

#[cfg(test)]
mod tests {
    use hud_core::node::Part;

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
            "task warning context blockers decisions active_files next_steps errors notes compacted"
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
            "task notes blockers active_files next_steps errors compacted decisions"
        );
        insta::assert_snapshot!(markdown, @"
        # Task

        x

        **Latest request:** x

        ## Notes (1)

        - 1 older

        ## Next Steps (0/1 done)

        1. [ ] x

        ## Decisions (1)

        - x
        ");
    }
}
