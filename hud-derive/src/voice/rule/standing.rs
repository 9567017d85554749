//! The rules that are in force.

use hud_store::event::{ConstraintAdd, ConstraintLift, HudEvent};
use hud_store::state::HudState;

use super::super::message::Message;
use super::super::words::clip;
use super::{LONGEST, Left, Lifting, Sentence, rule_of};
use crate::numbering::{Item, Numbering};
use hud_components::value::is_changed;

/// The largest number of rules in force. One more merges the two oldest, because no rule is dropped.
const RULES: usize = hud_store::section::CONSTRAINTS_CAP;

/// The longest merged rule, in characters.
const TOGETHER: usize = 2_000;

/// Returns the rules that a message sets and lifts.
pub(in crate::voice) fn rules(
    message: &Message,
    state: &HudState,
    numbering: &mut Numbering,
) -> Vec<HudEvent> {
    let mut events = Vec::new();
    let mut known: Vec<(String, String)> = state
        .constraints
        .iter()
        .map(|rule| (rule.id.clone(), rule.text.clone()))
        .collect();
    for own in &message.own_sentences {
        let sentence = Sentence::of_own(own);
        if let Some(event) = changed(&sentence, &mut known) {
            events.push(event);
            continue;
        }
        let lifting = match known.is_empty() {
            true => None,
            false => Lifting::of(&sentence),
        };
        known.retain_mut(|(id, text)| {
            let left = lifting
                .as_ref()
                .map_or(Left::Whole, |said| said.leaves(text));
            match left {
                Left::Whole => {}
                Left::Half(half) => {
                    *text = half;
                    events.push(HudEvent::from(ConstraintAdd {
                        id: id.clone(),
                        text: text.clone(),
                    }));
                }
                Left::Nothing => {
                    events.push(HudEvent::from(ConstraintLift {
                        id: id.clone(),
                        message: None,
                    }));
                    return false;
                }
            }
            true
        });
        let Some(text) = rule_of(&sentence) else {
            continue;
        };
        if known
            .iter()
            .any(|(_, other)| other.split("; ").any(|other| other == text))
        {
            continue;
        }
        if known.len() >= RULES && known.len() > 1 {
            // The two oldest rules are merged into one, and both still hold.
            let (oldest, first) = known.remove(0);
            events.push(HudEvent::from(ConstraintLift {
                id: oldest,
                message: None,
            }));
            if let Some((id, second)) = known.first_mut() {
                *second = clip(&format!("{first}; {second}"), TOGETHER);
                events.push(HudEvent::from(ConstraintAdd {
                    id: id.clone(),
                    text: second.clone(),
                }));
            }
        }
        let id = numbering.next(Item::RULE);
        events.push(HudEvent::from(ConstraintAdd {
            id: id.clone(),
            text: text.clone(),
        }));
        known.push((id, text));
    }
    events
}

/// Returns a rule that a sentence restates with another value. It replaces the earlier one.
fn changed(sentence: &Sentence<'_>, known: &mut [(String, String)]) -> Option<HudEvent> {
    let said = sentence.named;
    if said.trim_end().ends_with(['?', '？']) {
        return None;
    }
    let (id, text) = known.iter_mut().find(|(_, text)| is_changed(text, said))?;
    *text = rule_of(sentence).unwrap_or_else(|| clip(sentence.said.trim(), LONGEST));
    Some(HudEvent::from(ConstraintAdd {
        id: id.clone(),
        text: text.clone(),
    }))
}
