//! Short answers, and what the agent offered that they answer.

use super::words::{begins, clip, find, has, head, is_dense, lower, words};
use crate::derive::prose::{self, Kind, blocks, plain, sentences};

/// How long an offer is kept at most, in characters.
const OFFER: usize = 220;

/// How long an item of an offer is kept at most, in characters.
const ITEM: usize = 110;

/// How many items of an offer are requests.
const ITEMS: usize = 12;

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

/// Whether all that a text says are thanks and wishes, in whatever many words.
pub(super) fn is_farewell(text: &str) -> bool {
    const THANKS: &[&str] = &[
        "thanks",
        "thank you",
        "thx",
        "many thanks",
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
    if text.len() > 200 || has(&lowered, MORE) || lowered.contains(['?', '？']) {
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

/// The number of an option that a text begins by taking, and says more: `2, and tell the team`.
pub(super) fn begins_with_number(text: &str) -> Option<u32> {
    const JOINS: &[&str] = &[
        " and ", " but ", " please", " und ", " aber ", " bitte", " et ", " mais ", " y ",
        " pero ", " и ", " но ", " e ", " mas ",
    ];
    // How long what takes the option is, in bytes, and all of it.
    const HEAD: usize = 40;
    const ALL: usize = 400;
    let text = text.trim();
    // A list of what is wanted begins so as well.
    if text.len() > ALL || text.lines().nth(1).is_some() {
        return None;
    }
    let lowered = lower(head(text, ALL));
    let mark = lowered.char_indices().find(|(at, c)| match c {
        '，' | '。' | '、' | '；' | '：' | '؛' | '،' => true,
        ',' | ';' | ':' | '!' | '—' | '–' => lowered[at + c.len_utf8()..].starts_with(' '),
        _ => false,
    });
    let marks = mark.map(|(at, _)| at);
    let joins = JOINS.iter().filter_map(|join| lowered.find(join));
    let end = joins.chain(marks).min().filter(|end| *end <= HEAD)?;
    let taken = lowered.get(..end)?.trim();
    // A letter alone is a word of a sentence: `a, and then b`.
    let is_said = taken.chars().count() > 1 || taken.chars().all(|c| c.is_ascii_digit());
    number(taken).filter(|_| is_said)
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

/// The number that a short answer names: `2`, `option 4`, `#3`, `the second one`, `第二个`.
fn number(lowered: &str) -> Option<u32> {
    const NAMES: &[(&str, u32)] = &[
        ("first", 1),
        ("second", 2),
        ("third", 3),
        ("fourth", 4),
        ("fifth", 5),
        ("last", u32::MAX),
        ("erste", 1),
        ("zweite", 2),
        ("dritte", 3),
        ("第一", 1),
        ("第二", 2),
        ("第三", 3),
        ("第四", 4),
        ("一", 1),
        ("二", 2),
        ("三", 3),
        ("四", 4),
        ("a", 1),
        ("b", 2),
        ("c", 3),
        ("d", 4),
    ];
    const AROUND: &[&str] = &[
        "option",
        "number",
        "nr",
        "no",
        "the",
        "one",
        "go",
        "with",
        "let's",
        "lets",
        "do",
        "choose",
        "pick",
        "take",
        "i",
        "i'll",
        "i'd",
        "please",
        "for",
        "approach",
        "choice",
        "yes",
        "ok",
        "variante",
        "opción",
        "opcion",
        "variant",
        "вариант",
        "方案",
        "选项",
        "选",
        "用",
        "plan",
        "solution",
        "lösung",
        "die",
        "der",
        "das",
        "nummer",
        "it",
        "is",
    ];
    if let Some(digits) = lowered
        .strip_prefix("第")
        .or(Some(lowered))
        .map(|text| text.trim_start_matches(|c: char| !c.is_ascii_digit() && is_dense(c)))
        && lowered.contains(is_dense)
    {
        let end = digits.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=2).contains(&end) && digits.chars().count() <= end + 3 {
            return digits.get(..end)?.parse().ok();
        }
        let named = NAMES
            .iter()
            .find(|(name, _)| lowered.contains(name) && lowered.chars().count() <= 6);
        return named
            .filter(|(name, _)| name.contains(is_dense))
            .map(|(_, number)| *number);
    }
    let mut found = None;
    for word in words(lowered) {
        let number = word
            .parse::<u32>()
            .ok()
            .filter(|number| (1..=99).contains(number));
        let named = NAMES
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, number)| *number);
        match number.or(named) {
            Some(_) if found.is_some() => return None,
            Some(number) => found = Some(number),
            None if AROUND.contains(&word) => {}
            None => return None,
        }
    }
    found
}

/// What an agent offered at the end of its message.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Offer {
    /// What is done if it is taken.
    pub(super) text: String,
    /// What it is done to, where the offer speaks of a list.
    pub(super) items: Vec<String>,
    /// Whether it was asked for, rather than to be confirmed.
    pub(super) is_question: bool,
}

