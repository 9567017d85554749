//! Standing rules in the user's messages, which hold for the work until the user lifts them.

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

use super::speech::Own;
use super::words::{clip, lower, without_start, words};
use crate::lexicon::Intent;
use crate::prose::after_marks;

/// The longest rule that is kept, in characters.
const LONGEST: usize = 160;

/// The longest sentence that is kept as a whole, in characters. Of a longer one, only the clause with the rule is kept.
const CLAUSE: usize = 90;

/// A sentence of the user that may set rules, lift them, or both.
struct Sentence<'s> {
    said: &'s str,
    /// The text that names its subject, which is all but its quotations.
    named: &'s str,
    lowered: String,
    /// The byte offset of the words that make it a rule.
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

    /// Returns a sentence of the user's own speech.
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

/// Returns the rule that a sentence of the user sets.
pub(super) fn rule(sentence: &str) -> Option<String> {
    rule_of(&Sentence::of(sentence))
}

/// True if a text demands or forbids something.
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
    // In a long sentence, only the clause with the rule is kept.
    let clause = match said.chars().nth(CLAUSE) {
        None => said,
        // Lower case letters may be longer than upper case ones.
        Some(_) if lowered.len() == sentence.len() => clause(sentence, at),
        Some(_) => said,
    };
    let clause = without_answer(clause, sentence, at);
    let clause = clause.trim_start_matches([',', ';', '-', '—', ' ']);
    let clause = without_start(clause, Intent::Turn);
    Some(clip(clause.trim_end_matches(['?', '？']), LONGEST))
}

/// A rule without a short answer before it: `2, and keep it small`, `Ja, aber fass sie nicht an`.
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

/// True for a question about a rule, which is not a rule itself.
fn is_about_doubt(lowered: &str) -> bool {
    if asks_about(lowered) {
        return true;
    }
    let lowered = lowered.trim_end();
    lowered.ends_with(['?', '？']) && (Intent::Doubt.begins(lowered) || Intent::Why.is_in(lowered))
}

/// The byte offset of the words that make a sentence a rule.
fn place(lowered: &str) -> Option<usize> {
    let first_of = |intent: Intent| {
        let at = intent.first_in(lowered)?.start;
        (!is_of_things(lowered, at)).then_some(at)
    };
    let is_short = || lowered.chars().nth(110).is_none() && !Intent::Reason.is_in(lowered);
    let shortly = || first_of(Intent::Must).filter(|_| is_short());
    let found = first_of(Intent::Demand).or_else(shortly);
    let found = found.or_else(|| abroad(lowered));
    let mut clauses = clauses(lowered);
    let found = found.or_else(|| clauses.find(|at| lowered.get(*at..).is_some_and(demands)));
    found.or_else(|| is_lasting(lowered).then_some(0))
}

/// True if a word of demand describes a thing and asks for nothing: `the tests must have been flaky`.
fn is_of_things(lowered: &str, at: usize) -> bool {
    let Some(rest) = lowered.get(at..) else {
        return true;
    };
    let before = lowered.get(..at).unwrap_or("");
    if describes(before, rest) {
        return true;
    }
    // `I must have left it` is a guess, and `all of them must have docs` is not.
    let is_guess =
        { Intent::Guess.all_in(lowered) }.any(|guess| (guess.start..guess.end).contains(&at));
    let advises = Intent::Advise.begins(rest);
    // A proposal is about a single action, if any.
    is_guess
        || advises && is_proposal(before, rest)
        || (advises || Intent::Unable.begins(rest))
            && (Intent::Perceive.is_in(rest) || lowered.trim_end().ends_with('?'))
}

/// True if advice is only an opinion: `I think we should split it`, `maybe you should look`.
fn is_proposal(before: &str, rest: &str) -> bool {
    let begins_once = || {
        let verb = words(rest).nth(2).unwrap_or("");
        Intent::Propose.is(verb)
    };
    (Intent::Suppose.is_in(before) || begins_once()) && !Intent::Standing.is_in(rest)
}

/// The byte offsets of the clauses of a sentence, after their fillers.
fn clauses(lowered: &str) -> impl Iterator<Item = usize> {
    let parted = Intent::Clause.all_in(lowered).map(|found| found.end);
    let begins = std::iter::once(0).chain(after_marks(lowered)).chain(parted);
    begins.map(|begin| {
        let mut rest = lowered.get(begin..).unwrap_or_default().trim_start();
        while let Some(behind) = Intent::Filler.after(rest)
            && !Intent::ForbidFirst.begins(rest)
        {
            rest = behind.trim_start_matches([' ', ',']);
        }
        lowered.len() - rest.len()
    })
}

/// The text from the clause at an offset to the end of the sentence. The whole sentence if that clause begins too far
/// before the offset.
fn clause(sentence: &str, at: usize) -> &str {
    let (before, rest) = sentence.split_at_checked(at).unwrap_or((sentence, ""));
    if Intent::Turn.begins(&lower(rest)) {
        return rest.trim();
    }
    let lowered = lower(before);
    let parted = Intent::Clause.all_in(&lowered).map(|found| found.end);
    // Lower case letters may be longer than upper case ones.
    let parted = parted.filter(|_| lowered.len() == before.len());
    let from = after_marks(before).chain(parted).max();
    let from = from.filter(|from| at.saturating_sub(*from) < CLAUSE);
    sentence.get(from.unwrap_or(0)..).unwrap_or(sentence).trim()
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
