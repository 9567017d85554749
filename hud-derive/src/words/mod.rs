//! The agent's statements, quoted as findings.
//!
//! Nothing here understands a text. The weight of a sentence comes from visible features: a cause, a change, a choice,
//! the name of a thing (a file, a place, an identifier, a command, a measure). Announcements of the next step are left
//! out, and so are thanks, questions and outcomes of checks, which other rules derive. No sentence becomes a decision,
//! because the agent records decisions and the user makes choices.
//!
//! Weights are from 1 to 9. A later statement with almost the same words replaces an earlier one.

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

/// The least weight of a recorded statement.
const LEAST: u8 = 1;

/// The largest number of statements from one message.
const PER_MESSAGE: usize = 10;

/// The longest statement, in characters.
const LONGEST: usize = 300;

/// A sentence of the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Statement {
    text: String,
    weight: u8,
}

/// Returns the events of an agent's message, for a session in that state.
pub(super) fn events(text: &str, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
    record(statements(text), state, numbering)
}

/// Returns the events of the places that a search found.
pub(super) fn found(places: String, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
    let found = Statement {
        text: clip(&places, LONGEST),
        weight: 2,
    };
    record(vec![found], state, numbering)
}

/// Returns the events of a tool's change.
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

/// A text of at most this number of characters, cut at the end of a word.
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
