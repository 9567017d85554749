use hud_core::node::{Callout, Field};
use hud_core::{Band, Bands, Density, Element, component, rsx};
use hud_store::state::ContextUsage;

use crate::usage::ShownUsage;

/// What to do about a context that fills: nothing while it is green, advice while it is yellow, and a
/// warning from red on.
#[component(layer = dynamic)]
pub fn WarningBanner<'a>(
    /// The last reading.
    context: Option<&'a ContextUsage>,
    /// Where advice and warning begin.
    #[prop(default)]
    bands: Bands,
    density: Density,
) -> Element<'a> {
    let Some(context) = context else {
        return rsx! {};
    };
    let shown = ShownUsage::of(context, &bands);
    let Some(percentage) = shown.percentage else {
        return rsx! {};
    };
    let (label, soon, advice) = match shown.band {
        Band::Green => return rsx! {},
        Band::Yellow => (
            "Advice",
            "compact when convenient",
            "Compact when it is convenient.",
        ),
        Band::Red => (
            "Warning",
            "compact soon",
            "Finish the step at hand, record decisions and notes, then compact.",
        ),
        Band::Critical => (
            "Warning",
            "compact now",
            "Record what must survive, then compact now.",
        ),
    };
    match density {
        Density::Full => rsx! {
            <Callout label>"the context is " {percentage} "% full. " {advice}</Callout>
        },
        Density::Compact => rsx! { <Field label>{soon}</Field> },
        Density::Minimal => rsx! { if shown.band >= Band::Red { "⚠ " {soon} } },
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::WarningBanner;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "warning_banner",
            |state| rsx! { <WarningBanner context={state.context.as_ref()} /> },
        );
    }
}
