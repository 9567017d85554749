use hud_core::node::Field;
use hud_core::{Density, Element, component, rsx};
use hud_store::state::{Blocker, Step, StepStatus};

use crate::text::piece;

/// After this many turns without a change something may be stale.
const STALE: u64 = 30;

/// Ages are shown in steps of this many turns, so that the line is the same for some turns.
const STEP: u64 = 10;

/// The open step and the blocker that were not touched for long, with their turns. It has the lowest priority: where room is
/// short, it is the first to be left out.
#[component(layer = dynamic, worth = 0, part = "age", schema)]
pub fn AgeLine<'a>(
    /// The plan.
    steps: &'a [Step],
    /// The blockers, oldest first.
    blockers: &'a [Blocker],
    /// The turn that it is.
    turn: u64,
    density: Density,
) -> Element<'a> {
    let most = match density {
        Density::Full => 60,
        Density::Compact => 30,
        Density::Minimal => return rsx! {},
    };
    let stale = |since: u64| {
        let age = turn.saturating_sub(since);
        // A turn of 0 is that of items from before turns were counted.
        (since > 0 && age >= STALE).then(|| format!("t{since}, {} turns ago", age / STEP * STEP))
    };
    let is_open = |step: &&Step| step.status != StepStatus::Completed;
    let open = || steps.iter().filter(is_open);
    let now = open().find(|step| step.status == StepStatus::InProgress);
    // A step that is not begun yet is as old as the last change of the plan.
    let moved = steps.iter().map(|step| step.turn).max().unwrap_or(0);
    let step = match now {
        Some(step) => stale(step.turn).map(|age| (step, "in progress since", age)),
        None => open()
            .next()
            .and_then(|step| Some((step, "the plan was last changed at", stale(moved)?))),
    };
    let blocker = blockers
        .iter()
        .find_map(|blocker| Some((blocker, stale(blocker.turn)?)));
    if step.is_none() && blocker.is_none() {
        return rsx! {};
    }
    rsx! {
        <Field label="May be stale">
            if let Some((step, what, age)) = &step {
                {piece(&step.description, most)} " (" {*what} " " {age.clone()} ")"
            }
            if step.is_some() && blocker.is_some() { "; " }
            if let Some((blocker, age)) = &blocker {
                "blocked: " {piece(&blocker.description, most)} " (since " {age.clone()} ")"
            }
        </Field>
    }
}

#[cfg(test)]
mod tests {
    use hud_core::{Density, render, rsx};
    use hud_store::event::Actor;
    use hud_store::state::{Blocker, Step, StepStatus};
    use jiff::Timestamp;

    use super::AgeLine;

    fn step(description: &str, status: StepStatus, turn: u64) -> Step {
        Step {
            id: "s1".to_owned(),
            description: description.to_owned(),
            status,
            summarised: false,
            by: Actor::Agent,
            turn,
        }
    }

    fn shown(steps: &[Step], blockers: &[Blocker], turn: u64) -> String {
        let line = rsx! { <AgeLine steps blockers turn /> };
        let [full, compact, minimal] = Density::ALL.map(|density| render(&line, density).unwrap());
        assert_eq!(minimal, "");
        assert_eq!(full, compact, "both show short texts whole");
        full
    }

    #[test]
    fn a_step_and_a_blocker_are_stale_after_many_turns_without_a_change() {
        let plan = [
            step("read", StepStatus::Completed, 3),
            step("write", StepStatus::InProgress, 12),
            step("test", StepStatus::Pending, 2),
        ];
        assert_eq!(shown(&plan, &[], 41), "");
        let stale = "**May be stale:** write (in progress since t12, 30 turns ago)\n";
        assert_eq!(shown(&plan, &[], 42), stale);
        // The same text for some turns.
        assert_eq!(shown(&plan, &[], 51), stale);
        let blocker = |turn| Blocker {
            id: "b1".to_owned(),
            description: "no key".to_owned(),
            added_at: Timestamp::UNIX_EPOCH,
            turn,
        };
        assert_eq!(
            shown(&plan, &[blocker(7)], 60),
            "**May be stale:** write (in progress since t12, 40 turns ago); blocked: no key (since t7, 50 turns ago)\n"
        );
        assert_eq!(
            shown(&[], &[blocker(0), blocker(20)], 60),
            "**May be stale:** blocked: no key (since t20, 40 turns ago)\n"
        );
    }

    #[test]
    fn a_plan_without_a_step_in_progress_is_as_old_as_its_last_change() {
        let plan = |done| {
            [
                step("read", StepStatus::Completed, done),
                step("write", StepStatus::Pending, 2),
            ]
        };
        assert_eq!(
            shown(&plan(10), &[], 50),
            "**May be stale:** write (the plan was last changed at t10, 40 turns ago)\n"
        );
        assert_eq!(shown(&plan(30), &[], 50), "");
        let all = [step("read", StepStatus::Completed, 2)];
        assert_eq!(shown(&all, &[], 90), "");
    }
}
