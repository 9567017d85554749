//! Words by which a message says that a text follows, and labels that the user's own rules have.

use super::ask::first_word;
use super::rule;
use super::words::{is_dense, lower, words};

/// Whether what follows a label is the user's own: `Rules: ..`, `Important: ..`, `Fix the parser: ..`, but not `Bob says: ..`.
pub(super) fn is_own_label(label: &str) -> bool {
    /// Beginnings of words of labels that the user's own rules and requests have.
    const LABELS: &[&str] = &[
        "rule",
        "constraint",
        "requirement",
        "guideline",
        "condition",
        "restriction",
        "important",
        "remember",
        "reminder",
        "warning",
        "caution",
        "attention",
        "careful",
        "convention",
        "instruction",
        "preference",
        "mind",
        "ps",
        "nb",
        "note",
        "thing",
        "btw",
        "also",
        "plus",
        "additionally",
        "don'ts",
        "dos",
        "scope",
        "task",
        "goal",
        "context",
        "heads",
        "fyi",
        "style",
        "testing",
        "tests",
        "security",
        "workflow",
        "commits",
        "dependencies",
        "naming",
        "formatting",
        "regel",
        "vorgabe",
        "einschränkung",
        "bedingung",
        "anforderung",
        "wichtig",
        "hinweis",
        "achtung",
        "beachte",
        "merke",
        "merk",
        "bitte",
        "außerdem",
        "zusätzlich",
        "anweisung",
        "aufgabe",
        "règle",
        "contrainte",
        "consigne",
        "exigence",
        "remarque",
        "rappel",
        "attention",
        "retiens",
        "regla",
        "restricci",
        "requisito",
        "importante",
        "nota",
        "ojo",
        "recuerda",
        "atención",
        "condici",
        "instrucci",
        "regra",
        "restriç",
        "atenção",
        "lembre",
        "regola",
        "regole",
        "vincol",
        "attenzione",
        "ricorda",
        "правил",
        "ограничен",
        "требован",
        "важно",
        "внимание",
        "помни",
        "услови",
        "примечание",
        "задача",
        "قواعد",
        "القواعد",
        "مهم",
        "ملاحظة",
        "انتبه",
        "नियम",
        "ध्यान",
        "महत्वपूर्ण",
    ];
    const DENSE: &[&str] = &[
        "规则",
        "规矩",
        "規則",
        "约束",
        "要求",
        "注意",
        "重要",
        "限制",
        "条件",
        "备注",
        "任务",
        "记住",
        "从现在",
        "今后",
        "ルール",
        "制約",
        "お願い",
        "要件",
        "今後",
        "これから",
        "규칙",
        "제약",
        "조건",
        "주의",
        "중요",
        "앞으로",
        "지금부터",
        "부탁",
    ];
    const ON: &[&str] = &[
        "now on",
        "here on",
        "von nun an",
        "desde ahora",
        "ab jetzt",
        "ab sofort",
        "à partir de maintenant",
        "désormais",
        "dorénavant",
        "a partir de ahora",
        "de ahora en adelante",
        "с этого момента",
        "отныне",
        "впредь",
    ];
    let lowered = lower(label);
    let lowered = lowered.trim();
    let is_short = words(lowered).nth(6).is_none() && lowered.chars().nth(60).is_none();
    // `Three things on the answer: ..`
    let is_count = first_word(lowered).is_some_and(|word| {
        COUNTS.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit())
    });
    // `Three rules from their page: ..`
    let is_of_others = || words(lowered).any(|word| FROM.contains(&word));
    if is_short && is_count && !points_ahead(lowered) && !is_of_others() {
        return true;
    }
    if lowered.is_empty() || handles_text(lowered) {
        return false;
    }
    let is_label = || {
        words(lowered).any(|word| LABELS.iter().any(|label| word.starts_with(label)))
            || ON.iter().any(|on| lowered.contains(on))
            || (lowered.contains(is_dense) && DENSE.iter().any(|label| lowered.contains(label)))
    };
    let is_work =
        || first_word(lowered).is_some_and(|word| WORK.contains(&word)) && !points_ahead(lowered);
    let is_postscript = || matches!(lowered, "p.s" | "p.s." | "s" | "s.");
    (is_short && (is_label() || is_postscript())) || is_work() || rule::demands_something(lowered)
}

