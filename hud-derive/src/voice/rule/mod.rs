//! Standing rules in what the user says: what the work has to keep to until the user lifts it.

mod abroad;
mod demand;
mod half;
mod lasting;
mod lifting;
mod standing;
mod verb_first;

use self::abroad::{abroad, describes};
use self::demand::demands;
use self::lasting::is_lasting;
use self::lasting::without_tag;
pub(super) use self::lasting::{addresses, asks_about, asks_for_work, is_word_for_ever, lasts};
use self::lifting::{Left, Lifting};
pub(super) use self::standing::rules;
use std::cell::OnceCell;
use std::sync::LazyLock;

use super::speech::Own;
use super::words::{Lowered, begins, clip, has, is_apart, lower, words};
use crate::cues::Cues;

/// How long a rule is kept at most, in characters.
const LONGEST: usize = 160;

/// How long a sentence is of which only the clause is kept that has the rule.
const CLAUSE: usize = 90;

/// Phrases that make a rule anywhere in a sentence.
const ANYWHERE: &[&str] = &[
    "you should not",
    "you shouldn't",
    "we should not",
    "we shouldn't",
    "should be using",
    "we should",
    "you should",
    "you may only",
    "not allowed",
    "is forbidden",
    "are forbidden",
    "need to always",
    "we always",
    "are always",
    "please always",
    "needs no",
    "as possible",
    "simplest",
    "no need for",
    "wherever",
    "at all times",
    "at all costs",
    "under no circumstances",
    "you can only",
    "you cannot",
    "you can't",
    "please only",
    "please never",
    "please don't",
    "please do not",
    "but don't",
    "so don't",
    "and don't",
    "and always",
    "and only use",
    "also don't",
    "but do not",
    "and do not",
    "and never",
    "but never",
    "but only",
    "should stay",
    "has to stay",
    "have to stay",
    "must stay",
    "but keep",
    "too slow to",
    "no exceptions",
    "you may never",
    "i don't want you to",
    "i don't want any",
    "i never want",
    "important to me that",
    "important that",
    "crucial that",
    "remember that you never",
    "remember that we never",
    "remember that we always",
    "let us always",
    "let us never",
    "let's always",
    "let's never",
    "darfst du nicht",
    "darfst du nie",
    "darfst du niemals",
    "darfst du nichts",
    "darf nicht",
    "darf nie",
    "darf niemals",
    "darf nichts",
    "darfst nichts",
    "darfst nicht",
    "darfst nie",
    "darfst niemals",
    "ab jetzt immer",
    "ab sofort immer",
    "möchte nicht, dass du",
    "will nicht, dass du",
    "tu ne dois pas",
    "tu ne dois jamais",
    "ne doit jamais",
    "ne doivent jamais",
    "doivent toujours",
    "doit toujours",
    "je ne veux pas que tu",
    "je ne veux pas de",
    "je ne veux aucun",
    "je ne veux aucune",
    "no se debe",
    "no debes",
    "nunca debes",
    "deben ser siempre",
    "deben estar siempre",
    "no quiero",
    "nunca debe",
    "nunca deben",
    "не хочу, чтобы ты",
    "я не хочу",
    "dürfen nicht",
    "muss",
    "müssen",
    "ne pas",
    "il faut",
    "no debe",
    "no deben",
    "hay que",
    "tiene que",
    "нельзя",
    "должен",
    "должны",
    "должна",
    "никаких сокращений",
    "tienen que",
    "doivent être",
    "不要",
    "请勿",
    "切勿",
    "不可以",
    "千万别",
    "别动",
    "别改",
    "别碰",
    "别删",
    "别用",
    "别加",
    "保持",
    "一律",
    "只用",
    "始终用",
    "始终使用",
    "始终写",
    "以后始终",
    "别再",
    "先问我",
    "我不想要",
    "我不希望",
    "你不能",
    "不准",
    "不许",
    "禁止",
    "必须",
    "必須",
    "务必",
    "總是",
    "总是",
    "永远不",
    "绝不",
    "绝对不",
    "只能",
    "不得",
    "しないで",
    "変えないで",
    "触らないで",
    "使わないで",
    "消さないで",
    "しないこと",
    "ないように",
    "維持して",
    "だけを使",
    "のみ使",
    "ないでください",
    "都要先",
    "都得先",
    "都要同时",
    "都要写",
    "都要有",
    "都要用",
    "都要控制",
    "必ず",
    "常に",
    "絶対に",
    "してはいけ",
    "하지 마",
    "하지마",
    "마세요",
    "말고",
    "금지",
    "반드시",
    "항상",
    "절대",
    "ممنوع",
    "دائما",
    "मत ",
    "हमेशा",
];

