use hud_core::node::Field;
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::Blocker;

use crate::section;
use crate::text::{join, prose};

/// What keeps the agent from going on. Shown at every density.
///
/// It changes seldom, and is dynamic all the same: what is in the way is said where it is read last.
#[component(layer = dynamic, worth = 7, floor = minimal, cap = 10, part = "blockers")]
pub fn BlockersList<'a>(
    /// The blockers, oldest first.
    blockers: &'a [Blocker],
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
) -> Element<'a> {
    if blockers.is_empty() {
        return rsx! {};
    }
    let all = blockers.iter().map(|blocker| blocker.description.as_str());
    match density {
        Density::Full => {
            let all = all.map(|description| prose(description, 200));
            section::list("Blockers", all, cap, handle)
        }
        Density::Compact => rsx! { <Field label="Blockers">{join(all, cap.of(4), 80)}</Field> },
        Density::Minimal => rsx! { "blocked: " {join(all, 1, 40)} },
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::BlockersList;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "blockers_list",
            |state| rsx! { <BlockersList blockers={&state.blockers} /> },
        );
    }
}