/// Words for where something is from.
const FROM: &[&str] = &[
    "from", "by", "aus", "von", "vom", "de", "du", "del", "da", "dal", "di", "из", "от",
];

/// Numbers by which a label counts what the user is about to say.
const COUNTS: &[&str] = &[
    "two",
    "three",
    "four",
    "five",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "deux",
    "trois",
    "quatre",
    "cinq",
    "dos",
    "tres",
    "três",
    "cuatro",
    "quatro",
    "cinco",
    "dois",
    "duas",
    "due",
    "tre",
    "quattro",
    "cinque",
    "два",
    "две",
    "три",
    "четыре",
    "пять",
];

/// Verbs of work on a program: `Fix the parser: don't touch the lexer`. What is done with a text has others.
const WORK: &[&str] = &[
    "build",
    "clean",
    "debug",
    "deploy",
    "fix",
    "implement",
    "improve",
    "make",
    "migrate",
    "optimise",
    "optimize",
    "refactor",
    "release",
    "remove",
    "rename",
    "ship",
    "simplify",
    "test",
    "upgrade",
];

/// Whether a label may be the name of who speaks, or of where something is written: `Bob`, `docs/RULES.md`.
pub(super) fn names_speaker(label: &str) -> bool {
    let last = label
        .rsplit(['.', '!', '?', ','])
        .next()
        .unwrap_or(label)
        .trim();
    let is_short = last.split_whitespace().nth(2).is_none();
    let is_place = |word: &str| word.contains('/') || word.contains("://") || has_extension(word);
    is_short || label.split_whitespace().any(is_place)
}