/// What makes a rule of a short sentence that gives no reason: a long one says how things are.
const SHORTLY: &[&str] = &[
    "must",
    "must not",
    "mustn't",
    "should not",
    "shouldn't",
    "should never",
    "should always",
    "should only",
];

/// Words of a sentence that says how things are.
const REASONS: &[&str] = &[
    "because",
    "since",
    "might",
    "would",
    "could",
    "when",
    "if",
    "currently",
];

/// A sentence of the user's that may set rules, lift them, or both.
struct Sentence<'s> {
    said: &'s str,
    /// What of it names what it is about: all but what it quotes.
    named: &'s str,
    lowered: String,
    /// Where the words are that make it a rule.
    place: OnceCell<Option<usize>>,
}

impl<'s> Sentence<'s> {
    fn of(said: &'s str) -> Self {
        Self {
            said,
            named: said,
            lowered: lower(said),
            place: OnceCell::new(),
        }
    }

    /// A sentence of which counts what the user says itself.
    fn of_own(own: &'s Own) -> Self {
        let Own {
            said,
            blotted,
            named,
            is_rule,
        } = own;
        Self {
            said,
            named,
            lowered: without_tag(&lower(blotted)).to_owned(),
            place: if *is_rule {
                OnceCell::from(Some(0))
            } else {
                OnceCell::new()
            },
        }
    }

    fn place(&self) -> Option<usize> {
        *self.place.get_or_init(|| place(&self.lowered))
    }
}

/// The rule that a sentence of the user's sets.
pub(super) fn rule(sentence: &str) -> Option<String> {
    rule_of(&Sentence::of(sentence))
}

/// Whether a text demands or forbids something.
pub(super) fn demands_something(lowered: &str) -> bool {
    place(lowered).is_some()
}

fn rule_of(sentence: &Sentence<'_>) -> Option<String> {
    let lowered = &*sentence.lowered;
    if lowered.len() > 2_000 || is_about_doubt(lowered) {
        return None;
    }
    let at = sentence.place()?;
    let sentence = sentence.said;
    let said = sentence.trim();
    // The clause that has it, where the sentence says much besides.
    let clause = match said.chars().nth(CLAUSE) {
        None => said,
        // Small letters may be longer than great ones.
        Some(_) if lowered.len() == sentence.len() => clause(sentence, at),
        Some(_) => said,
    };
    let clause = without_answer(clause, sentence, at);
    let mut clause = clause.trim_start_matches([',', ';', '-', '—', ' ']);
    for word in [
        "but ", "so ", "and ", "also ", "Also ", "But ", "And ", "So ",
    ] {
        clause = clause.strip_prefix(word).unwrap_or(clause);
    }
    Some(clip(clause.trim_end_matches(['?', '？']), LONGEST))
}

/// A rule without the few words before it that answer something: `2, and keep it small`, `Ja, aber fass sie nicht an`.
fn without_answer<'s>(clause: &'s str, sentence: &'s str, at: usize) -> &'s str {
    const FEW: usize = 12;
    let before = sentence.get(..at).unwrap_or("");
    let is_answer = before.contains([',', '，', '、', '،'])
        && before.len() <= FEW
        && clause.len() == sentence.trim().len();
    match sentence.get(at..) {
        Some(rule) if is_answer => rule.trim(),
        _ => clause,
    }
}

/// A question for whether something should be is none.
fn is_about_doubt(lowered: &str) -> bool {
    if asks_about(lowered) {
        return true;
    }
    let lowered = lowered.trim_end();
    lowered.ends_with(['?', '？'])
        && ([
            "should", "must", "do we", "why", "what", "how", "is ", "are ", "does", "do you",
            "would it",
        ]
        .iter()
        .any(|word| begins(lowered, word.trim()))
            || has(lowered, &["why"]))
}

