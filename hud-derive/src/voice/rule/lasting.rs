//! Sentences that address the agent and have a word that makes them last beyond this request: `could you always ..`,
//! `each time you .., list ..`.

use super::super::words::words;
use crate::lexicon::{Found, Intent};

/// True if a text holds each time or from now on.
pub(in crate::voice) fn lasts(lowered: &str) -> bool {
    Intent::EachTime.is_in(lowered) || Intent::FromNowOn.is_in(lowered)
}

/// True if a text addresses the agent.
pub(in crate::voice) fn addresses(lowered: &str) -> bool {
    Intent::Address.is_in(lowered)
}

/// True if a sentence asks whether the agent can do something: `Could you fix this?`.
pub(in crate::voice) fn asks_for_work(lowered: &str) -> bool {
    is_question(lowered) && Intent::Able.is_in(lowered)
}

/// True if a sentence asks how something is: `Is this right?`.
pub(in crate::voice) fn asks_about(lowered: &str) -> bool {
    let is_able = || {
        let mut able = Intent::Able.all_in(lowered);
        able.any(|able| !able.is_in_other_word(lowered))
    };
    is_question(lowered) && (!is_able() || asks_what(lowered))
}

/// True if a question begins with a question word: `What would you answer?`.
fn asks_what(lowered: &str) -> bool {
    words(lowered)
        .next()
        .is_some_and(|word| Intent::QuestionWord.is(word))
}

fn is_question(lowered: &str) -> bool {
    let said = lowered.trim_end_matches(['.', '。', ' ']);
    said.ends_with(['?', '？', '؟', '吗'])
        || said.ends_with("까요")
        // An indirect question: `проверь, не осталось ли ссылок`.
        || Intent::Whether.is_in(said)
        || said.ends_with('か') && lowered.ends_with('。')
}

/// True if a sentence holds from now on. A sentence about each time must address the agent or begin with a request.
pub(super) fn is_lasting(lowered: &str) -> bool {
    let has_label = begins_with_label(lowered);
    if asks_about(lowered) {
        return false;
    }
    if Intent::FromNowOn.is_in(lowered) || is_of_all_work(lowered) {
        return true;
    }
    // A label may have words of the past: `Was mir wichtig ist: ..`.
    let said = match has_label {
        true => lowered
            .split_once([':', '：'])
            .map_or(lowered, |(_, said)| said),
        false => lowered,
    };
    if is_past(said) {
        return false;
    }
    let is_asked = || addresses(lowered) || is_final(lowered) || has_request(lowered);
    Intent::EachTime.is_in(lowered) && (has_label || is_asked() && !addresses_state(lowered))
}

/// True if a request holds for all of the agent's work: `wrap lines in every file you write`. The word for all comes
/// first, except in Chinese. `before you write any code` is about this time only.
fn is_of_all_work(lowered: &str) -> bool {
    let mut places = Intent::YourWork.all_in(lowered);
    // In Chinese, the word for all may also come after it.
    let is_all = |yours: Found| {
        let before = match yours.language {
            "zh" => lowered,
            _ => lowered.get(..yours.start).unwrap_or_default(),
        };
        Intent::Every.is_in(before)
    };
    places.any(is_all) && !Intent::Past.is_in(lowered)
}

/// True if a sentence reports the past. A wish is not a report: `было бы`.
fn is_past(said: &str) -> bool {
    let mut past = Intent::Past.all_in(said);
    past.any(|past| {
        let rest = said.get(past.end..).unwrap_or_default();
        !Intent::Conditional.begins(rest.trim_start())
    })
}

/// True if a sentence is only a word for each time: `Ever.`, `Immer.`.
pub(in crate::voice) fn is_word_for_ever(lowered: &str) -> bool {
    words(lowered).nth(2).is_none() && !is_question(lowered) && Intent::EachTime.is_in(lowered)
}

/// A sentence without the question for consent at its end: `.., okay?`.
pub(super) fn without_tag(lowered: &str) -> &str {
    let said = lowered.trim_end();
    let Some(said) = said.strip_suffix(['?', '？']) else {
        return lowered;
    };
    let Some((before, tag)) = said.rsplit_once([',', '，']) else {
        return lowered;
    };
    let tag = tag.trim().trim_start_matches('¿');
    if Intent::Consent.is(tag) {
        before
    } else {
        lowered
    }
}

/// True if a sentence describes the agent or the user: `you always break it`.
fn addresses_state(lowered: &str) -> bool {
    Intent::Habit.is_in(lowered) && !Intent::Politely.is_in(lowered)
}

/// True if a label makes the text after it last: `How I like to work: ..`.
fn begins_with_label(lowered: &str) -> bool {
    let label = lowered.split([':', '：']).next();
    let label = label.filter(|label| label.len() + 1 < lowered.trim_end().len());
    label.is_some_and(|label| words(label).nth(9).is_none())
}

/// True if a request ends with a word for each time: `no print statements, ever`.
fn is_final(lowered: &str) -> bool {
    let lowered = lowered.trim_end_matches(['.', '!', '。', ' ']);
    let end = lowered.rsplit([',', '，']).next();
    let end = end.filter(|end| end.len() < lowered.len());
    end.is_some_and(|end| words(end).nth(2).is_none() && Intent::EachTime.is_in(end))
}

/// True if a sentence contains an imperative.
fn has_request(lowered: &str) -> bool {
    // Finds imperatives by their endings: `używaj`, `используй`, `пишите`.
    let asks = |word: &str| {
        word.chars().nth(3).is_some()
            && Intent::ImperativeEnding.is(word)
            && !Intent::NoImperative.is(word)
    };
    // Finds imperatives with the pronoun of the user: `rispondimi`, `ricordati`.
    let is_to_me = |word: &str| word.chars().nth(4).is_some() && word.ends_with("mi");
    // Finds a request after a condition: `before each commit, run the linter`.
    let behind = || lowered.split_once(", ").map(|(_, behind)| behind);
    let is_asked_then = || {
        Intent::EachTime.is_in(lowered.split(',').next().unwrap_or_default())
            && behind().is_some_and(super::super::ask::is_directive)
    };
    super::super::ask::is_directive(lowered)
        || is_asked_then()
        || words(lowered).any(asks)
        || words(lowered).next().is_some_and(is_to_me)
        || has_polish_request(lowered)
}

/// True if a Polish imperative follows a word for each time: `zawsze bierz`, `nigdy nie rób`. The verb of a description
/// ends in a vowel: `nigdy nie działa`.
fn has_polish_request(lowered: &str) -> bool {
    let mut said = words(lowered).skip_while(|word| !matches!(*word, "zawsze" | "nigdy"));
    said.next();
    let verb = said.find(|word| *word != "nie");
    verb.is_some_and(|verb| {
        !verb.ends_with(['a', 'e', 'i', 'o', 'u', 'y', 'ą', 'ę', 'ó', 'ć'])
            && !Intent::NoImperative.is(verb)
    })
}
