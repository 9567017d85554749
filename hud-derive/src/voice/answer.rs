//! Short answers in any language: yes, no, a number, thanks.

use super::number::number;
use super::words::{beginning, lower, words};
use crate::lexicon::{Intent, is_unsegmented};

/// The largest number of words of a short answer.
const SHORT: usize = 7;

/// The kind of a short answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The user accepts the offer.
    Yes,
    /// The user chooses one of several options by its number.
    Number(u32),
    /// The user declines the offer.
    No,
    /// The user only thanks or praises.
    Nothing,
}

/// Returns the short answer in a text. `None` if the text is more than that.
pub(super) fn answer(text: &str) -> Option<Answer> {
    let text = text.trim();
    if text.len() > 120 {
        return None;
    }
    if ["👍", "👌", "✅", "🙏"]
        .iter()
        .any(|sign| text.starts_with(sign))
        && !text.contains(char::is_alphanumeric)
    {
        return Some(Answer::Yes);
    }
    let lowered = lower(text);
    if lowered.contains(is_unsegmented) {
        let said = lowered.trim_matches(|c: char| !c.is_alphanumeric());
        return match said {
            said if Intent::Yes.is(said) => Some(Answer::Yes),
            said if Intent::No.is(said) => Some(Answer::No),
            said if Intent::Courtesy.is(said) => Some(Answer::Nothing),
            said => number(said).map(Answer::Number),
        };
    }
    let count = words(&lowered).count();
    if count == 0 || count > SHORT {
        return None;
    }
    if let Some(number) = number(&lowered) {
        return Some(Answer::Number(number));
    }
    let first = words(&lowered).next()?;
    let is_all =
        |of: &[Intent]| words(&lowered).all(|word| of.iter().any(|intent| intent.is(word)));
    if Intent::No.is(first) && is_all(&[Intent::No, Intent::Courtesy, Intent::AroundYes]) {
        return Some(Answer::No);
    }
    if is_all(&[Intent::Courtesy, Intent::AroundThanks]) {
        return Some(Answer::Nothing);
    }
    let takes = words(&lowered).any(|word| Intent::Yes.is(word));
    ((takes || Intent::Assent.is_in(&lowered)) && is_all(&[Intent::Yes, Intent::AroundYes]))
        .then_some(Answer::Yes)
}

/// True if a text begins with a yes and adds something: `yes, but keep it small`.
pub(super) fn begins_with_yes(text: &str) -> bool {
    let lowered = lower(beginning(text, 400));
    words(&lowered).count() <= 16 && Intent::YesFirst.begins(&lowered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_answers_are_known_in_any_language() {
        for yes in [
            "yes",
            "Yes, please!",
            "go for it",
            "sure",
            "ok do it",
            "ja bitte",
            "oui",
            "sí",
            "да",
            "好的",
            "はい。",
            "네",
            "👍",
            "sounds good",
            "lgtm",
            "go ahead",
            "हाँ",
        ] {
            assert_eq!(answer(yes), Some(Answer::Yes), "{yes}");
        }
        for no in ["no", "No thanks", "nein", "不用", "нет"] {
            assert_eq!(answer(no), Some(Answer::No), "{no}");
        }
        for (text, number) in [
            ("1", 1),
            ("option 4", 4),
            ("#2", 2),
            ("the second one", 2),
            ("第二个", 2),
            ("方案3", 3),
            ("b", 2),
        ] {
            assert_eq!(answer(text), Some(Answer::Number(number)), "{text}");
        }
        for thanks in ["thanks!", "Thank you so much", "谢谢", "great"] {
            assert_eq!(answer(thanks), Some(Answer::Nothing), "{thanks}");
        }
        for more in [
            "run the tests",
            "do the docs too",
            "修复测试",
            "exot",
            "2 and 3",
            "no, ignore this part",
        ] {
            assert_eq!(answer(more), None, "{more}");
        }
    }
}
