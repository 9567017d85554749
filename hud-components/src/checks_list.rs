use hud_core::node::{Code, Field};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::Check;

use crate::text::{line, piece, said};
use crate::{Ceiling, section};

/// What the last run of each check said, and whether that may have changed since.
#[component(layer = dynamic, worth = 6, cap = 5, part = "checks", schema)]
pub fn ChecksList<'a>(
    /// The checks, the one that ran last at the end.
    checks: &'a [Check],
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
) -> Element<'a> {
    let Some(last) = checks.last() else {
        return rsx! {};
    };
    // What fails is what there is to do.
    let failing = || checks.iter().rev().filter(|check| !check.passed);
    let passing = || checks.iter().rev().filter(|check| check.passed);
    match density {
        Density::Full => section::worthiest_list("Checks", checks, cap, handle, full),
        Density::Compact => {
            let shown = cap.of(checks.len()).min(3);
            let more = checks.len() - shown;
            rsx! {
                <Field label="Checks">
                    for (index, check) in failing().chain(passing()).take(shown).enumerate() {
                        if index > 0 { "; " }
                        {name(check, 40)} " " {outcome(check)}
                        if check.edits_since > 0 { " before the last edits" }
                    }
                    {section::rest(more, shown > 0, handle)}
                </Field>
            }
        }
        Density::Minimal => {
            let check = failing().next().unwrap_or(last);
            rsx! {
                {name(check, 30)} " " {outcome(check)}
                {section::others_counted(checks.len() - 1, handle, ceiling)}
            }
        }
    }
}

fn name(check: &Check, length: usize) -> Element<'_> {
    rsx! { <Code>{piece(&check.check, length)}</Code> }
}

fn outcome(check: &Check) -> &'static str {
    if check.passed { "passed" } else { "failed" }
}

fn full(check: &Check) -> Element<'_> {
    rsx! {
        {name(check, 60)} ": " {outcome(check)}
        if let Some(said) = said(check.said.as_ref()) { " (" {line(said, 48)} ")" }
        " at t" {check.turn}
        if check.edits_since > 0 { ", files changed since" }
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::ChecksList;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "checks_list",
            |state| rsx! { <ChecksList checks={&state.checks} /> },
        );
    }
}
