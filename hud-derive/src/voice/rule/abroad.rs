//! What forbids or demands in other languages than English.

use super::super::words::words;
use super::verb_first::asks_for_ever;
use crate::lexicon::Intent;
use crate::prose::after_marks;

/// Where a clause of another language begins that forbids or demands: the sentence, or what is joined to it in
/// that language.
pub(super) fn abroad(lowered: &str) -> Option<usize> {
    // What begins with a short word of another language may be of this one.
    if lowered.len() > CLAUSES_OF {
        return None;
    }
    let joined = Intent::Join.all_in(lowered).map(|join| join.end);
    let begins = joined.chain(after_marks(lowered));
    let begins = begins.filter_map(|at| {
        let rest = lowered.get(at..)?.trim_start();
        Some(lowered.len() - rest.len())
    });
    let demands = |at: &usize| {
        let Some(clause) = lowered.get(*at..) else {
            return false;
        };
        let is_first = |behind: &str| {
            let word = clause.strip_suffix(behind).unwrap_or_default();
            !behind.starts_with(['-', ',', ':', '.']) && !says_how_it_is(word, behind)
        };
        Intent::Forbid.after(clause).is_some_and(is_first)
            || forbids_abroad(clause)
            || asks_for_ever(clause)
            || begins_for_ever(clause)
            || binds_all(clause)
            || is_never(clause)
    };
    // `¡No toques la API!`
    let first = lowered.len() - lowered.trim_start_matches(['¡', '¿']).len();
    std::iter::once(first).chain(begins).find(demands)
}

/// True if a word that forbids or demands where a verb follows that asks says how things are, from what is behind it:
/// `solo es un ejemplo`, `не из нашей команды`.
fn says_how_it_is(word: &str, behind: &str) -> bool {
    let Some(next) = words(behind).next() else {
        return false;
    };
    let asks = || {
        Intent::Advisable.is(next)
            || Intent::Imperative.is(next)
                && next.chars().nth(2).is_some()
                && !Intent::NoImperative.is(next)
    };
    Intent::Be.is(next)
        || Intent::Not.is(word) && !asks()
        || Intent::Deny.is(word) && Intent::Seen.is(next)
}

/// True if a clause begins with words that make it last: `ab jetzt`, `desde ahora`. A state from now on has `is`.
fn begins_for_ever(clause: &str) -> bool {
    let behind = Intent::Henceforth.after(clause);
    let next = behind.and_then(|behind| words(behind).next());
    next.is_some_and(|next| !Intent::State.is(next))
}

/// True if a clause says what each of some things must be: `chaque module doit ..`, `cada módulo debe ..`.
fn binds_all(clause: &str) -> bool {
    let mut said = words(clause);
    said.next().is_some_and(|first| Intent::Every.is(first))
        && (said.any(|word| Intent::Have.is(word)) || Intent::Have.is_in(clause))
}

/// True if a clause is French and forbids for ever with a verb that begins with a vowel: `n'appelle jamais`.
fn is_never(clause: &str) -> bool {
    let Some(verb) = clause
        .strip_prefix("n'")
        .and_then(|rest| words(rest).next())
    else {
        return false;
    };
    !Intent::State.is(verb) && Intent::EachTime.is_in(clause)
}

/// How long a sentence is at most whose clauses are looked at in other languages, in bytes.
const CLAUSES_OF: usize = 600;

/// Whether a clause that begins with `no` is Spanish, where that says that something is not so.
pub(super) fn is_spanish(clause: &str) -> bool {
    words(clause).any(|word| Intent::FunctionWord.is(word))
}

/// Whether a clause forbids by the verb that it begins with, in a language that has a form for that: `no toques
/// la API`, `Ändere nichts an der API`.
fn forbids_abroad(clause: &str) -> bool {
    let mut said = words(clause.split([',', ';', '.']).next().unwrap_or(clause));
    match said.next() {
        Some("no") => {
            let forbids = |verb: &str| !Intent::StateVerb.is(verb) && Intent::Subjunctive.is(verb);
            said.next().is_some_and(forbids) && said.any(|word| Intent::Complement.is(word))
        }
        Some(verb) => Intent::Imperative.is(verb) && said.any(|word| Intent::Negation.is(word)),
        None => false,
    }
}

/// Whether a word of Chinese that demands where somebody asks says here how things are, from what is before it and
/// from it on: `连接会保持五分钟`, `现在一律返回 500`.
pub(super) fn describes(before: &str, rest: &str) -> bool {
    if let Some(kept) = rest.strip_prefix("保持") {
        let begins = before.is_empty() || !before.ends_with(char::is_alphanumeric);
        let is_asked = begins || Intent::Request.ends(before) || Intent::Kept.begins(kept);
        return Intent::Aspect.ends(before)
            || !is_asked
            || kept.starts_with(['了', '着', '过', '住']);
    }
    // `从现在起` is from now on.
    rest.starts_with("一律") && !before.contains("从现在") && Intent::Present.is_in(before)
}
