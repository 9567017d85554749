//! What the agent says it found out and decided, in its own words.
//!
//! Nothing here understands a text. A sentence is weighed by what can be seen of it: whether it says that
//! something is the cause, whether it says what was changed or chosen, whether it names a thing (a file, a
//! place, an identifier, a command, a measure). What only announces the next look at something is left
//! out, and so are thanks, questions and what the checks say: others derive those.
//!
//! A statement is worth from 1 to 9. One that says again what another one said takes its place.

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

use hud_store::event::{DecisionRecord, FindingRecord, HudEvent};
use hud_store::state::HudState;

pub(super) use self::cue::changes;
pub(super) use self::known::without_dropped;
use self::known::{Dropped, Known, known};
pub(crate) use self::name::is_name;
pub(super) use self::name::names;
pub(super) use self::over::over;
use self::statement::statements;
pub(super) use self::statement::{asks_about, says_done};
use super::alike::{Words, alike};
use crate::tool::{Item, Numbering};

/// What a statement has to weigh to be recorded.
const LEAST: u8 = 1;

/// How many statements one message leaves.
const PER_MESSAGE: usize = 10;

/// How long a statement may be, in characters.
const LONGEST: usize = 300;

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Finding,
    Decision,
}

/// Something that the agent said.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Statement {
    sort: Sort,
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
        sort: Sort::Finding,
        text: clip(&places, LONGEST),
        weight: 2,
    };
    record(vec![found], state, numbering)
}

/// The events that follow from what a tool did.
pub(super) fn done(done: String, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
    let done = Statement {
        sort: Sort::Finding,
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
    for Statement { sort, text, weight } in said {
        let words = Words::of(&text);
        if dropped.has(&text, &words) {
            continue;
        }
        let twin = known.iter().position(|known| alike(&known.words, &words));
        let mut id = None;
        if let Some(at) = twin {
            if known[at].is_recorded || known[at].text == text {
                continue;
            }
            let twin = known.remove(at);
            match twin.sort == sort {
                true => id = Some(twin.id.into_owned()),
                false => events.push(twin.removed()),
            }
        }
        let id = id.unwrap_or_else(|| {
            numbering.next(match sort {
                Sort::Finding => Item::Finding,
                Sort::Decision => Item::Decision,
            })
        });
        known.push(Known {
            sort,
            id: id.clone().into(),
            text: text.clone().into(),
            words: words.into(),
            is_recorded: false,
        });
        events.push(match sort {
            Sort::Finding => HudEvent::from(FindingRecord {
                id,
                text,
                weight: Some(weight),
            }),
            Sort::Decision => HudEvent::from(DecisionRecord {
                id,
                summary: text,
                details: None,
                weight: Some(weight),
            }),
        });
    }
    events
}

/// At most so many characters of a text, up to the end of a word.
pub(crate) fn clip(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return text.to_owned();
    };
    let cut = text[..end]
        .rfind(' ')
        .filter(|space| *space * 3 > end * 2)
        .unwrap_or(end);
    format!("{}…", &text[..cut])
}
