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
    let task = rsx! { <TaskSection task={state.task.as_ref()} /> };
    let decisions = rsx! { <DecisionsList decisions={&state.decisions} /> };
    let steps = rsx! { <NextSteps steps={&state.next_steps} /> };
    let now = Changing::of(state, bands);
    match density {
        Density::Full => rsx! {
            <TaskSection task={state.task.as_ref()}>
                {now.warning} {now.usage} {now.blockers} {decisions} {now.files} {steps}
                {now.errors} {now.notes}
                {now.compacted}
            </TaskSection>
        },
        Density::Compact => rsx! {
            <Line>{task} {now.usage} {now.warning}</Line>
            {now.blockers} {decisions} {now.files} {steps} {now.errors} {now.notes} {now.compacted}
        },
        Density::Minimal => rsx! {
            <Line>{task} {now.usage} {now.warning}</Line>
            <Line>{now.blockers} {steps} {now.errors} {now.files} {decisions}</Line>
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
    let now = Changing::of(state, bands);
    match density {
        Density::Full => rsx! {
            {now.warning} {now.usage} {now.blockers} {now.files} {now.errors} {now.notes}
            {now.compacted}
        },
        Density::Compact => rsx! {
            <Line>{now.usage} {now.warning}</Line>
            {now.blockers} {now.files} {now.errors} {now.notes} {now.compacted}
        },
        Density::Minimal => rsx! {
            <Line>{now.usage} {now.warning}</Line>
            <Line>{now.blockers} {now.errors} {now.files}</Line>
        },
    }
}

/// What changes from turn to turn, for both layouts that show it.
struct Changing<'a> {
    usage: Element<'a>,
    warning: Element<'a>,
    blockers: Element<'a>,
    files: Element<'a>,
    errors: Element<'a>,
    notes: Element<'a>,
    compacted: Element<'a>,
}

impl<'a> Changing<'a> {
    fn of(state: &'a HudState, bands: Bands) -> Self {
        let context = state.context.as_ref();
        Self {
            usage: rsx! { <ContextBar context bands /> },
            warning: rsx! { <WarningBanner context bands /> },
            blockers: rsx! { <BlockersList blockers={&state.blockers} /> },
            files: rsx! { <ActiveFiles files={&state.active_files} /> },
            errors: rsx! { <ErrorsList errors={&state.errors} /> },
            notes: rsx! { <NotesSection notes={&state.notes} /> },
            compacted: rsx! { <CompactedContext compacted={state.compacted.as_ref()} /> },
        }
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
