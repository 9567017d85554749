use hud_core::node::{Field, Meter, Section};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::{ContextUsage, Trend};

/// How full the context window is, and where it is heading.
#[component(layer = dynamic)]
pub fn ContextBar<'a>(
    /// The last reading; without one there is nothing to show.
    context: Option<&'a ContextUsage>,
    density: Density,
) -> Element<'a> {
    let Some(context) = context else {
        return rsx! {};
    };
    let meter = rsx! { <Meter used={context.used} limit={context.limit} unit="tokens" /> };
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
