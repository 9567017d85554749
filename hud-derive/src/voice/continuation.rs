//! Messages that only ask the agent to continue, in any language: `Go on please`. They make no new request.

use super::words::{lower, words};
use crate::lexicon::{Intent, is_unsegmented};

/// The longest such message in scripts without spaces, in characters.
const DENSE_LONGEST: usize = 14;

/// True if a text only asks the agent to continue.
pub(super) fn is_continuation(text: &str) -> bool {
    let text = text.trim();
    if text.len() > 160 {
        return false;
    }
    let lowered = lower(text);
    if lowered.contains(is_unsegmented) {
        let said: String = lowered.chars().filter(|c| c.is_alphanumeric()).collect();
        return said.chars().nth(DENSE_LONGEST).is_none()
            && Intent::Continue
                .after(&said)
                .is_some_and(|behind| behind.is_empty() || Intent::PoliteEnding.is(behind));
    }
    let spoken: Vec<&str> = lowered
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '-') || is_mark(c)))
        .filter(|word| word.contains(char::is_alphanumeric))
        .collect();
    let is_one = |said: &[&str]| Intent::Continue.is(&said.join(" "));
    let left: Vec<&str> = spoken
        .iter()
        .copied()
        .filter(|word| !Intent::AroundContinue.is(word))
        .collect();
    words(&lowered).nth(14).is_none() && (is_one(&spoken) || is_one(&left))
}

/// True if a character is a mark on a letter, as in Hindi.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094F}' | '\u{064B}'..='\u{065F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_to_go_on_are_known_in_many_languages() {
        for said in [
            "Go on please",
            "go on",
            "Please continue.",
            "continue from where you left off",
            "Keep going!",
            "carry on",
            "Ok, proceed",
            "Weiter",
            "mach bitte weiter",
            "Bitte fahre fort",
            "Continue s'il te plaît",
            "Vas-y",
            "continuez",
            "Sigue por favor",
            "Continúa",
            "продолжай, пожалуйста",
            "дальше",
            "prossiga por favor",
            "vai avanti",
            "继续",
            "请继续。",
            "继续吧",
            "続けて",
            "続けてください",
            "계속해줘",
            "계속 진행해",
            "devam et",
            "जारी रखें",
        ] {
            assert!(is_continuation(said), "{said}");
        }
        for said in [
            "Go on with the parser",
            "continue the migration of the users table",
            "Next add the docs",
            "run the tests",
            "weiter mit dem Parser",
            "继续修复测试",
            "keep it simple",
            "Do it",
            "",
        ] {
            assert!(!is_continuation(said), "{said}");
        }
    }
}
