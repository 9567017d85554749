//! What forbids or demands in other languages than English.

use super::super::words::{Lowered, begins, words};

/// The same in other languages: short words, which are others in English, so that a sentence has to begin
/// with them.
const ABROAD: &[&str] = &[
    "bitte nicht",
    "bitte nur",
    "bitte keine",
    "bitte immer",
    "bitte kein",
    "keine",
    "keinen",
    "kein",
    "niemals",
    "nie",
    "immer",
    "ohne",
    "nur",
    "vermeide",
    "vermeidet",
    "achte darauf",
    "stell sicher",
    "stelle sicher",
    "behalte",
    "verwende nur",
    "benutze nur",
    "ne",
    "n'ajoute",
    "n'ajoutez",
    "n'efface",
    "n'installe",
    "n'installez",
    "n'oublie",
    "n'utilise",
    "n'utilisez",
    "n'y touche",
    "garde",
    "gardez",
    "conserve",
    "conservez",
    "évite",
    "évitez",
    "veille à",
    "veillez à",
    "assure-toi",
    "assurez-vous",
    "respecte",
    "respectez",
    "jamais",
    "toujours",
    "sans",
    "pas de",
    "aucun",
    "aucune",
    "il faut",
    "il ne faut",
    "nunca",
    "jamás",
    "siempre",
    "sin",
    "solo",
    "sólo",
    "debe",
    "debes",
    "evita",
    "evite",
    "mantén",
    "mantenga",
    "conserva",
    "asegúrate",
    "respeta",
    "não",
    "mantenha",
    "mantieni",
    "sempre",
    "sem",
    "apenas",
    "somente",
    "non",
    "mai",
    "senza",
    "не",
    "никогда",
    "всегда",
    "без",
    "только",
    "нельзя",
    "избегай",
    "избегайте",
    "сохрани",
    "сохраните",
    "сохраняй",
    "сохраняйте",
    "используй только",
    "используйте только",
    "оставь",
    "оставьте",
    "لا",
    "ولا",
    "يجب",
    "تجنب",
    "حافظ",
    "ممنوع",
    "أبدا",
    "دائما",
    "فقط",
    "zawsze",
    "bez",
    "tylko",
    "asla",
    "her zaman",
    "sadece",
];

/// Where a clause of another language begins that forbids or demands: the sentence, or what is joined to it in
/// that language.
pub(super) fn abroad(sentence: &Lowered<'_>) -> Option<usize> {
    const JOINS: &[&str] = &[
        "aber ",
        "und ",
        "sondern ",
        "mais ",
        "et ",
        "pero ",
        "y ",
        "mas ",
        "ma ",
        "но ",
        "и ",
        "а ",
        "por favor ",
        "s'il te plaît ",
        "пожалуйста ",
        "لكن ",
        "و",
    ];
    let lowered = sentence.text;
    // What begins with a short word of another language may be of this one.
    if lowered.len() > CLAUSES_OF {
        return None;
    }
    let behind = [", ", "; ", ": ", "، ", " - ", " — "]
        .into_iter()
        .flat_map(|mark| sentence.marks(mark).map(move |at| at + mark.len()));
    let joined = JOINS.iter().flat_map(|join| {
        let is_word = |at: &usize| *at == 0 || lowered[..*at].ends_with(' ');
        let found = sentence.marks(join).filter(is_word);
        found.map(move |at| at + join.len())
    });
    let demands = |at: &usize| {
        let Some(clause) = lowered.get(*at..) else {
            return false;
        };
        let is_first = |word: &&&str| {
            begins(clause, word) && !clause[word.len()..].starts_with(['-', ',', ':', '.'])
        };
        ABROAD.iter().any(|word| is_first(&word)) || forbids_abroad(clause)
    };
    std::iter::once(0).chain(joined).chain(behind).find(demands)
}

/// How long a sentence is at most whose clauses are looked at in other languages, in bytes.
const CLAUSES_OF: usize = 600;

