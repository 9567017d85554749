use hud_core::node::{Field, Meter, Section};
use hud_core::{Bands, Density, Element, component, rsx};
use hud_store::state::{ContextUsage, Trend};

use crate::usage::ShownUsage;

/// How full the context window is, in steps, and where it is heading.
#[component(layer = dynamic, worth = 4, part = "context", schema)]
pub fn ContextBar<'a>(
    /// The last reading; without one there is nothing to show.
    context: Option<&'a ContextUsage>,
    /// The bands of context use; they have the steps.
    #[prop(ambient)]
    bands: Bands,
    density: Density,
) -> Element<'a> {
    let Some(context) = context else {
        return rsx! {};
    };
    let ShownUsage {
        used,
        limit,
        percentage: share,
        ..
    } = ShownUsage::of(context, &bands);
    let assumed = if context.assumed { " assumed" } else { "" };
    let meter = rsx! { <Meter used limit share rounded=true unit="tokens" /> {assumed} };
    match density {
        Density::Full => {
            let trend = match context.trend() {
                Trend::Growing => "growing",
                Trend::Stable => "stable",
                Trend::Shrinking => "shrinking",
            };
            rsx! { <Section title="Context">{meter} ", " {trend}</Section> }
        }
        Density::Compact => {
            let trend = match context.trend() {
                Trend::Growing => " ↑",
                Trend::Stable => "",
                Trend::Shrinking => " ↓",
            };
            rsx! { <Field label="Context">{meter} {trend}</Field> }
        }
        Density::Minimal => meter,
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::ContextBar;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "context_bar",
            |state| rsx! { <ContextBar context={state.context.as_ref()} /> },
        );
    }
}
