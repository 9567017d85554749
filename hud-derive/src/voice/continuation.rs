//! Words to go on: `Go on please`, in whatever language. They ask for nothing that was not asked for.

use super::words::{head, is_dense, lower, words};

/// Words beside them.
const BESIDE: &[&str] = &[
    "please",
    "pls",
    "now",
    "then",
    "just",
    "ok",
    "okay",
    "yes",
    "and",
    "so",
    "thanks",
    "with",
    "the",
    "your",
    "work",
    "task",
    "from",
    "where",
    "you",
    "we",
    "left",
    "off",
    "there",
    "was",
    "were",
    "stopped",
    "it",
    "that",
    "this",
    "doing",
    "what",
    "bitte",
    "mal",
    "doch",
    "einfach",
    "dann",
    "jetzt",
    "und",
    "deiner",
    "der",
    "arbeit",
    "ja",
    "gerne",
    "mit",
    "s'il",
    "te",
    "vous",
    "plaît",
    "plait",
    "alors",
    "donc",
    "maintenant",
    "ton",
    "travail",
    "avec",
    "oui",
    "et",
    "le",
    "por",
    "favor",
    "ahora",
    "entonces",
    "con",
    "el",
    "la",
    "tu",
    "trabajo",
    "sí",
    "y",
    "agora",
    "então",
    "com",
    "o",
    "per",
    "favore",
    "ora",
    "allora",
    "con",
    "пожалуйста",
    "теперь",
    "тогда",
    "и",
    "да",
    "с",
    "того",
    "места",
    "где",
    "остановился",
    "работу",
    "proszę",
    "lütfen",
    "graag",
    "alsjeblieft",
    "من",
    "فضلك",
    "कृपया",
];

/// Words to go on, as they are left without those.
const ON: &[&str] = &[
    "go on",
    "go ahead",
    "go further",
    "keep going",
    "keep on",
    "keep at",
    "keep working",
    "carry on",
    "continue",
    "continue on",
    "continue working",
    "proceed",
    "resume",
    "next",
    "move along",
    "onward",
    "onwards",
    "weiter",
    "mach weiter",
    "macht weiter",
    "weitermachen",
    "weiter so",
    "weiter geht's",
    "geht weiter",
    "fahre fort",
    "fahr fort",
    "fortfahren",
    "fahren sie fort",
    "fortsetzen",
    "setze fort",
    "setz fort",
    "continuez",
    "continuer",
    "continuons",
    "poursuis",
    "poursuivez",
    "poursuivre",
    "vas-y",
    "allez-y",
    "vas y",
    "allez y",
    "sigue",
    "siga",
    "sigue adelante",
    "sigamos",
    "seguir",
    "adelante",
    "continúa",
    "continua",
    "continúe",
    "continuar",
    "continuemos",
    "prosigue",
    "prossiga",
    "prosseguir",
    "segue",
    "segue em frente",
    "vá em frente",
    "pode continuar",
    "continui",
    "prosegui",
    "procedi",
    "avanti",
    "vai avanti",
    "vai",
    "продолжай",
    "продолжайте",
    "продолжаем",
    "продолжить",
    "продолжи",
    "дальше",
    "давай дальше",
    "поехали дальше",
    "далее",
    "kontynuuj",
    "dalej",
    "idź dalej",
    "devam",
    "devam et",
    "ga verder",
    "ga door",
    "verder",
    "ga maar door",
    "fortsätt",
    "fortsett",
    "fortsæt",
    "jatka",
    "pokračuj",
    "folytasd",
    "tiếp tục",
    "lanjutkan",
    "أكمل",
    "اكمل",
    "استمر",
    "تابع",
    "واصل",
    "जारी रखें",
    "जारी रखो",
    "आगे बढ़ो",
    "המשך",
    "συνέχισε",
];

/// The same where no spaces part words, by how they begin.
const DENSE: &[&str] = &[
    "继续",
    "请继续",
    "接着",
    "请接着",
    "往下",
    "繼續",
    "請繼續",
    "続けて",
    "続けろ",
    "続き",
    "続行",
    "そのまま続けて",
    "계속",
    "이어서",
    "진행해",
    "ต่อ",
    "ทำต่อ",
];

/// How long words to go on are at most where no spaces part them, in characters.
const DENSE_LONGEST: usize = 14;

/// Whether a text only says to go on.
pub(super) fn is_continuation(text: &str) -> bool {
    let text = text.trim();
    if text.len() > 160 {
        return false;
    }
    let lowered = lower(head(text, 160));
    if lowered.contains(is_dense) {
        let said: String = lowered.chars().filter(|c| c.is_alphanumeric()).collect();
        return said.chars().nth(DENSE_LONGEST).is_none()
            && DENSE
                .iter()
                .any(|on| said.strip_prefix(on).is_some_and(adds_nothing));
    }
    let spoken: Vec<&str> = lowered
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '-') || is_mark(c)))
        .filter(|word| word.contains(char::is_alphanumeric))
        .collect();
    let is_one = |said: &[&str]| ON.contains(&said.join(" ").as_str());
    let left: Vec<&str> = spoken
        .iter()
        .copied()
        .filter(|word| !BESIDE.contains(word))
        .collect();
    words(&lowered).nth(14).is_none() && (is_one(&spoken) || is_one(&left))
}

/// Whether a character is a sign on a letter, as in Hindi.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094F}' | '\u{064B}'..='\u{065F}')
}

/// Whether what is behind words to go on only asks nicely.
fn adds_nothing(behind: &str) -> bool {
    const NICELY: &[&str] = &[
        "",
        "吧",
        "做",
        "来",
        "下去",
        "做吧",
        "工作",
        "执行",
        "进行",
        "干",
        "ください",
        "お願いします",
        "お願い",
        "くれ",
        "どうぞ",
        "やって",
        "해",
        "해줘",
        "하세요",
        "해주세요",
        "해요",
        "하자",
        "진행",
        "진행해",
        "진행해줘",
        "진행해주세요",
        "합시다",
        "부탁해",
        "부탁합니다",
        "ไป",
        "เลย",
        "ครับ",
        "ค่ะ",
    ];
    NICELY.contains(&behind)
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
