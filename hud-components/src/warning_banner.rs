use hud_core::node::{Callout, Field};
use hud_core::{Bands, Density, Element, component, rsx};
use hud_store::state::ContextUsage;

/// From this percentage on compaction is no longer a choice (the seeds' red band ends here).
const CRITICAL: u8 = 92;

/// Says that the context is nearly full. It shows nothing up to `bands.warn_above`.
#[component(layer = dynamic)]
pub fn WarningBanner<'a>(
    /// The last reading.
    context: Option<&'a ContextUsage>,
    /// Where the warning begins.
    #[prop(default)]
    bands: Bands,
    density: Density,
) -> Element<'a> {
    let Some(percentage) = context
        .and_then(ContextUsage::percentage)
        .filter(|percentage| bands.warns(*percentage))
    else {
        return rsx! {};
    };
    let (soon, advice) = if percentage >= CRITICAL {
        ("compact now", "Record what must survive, then compact now.")
    } else {
        (
            "compact soon",
            "Finish the step at hand, record decisions and notes, then compact.",
        )
    };
    match density {
        Density::Full => rsx! {
            <Callout label="Warning">"the context is " {percentage} "% full. " {advice}</Callout>
        },
        Density::Compact => rsx! { <Field label="Warning">{percentage} "% full, " {soon}</Field> },
        Density::Minimal => rsx! { "⚠ " {soon} },
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
