//! The agent's statements, quoted as findings.
//!
//! Nothing here understands a text. A sentence is weighed by what can be seen of it: a cause, a change, a choice, the name
//! of a thing (a file, a place, an identifier, a command, a measure). Announcements of the next step are left out, and so
//! are thanks, questions and outcomes of checks, which other rules derive. No sentence is taken for a decision: those are
//! recorded by the agent, or chosen by the user.
//!
//! The weight of a statement is from 1 to 9. A later one with almost the same words takes the place of an earlier one.

mod announce;
mod cue;
mod half;
mod known;
mod name;
mod over;
mod record;
mod statement;
#[cfg(test)]
mod tests;

use hud_store::event::{FindingRecord, HudEvent};
use hud_store::state::HudState;

pub(super) use self::cue::changes;
pub(super) use self::known::without_dropped;
use self::known::{Dropped, Known, Sort, known};
pub use self::name::is_name;
pub(super) use self::name::names;
pub(super) use self::over::over;
use self::statement::statements;
pub(super) use self::statement::{asks_about, says_done};
use super::alike::{Words, alike};
use crate::numbering::{Item, Numbering};

/// What a statement has to weigh to be recorded.
const LEAST: u8 = 1;

/// How many statements one message leaves.
const PER_MESSAGE: usize = 10;

/// How long a statement may be, in characters.
const LONGEST: usize = 300;

/// A sentence of the agent's.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Statement {
    text: String,
    weight: u8,
}

/// The events that follow from what the agent says, in a session in that state.
pub(super) fn events(text: &str, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
    record(statements(text), state, numbering)
}

/// The events that follow from where something was found.
pub(super) fn found(places: String, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
    let found = Statement {
        text: clip(&places, LONGEST),
        weight: 2,
    };
    record(vec![found], state, numbering)
}

/// The events that follow from what a tool did.
pub(super) fn done(done: String, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
    let done = Statement {
        text: clip(&done, LONGEST),
        weight: 4,
    };
    record(vec![done], state, numbering)
}

fn record(said: Vec<Statement>, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
    if said.is_empty() {
        return Vec::new();
    }
    let mut known: Vec<Known<'_>> = known(state);
    let dropped = Dropped::of(state);
    let mut events = Vec::new();
    for Statement { text, weight } in said {
        let words = Words::of(&text);
        if dropped.has(&text, &words) {
            continue;
        }
        let twin = known.iter().position(|known| alike(&known.words, &words));
        let mut id = None;
        if let Some(at) = twin {
            let twin = &known[at];
            if twin.is_recorded || twin.sort == Sort::Decision || twin.text == text {
                continue;
            }
            id = Some(known.remove(at).id.into_owned());
        }
        let id = id.unwrap_or_else(|| numbering.next(Item::Finding));
        known.push(Known {
            sort: Sort::Finding,
            id: id.clone().into(),
            text: text.clone().into(),
            words: words.into(),
            is_recorded: false,
        });
        events.push(HudEvent::from(FindingRecord {
            id,
            text,
            weight: Some(weight),
        }));
    }
    events
}

/// At most so many characters of a text, up to the end of a word.
pub fn clip(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return text.to_owned();
    };
    let cut = text[..end]
        .rfind(' ')
        .filter(|space| *space * 3 > end * 2)
        .unwrap_or(end);
    format!("{}…", &text[..cut])
}
