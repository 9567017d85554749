use hud_core::node::{Field, Relates};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::event::Actor;
use hud_store::state::Decision;

use crate::section;
use crate::text::{prose, said};

/// What was decided, so that it is not decided again.
#[component(layer = static, worth = 6, cap = 14, part = "decisions", schema)]
pub fn DecisionsList<'a>(
    /// The decisions, oldest first.
    decisions: &'a [Decision],
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
) -> Element<'a> {
    if decisions.is_empty() {
        return rsx! {};
    }
    let joined = |most: usize, length, handle| {
        section::joined(decisions, cap.of(most), length, handle, |decision| {
            &decision.summary
        })
    };
    let decided = match density {
        Density::Full => section::worthiest_list("Decisions", decisions, cap, handle, full),
        Density::Compact => {
            rsx! { <Field label="Decisions">{joined(5, 90, handle)}</Field> }
        }
        Density::Minimal => rsx! { "decided: " {joined(1, 40, handle)} },
    };
    rsx! { <Relates how="affects">{decided}</Relates> }
}

fn full(decision: &Decision) -> Element<'_> {
    rsx! {
        {prose(&decision.summary, 300)}
        if let Some(details) = said(decision.details.as_ref()) { ": " {prose(details, 160)} }
        {section::mark(&decision.id, &decision.by)}
        // A summary may say of anything that the user decided it.
        if decision.by == Actor::Summary { " (summary)" }
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::DecisionsList;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "decisions_list",
            |state| rsx! { <DecisionsList decisions={&state.decisions} /> },
        );
    }
}