/// How an offer is put, before what is offered.
const PUT: &[&str] = &[
    "would you like me to",
    "do you want me to",
    "want me to",
    "shall i",
    "should i",
    "may i",
    "can i",
    "could i",
    "i can",
    "i could",
    "would you like to have me",
    "if you'd like me to",
    "if you would like me to",
    "if you want me to",
    "if you'd like to",
    "if you would like to",
    "if you want to",
    "would you like to",
    "do you want to",
    "soll ich",
    "möchtest du, dass ich",
    "veux-tu que je",
    "voulez-vous que je",
    "quieres que",
    "quer que eu",
    "vuoi che",
    "хочешь, чтобы я",
    "мне",
];

/// How an offer is put that is no question: `Please confirm if you would like to proceed`.
const CONFIRM: &[&str] = &[
    "please confirm if",
    "please confirm that",
    "confirm if you",
    "let me know if you",
];

/// How a question is put that asks the user for something: what is said to it takes nothing in.
const TELL: &[&str] = &[
    "you provide",
    "please provide",
    "provide me",
    "tell me",
    "let me know",
    "send me",
    "give me",
    "share the",
    "share your",
    "you share",
    "you specify",
    "please specify",
    "you clarify",
    "double-check",
];

/// The offer that a message of an agent ends with: a question in its last paragraphs.
pub(super) fn offer(said: &str) -> Option<Offer> {
    let lines: Vec<&str> = prose_lines(said);
    let asked = lines.iter().rev().take(6).find_map(|line| {
        let mut asked = sentences(line).filter(|sentence| {
            has(&lower(sentence), CONFIRM)
                || sentence
                    .trim_end_matches(['*', '_', ' '])
                    .ends_with(['?', '？', '؟'])
                || sentence
                    .trim_end_matches('。')
                    .ends_with(['か', '吗', '呢', '요', '까'])
        });
        asked.next()
    })?;
    let asked = plain(asked);
    let lowered = lower(&asked);
    let confirms = has(&lowered, CONFIRM);
    if has(&lowered, TELL) && !confirms {
        return None;
    }
    let put = PUT.iter().find_map(|put| {
        let at = find(&lowered, put)?;
        // Small letters may be longer than great ones.
        asked
            .get(at + put.len()..)
            .filter(|_| lowered.len() == asked.len())
    });
    // What is to be confirmed without saying what is nothing.
    if confirms && put.is_none() {
        return None;
    }
    let text = put.unwrap_or(&asked).trim();
    let text = text.trim_end_matches(['?', '？', '.']);
    let speaks_of_list = put.is_some()
        && words(&lowered).any(|word| {
            matches!(
                word,
                "these" | "them" | "all" | "those" | "above" | "following" | "issues" | "each"
            )
        });
    let items: Vec<String> = match speaks_of_list {
        true => {
            let items = options(said).into_iter().map(|(_, item)| item);
            items.take(ITEMS).collect()
        }
        false => Vec::new(),
    };
    let leans =
        words(&lowered).any(|word| matches!(word, "this" | "that" | "it" | "these" | "them"));
    let text = match items.is_empty() && put.is_some() && leans {
        true => with_list(text, said),
        false => text.to_owned(),
    };
    Some(Offer {
        text: clip(&text, OFFER),
        items,
        is_question: !confirms,
    })
}

/// An offer of `these changes` with the items of the list before it.
fn with_list(offer: &str, said: &str) -> String {
    let [begin, end] = prose::read(said);
    let mut list: Vec<String> = Vec::new();
    let mut goes_on = false;
    for block in blocks(begin).chain(blocks(end)) {
        match block.kind {
            Kind::Item { .. } => {
                if !goes_on {
                    list.clear();
                }
                goes_on = true;
                list.push(plain(block.text));
            }
            Kind::Gap => {}
            _ => goes_on = false,
        }
    }
    match list.is_empty() {
        true => offer.to_owned(),
        false => format!("{offer}: {}", list.join("; ")),
    }
}

