//! Short answers: yes, no, a number, thanks, in whatever language.

use super::number::number;
use super::words::{begins, head, is_dense, lower, words};

/// How many words a short answer has at most.
const SHORT: usize = 7;

/// What a short answer is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The offer is taken.
    Yes,
    /// One of several that were offered, by number.
    Number(u32),
    /// The offer is not taken.
    No,
    /// Nothing is said by it: thanks, praise.
    Nothing,
}

/// Words by which an offer is taken.
const YES: &[&str] = &[
    "yes",
    "y",
    "yep",
    "yeah",
    "yup",
    "ok",
    "okay",
    "k",
    "sure",
    "go",
    "proceed",
    "continue",
    "absolutely",
    "definitely",
    "correct",
    "exactly",
    "agreed",
    "approved",
    "lgtm",
    "do",
    "please",
    "both",
    "all",
    "ja",
    "jawohl",
    "jo",
    "klar",
    "gerne",
    "mach",
    "weiter",
    "genau",
    "oui",
    "ouais",
    "d'accord",
    "vas-y",
    "volontiers",
    "sí",
    "si",
    "claro",
    "vale",
    "dale",
    "adelante",
    "sim",
    "pode",
    "sì",
    "certo",
    "va",
    "да",
    "ага",
    "давай",
    "конечно",
    "хорошо",
    "так",
    "tak",
    "evet",
    "tamam",
    "igen",
    "ano",
    "kyllä",
    "jep",
    "نعم",
    "أجل",
    "حسنا",
    "हाँ",
    "हां",
    "जी",
    "ठीक",
    "כן",
    "ναι",
    "vâng",
    "có",
    "ya",
];

/// Words that may be beside one.
const BESIDE: &[&str] = &[
    "it",
    "that",
    "this",
    "them",
    "these",
    "ahead",
    "for",
    "with",
    "on",
    "of",
    "course",
    "the",
    "good",
    "sounds",
    "great",
    "perfect",
    "fine",
    "right",
    "thanks",
    "thank",
    "you",
    "let's",
    "lets",
    "so",
    "and",
    "now",
    "then",
    "works",
    "me",
    "to",
    "looks",
    "nice",
    "cool",
    "awesome",
    "i",
    "think",
    "bitte",
    "es",
    "das",
    "los",
    "gut",
    "s'il",
    "te",
    "vous",
    "plaît",
    "bien",
    "sûr",
    "por",
    "favor",
    "bueno",
    "bene",
    "пожалуйста",
    "है",
    "again",
    "confirm",
    "one",
    "just",
    "much",
    "so",
    "very",
];

/// Words by which an offer is not taken.
const NO: &[&str] = &[
    "no",
    "nope",
    "nah",
    "nein",
    "nee",
    "non",
    "não",
    "нет",
    "не",
    "nie",
    "hayır",
    "لا",
    "नहीं",
    "לא",
    "όχι",
    "không",
];

/// Thanks, praise and farewells.
const NOTHING: &[&str] = &[
    "thanks",
    "thank",
    "thx",
    "great",
    "perfect",
    "nice",
    "cool",
    "awesome",
    "good",
    "fine",
    "bye",
    "hi",
    "hello",
    "hey",
    "danke",
    "merci",
    "gracias",
    "obrigado",
    "спасибо",
    "grazie",
    "exit",
    "quit",
    "stop",
];

/// Answers in scripts that part words by no spaces.
const DENSE_YES: &[&str] = &[
    "是",
    "是的",
    "好",
    "好的",
    "好吧",
    "可以",
    "行",
    "嗯",
    "对",
    "對",
    "没问题",
    "沒問題",
    "继续",
    "繼續",
    "同意",
    "开始吧",
    "做吧",
    "はい",
    "うん",
    "ええ",
    "お願いします",
    "お願い",
    "いいよ",
    "いいです",
    "どうぞ",
    "続けて",
    "了解",
    "네",
    "예",
    "응",
    "좋아",
    "좋아요",
    "그래",
    "그래요",
    "계속",
    "진행해",
    "해줘",
    "ใช่",
    "ครับ",
    "ค่ะ",
    "ตกลง",
];

const DENSE_NO: &[&str] = &[
    "不",
    "不用",
    "不要",
    "不是",
    "いいえ",
    "いや",
    "結構です",
    "아니",
    "아니요",
    "아뇨",
    "ไม่",
];

const DENSE_NOTHING: &[&str] = &[
    "谢谢",
    "謝謝",
    "多谢",
    "ありがとう",
    "ありがとうございます",
    "고마워",
    "감사합니다",
    "ขอบคุณ",
];

/// What a text says as a short answer; `None` if it says more.
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
    if lowered.contains(is_dense) {
        let said = lowered.trim_matches(|c: char| !c.is_alphanumeric());
        return match said {
            said if DENSE_YES.contains(&said) => Some(Answer::Yes),
            said if DENSE_NO.contains(&said) => Some(Answer::No),
            said if DENSE_NOTHING.contains(&said) => Some(Answer::Nothing),
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
    let is_all = |tables: &[&[&str]]| {
        words(&lowered).all(|word| tables.iter().any(|table| table.contains(&word)))
    };
    if NO.contains(&first) && is_all(&[NO, NOTHING, BESIDE]) {
        return Some(Answer::No);
    }
    if is_all(&[NOTHING, &["you", "so", "much", "very", "a", "lot", "all"]]) {
        return Some(Answer::Nothing);
    }
    let takes = words(&lowered).any(|word| YES.contains(&word));
    let praises = ["sounds good", "looks good", "works for me", "of course"]
        .iter()
        .any(|praise| lowered.contains(praise));
    ((takes || praises) && is_all(&[YES, BESIDE])).then_some(Answer::Yes)
}

/// Whether a text begins by taking what was offered, and says more: `yes, but keep it small`.
pub(super) fn begins_with_yes(text: &str) -> bool {
    const FIRST: &[&str] = &[
        "yes", "yep", "yeah", "yup", "ok", "okay", "sure", "go ahead", "do it", "ja", "oui", "sí",
        "sim", "да", "是的", "好的", "好", "可以", "はい", "네",
    ];
    let lowered = lower(head(text, 400));
    words(&lowered).count() <= 16 && FIRST.iter().any(|word| begins(&lowered, word))
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
