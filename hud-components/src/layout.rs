//! The root layout: [`Hud`], and the density that a state asks for.

use hud_core::node::Line;
use hud_core::{Bands, Density, Element, component, rsx};
use hud_store::state::{Decision, HudState, Step, Task};

use crate::{
    ActiveFiles, BlockersList, CompactedContext, ContextBar, DecisionsList, ErrorsList, NextSteps,
    NotesSection, TaskSection, WarningBanner,
};

/// The whole HUD of a state, at the ambient density.
///
/// Full is a document with the task as its heading, compact a line for each section, minimal two
/// lines.
#[component]
pub fn Hud<'a>(
    /// The state that the session's events fold to.
    state: &'a HudState,
    /// The bands of context use; they say in which steps it is shown and when it is warned about.
    #[prop(default)]
    bands: Bands,
    density: Density,
) -> Element<'a> {
    let context = state.context.as_ref();
    let task = rsx! { <TaskSection task={state.task.as_ref()} /> };
    let usage = rsx! { <ContextBar context bands /> };
    let warning = rsx! { <WarningBanner context bands /> };
    let blockers = rsx! { <BlockersList blockers={&state.blockers} /> };
    let decisions = rsx! { <DecisionsList decisions={&state.decisions} /> };
    let files = rsx! { <ActiveFiles files={&state.active_files} /> };
    let steps = rsx! { <NextSteps steps={&state.next_steps} /> };
    let errors = rsx! { <ErrorsList errors={&state.errors} /> };
    let notes = rsx! { <NotesSection notes={&state.notes} /> };
    let compacted = rsx! { <CompactedContext compacted={state.compacted.as_ref()} /> };
    match density {
        Density::Full => rsx! {
            <TaskSection task={state.task.as_ref()}>
                {warning} {usage} {blockers} {decisions} {files} {steps} {errors} {notes}
                {compacted}
            </TaskSection>
        },
        Density::Compact => rsx! {
            <Line>{task} {usage} {warning}</Line>
            {blockers} {decisions} {files} {steps} {errors} {notes} {compacted}
        },
        Density::Minimal => rsx! {
            <Line>{task} {usage} {warning}</Line>
            <Line>{blockers} {steps} {errors} {files} {decisions}</Line>
        },
    }
}

/// The part of the HUD that stays the same until somebody acts on it: the task, the decisions and the
/// plan.
#[component(layer = static)]
pub fn StaticLayer<'a>(
    /// The task.
    task: Option<&'a Task>,
    /// The decisions.
    decisions: &'a [Decision],
    /// The plan.
    steps: &'a [Step],
) -> Element<'a> {
    rsx! {
        <TaskSection task>
            <DecisionsList decisions />
            <NextSteps steps />
        </TaskSection>
    }
}

/// The part of the HUD that changes from turn to turn: what [`StaticLayer`] does not show.
#[component(layer = dynamic)]
pub fn DynamicLayer<'a>(
    /// The state that the session's events fold to.
    state: &'a HudState,
    /// The bands of context use; they say in which steps it is shown and when it is warned about.
    #[prop(default)]
    bands: Bands,
    density: Density,
) -> Element<'a> {
    let context = state.context.as_ref();
    let usage = rsx! { <ContextBar context bands /> };
    let warning = rsx! { <WarningBanner context bands /> };
    let blockers = rsx! { <BlockersList blockers={&state.blockers} /> };
    let files = rsx! { <ActiveFiles files={&state.active_files} /> };
    let errors = rsx! { <ErrorsList errors={&state.errors} /> };
    let notes = rsx! { <NotesSection notes={&state.notes} /> };
    let compacted = rsx! { <CompactedContext compacted={state.compacted.as_ref()} /> };
    match density {
        Density::Full => rsx! {
            {warning} {usage} {blockers} {files} {errors} {notes} {compacted}
        },
        Density::Compact => rsx! {
            <Line>{usage} {warning}</Line>
            {blockers} {files} {errors} {notes} {compacted}
        },
        Density::Minimal => rsx! {
            <Line>{usage} {warning}</Line>
            <Line>{blockers} {errors} {files}</Line>
        },
    }
}

/// The density that a state's use of its context asks for: the bands over its last readings.
/// Full where the window's size is not known.
pub fn density(state: &HudState, bands: &Bands) -> Density {
    let context = state.context.as_ref();
    let steady = context.and_then(|context| bands.steady(context.percentages()));
    steady.map_or(Density::Full, |percentage| bands.density(percentage))
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::{DynamicLayer, Hud, StaticLayer};
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots("hud", |state| rsx! { <Hud state /> });
    }

    #[test]
    fn every_density_of_every_state_in_layers() {
        assert_snapshots("layers", |state| {
            rsx! {
                <StaticLayer
                    task={state.task.as_ref()}
                    decisions={&state.decisions}
                    steps={&state.next_steps}
                />
                <DynamicLayer state />
            }
        });
    }
}
