use hud_core::node::{Field, Relates};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::Finding;

use crate::text::prose;
use crate::{Ceiling, section};

/// What was found out, so that it is not looked for again. At minimal density it gives way: one finding of many is
/// seldom the one that is needed, and `findings.list` has all of them.
#[component(layer = dynamic, worth = 6, cap = 16, part = "findings", schema)]
pub fn FindingsList<'a>(
    /// The findings, oldest first.
    findings: &'a [Finding],
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
) -> Element<'a> {
    if findings.is_empty() {
        return rsx! {};
    }
    let found = match density {
        Density::Full => section::worthiest_list("Findings", findings, cap, handle, full),
        Density::Compact => {
            let joined = section::joined(findings, cap.of(4), 120, handle, |finding| &finding.text);
            rsx! { <Field label="Findings">{joined}</Field> }
        }
        Density::Minimal => {
            section::counted(findings.len(), ["finding", "findings"], handle, ceiling)
        }
    };
    rsx! { <Relates how="is about">{found}</Relates> }
}

fn full(finding: &Finding) -> Element<'_> {
    rsx! { {prose(&finding.text, 300)} {section::mark(&finding.id, &finding.by)} }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::FindingsList;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "findings_list",
            |state| rsx! { <FindingsList findings={&state.findings} /> },
        );
    }
}
