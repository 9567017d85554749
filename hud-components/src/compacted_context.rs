use hud_core::node::{Field, Quote, Section};
use hud_core::part::Handle;
use hud_core::{Density, Element, component, rsx};
use hud_store::state::CompactedContext as Compacted;

use crate::text::{ends, said, with_code};
use crate::{Ceiling, section};

/// What the last compaction kept of the conversation before it, and no other section says: the beginning
/// and the end of it, for what is still to be done often comes last. At minimal density it gives way: a few words of
/// a summary say nothing.
#[component(layer = dynamic, worth = 1, part = "compacted", schema)]
pub fn CompactedContext<'a>(
    /// The last compaction; without one there is nothing to show.
    compacted: Option<&'a Compacted>,
    density: Density,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
) -> Element<'a> {
    let Some(compacted) = compacted else {
        return rsx! {};
    };
    let title = match compacted.count {
        1 => "Before Compaction".to_owned(),
        count => format!("Before Compaction {count}"),
    };
    // What was lifted from a summary is in the sections.
    let summary = said(compacted.rest.as_ref().or(compacted.summary.as_ref()));
    let is_lifted = compacted.rest.is_some() && summary.is_none();
    match density {
        // A client that keeps its summary to itself has it in the conversation.
        Density::Full if is_lifted || summary.is_none() && compacted.boundary.is_none() => rsx! {},
        Density::Full => rsx! {
            <Section title>
                match summary {
                    Some(summary) => <Quote>{with_code(ends(summary, 600))}</Quote>,
                    None => "No summary was kept.",
                }
            </Section>
        },
        Density::Compact => rsx! {
            if let Some(summary) = summary {
                <Field label={title}>{with_code(ends(summary, 200))}</Field>
            }
        },
        Density::Minimal => {
            let noun = ["summary of a compaction"; 2];
            section::counted(usize::from(summary.is_some()), noun, handle, ceiling)
        }
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::CompactedContext;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "compacted_context",
            |state| rsx! { <CompactedContext compacted={state.compacted.as_ref()} /> },
        );
    }
}
