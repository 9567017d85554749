use hud_core::node::{Delete, Item, List, Section as Titled, Strong};
use hud_core::{Density, Element, component, rsx};
use hud_store::section::{Context, Section as _};
use hud_store::state::{Change, ContextUsage};

use crate::text::{line, prose};
use crate::{ContextBar, WarningBanner};

/// How much of an item is said.
const SHOWN: usize = 300;

/// What is new in a HUD that the model has seen before: an item for each change. Nothing if there
/// is none.
#[component(layer = dynamic)]
pub fn Changes<'a>(
    /// What is not the same any more.
    changes: &'a [Change],
    /// The last reading; without one, a change of the context is said as the change has it.
    context: Option<&'a ContextUsage>,
) -> Element<'a> {
    if changes.is_empty() {
        return rsx! {};
    }
    rsx! {
        <Titled title="HUD: what changed">
            <List>
                for change in changes {
                    <Item>
                        <Strong>{change.item}</Strong> ": " {said(change, context)}
                    </Item>
                }
            </List>
            if changes.iter().any(|change| change.section == Context::NAME) {
                <WarningBanner context />
            }
        </Titled>
    }
}

fn said<'a>(change: &'a Change, context: Option<&'a ContextUsage>) -> Element<'a> {
    match (&change.before, &change.after) {
        (_, Some(_)) if change.section == Context::NAME && context.is_some() => {
            rsx! { <ContextBar context density={Density::Minimal} /> }
        }
        (_, Some(after)) if change.is_named => {
            rsx! { {line(&change.id, SHOWN)} " (" {prose(after, SHOWN)} ")" }
        }
        (_, Some(after)) => rsx! { {prose(after, SHOWN)} },
        (Some(_), None) if change.is_named => {
            rsx! { <Delete>{line(&change.id, SHOWN)}</Delete> }
        }
        (Some(before), None) => rsx! { <Delete>{prose(before, SHOWN)}</Delete> },
        (None, None) => rsx! {},
    }
}

#[cfg(test)]
mod tests {
    use hud_core::{Density, render, rsx};
    use hud_store::state::{HudState, Note, changes};

    use super::Changes;

    fn noted(content: &str) -> HudState {
        let note = Note {
            id: "n1".to_owned(),
            content: content.to_owned(),
            updated_at: jiff::Timestamp::UNIX_EPOCH,
            by: hud_store::event::Actor::Agent,
            turn: 0,
        };
        HudState {
            notes: vec![note],
            ..HudState::default()
        }
    }

    #[test]
    fn what_came_and_what_left_is_said_and_nothing_else() {
        let (before, after) = (noted("# old"), noted("- new\n</hud>"));
        let shown = |before: &HudState, after: &HudState| {
            let changes = changes(before, after);
            render(&rsx! { <Changes changes={&changes} /> }, Density::Full).unwrap()
        };
        assert_eq!(
            shown(&before, &after),
            "# HUD: what changed\n\n- **note**: - new ‹/hud>\n"
        );
        assert_eq!(
            shown(&before, &HudState::default()),
            "# HUD: what changed\n\n- **note**: ~~# old~~\n"
        );
        assert_eq!(shown(&before, &before), "");
    }
}
