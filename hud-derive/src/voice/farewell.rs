//! Thanks and farewells, after which the user wants nothing more.

use super::rule;
use super::words::{beginning, lower, words};
use crate::lexicon::Intent;
use crate::prose::sentences;

/// True if a text consists only of thanks and wishes, in any number of words.
pub(super) fn is_farewell(text: &str) -> bool {
    if text.len() > 200 {
        return false;
    }
    // `That's all for now` asks for nothing.
    let lowered = lower(text).replace("for now", "");
    if Intent::More.is_in(&lowered)
        || lowered.contains(['?', '？'])
        || rule::demands_something(&lowered)
    {
        return false;
    }
    let thanks = |sentence: &str| {
        let lowered = lower(sentence);
        let said = lowered.trim_start_matches(|c: char| !c.is_alphabetic());
        Intent::Thanks.begins(said)
            || closes_at(said)
            || after_praise(said).is_some_and(|said| {
                said.is_empty() || closes_at(said) || Intent::Thanks.begins(said)
            })
    };
    // A mark of the program that runs the agent, `###STOP###`, is not a part of the message.
    let is_said = |sentence: &&str| words(sentence).nth(1).is_some() || thanks(sentence);
    let mut said = sentences(text).filter(is_said).peekable();
    // A message of praise without thanks does not end anything.
    let is_meant = Intent::Thanks.is_in(&lowered) || Intent::Close.is_in(&lowered);
    is_meant && said.peek().is_some() && said.all(thanks)
}

/// The request after the thanks at the beginning of a message: `Thanks! Now add the docs`.
pub(super) fn behind_thanks(text: &str) -> Option<&str> {
    let text = text.trim();
    let first = sentences(text).next()?;
    let rest = text.get(first.len()..)?.trim();
    let is_short = words(first).nth(8).is_none();
    (is_short && is_farewell(first) && !rest.is_empty()).then_some(rest)
}

/// The text after the praise at the beginning of a sentence: `perfect, thanks`.
fn after_praise(said: &str) -> Option<&str> {
    let said = Intent::ThatIs.after(said).map_or(said, str::trim_start);
    let behind = Intent::Praise.after(said)?;
    Some(behind.trim_start_matches(|c: char| !c.is_alphanumeric()))
}

/// True if a text begins with a closing phrase: `that's all for now`, but not `that's all wrong`.
fn closes_at(lowered: &str) -> bool {
    let ends = |rest: &str| {
        let rest = rest.trim_start_matches(' ');
        let next = words(rest).next().unwrap_or("");
        !rest.starts_with(char::is_alphanumeric) || Intent::AfterClose.is(next)
    };
    Intent::Close.after(lowered).is_some_and(ends)
}

/// True if a text is a farewell that closes the conversation.
pub(super) fn closes(text: &str) -> bool {
    let lowered = lower(beginning(text, 400));
    is_farewell(text)
        && Intent::Close
            .all_in(&lowered)
            .any(|found| lowered.get(found.start..).is_some_and(closes_at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thanks_are_thanks_in_whatever_many_words() {
        for said in [
            "Thank you so much for your help! ###STOP###",
            "Great, thanks for all of that. Have a nice day!",
            "Thanks, you too!",
            "I really appreciate your help with this. Thank you. ###STOP###",
            "That's perfect! Thanks for your help.###STOP###",
            "Thank you for your help. That's all for now.",
        ] {
            assert!(is_farewell(said), "{said}");
        }
        for said in [
            "Thanks, now fix the other one",
            "Thank you. Run the tests again.",
            "thanks, but it still fails",
            "That's perfect, but I would appreciate a test",
            "All good things come to an end. Thanks",
            "Thank you! Is it on main?",
        ] {
            assert!(!is_farewell(said), "{said}");
        }
    }

    #[test]
    fn what_closes_a_conversation_is_known_in_any_language() {
        for said in [
            "Perfect, that's all. Thanks!",
            "Danke, das war's.",
            "Merci, c'est tout !",
            "Genial, eso es todo. Gracias",
            "Спасибо, на этом всё.",
            "谢谢，就这些。",
            "ありがとうございます。以上です。",
            "شكرا، هذا كل شيء",
        ] {
            assert!(closes(said), "{said}");
        }
        for said in [
            "Thanks a lot, works great!",
            "Vielen Dank!",
            "Merci beaucoup.",
            "Большое спасибо!",
            "太好了，谢谢！",
        ] {
            assert!(is_farewell(said) && !closes(said), "{said}");
        }
        assert!(!is_farewell("Good."));
        assert_eq!(behind_thanks("Good. Three things on the answer."), None);
        assert_eq!(behind_thanks("Спасибо! Добавь gzip"), Some("Добавь gzip"));
        for said in [
            "That's all wrong",
            "Danke, aber es geht noch nicht",
            "Merci. Ajoute maintenant un test.",
            "Спасибо. Теперь обнови документацию.",
            "谢谢。请再运行一次测试。",
            "Great",
        ] {
            assert!(!closes(said), "{said}");
        }
    }
}
