//! The placement of the HUD that hooks can keep to, and the note if another one is set.

use hud_agent::placement::{Choice, Placement};
use hud_clients::Portion;

/// The note for a placement that a client's hooks can't keep to.
///
/// The output of a hook is a message of the conversation. It is never in the system prompt, and most clients keep
/// it.
pub(crate) fn otherwise(choice: Choice, shows: Portion) -> Option<String> {
    let Choice::Is(wanted) = choice else {
        return None;
    };
    let is = Placement::of_hooks(shows)?;
    let why = match is {
        Placement::Delta => {
            "clients keep in the conversation what their hooks say, so that the HUD is said once, anew after a \
             compaction, and in between what changed"
        }
        _ => {
            "this client's hooks say all of the HUD behind each request, and nothing of it is kept"
        }
    };
    let wanted = (wanted != is).then_some(wanted)?;
    Some(format!(
        "the placement `{wanted}` is for opencode and programs that ask `hud bridge`; with hooks it is `{is}`: {why}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placement_that_hooks_can_not_keep_to_is_refused_with_the_reason_and_no_other_is() {
        for shows in [Portion::Whole, Portion::Once] {
            assert_eq!(otherwise(Choice::Auto, shows), None);
            let refused = Placement::ALL.map(|wanted| otherwise(wanted.into(), shows));
            assert_eq!(refused.iter().flatten().count(), 3, "{refused:?}");
        }
        assert_eq!(
            otherwise(Placement::Delta.into(), Portion::Whole),
            None,
            "it is what they do"
        );
        let said = otherwise(Placement::Epoch.into(), Portion::Whole).unwrap_or_default();
        assert!(
            said.contains("`epoch`") && said.contains("it is `delta`"),
            "{said}"
        );
        // With the changes of each event there is no note.
        assert_eq!(otherwise(Placement::Epoch.into(), Portion::Changes), None);
    }
}