/// Where the words are that make a sentence a rule.
fn place(lowered: &str) -> Option<usize> {
    let sentence = Lowered::of(lowered);
    let is_said = |at: &usize| !is_of_things(lowered, *at);
    static CUES: LazyLock<Cues<()>> =
        LazyLock::new(|| Cues::new(ANYWHERE.iter().map(|phrase| (*phrase, ()))));
    let mut anywhere = CUES.within(lowered);
    let anywhere = anywhere.find(|(at, phrase, ())| is_apart(lowered, *at, phrase));
    let anywhere = anywhere.map(|(at, ..)| at).filter(is_said);
    let is_short = || lowered.chars().nth(110).is_none() && !sentence.has(REASONS);
    let shortly = || {
        let shortly = sentence.first_of(SHORTLY).filter(is_said);
        shortly.filter(|_| is_short())
    };
    let found = anywhere.or_else(shortly).or_else(|| abroad(&sentence));
    let found =
        found.or_else(|| clauses(&sentence).find(|at| lowered.get(*at..).is_some_and(demands)));
    found.or_else(|| is_lasting(lowered).then_some(0))
}

/// Whether what must be is something that is, not something to do: `the tests must have been flaky`.
fn is_of_things(lowered: &str, at: usize) -> bool {
    let Some(rest) = lowered.get(at..) else {
        return true;
    };
    const WHO: &[&str] = &["i ", "we ", "it ", "he ", "she ", "they ", "you ", "that "];
    let before = lowered.get(..at).unwrap_or("");
    if describes(before, rest) {
        return true;
    }
    // `I must have left it` is a guess, and `all of them must have docs` is none.
    (begins(rest, "must have") && WHO.iter().any(|who| before.ends_with(who)))
        || [
            "must be a",
            "must have been",
            "must've",
            "must be the",
            "must be an",
            "must be some",
            "as possible cause",
        ]
        .iter()
        .any(|phrase| begins(rest, phrase))
        // What is proposed is to be done once, if at all.
        || ((begins(rest, "we should") || begins(rest, "you should")) && is_proposal(before, rest))
        || (begins(rest, "you can't")
            || begins(rest, "you cannot")
            || begins(rest, "we should")
            || begins(rest, "you should"))
            && (has(rest, &["see", "be able", "have seen", "know"])
                || lowered.trim_end().ends_with('?'))
}

/// Whether what should be is only what somebody thinks: `I think we should split it`, `maybe you should look`.
fn is_proposal(before: &str, rest: &str) -> bool {
    const THINKS: &[&str] = &[
        "i think",
        "i guess",
        "i feel",
        "i believe",
        "i suppose",
        "i'd say",
        "i wonder",
        "maybe",
        "perhaps",
        "probably",
        "possibly",
        "what if",
        "not sure",
        "if",
        "do you think",
    ];
    // What shall be in a certain case is how it shall be.
    const STANDS: &[&str] = &[
        "in this",
        "in that",
        "in such",
        "in these",
        "in those",
        "in any",
        "when",
        "whenever",
        "always",
        "never",
        "only",
        "not",
        "no longer",
        "everywhere",
        "from now on",
    ];
    const ONCE: &[&str] = &[
        "probably", "maybe", "perhaps", "first", "next", "also", "now", "then", "just",
    ];
    let begins_once = || {
        let verb = words(rest).nth(2).unwrap_or("");
        ONCE.contains(&verb)
    };
    (has(before, THINKS) || begins_once()) && !has(rest, STANDS)
}

/// Where the clauses of a sentence begin.
fn clauses(sentence: &Lowered<'_>) -> impl Iterator<Item = usize> {
    const BETWEEN: &[&str] = &[
        ", ", "; ", " - ", " — ", ": ", ". ", " but ", " so ", "，", "、", "；",
    ];
    let lowered = sentence.text;
    let behind = BETWEEN
        .iter()
        .flat_map(|mark| sentence.marks(mark).map(move |at| at + mark.len()));
    std::iter::once(0).chain(behind).map(move |at| {
        let mut at = at;
        while let Some(rest) = lowered.get(at..) {
            let filler = [
                "please ", "also ", "and ", "but ", "so ", "then ", "now ", "ok ", "oh ", "then, ",
                "just ", "pls ", "plz ", "btw ",
            ]
            .iter()
            .find(|filler| rest.starts_with(**filler) && !rest.starts_with("just the"));
            match filler {
                Some(filler) => at += filler.len(),
                None => break,
            }
        }
        at
    })
}

