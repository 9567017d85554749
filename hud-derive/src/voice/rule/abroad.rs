//! Prohibitions and demands in languages other than English.

use super::super::words::words;
use super::verb_first::asks_for_ever;
use crate::lexicon::Intent;
use crate::prose::after_marks;

/// The offset of a clause in another language that forbids or demands. The clause is the whole sentence, or a part that
/// is joined to it in that language.
pub(super) fn abroad(lowered: &str) -> Option<usize> {
    // Only short sentences are read, because an English clause may begin with a short word of another language.
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
    // Skips the opening mark: `¡No toques la API!`.
    let first = lowered.len() - lowered.trim_start_matches(['¡', '¿']).len();
    std::iter::once(first).chain(begins).find(demands)
}

/// True if a clause is a description, although it begins with a word that forbids or demands before an imperative:
/// `solo es un ejemplo`, `не из нашей команды`. The text after the word decides.
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

/// True if a clause begins with words that make it last, such as `ab jetzt` and `desde ahora`, and describes no state.
fn begins_for_ever(clause: &str) -> bool {
    let behind = Intent::Henceforth.after(clause);
    let next = behind.and_then(|behind| words(behind).next());
    next.is_some_and(|next| !Intent::State.is(next))
}

/// True if a clause demands something of all of some things: `chaque module doit ..`, `cada módulo debe ..`.
fn binds_all(clause: &str) -> bool {
    let mut said = words(clause);
    said.next().is_some_and(|first| Intent::Every.is(first))
        && (said.any(|word| Intent::Have.is(word)) || Intent::Have.is_in(clause))
}

/// True if a clause is a French prohibition for ever, with a verb that begins with a vowel: `n'appelle jamais`.
fn is_never(clause: &str) -> bool {
    let Some(verb) = clause
        .strip_prefix("n'")
        .and_then(|rest| words(rest).next())
    else {
        return false;
    };
    !Intent::State.is(verb) && Intent::EachTime.is_in(clause)
}

/// The longest sentence whose clauses are read in other languages, in bytes.
const CLAUSES_OF: usize = 600;

/// True if a clause that begins with `no` is Spanish, where it is a denial.
pub(super) fn is_spanish(clause: &str) -> bool {
    words(clause).any(|word| Intent::FunctionWord.is(word))
}

/// True if a clause is a prohibition by the form of its first verb: `no toques la API`, `Ändere nichts an der API`.
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

/// True if a Chinese word of demand only describes here: `连接会保持五分钟`, `现在一律返回 500`. `before` is the text before the
/// word, and `rest` the text from it on.
pub(super) fn describes(before: &str, rest: &str) -> bool {
    if let Some(kept) = rest.strip_prefix("保持") {
        let begins = before.is_empty() || !before.ends_with(char::is_alphanumeric);
        let is_asked = begins || Intent::Request.ends(before) || Intent::Kept.begins(kept);
        return Intent::Aspect.ends(before)
            || !is_asked
            || kept.starts_with(['了', '着', '过', '住']);
    }
    // `从现在起` means from now on.
    rest.starts_with("一律") && !before.contains("从现在") && Intent::Present.is_in(before)
}
