//! What the user says does not work, in plain words: `the login page still crashes`.

use super::ask::{is_directive, is_question};
use super::words::{clip, first_in, has, is_dense, lower, words};

/// How long such a sentence is kept at most, in characters.
const LONGEST: usize = 160;

/// How many sentences of one message are taken.
const MOST: usize = 2;

/// Words of what does not work at this moment.
const FAILS: &[&str] = &[
    "crashes",
    "is crashing",
    "keeps crashing",
    "fails",
    "is failing",
    "are failing",
    "keeps failing",
    "still fail",
    "is broken",
    "are broken",
    "doesn't work",
    "does not work",
    "don't work",
    "isn't working",
    "is not working",
    "aren't working",
    "not working",
    "stopped working",
    "doesn't load",
    "does not load",
    "doesn't start",
    "does not start",
    "doesn't compile",
    "does not compile",
    "doesn't build",
    "hangs",
    "freezes",
    "times out",
    "is timing out",
    "throws",
    "gives an error",
    "gives me an error",
    "i get an error",
    "i'm getting an error",
    "we get an error",
    "returns an error",
    "returns a 500",
    "returns a 404",
    "segfaults",
    "stürzt ab",
    "funktioniert nicht",
    "geht nicht",
    "schlägt fehl",
    "ne marche pas",
    "ne fonctionne pas",
    "plante",
    "no funciona",
    "falla",
    "não funciona",
    "non funziona",
    "не работает",
    "падает",
    "报错",
    "崩溃",
    "失败了",
    "不工作",
    "没反应",
    "動かない",
    "動きません",
    "落ちる",
    "エラーになる",
    "エラーが出",
    "작동하지 않",
    "안 돼",
    "오류가 나",
];

/// Words of what would be, was, or is no more.
const NOT_NOW: &[&str] = &[
    "if",
    "when it fails",
    "in case",
    "would",
    "should",
    "could",
    "might",
    "may",
    "must",
    "until",
    "unless",
    "whenever",
    "no longer",
    "never",
    "used to",
    "instead of",
    "so that",
    "make sure",
    "nothing",
    "falls",
    "wenn",
    "si",
    "если",
    "如果",
];

/// Words that name nothing.
const EMPTY: &[&str] = &[
    "it",
    "this",
    "that",
    "they",
    "these",
    "those",
    "still",
    "now",
    "again",
    "the",
    "a",
    "an",
    "and",
    "but",
    "hm",
    "hmm",
    "ok",
    "so",
    "also",
    "just",
    "here",
    "for",
    "me",
    "no",
    "yes",
    "is",
    "are",
    "does",
    "i",
    "get",
    "with",
    "everything",
    "all",
    "same",
    "es",
    "das",
    "ça",
    "это",
];

/// The sentences of a message that say so and name what it is.
pub(super) fn complaints(sentences: &[String]) -> Vec<String> {
    let said = sentences.iter().filter(|sentence| is_complaint(sentence));
    said.take(MOST)
        .map(|sentence| clip(sentence.trim(), LONGEST))
        .collect()
}

fn is_complaint(sentence: &str) -> bool {
    if sentence.chars().nth(LONGEST).is_some() {
        return false;
    }
    let lowered = lower(sentence);
    let dense = || {
        let mut cues = FAILS.iter().copied();
        cues.find(|cue| cue.starts_with(is_dense) && lowered.contains(cue))
    };
    let Some(cue) = first_in(&lowered, FAILS).or_else(dense) else {
        return false;
    };
    if has(&lowered, NOT_NOW) || is_directive(&lowered) || is_question(sentence) {
        return false;
    }
    // What it is that fails has to be said as well.
    let rest = lowered.replacen(cue, " ", 1);
    if rest.contains(is_dense) {
        return rest.chars().filter(|c| is_dense(*c)).nth(1).is_some();
    }
    words(&rest).any(|word| word.chars().nth(2).is_some() && !EMPTY.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(sentence: &str) -> bool {
        !complaints(&[sentence.to_owned()]).is_empty()
    }

    #[test]
    fn what_fails_is_known_by_what_the_user_says_in_any_language() {
        for sentence in [
            "the login page still crashes",
            "\"mise run test:ci\" fails",
            "I get an error on the settings page",
            "The import doesn't work with big files.",
            "Die Suche funktioniert nicht.",
            "la page de connexion ne marche pas",
            "страница входа не работает",
            "登录页面又崩溃了",
            "ログイン画面が動かない",
        ] {
            assert!(said(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_would_fail_or_has_no_name_or_is_asked_opens_nothing() {
        for sentence in [
            "it still fails",
            "that doesn't work",
            "if the request fails, retry it",
            "the parser should throw when the header is broken",
            "does the login page crash for you?",
            "we return an empty string if encoding fails",
            "make sure that the build fails on warnings",
            "the login page no longer crashes",
            "fix what fails in the parser",
            "add a test that fails without the fix",
        ] {
            assert!(!said(sentence), "{sentence}");
        }
    }
}
