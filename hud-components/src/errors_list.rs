use hud_core::node::{Code, Field};
use hud_core::part::Cap;
use hud_core::{Density, Element, component, rsx};
use hud_store::state::ErrorRecord;

use crate::section;
use crate::text::{line, piece, said};

/// The errors that nothing has resolved yet.
#[component(layer = dynamic, worth = 7, cap = 5, part = "errors")]
pub fn ErrorsList<'a>(
    /// The errors, oldest first; the resolved ones are not shown.
    errors: &'a [ErrorRecord],
    density: Density,
    #[prop(ambient)] cap: Cap,
) -> Element<'a> {
    let open: Vec<&ErrorRecord> = errors
        .iter()
        .filter(|error| error.resolved_at.is_none())
        .collect();
    let Some(newest) = open.last() else {
        return rsx! {};
    };
    let more = open.len() - 1;
    match density {
        Density::Full => {
            let all = open
                .iter()
                .map(|error| rsx! { {target(error, 80)} {line(&error.message, 160)} });
            section::list("Open Errors", all, cap)
        }
        Density::Compact => rsx! {
            <Field label="Open errors">
                {target(newest, 40)} {piece(&newest.message, 80)}
                if more > 0 { "; +" {more} " more" }
            </Field>
        },
        Density::Minimal => {
            let what = said(newest.target.as_ref()).unwrap_or(&newest.message);
            rsx! { "failing: " {line(what, 32)} if more > 0 { " +" {more} } }
        }
    }
}

/// What failed, before how it did.
fn target(error: &ErrorRecord, length: usize) -> Element<'_> {
    rsx! {
        if let Some(what) = said(error.target.as_ref()) { <Code>{line(what, length)}</Code> ": " }
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::ErrorsList;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "errors_list",
            |state| rsx! { <ErrorsList errors={&state.errors} /> },
        );
    }
}
