//! Thanks and farewells: whether the user wants nothing more.

use super::rule;
use super::words::{begins, find, has, head, lower, words};
use crate::prose::sentences;

/// Whether all that a text says are thanks and wishes, in whatever many words.
pub(super) fn is_farewell(text: &str) -> bool {
    const THANKS: &[&str] = &[
        "thanks",
        "thank you",
        "thx",
        "many thanks",
        "i appreciate",
        "i really appreciate",
        "much appreciated",
        "appreciate it",
        "appreciate your",
        "have a",
        "bye",
        "goodbye",
        "good bye",
        "you too",
        "that's all",
        "that is all",
        "danke",
        "dankeschön",
        "vielen dank",
        "besten dank",
        "herzlichen dank",
        "merci",
        "gracias",
        "muchas gracias",
        "mil gracias",
        "obrigado",
        "obrigada",
        "спасибо",
        "большое спасибо",
        "благодарю",
        "grazie",
        "mille grazie",
        "dziękuję",
        "dzięki",
        "teşekkürler",
        "teşekkür ederim",
        "tack",
        "bedankt",
        "شكرا",
        "شكرًا",
        "谢谢",
        "謝謝",
        "多谢",
        "感谢",
        "辛苦了",
        "ありがとう",
        "助かりました",
        "감사합니다",
        "고마워",
    ];
    const MORE: &[&str] = &[
        "but",
        "can you",
        "could you",
        "please",
        "now",
        "also",
        "next",
        "aber",
        "bitte",
        "jetzt",
        "noch",
        "mais",
        "maintenant",
        "pero",
        "ahora",
        "mas",
        "agora",
        "но",
        "теперь",
        "пожалуйста",
        "但",
        "请",
        "现在",
        "接下来",
        "でも",
        "次",
        "ください",
        "لكن",
        "الآن",
    ];
    // `That's all for now` asks for nothing.
    let lowered = lower(head(text, 400)).replace("for now", "");
    if text.len() > 200
        || has(&lowered, MORE)
        || lowered.contains(['?', '？'])
        || rule::demands_something(&lowered)
    {
        return false;
    }
    let thanks = |sentence: &str| {
        let lowered = lower(sentence);
        let said = lowered.trim_start_matches(|c: char| !c.is_alphabetic());
        THANKS.iter().any(|word| begins(said, word))
            || closes_at(said)
            || after_praise(said).is_some_and(|said| {
                said.is_empty() || closes_at(said) || THANKS.iter().any(|word| begins(said, word))
            })
    };
    // A mark of who runs the agent, `###STOP###`, is nothing that is said.
    let is_said = |sentence: &&str| words(sentence).nth(1).is_some() || thanks(sentence);
    let mut said = sentences(text).filter(is_said).peekable();
    // Praise alone ends nothing.
    let is_meant = has(&lowered, THANKS) || has(&lowered, CLOSES);
    is_meant && said.peek().is_some() && said.all(thanks)
}

/// What a message asks for behind the thanks that it begins with: `Thanks! Now add the docs`.
pub(super) fn behind_thanks(text: &str) -> Option<&str> {
    let text = text.trim();
    let first = sentences(text).next()?;
    let rest = text.get(first.len()..)?.trim();
    let is_short = words(first).nth(8).is_none();
    (is_short && is_farewell(first) && !rest.is_empty()).then_some(rest)
}

/// What is behind the praise that a sentence begins with: `perfect, thanks`.
fn after_praise(said: &str) -> Option<&str> {
    const PRAISE: &[&str] = &[
        "great",
        "perfect",
        "awesome",
        "excellent",
        "wonderful",
        "lovely",
        "amazing",
        "brilliant",
        "nice",
        "cool",
        "good",
        "works",
        "ok",
        "okay",
        "no",
        "and",
        "super",
        "prima",
        "klasse",
        "perfekt",
        "toll",
        "parfait",
        "génial",
        "nickel",
        "perfecto",
        "genial",
        "estupendo",
        "perfeito",
        "ótimo",
        "отлично",
        "супер",
        "perfetto",
        "太好了",
        "很好",
        "完美",
        "ممتاز",
        "رائع",
    ];
    // `That's perfect`, `this is great`.
    const OF_IT: &[&str] = &["that's ", "that is ", "this is ", "it's ", "all "];
    let said = OF_IT
        .iter()
        .find_map(|word| said.strip_prefix(word))
        .unwrap_or(said);
    let word = PRAISE.iter().find(|word| begins(said, word))?;
    Some(said[word.len()..].trim_start_matches(|c: char| !c.is_alphanumeric()))
}

/// Words by which a user closes a conversation, whatever was said before.
const CLOSES: &[&str] = &[
    "that's all",
    "that is all",
    "that's it",
    "that'll be all",
    "that will be all",
    "nothing else",
    "we're done",
    "we are done",
    "bye",
    "goodbye",
    "good bye",
    "see you",
    "das war's",
    "das war alles",
    "das ist alles",
    "mehr nicht",
    "tschüss",
    "c'est tout",
    "ce sera tout",
    "au revoir",
    "eso es todo",
    "nada más",
    "adiós",
    "é tudo",
    "é só isso",
    "это всё",
    "это все",
    "на этом всё",
    "на этом все",
    "больше ничего",
    "до свидания",
    "è tutto",
    "就这些",
    "就这样",
    "没别的了",
    "再见",
    "以上です",
    "それだけです",
    "هذا كل شيء",
    "مع السلامة",
    "그게 다예요",
    "이상입니다",
];

/// Whether a text begins with words that close: `that's all for now`, and not `that's all wrong`.
fn closes_at(lowered: &str) -> bool {
    const GO_ON: &[&str] = &[
        "for",
        "from",
        "i",
        "thanks",
        "thank",
        "then",
        "today",
        "folks",
        "für",
        "fürs",
        "danke",
        "pour",
        "merci",
        "por",
        "gracias",
        "на",
        "спасибо",
    ];
    let ends = |rest: &str| {
        let rest = rest.trim_start_matches(' ');
        let next = words(rest).next().unwrap_or("");
        !rest.starts_with(char::is_alphanumeric) || GO_ON.contains(&next)
    };
    CLOSES
        .iter()
        .any(|word| begins(lowered, word) && ends(&lowered[word.len()..]))
}

/// Whether a text is a farewell that says that nothing more is wanted.
pub(super) fn closes(text: &str) -> bool {
    let lowered = lower(head(text, 400));
    is_farewell(text)
        && CLOSES
            .iter()
            .filter_map(|word| find(&lowered, word))
            .any(|at| closes_at(&lowered[at..]))
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