/// Whether a message ends by asking the user for something: with a question, or with `please`.
pub(super) fn asks(said: &str) -> bool {
    let lines = prose_lines(said);
    let mut last = lines.iter().rev().take(2);
    last.any(|line| {
        let lowered = lower(line);
        sentences(line).any(|sentence| sentence.trim_end().ends_with(['?', '？', '؟']))
            || has(
                &lowered,
                &["please provide", "please confirm", "please let me know"],
            )
    })
}

/// How much of what an agent offers is kept, in characters: of all, of a line, and how many lines behind its lists.
const KEPT: (usize, usize, usize) = (2_000, 240, 4);

/// What a message offers or asks for, in short: its lists and its last lines, of which [`offer`], [`option`] and
/// [`asks`] say what they say of the message. None where it ends with neither.
pub(super) fn kept(said: &str) -> Option<String> {
    let tells = |line: &&str| has(&lower(line), TELL);
    let lines = prose_lines(said);
    let is_asked = offer(said).is_some() || asks(said) || lines.iter().rev().take(2).any(tells);
    if !is_asked {
        return None;
    }
    let (most, of_line, last) = KEPT;
    let numbered = options(said).into_iter().take(ITEMS);
    let mut kept: Vec<String> = numbered.map(|(n, item)| format!("{n}. {item}")).collect();
    let [begin, end] = prose::read(said);
    let (mut items, mut rest) = (Vec::new(), Vec::new());
    for block in blocks(begin).chain(blocks(end)) {
        match block.kind {
            Kind::Item { number: None, .. } => {
                items.push(format!("- {}", clip(&plain(block.text), ITEM)));
            }
            // What is numbered is in the list already.
            Kind::Line | Kind::Heading if !options(block.text).is_empty() => {}
            Kind::Line | Kind::Heading | Kind::Quote => rest.push(clip(block.text, of_line)),
            Kind::Item { .. } | Kind::Code | Kind::Row | Kind::Gap => {}
        }
    }
    kept.extend(items.into_iter().take(ITEMS));
    kept.extend(rest.split_off(rest.len().saturating_sub(last)));
    // What is asked is at the end.
    while kept.len() > 1
        && kept
            .iter()
            .map(|line| line.chars().count() + 1)
            .sum::<usize>()
            > most
    {
        kept.remove(0);
    }
    Some(kept.join("\n"))
}

/// The numbered item of a message that an answer names; the last one for the greatest number.
pub(super) fn option(said: &str, number: u32) -> Option<String> {
    let all = options(said);
    let found = match number {
        u32::MAX => all.into_iter().next_back(),
        number => all.into_iter().rev().find(|(of, _)| *of == number),
    };
    found.map(|(_, item)| item)
}

/// The numbered items of a message: of a list, of headings, of bold lines.
fn options(said: &str) -> Vec<(u32, String)> {
    let [begin, end] = prose::read(said);
    let mut found = Vec::new();
    for line in blocks(begin).chain(blocks(end)) {
        let text = match line.kind {
            Kind::Item {
                number: Some(number),
                indent,
                ..
            } if indent < 4 => {
                found.push((number, clip(&plain(line.text), ITEM)));
                continue;
            }
            Kind::Heading | Kind::Line | Kind::Item { .. } => plain(line.text),
            _ => continue,
        };
        let text = text.trim();
        let lowered = lower(head(text, 12));
        let named = ["option ", "approach ", "variant ", "方案"]
            .iter()
            .find_map(|name| lowered.strip_prefix(name));
        let rest = match named {
            Some(_) => text.split_once([' ', '案']).map_or(text, |(_, rest)| rest),
            None if line.text.starts_with("**") || line.kind == Kind::Heading => text,
            None => continue,
        };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some(number) = rest
            .get(..digits)
            .and_then(|digits| digits.parse::<u32>().ok())
        else {
            continue;
        };
        let item = rest.get(digits..).unwrap_or("").trim_start();
        let item = item
            .strip_prefix(['.', ')', ':', '-', '–', '—'])
            .unwrap_or(item)
            .trim_start();
        if !item.is_empty() && number < 100 {
            found.push((number, clip(item, ITEM)));
        }
    }
    found
}

