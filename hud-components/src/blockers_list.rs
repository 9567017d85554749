use hud_core::node::Field;
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::Blocker;

use crate::section;
use crate::text::prose;

/// What keeps the agent from going on. Shown at every density.
///
/// It changes seldom, and is dynamic all the same: what is in the way is said where it is read last.
#[component(layer = dynamic, worth = 7, floor = minimal, cap = 10, part = "blockers", schema)]
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
    let joined = |most, length, handle| {
        section::joined_by(blockers, most, length, handle, |blocker| {
            (&blocker.description, section::sub_agent(&blocker.id))
        })
    };
    match density {
        Density::Full => section::worthiest_list("Blockers", blockers, cap, handle, |blocker| {
            rsx! { {prose(&blocker.description, 200)} {section::sub_agent(&blocker.id)} }
        }),
        Density::Compact => {
            rsx! { <Field label="Blockers">{joined(cap.of(4), 80, handle)}</Field> }
        }
        Density::Minimal => rsx! { "blocked: " {joined(1, 40, handle)} },
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
