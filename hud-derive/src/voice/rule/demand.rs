//! Clauses that forbid or demand by their first words, as opposed to descriptions.

use super::super::words::words;
use super::abroad::is_spanish;
use crate::lexicon::Intent;

/// True if a clause forbids or demands.
pub(super) fn demands(clause: &str) -> bool {
    let mut said = words(clause);
    let (first, second) = (said.next().unwrap_or(""), said.next().unwrap_or(""));
    if first == "no" {
        // `no, ignore this` is an answer, and `no new crates` is a prohibition.
        return !second.is_empty()
            && clause.starts_with("no ")
            && !Intent::NoAnswer.is(second)
            && !is_spanish(clause)
            && !says_lack(clause);
    }
    let next = |intent: Intent| {
        let rest = intent.after(clause)?;
        Some(words(rest).next().unwrap_or(""))
    };
    if let Some(next) = next(Intent::ForbidFirst) {
        return !next.is_empty();
    }
    if let Some(next) = next(Intent::ForbidVerb) {
        return !next.is_empty() && !Intent::StateVerb.is(next);
    }
    // A property of the thing to make is a part of the request for it.
    if let Some(next) = next(Intent::Ensure) {
        return match Intent::Subject.is(next) {
            true => Intent::Lasting.is_in(clause),
            false => !next.is_empty(),
        };
    }
    // `Without it, all is lost` and `using it would help` are descriptions.
    if let Some(next) = next(Intent::Without) {
        return !next.is_empty() && !Intent::Auxiliary.is_in(clause);
    }
    // These words also begin questions, requests and reports.
    Intent::Leave.begins(clause) && Intent::Untouched.is_in(clause)
        || Intent::Use.begins(clause) && Intent::Instead.is_in(clause)
        || Intent::Keep.begins(clause) && Intent::Kept.is_in(clause)
        || next(Intent::NothingFirst).is_some_and(|next| !next.is_empty() && !says_nothing(clause))
}

/// True if a clause with `no` reports that something is missing: `no section on limits`, `no errors in the log`.
/// Something new or additional is always forbidden.
fn says_lack(clause: &str) -> bool {
    let is_asked = Intent::Politely.is_in(clause);
    let clause = clause.split([',', ';']).next().unwrap_or(clause);
    if is_asked || Intent::Shall.is_in(clause) || Intent::Additional.is_in(clause) {
        return false;
    }
    let mut said = words(clause).skip(1);
    said.clone().any(|word| Intent::Seen.is(word)) || said.any(|word| Intent::Place.is(word))
}

/// True if a clause with `nothing` is a report, and not a wish: `nothing obvious in the trace`, `nothing works`.
fn says_nothing(clause: &str) -> bool {
    let clause = clause.split([',', ';']).next().unwrap_or(clause);
    if Intent::Shall.is_in(clause) {
        return false;
    }
    let mut said = words(clause).skip(1);
    let verb = said.clone().next().unwrap_or("");
    let is_verb = (verb.ends_with('s') || verb.ends_with("ed")) && !verb.ends_with("ss");
    (is_verb && verb != "else") || said.any(|word| Intent::Place.is(word) || word == "to")
}