/// The lines of a message that are no code.
fn prose_lines(said: &str) -> Vec<&str> {
    let [begin, end] = prose::read(said);
    let lines = blocks(begin).chain(blocks(end));
    lines
        .filter(|line| !matches!(line.kind, Kind::Code | Kind::Gap | Kind::Row))
        .map(|line| line.text)
        .collect()
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

    #[test]
    fn thanks_are_thanks_in_whatever_many_words() {
        for said in [
            "Thank you so much for your help! ###STOP###",
            "Great, thanks for all of that. Have a nice day!",
            "Thanks, you too!",
            "Thank you for your help. That's all for now.",
        ] {
            assert!(is_farewell(said), "{said}");
        }
        for said in [
            "Thanks, now fix the other one",
            "Thank you. Run the tests again.",
            "thanks, but it still fails",
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

    #[test]
    fn an_option_that_is_taken_with_more_behind_it_is_taken() {
        for (text, number) in [
            ("2, and tell the team about it", 2),
            ("Option 3, but without the cache", 3),
            ("the second one please", 2),
            ("Die zweite, aber ohne Cache", 2),
            ("第二个，并且加上测试", 2),
            ("1 and rename the flag while you are at it", 1),
        ] {
            assert_eq!(begins_with_number(text), Some(number), "{text}");
        }
        for text in [
            "1. rename it\n2. test it",
            "a, and then b",
            "2 of the tests fail, look at them",
            "I want three things, first this",
            "fix it",
        ] {
            assert_eq!(begins_with_number(text), None, "{text}");
        }
    }

    #[test]
    fn an_offer_is_the_question_at_the_end() {
        let said = "All is done.\n\nWould you like me to run the tests, or look for **others**?";
        assert_eq!(
            offer(said).unwrap().text,
            "run the tests, or look for others"
        );
        assert_eq!(
            offer("修好了。\n\n要我运行测试吗？").unwrap().text,
            "要我运行测试吗"
        );
        assert_eq!(offer("All is done."), None);
        let confirmed = "I will do this:\n- **Cabin:** economy\n- **Refund:** card\n\n\
                         Please confirm if you would like to proceed with these changes.";
        assert_eq!(
            offer(confirmed).unwrap().text,
            "proceed with these changes: Cabin: economy; Refund: card"
        );
        assert_eq!(offer("Please confirm that you have read it."), None);
        assert_eq!(offer("Could you please provide your user name?"), None);
        assert_eq!(offer("```\nreally?\n```\nDone."), None);
    }

    #[test]
    fn an_offer_to_do_all_of_a_list_takes_its_items_in() {
        let said = "**1. `.a` is lost** (High)\n- why\n\n**2. `b` breaks**\n\n---\n\nWant me to fix these? All are valid.";
        let offer = offer(said).unwrap();
        assert_eq!(
            (&*offer.text, &*offer.items),
            (
                "fix these",
                &[".a is lost (High)".to_owned(), "b breaks".to_owned()][..]
            )
        );
    }

    #[test]
    fn what_is_kept_of_an_offer_says_the_same_as_its_message() {
        let long = "Something that was done. ".repeat(400);
        for said in [
            format!("{long}\n\nWould you like me to run the tests, or look for **others**?"),
            format!("{long}\n\n1. Retry\n2. **Cache** it: fast\n\n{long}\n\nWhich one?"),
            format!("### Option 1: Retry\n{long}\n### Option 2: Cache it: fast\n\nTell me which."),
            "**1. `.a` is lost** (High)\n- why\n\n**2. `b` breaks**\n\n---\n\nWant me to fix these?".into(),
            "I will:\n- **Cabin:** economy\n- **Refund:** card\n\nPlease confirm if you want to proceed with this."
                .into(),
        ] {
            let kept = kept(&said).unwrap();
            assert!(kept.chars().count() <= KEPT.0, "{kept}");
            assert_eq!(offer(&kept), offer(&said), "{kept}");
            assert_eq!(option(&kept, 2), option(&said, 2), "{kept}");
            assert_eq!(asks(&kept), asks(&said), "{kept}");
        }
        assert_eq!(kept("All is done.\n1. This\n2. That"), None);
    }

    #[test]
    fn an_answer_by_number_is_the_item_of_that_number() {
        for said in [
            "1. Retry\n2. **Cache** it: fast\n\nWhich one?",
            "### Option 1: Retry\nslow\n### Option 2: Cache it: fast\n",
            "Option 1: Retry\nOption 2 - Cache it: fast",
        ] {
            assert_eq!(option(said, 2).as_deref(), Some("Cache it: fast"), "{said}");
            assert_eq!(
                option(said, u32::MAX).as_deref(),
                Some("Cache it: fast"),
                "{said}"
            );
            assert_eq!(option(said, 7), None);
        }
    }
}
