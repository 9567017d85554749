use hud_core::node::{Code, Field};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::ErrorRecord;

use crate::section;
use crate::text::line;

/// The errors that nothing has resolved yet.
#[component(layer = dynamic)]
pub fn ErrorsList<'a>(
    /// The errors, oldest first; the resolved ones are not shown.
    errors: &'a [ErrorRecord],
    density: Density,
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
            let all = open.iter().map(|error| shown(error, 80, 160));
            section::list("Open Errors", all, 5)
        }
        Density::Compact => rsx! {
            <Field label="Open errors">
                {shown(newest, 40, 80)}
                if more > 0 { "; +" {more} " more" }
            </Field>
        },
        Density::Minimal => {
            let what = newest.target.as_deref().unwrap_or(&newest.message);
            rsx! { "failing: " {line(what, 32)} if more > 0 { " +" {more} } }
        }
    }
}

/// What failed and how, each cut to a length.
fn shown(error: &ErrorRecord, target: usize, message: usize) -> Element<'_> {
    rsx! {
        if let Some(what) = &error.target { <Code>{line(what, target)}</Code> ": " }
        {line(&error.message, message)}
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