/// Whether a clause that begins with `no` is Spanish, where that says that something is not so.
pub(super) fn is_spanish(clause: &str) -> bool {
    const ONLY: &[&str] = &[
        "el", "la", "los", "las", "del", "una", "de", "en", "que", "lo", "al",
    ];
    words(clause).any(|word| ONLY.contains(&word))
}

/// Whether a clause forbids by the verb that it begins with, in a language that has a form for that: `no toques
/// la API`, `Ändere nichts an der API`.
fn forbids_abroad(clause: &str) -> bool {
    const SPANISH: &[&str] = &[
        "el", "la", "los", "las", "lo", "un", "una", "unos", "unas", "nada", "ningún", "ninguna",
        "en", "de", "del", "al", "este", "esta", "estos", "estas", "ese", "esa", "mi", "mis",
        "más", "nunca", "todavía", "sin", "ni", "por",
    ];
    const GERMAN: &[&str] = &[
        "ändere",
        "änder",
        "baue",
        "bau",
        "benenne",
        "benutze",
        "benutz",
        "berühre",
        "committe",
        "commite",
        "deploye",
        "entferne",
        "ersetze",
        "erstelle",
        "fasse",
        "fass",
        "führe",
        "füge",
        "füg",
        "installiere",
        "lasse",
        "lass",
        "lösche",
        "lösch",
        "mache",
        "mach",
        "nimm",
        "nutze",
        "passe",
        "pushe",
        "rühre",
        "rühr",
        "schreibe",
        "schreib",
        "setze",
        "setz",
        "starte",
        "teste",
        "überschreibe",
        "verändere",
        "verschiebe",
        "verwende",
    ];
    const NOT: &[&str] = &[
        "nicht",
        "nichts",
        "kein",
        "keine",
        "keinen",
        "keinerlei",
        "nie",
        "niemals",
    ];
    let mut said = words(clause.split([',', ';', '.']).next().unwrap_or(clause));
    match said.next() {
        Some("no") => {
            // The form that forbids: `toques`, `hagas`. What is said of things has another: `no funciona`.
            const SAYS: &[&str] = &[
                "tienes", "puedes", "sabes", "quieres", "eres", "estás", "vas", "has", "es",
            ];
            let forbids = |verb: &str| {
                !SAYS.contains(&verb)
                    && ["es", "as", "éis", "áis"]
                        .iter()
                        .any(|end| verb.ends_with(end))
            };
            said.next().is_some_and(forbids) && said.any(|word| SPANISH.contains(&word))
        }
        Some(verb) => GERMAN.contains(&verb) && said.any(|word| NOT.contains(&word)),
        None => false,
    }
}

/// Whether a word of Chinese that demands where somebody asks says here how things are, from what is before it and
/// from it on: `连接会保持五分钟`, `现在一律返回 500`.
pub(super) fn describes(before: &str, rest: &str) -> bool {
    // What is, can be or was so.
    const IS: &[&str] = &[
        "会", "能", "可以", "没", "没有", "未", "无法", "已", "已经", "仍", "仍然", "还", "是否",
        "如何", "怎么", "一直", "为了", "无须",
    ];
    const ASKED: &[&str] = &[
        "请", "要", "须", "需", "需要", "应", "该", "并", "且", "但", "务必", "尽量", "都", "继续",
        "麻烦",
    ];
    // What is kept where nobody says who asks for it.
    const KEPT: &[&str] = &[
        "不变", "不动", "原样", "原有", "原来", "现有", "现状", "向后", "兼容", "一致", "简洁",
        "简单", "默认",
    ];
    const NOW: &[&str] = &[
        "现在",
        "目前",
        "结果",
        "发现",
        "导致",
        "为什么",
        "变成",
        "却",
    ];
    let ends = |words: &[&str]| words.iter().any(|word| before.ends_with(word));
    if let Some(kept) = rest.strip_prefix("保持") {
        let begins = before.is_empty() || !before.ends_with(char::is_alphanumeric);
        let is_asked = begins || ends(ASKED) || KEPT.iter().any(|word| kept.starts_with(word));
        return ends(IS) || !is_asked || kept.starts_with(['了', '着', '过', '住']);
    }
    rest.starts_with("一律") && NOW.iter().any(|word| before.contains(word))
}