fn has_extension(word: &str) -> bool {
    let extension = word.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| {
        (1..=5).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Whether a label is one that mails have.
pub(super) fn is_mail_label(label: &str) -> bool {
    const MAIL: &[&str] = &[
        "from",
        "to",
        "cc",
        "bcc",
        "subject",
        "date",
        "sent",
        "reply-to",
        "re",
        "fw",
        "fwd",
        "message-id",
        "von",
        "an",
        "betreff",
        "datum",
        "gesendet",
        "aw",
        "wg",
        "de",
        "à",
        "objet",
        "envoyé",
        "tr",
        "para",
        "asunto",
        "fecha",
        "enviado",
        "rv",
        "assunto",
        "oggetto",
        "da",
        "от",
        "кому",
        "тема",
        "дата",
        "发件人",
        "收件人",
        "主题",
        "日期",
        "寄件者",
        "差出人",
        "宛先",
        "件名",
        "日時",
        "보낸 사람",
        "받는 사람",
        "제목",
        "날짜",
        "من",
        "إلى",
        "الموضوع",
        "onderwerp",
        "temat",
    ];
    MAIL.contains(&lower(label).trim())
}

/// Whether words are of a text that somebody wrote or that is to be worked on, or of saying something.
pub(super) fn handles_text(lowered: &str) -> bool {
    /// Beginnings of words.
    const STEMS: &[&str] = &[
        "translat",
        "summar",
        "proofread",
        "paraphras",
        "rephras",
        "reword",
        "explain",
        "interpret",
        "classif",
        "transcri",
        "quot",
        "reply",
        "repli",
        "respond",
        "forwarded",
        "pasted",
        "wrote",
        "writes",
        "written",
        "email",
        "e-mail",
        "message",
        "newsletter",
        "excerpt",
        "snippet",
        "readme",
        "sentence",
        "typo",
        "wording",
        "slogan",
        "sentiment",
        "spellcheck",
        "comment",
        "übersetz",
        "zusammenfass",
        "erklär",
        "formulier",
        "antwort",
        "beantwort",
        "schrieb",
        "schreibt",
        "nachricht",
        "protokoll",
        "notiz",
        "zitat",
        "zitier",
        "kommentar",
        "tradui",
        "résum",
        "expliqu",
        "reformul",
        "répon",
        "écrit",
        "écriv",
        "courriel",
        "citation",
        "commentaire",
        "traduc",
        "traduz",
        "resum",
        "explic",
        "reformul",
        "contest",
        "escrib",
        "mensaje",
        "comentario",
        "escrev",
        "mensagem",
        "riassum",
        "spieg",
        "scriv",
        "messaggi",
        "перевед",
        "перевод",
        "резюм",
        "перескаж",
        "объясн",
        "ответь",
        "говор",
        "сказал",
        "пишет",
        "написал",
        "письм",
        "сообщен",
        "протокол",
        "стать",
        "цитат",
        "комментар",
        "ترجم",
        "لخص",
        "اشرح",
        "رسالة",
        "बताया",
        "अनुवाद",
        "सारांश",
        "संदेश",
        "vertaal",
        "samenvat",
        "schrijf",
        "przetłumacz",
        "streść",
        "wiadomoś",
        "napisał",
    ];
    /// Words.
    const WORDS: &[&str] = &[
        "say",
        "says",
        "said",
        "saying",
        "told",
        "tells",
        "asks",
        "asked",
        "posted",
        "claims",
        "claimed",
        "according",
        "answer",
        "tldr",
        "mean",
        "means",
        "mail",
        "letter",
        "memo",
        "minutes",
        "notes",
        "transcript",
        "ticket",
        "article",
        "post",
        "page",
        "document",
        "wiki",
        "chat",
        "thread",
        "text",
        "paragraph",
        "slack",
        "from",
        "zusammen",
        "sagt",
        "sagte",
        "meint",
        "meinte",
        "laut",
        "steht",
        "brief",
        "artikel",
        "dokument",
        "absatz",
        "bedeutet",
        "heißt",
        "dit",
        "disait",
        "selon",
        "d'après",
        "lettre",
        "compte-rendu",
        "texte",
        "signifie",
        "paragraphe",
        "dice",
        "dijo",
        "según",
        "correo",
        "carta",
        "acta",
        "artículo",
        "documento",
        "texto",
        "cita",
        "significa",
        "párrafo",
        "diz",
        "disse",
        "segundo",
        "ata",
        "ha detto",
        "secondo",
        "testo",
        "verbale",
        "согласно",
        "текст",
        "документ",
        "означает",
        "значит",
        "абзац",
        "قال",
        "يقول",
        "كتب",
        "بريد",
        "نص",
        "कहा",
        "कहता",
        "लिखा",
        "ईमेल",
        "मतलब",
        "zegt",
        "tekst",
        "mówi",
        "pisze",
    ];
    const DENSE: &[&str] = &[
        "翻译",
        "翻譯",
        "总结",
        "總結",
        "概括",
        "摘要",
        "润色",
        "改写",
        "解释",
        "回复",
        "回覆",
        "说",
        "說",
        "写道",
        "寫道",
        "表示",
        "根据",
        "邮件",
        "郵件",
        "消息",
        "信件",
        "会议记录",
        "纪要",
        "文章",
        "文档",
        "文本",
        "原文",
        "引用",
        "意思",
        "评论",
        "段落",
        "内容",
        "翻訳",
        "要約",
        "まとめ",
        "説明",
        "返信",
        "言い換え",
        "添削",
        "校正",
        "言",
        "書い",
        "書か",
        "によると",
        "メール",
        "メッセージ",
        "手紙",
        "議事録",
        "記事",
        "文書",
        "テキスト",
        "意味",
        "コメント",
        "번역",
        "요약",
        "설명",
        "답장",
        "회신",
        "말했",
        "말하",
        "말씀",
        "썼",
        "적었",
        "따르면",
        "메일",
        "메시지",
        "편지",
        "회의록",
        "기사",
        "문서",
        "본문",
        "인용",
        "의미",
        "댓글",
        "문단",
    ];
    let is_of_text = |word: &str| {
        let is_from_now = word == "from" && lowered.contains("now on");
        (WORDS.contains(&word) && !is_from_now) || STEMS.iter().any(|stem| word.starts_with(stem))
    };
    lowered.contains("tl;dr")
        || words(lowered).any(is_of_text)
        || (lowered.contains(is_dense) && DENSE.iter().any(|word| lowered.contains(word)))
}

/// Whether words point at what comes next: `this`, `the following`.
pub(super) fn points_ahead(lowered: &str) -> bool {
    const AHEAD: &[&str] = &[
        "this",
        "these",
        "following",
        "below",
        "here",
        "here's",
        "dies",
        "diese",
        "diesen",
        "dieser",
        "dieses",
        "folgende",
        "folgenden",
        "folgendes",
        "unten",
        "hier",
        "ceci",
        "ce",
        "cet",
        "cette",
        "ces",
        "suivant",
        "suivante",
        "ci-dessous",
        "voici",
        "esto",
        "este",
        "esta",
        "estos",
        "siguiente",
        "abajo",
        "aquí",
        "isto",
        "seguinte",
        "abaixo",
        "questo",
        "questa",
        "seguente",
        "это",
        "этот",
        "эту",
        "эти",
        "этого",
        "следующее",
        "следующий",
        "ниже",
        "вот",
        "هذا",
        "هذه",
        "التالي",
        "यह",
        "इस",
        "dit",
        "deze",
        "to",
        "poniżej",
    ];
    const DENSE: &[&str] = &[
        "这", "這", "以下", "下面", "下列", "如下", "この", "これ", "次の", "下記", "이 ", "이걸",
        "이것", "다음", "아래",
    ];
    // `to` points in Polish alone.
    words(lowered).any(|word| word != "to" && AHEAD.contains(&word))
        || (lowered.contains(is_dense) && DENSE.iter().any(|word| lowered.contains(word)))
}

/// Whether words are of how something is said: a sentence, its wording, its grammar.
fn names_wording(lowered: &str) -> bool {
    const STEMS: &[&str] = &[
        "sentence",
        "phras",
        "wording",
        "grammar",
        "grammat",
        "spelling",
        "punctuat",
        "typo",
        "sätz",
        "formulier",
        "rechtschreib",
        "tippfehler",
        "orthogr",
        "ortograf",
        "gramát",
        "oraci",
        "frase",
        "предложени",
        "фраз",
        "формулиров",
        "граммат",
        "орфограф",
        "опечат",
        "zdani",
        "جمل",
        "वाक्य",
    ];
    const WORDS: &[&str] = &["satz", "satzes", "zin"];
    const DENSE: &[&str] = &[
        "句",
        "语法",
        "語法",
        "错别字",
        "措辞",
        "文法",
        "誤字",
        "表現",
        "문장",
        "문법",
        "맞춤법",
    ];
    words(lowered)
        .any(|word| WORDS.contains(&word) || STEMS.iter().any(|stem| word.starts_with(stem)))
        || (lowered.contains(is_dense) && DENSE.iter().any(|word| lowered.contains(word)))
}

/// Whether a sentence is about a text as a text: what it means, how it is worded, how it is in another language.
pub(super) fn is_about_wording(lowered: &str) -> bool {
    asks_for_meaning(lowered) || transforms(lowered) || names_wording(lowered)
}

/// Whether a question asks for work to be done: `Can you fix this?`.
pub(super) fn asks_for_work(lowered: &str) -> bool {
    const ABLE: &[&str] = &[
        "can",
        "could",
        "would",
        "will",
        "may",
        "kannst",
        "könntest",
        "würdest",
        "magst",
        "peux",
        "pourrais",
        "pourriez",
        "pouvez",
        "puedes",
        "podrías",
        "pode",
        "poderia",
        "puoi",
        "potresti",
        "можешь",
        "можете",
        "мог",
        "могли",
    ];
    const DENSE: &[&str] = &[
        "能",
        "可以",
        "帮",
        "請",
        "请",
        "くれ",
        "ください",
        "줄",
        "주",
    ];
    words(lowered).any(|word| ABLE.contains(&word))
        || (lowered.contains(is_dense) && DENSE.iter().any(|word| lowered.contains(word)))
}

/// Whether a question is about what stands beside it: `Is this right?`.
pub(super) fn asks_about_text(lowered: &str) -> bool {
    if !lowered.trim_end().ends_with(['?', '？']) {
        return false;
    }
    let is_short = words(lowered).nth(7).is_none() && lowered.chars().nth(50).is_none();
    is_about_wording(lowered) || (is_short && points_at(lowered) && !asks_for_work(lowered))
}

/// Whether words point at a text beside them: `this`, `the above`, `that sentence`.
pub(super) fn points_at(lowered: &str) -> bool {
    const BACK: &[&str] = &[
        "that",
        "above",
        "oben",
        "obige",
        "obigen",
        "das",
        "jenes",
        "ci-dessus",
        "ça",
        "cela",
        "arriba",
        "anterior",
        "eso",
        "acima",
        "isso",
        "sopra",
        "quello",
        "выше",
        "powyżej",
        "hierboven",
    ];
    const DENSE: &[&str] = &["上面", "以上", "上述", "上の", "上記", "위의", "위 "];
    points_ahead(lowered)
        || words(lowered).any(|word| BACK.contains(&word))
        || (lowered.contains(is_dense) && DENSE.iter().any(|word| lowered.contains(word)))
}

/// Whether a sentence is a request to make another text of one, and no more: `Translate into French`.
pub(super) fn transforms(lowered: &str) -> bool {
    const STEMS: &[&str] = &[
        "translat",
        "summar",
        "proofread",
        "paraphras",
        "rephras",
        "reword",
        "tldr",
        "übersetz",
        "zusammenfass",
        "tradui",
        "résum",
        "traduc",
        "traduz",
        "resum",
        "riassum",
        "перевед",
        "резюмир",
        "перескаж",
        "ترجم",
        "لخص",
        "अनुवाद",
        "vertaal",
        "przetłumacz",
        "streść",
    ];
    const DENSE: &[&str] = &[
        "翻译", "翻譯", "总结", "總結", "概括", "润色", "翻訳", "要約", "添削", "校正", "번역",
        "요약",
    ];
    let is_short = words(lowered).nth(8).is_none() && lowered.chars().nth(70).is_none();
    is_short
        && (lowered.contains("tl;dr")
            || words(lowered)
                .take(4)
                .any(|word| STEMS.iter().any(|stem| word.starts_with(stem)))
            || (lowered.contains(is_dense) && DENSE.iter().any(|word| lowered.contains(word))))
}

/// Where something begins in a sentence that somebody else is reported to say: `my boss says never push`, `王经理说不要提交`.
pub(super) fn reported_from(lowered: &str) -> Option<usize> {
    const SAYS: &[&str] = &[
        "says",
        "said",
        "wrote",
        "writes",
        "told",
        "tells",
        "claims",
        "claimed",
        "insists",
        "according",
        "sagt",
        "sagte",
        "schreibt",
        "schrieb",
        "meint",
        "meinte",
        "laut",
        "dit",
        "écrit",
        "selon",
        "d'après",
        "dice",
        "dijo",
        "escribe",
        "escribió",
        "según",
        "diz",
        "disse",
        "escreve",
        "segundo",
        "scrive",
        "secondo",
        "говорит",
        "сказал",
        "сказала",
        "пишет",
        "написал",
        "написала",
        "согласно",
        "قال",
        "يقول",
    ];
    const OWN: &[&str] = &[
        "i", "we", "ich", "wir", "je", "nous", "yo", "eu", "io", "я", "мы", "i've", "أنا",
    ];
    const DENSE: &[&str] = &[
        "说",
        "說",
        "写道",
        "寫道",
        "と言",
        "と書",
        "によると",
        "라고",
        "다고",
        "따르면",
    ];
    if lowered.contains(is_dense) {
        let said = DENSE
            .iter()
            .filter_map(|word| Some((lowered.find(word)?, *word)))
            .min()?;
        let (at, word) = said;
        let (before, behind) = (lowered.get(..at)?, lowered.get(at + word.len()..)?);
        let is_own = ["我", "我们", "咱", "私", "僕", "俺", "나는", "내가", "제가"]
            .iter()
            .any(|own| before.contains(own));
        // `说明` is a manual, and words that come last report what is before them.
        let is_verb = !behind.starts_with(['明', '法']) && !before.is_empty();
        return (is_verb && !is_own).then_some(0);
    }
    let mut before: Vec<&str> = Vec::new();
    for word in words(lowered) {
        if SAYS.contains(&word) && !before.iter().any(|own| OWN.contains(own)) {
            // What is reported is not told from who reports it by more than its place.
            return Some(word.as_ptr() as usize - lowered.as_ptr() as usize);
        }
        before.push(word);
    }
    None
}

/// Whether a sentence asks what something means: a text is beside it.
pub(super) fn asks_for_meaning(lowered: &str) -> bool {
    const MEANS: &[&str] = &[
        "mean",
        "means",
        "bedeutet",
        "heißt",
        "signifie",
        "significa",
        "значит",
        "означает",
        "معنى",
        "मतलब",
    ];
    const DENSE: &[&str] = &["意思", "意味", "의미", "뜻"];
    let is_short = words(lowered).nth(8).is_none();
    lowered.trim_end().ends_with(['?', '？'])
        && is_short
        && (words(lowered).any(|word| MEANS.contains(&word))
            || DENSE.iter().any(|word| lowered.contains(word)))
}