/// The clauses of a sentence from the one that has a place on, as far as there is room.
fn clause(sentence: &str, at: usize) -> &str {
    const BETWEEN: &[&str] = &[", ", "; ", " - ", " — ", ": ", " so ", " but "];
    if ["but ", "so ", "and "].iter().any(|word| {
        sentence
            .get(at..)
            .is_some_and(|rest| rest.starts_with(word))
    }) {
        return sentence.get(at..).unwrap_or(sentence).trim();
    }
    let before = sentence.get(..at).unwrap_or(sentence);
    let from = BETWEEN
        .iter()
        .filter_map(|mark| before.rfind(mark).map(|place| place + mark.len()))
        .max();
    let from = from
        .filter(|from| at.saturating_sub(*from) < CLAUSE)
        .unwrap_or(0);
    sentence.get(from..).unwrap_or(sentence).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_that_forbids_or_demands_is_a_rule() {
        for rule_of in [
            "don't run CI or integration tests, too slow.",
            "No new dependencies.",
            "No new files in src, please",
            "no comments, they age badly",
            "Nothing should change for existing users",
            "never commit",
            "please keep it simple",
            "Nothing exotic, just the simplest possible thing.",
            "As lightweight as possible please.",
            "Also don't give it a number and it needs no date in the file",
            "All public items must have docs.",
            "we should be using the strong types instead of string wherever we can",
            "Using claude --model haiku and a prompt directly",
            "Always run the linter before you push",
            "without touching the public API",
            "Only change files under src/",
            "Bitte keine neuen Abhängigkeiten.",
            "Niemals committen",
            "N'utilise jamais unsafe",
            "nunca hagas commit",
            "Arregla la búsqueda, pero no toques la base de datos",
            "no cambies el nombre de la tabla",
            "Refactoriza el módulo y no añadas dependencias de terceros",
            "Ne change jamais le schéma",
            "Corrige le bug mais ne touche pas aux tests",
            "Mets à jour le module et garde la compatibilité avec Python 3.8",
            "n'ajoute pas de dépendance",
            "Ändere nichts an der öffentlichen API",
            "Räum auf, aber fass die Migrationen nicht an",
            "Füge bitte keine neuen Pakete hinzu",
            "Исправь парсер, но не трогай тесты",
            "Перепиши модуль и сохрани обратную совместимость",
            "别动数据库结构",
            "请保持向后兼容",
            "其他接口保持不变",
            "改完要保持代码简洁",
            "新接口一律返回 JSON",
            "公開APIは変えないで",
            "أصلح الخطأ لكن لا تغير قاعدة البيانات",
            "ولا تضف مكتبات جديدة",
            "I think we should never log tokens.",
            "I think we should give up in that case.",
            "никогда не коммить",
            "不要提交代码",
            "コミットしないでください",
            "절대 커밋하지 마세요",
        ] {
            assert!(rule(rule_of).is_some(), "{rule_of}");
        }
    }

    #[test]
    fn what_is_so_or_asked_is_no_rule() {
        for said in [
            "I think we should split the parser into two files.",
            "Maybe we should look at the logs of the worker",
            "we should probably rename that flag",
            "No tengo idea de la causa.",
            "no funciona en la tabla de clientes",
            "No existe el fichero de la configuración",
            "Die Tabelle wird nicht gefunden, und die Seite lädt nicht.",
            "Je ne sais pas, mais la page est vide.",
            "Оно работает, но медленно",
            "No, la otra opción",
            "I think we don't setup `entire/sessions` branch with a remote properly, can you check?",
            "don't know why it fails",
            "It never works on CI",
            "no, ignore this part, back to the changes",
            "No problem",
            "The function only handles JSON objects",
            "this doesn't distinguish between the two",
            "should we always run the linter?",
            "Image data might have high entropy and should not be redacted.",
            "Without this conversion, the data is lost when the state is saved.",
            "using UTC would be more consistent",
            "连接会保持五分钟",
            "服务器和客户端保持着长连接",
            "现在一律返回 500",
            "登录状态没有保持住",
            "It splits edits between touched and non-touched files",
            "there must be a bug in the parser",
            "I must have left it somewhere else.",
            "it always fails on the second run",
            "Please fix my unit test issue",
            "can you check again the last change, there was a conflict",
            "Hm, ok, nothing obvious in the trace.",
            "nothing works since the upgrade",
            "Nothing changed on the page, same message",
            "`README.md`: no section on rate limits",
            "No errors in the log so far.",
            "api.ts - no tests for the retry",
        ] {
            assert_eq!(rule(said), None, "{said}");
        }
    }

    #[test]
    fn of_a_long_sentence_the_clause_is_kept() {
        let said = "ah, right! can we change the script so it runs from the checkout that we are in at the moment, \
                    so we are always using the latest code";
        let rule_of = "we are always using the latest code";
        assert_eq!(rule(said).unwrap(), rule_of);
        let asked = rule(&format!("{said}?"));
        assert_eq!(
            asked.unwrap(),
            rule_of,
            "it is the rule, and not the question"
        );
    }
}
