use hud_core::node::Field;
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::Constraint;

use crate::section;
use crate::text::prose;

/// How many characters the rules share.
const ROOM: usize = 360;

/// The rules that hold until they are lifted, at any density: those of the user, and behind those of others who said
/// them.
#[component(layer = static, worth = 9, floor = minimal, cap = 8, part = "constraints", schema)]
pub fn ConstraintsList<'a>(
    /// The rules, oldest first.
    constraints: &'a [Constraint],
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
) -> Element<'a> {
    if constraints.is_empty() {
        return rsx! {};
    }
    let joined = |most, length, handle| {
        section::joined_by(constraints, cap.of(most), length, handle, |rule| {
            (&rule.text, section::source(&rule.id, &rule.by))
        })
    };
    match density {
        Density::Full => {
            let shown = cap.of(constraints.len()).max(1);
            let most = (ROOM / shown).clamp(50, 160);
            let full = |rule: &'a Constraint| {
                rsx! { {prose(&rule.text, most)} {section::source(&rule.id, &rule.by)} }
            };
            section::worthiest_list("Rules", constraints, cap, handle, full)
        }
        Density::Compact => rsx! { <Field label="Rules">{joined(4, 50, handle)}</Field> },
        Density::Minimal => rsx! { "rules: " {joined(2, 40, handle)} },
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::ConstraintsList;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "constraints_list",
            |state| rsx! { <ConstraintsList constraints={&state.constraints} /> },
        );
    }
}
