//! What forbids or demands in other languages than English.

use super::super::words::{Lowered, begins, has, words};
use super::verb_first::asks_for_ever;

/// The same in other languages: short words, which are others in English, so that a sentence has to begin
/// with them.
const ABROAD: &[&str] = &[
    "bitte nicht",
    "bitte nur",
    "bitte keine",
    "bitte immer",
    "bitte kein",
    "unter keinen umständen",
    "auf keinen fall",
    "frag mich",
    "frage mich",
    "demande-moi avant",
    "demandez-moi avant",
    "pregúntame antes",
    "pergunte-me antes",
    "chiedimi prima",
    "спрашивай меня",
    "спроси меня перед",
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
    "en aucun cas",
    "merci de ne",
    "touche pas",
    "jamais",
    "toujours",
    "sans",
    "pas de",
    "aucun",
    "aucune",
    "il faut",
    "il ne faut",
    "bajo ningún concepto",
    "bajo ninguna circunstancia",
    "en ningún caso",
    "nada de",
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
    "niente",
    "nessun",
    "nessuna",
    "nenhum",
    "nenhuma",
    "żadnych",
    "żadnego",
    "żadnej",
    "не",
    "ни в коем случае",
    "ни при каких",
    "больше никогда",
    "никаких",
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
    "只使用",
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
        "also ",
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
            begins(clause, word)
                && !clause[word.len()..].starts_with(['-', ',', ':', '.'])
                && !says_how_it_is(word, &clause[word.len()..])
        };
        ABROAD.iter().any(|word| is_first(&word))
            || clause.starts_with("pas d'")
            || forbids_abroad(clause)
            || asks_for_ever(clause)
            || begins_for_ever(clause)
            || binds_all(clause)
            || is_never(clause)
    };
    // `¡No toques la API!`
    let first = lowered.len() - lowered.trim_start_matches(['¡', '¿']).len();
    std::iter::once(first)
        .chain(joined)
        .chain(behind)
        .find(demands)
}

/// True if a word that forbids or demands where a verb follows that asks says how things are, from what is behind it:
/// `solo es un ejemplo`, `не из нашей команды`.
fn says_how_it_is(word: &str, behind: &str) -> bool {
    const IS: &[&str] = &[
        "es", "son", "era", "eran", "fue", "está", "están", "ist", "sind", "war", "waren", "est",
        "sont", "était", "é", "são", "è", "sono", "это", "был", "была", "было", "были",
    ];
    // What ends as the forms do that ask.
    const OTHERS: &[&str] = &[
        "очень",
        "здесь",
        "есть",
        "теперь",
        "весь",
        "лишь",
        "наши",
        "ваши",
        "свои",
        "почти",
        "если",
    ];
    const ENDINGS: &[&str] = &["й", "йте", "и", "ите", "ь", "ьте", "ся", "сь"];
    let Some(next) = words(behind).next() else {
        return false;
    };
    let asks = || {
        let ends = ENDINGS.iter().any(|end| next.ends_with(end));
        matches!(next, "надо" | "нужно" | "стоит" | "должно")
            || ends
                && next.chars().nth(2).is_some()
                && !next.ends_with("ли")
                && !OTHERS.contains(&next)
    };
    // What is missing was seen, and is not forbidden.
    const SEEN: &[&str] = &[
        "ошибок",
        "проблем",
        "идей",
        "результатов",
        "изменений",
        "сообщений",
        "следов",
        "вопросов",
    ];
    IS.contains(&next) || (word == "не" && !asks()) || (word == "никаких" && SEEN.contains(&next))
}

/// True if a clause begins with words that make it last: `ab jetzt`, `desde ahora`. A state from now on has `is`.
fn begins_for_ever(clause: &str) -> bool {
    const ON: &[&str] = &[
        "from here on",
        "ab jetzt",
        "ab sofort",
        "von nun an",
        "von jetzt an",
        "künftig",
        "à partir de maintenant",
        "désormais",
        "dorénavant",
        "à l'avenir",
        "a partir de ahora",
        "de ahora en adelante",
        "desde ahora",
        "en adelante",
        "с этого момента",
        "отныне",
        "впредь",
    ];
    const IS: &[&str] = &[
        "ist", "sind", "wird", "geht", "est", "sont", "le", "la", "les", "il", "ça", "es", "son",
        "el", "los", "las", "он", "она", "это", "the", "it",
    ];
    let on = ON.iter().find(|on| begins(clause, on));
    let behind = on.and_then(|on| clause.get(on.len()..));
    let next = behind.and_then(|behind| words(behind).next());
    next.is_some_and(|next| !IS.contains(&next))
}

/// True if a clause says what each of some things must be: `chaque module doit ..`, `cada módulo debe ..`.
fn binds_all(clause: &str) -> bool {
    const ALL: &[&str] = &[
        "chaque", "tout", "toute", "tous", "toutes", "cada", "todo", "toda", "todos", "todas",
        "all", "every", "each",
    ];
    const MUST: &[&str] = &["doit", "doivent", "debe", "deben"];
    const HAVE: &[&str] = &["have to", "has to", "tienen que", "tiene que"];
    let mut said = words(clause);
    said.next().is_some_and(|first| ALL.contains(&first))
        && (said.any(|word| MUST.contains(&word)) || has(clause, HAVE))
}

/// True if a clause is French and forbids for ever with a verb that begins with a vowel: `n'appelle jamais`.
fn is_never(clause: &str) -> bool {
    const IS: &[&str] = &[
        "est", "était", "a", "ai", "as", "avait", "ont", "y", "en", "arrive",
    ];
    let Some(verb) = clause
        .strip_prefix("n'")
        .and_then(|rest| words(rest).next())
    else {
        return false;
    };
    !IS.contains(&verb) && words(clause).any(|word| word == "jamais")
}

/// How long a sentence is at most whose clauses are looked at in other languages, in bytes.
const CLAUSES_OF: usize = 600;

/// Whether a clause that begins with `no` is Spanish, where that says that something is not so.
pub(super) fn is_spanish(clause: &str) -> bool {
    const ONLY: &[&str] = &[
        "el", "la", "los", "las", "del", "una", "de", "en", "que", "lo", "al", "por", "qué", "se",
        "un", "es", "para", "pero", "entiendo", "sé", "está", "están", "hay",
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
    // `从现在起` is from now on.
    rest.starts_with("一律")
        && !before.contains("从现在")
        && NOW.iter().any(|word| before.contains(word))
}
