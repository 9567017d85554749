//! How a message relates to what was asked before: whether it takes something back, corrects it, or goes on.

use hud_store::event::Speaker;

use super::words::{begins, has, head, lower, tail, words};
use crate::prose;

/// Words by which the user takes back what was asked for.
const WITHDRAWS: &[&str] = &[
    "never mind",
    "nevermind",
    "nvm",
    "forget it",
    "forget that",
    "forget this",
    "forget about",
    "scratch that",
    "ignore this",
    "ignore that",
    "ignore it",
    "ignore my last",
    "cancel that",
    "cancel it",
    "cancel this",
    "drop that",
    "drop it",
    "drop this",
    "skip that",
    "skip it",
    "skip this",
    "thinking again",
    "on second thought",
    "on second thoughts",
    "second thoughts",
    "changed my mind",
    "change of plan",
    "change of plans",
    "let's not",
    "lets not",
    "no longer need",
    "no longer want",
    "don't bother",
    "not needed anymore",
    "not needed any more",
    "i take that back",
    "hold off",
    "vergiss es",
    "vergiss das",
    "doch nicht",
    "laisse tomber",
    "oublie ça",
    "olvídalo",
    "déjalo",
    "esquece",
    "забудь",
    "не надо",
    "передумал",
    "передумала",
    "算了",
    "不用了",
    "别管",
    "やっぱり",
    "やめて",
    "됐어",
    "그만둬",
];

/// Words of the user's for an answer that is beside the point.
const MISREAD: &[&str] = &[
    "i meant",
    "i mean the",
    "not what i meant",
    "not what i asked",
    "you misunderstood",
    "you misread",
    "misunderstanding",
    "ich meinte",
    "ich meine",
    "missverstanden",
    "falsch verstanden",
    "je voulais dire",
    "mal compris",
    "me refería",
    "quise decir",
    "entendiste mal",
    "eu quis dizer",
    "entendeu mal",
    "intendevo",
    "hai frainteso",
    "я имел в виду",
    "я имела в виду",
    "не так понял",
    "我的意思是",
    "我是说",
    "我指的是",
    "誤解",
    "という意味では",
    "제 말은",
    "오해",
];

/// Words by which the user says that it is not as it should be, or not yet.
const CORRECTS: &[&str] = &[
    "almost",
    "not quite",
    "wrong",
    "still",
    "doesn't",
    "does not",
    "didn't",
    "isn't",
    "is not",
    "aren't",
    "not really",
    "not what",
    "doch noch",
    "encore",
    "sigue",
    "aún",
    "опять",
    "всё ещё",
    "все еще",
    "又",
    "仍然",
    "また",
    "لا يزال",
    "ما زال",
    "huh",
    "try again",
    "again",
    "oops",
    "incorrect",
    "broken",
    "missing",
    "you forgot",
    "not right",
    "nicht",
    "immer noch",
    "pas",
    "todavía",
    "не работает",
    "还是",
    "不对",
    "错",
    "まだ",
    "違",
    "아직",
    "틀렸",
];

/// Words that lean on what was asked last.
const REFERS: &[&str] = &[
    "too",
    "same",
    "do that",
    "do it",
    "do this",
    "as well",
    "back to",
    "likewise",
    "similarly",
    "that one",
    "auch",
    "aussi",
    "también",
    "тоже",
    "也",
    "同样",
    "同じ",
    "도",
];

/// Words with which the user goes on from what the agent said.
const REPLIES: &[&str] = &[
    "i understand",
    "i appreciate",
    "i see",
    "i get",
    "i know",
    "got it",
    "understood",
    "thanks",
    "thank you",
    "that's",
    "fair",
    "but",
    "well",
    "yes",
    "no",
    "ich verstehe",
    "je comprends",
    "entiendo",
    "понимаю",
    "我理解",
    "わかりました",
];

/// Words by which an agent says that it is done.
const DONE: &[&str] = &[
    "done",
    "fixed",
    "added",
    "removed",
    "created",
    "updated",
    "implemented",
    "committed",
    "pushed",
    "merged",
    "renamed",
    "replaced",
    "resolved",
    "finished",
    "complete",
    "completed",
    "passes",
    "passing",
    "pass",
    "now works",
    "all set",
    "booked",
    "sent",
    "scheduled",
    "ordered",
    "cancelled",
    "canceled",
    "deployed",
    "published",
    "gebucht",
    "gesendet",
    "verschickt",
    "réservé",
    "envoyé",
    "reservado",
    "enviado",
    "desplegado",
    "отправлено",
    "забронировал",
    "забронировано",
    "预订",
    "已发送",
    "予約しました",
    "送信しました",
    "✅",
    "erledigt",
    "fertig",
    "behoben",
    "umgesetzt",
    "angepasst",
    "hinzugefügt",
    "aktualisiert",
    "entfernt",
    "terminé",
    "terminée",
    "corrigé",
    "corrigée",
    "ajouté",
    "ajoutée",
    "supprimé",
    "c'est fait",
    "hecho",
    "listo",
    "lista",
    "corregido",
    "corregida",
    "arreglado",
    "arreglada",
    "solucionado",
    "añadido",
    "actualizado",
    "concluído",
    "corrigido",
    "fatto",
    "готово",
    "сделано",
    "исправлено",
    "исправил",
    "исправила",
    "добавил",
    "добавила",
    "обновил",
    "обновила",
    "完成",
    "已修复",
    "已添加",
    "已更新",
    "已删除",
    "修好",
    "搞定",
    "完了",
    "修正しました",
    "追加しました",
    "変更しました",
    "更新しました",
    "تم",
    "انتهيت",
    "완료",
    "수정했습니다",
];

/// Words by which an agent says that it is not.
const NOT_DONE: &[&str] = &[
    "still fails",
    "still failing",
    "not done",
    "couldn't",
    "could not",
    "unable to",
    "remaining",
    "is not fixed",
    "blocked",
    "noch nicht",
    "schlägt fehl",
    "échoue encore",
    "pas encore",
    "todavía falla",
    "todavía no",
    "aún no",
    "не удалось",
    "пока не",
    "还没",
    "未能",
    "无法",
    "まだ",
    "できませんでした",
    "لم يتم",
    "لم أتمكن",
];

/// How much of the two ends of an agent's message is read for what it says of its work, in bytes.
const ENDS: usize = 400;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Relation {
    /// What was asked last is no longer wanted.
    pub(super) withdraws: bool,
    /// What was done is not what was wanted, or not all of it.
    pub(super) corrects: bool,
    /// It cannot be understood without what was asked last.
    pub(super) refers: bool,
    /// It goes on from what the agent said: `I understand, but ..`.
    pub(super) replies: bool,
    /// It says what has to be said of something new.
    pub(super) is_whole: bool,
}

impl Relation {
    pub(super) fn of(own: &str) -> Self {
        // How a message relates to others is said at its beginning.
        let lowered = lower(head(own, 600));
        let beginning = words(&lowered).take(14).collect::<Vec<_>>().join(" ");
        let denies =
            lowered.starts_with("no,") || begins(&lowered, "nope") || begins(&lowered, "nein");
        let withdraws = has(&beginning, WITHDRAWS) || has_dense(&lowered, WITHDRAWS);
        Self {
            withdraws,
            corrects: !withdraws && (denies || has(&beginning, CORRECTS)),
            refers: has(&lowered, REFERS) && words(&lowered).nth(30).is_none(),
            replies: REPLIES.iter().any(|word| begins(&lowered, word)),
            is_whole: words(&lowered).nth(20).is_some(),
        }
    }
}

/// As [`has`], for what no spaces part.
/// The speaker of the last message that no longer holds after a message of the user's.
pub(crate) fn retracts(text: &str) -> Option<Speaker> {
    let beginning = lower(head(text, 300));
    match Relation::of(text) {
        relation if relation.withdraws => Some(Speaker::User),
        _ if has(&beginning, MISREAD) || has_dense(&beginning, MISREAD) => Some(Speaker::Agent),
        _ => None,
    }
}

fn has_dense(lowered: &str, phrases: &[&str]) -> bool {
    let dense = phrases
        .iter()
        .filter(|phrase| phrase.starts_with(super::words::is_dense));
    dense.clone().any(|phrase| lowered.contains(phrase))
}

/// Whether an agent says in its closing message that what it was asked for is done.
pub(super) fn says_done(said: &str) -> bool {
    let [begin, end] = prose::read(said);
    let end = if end.is_empty() { begin } else { end };
    let first = head(begin, ENDS);
    let last = tail(end, ENDS);
    let (first, last) = (lower(first), lower(last));
    (has(&first, DONE) || has(&last, DONE)) && !has(&last, NOT_DONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_withdraws_corrects_or_goes_on() {
        for said in [
            "thinking again: let's completely remove it",
            "no, ignore this part",
            "Never mind.",
            "算了，先不做",
        ] {
            assert!(Relation::of(said).withdraws, "{said}");
        }
        for said in [
            "Almost there. In func A, use a literal",
            "no, the other one",
            "it still fails",
            "还是不行",
        ] {
            assert!(Relation::of(said).corrects, "{said}");
        }
        assert!(Relation::of("Great, now do that to the other one too").refers);
        assert_eq!(Relation::of("commit the merge"), Relation::default());
    }

    #[test]
    fn a_message_takes_back_the_users_last_one_or_sets_the_agents_aside() {
        for (said, expected) in [
            ("never mind, leave it as it is", Some(Speaker::User)),
            ("I meant the other repository", Some(Speaker::Agent)),
            ("ich meinte den anderen Ordner", Some(Speaker::Agent)),
            ("我的意思是另一个仓库", Some(Speaker::Agent)),
            ("Great, now add a test", None),
            ("what is meant by that?", None),
        ] {
            assert_eq!(retracts(said), expected, "{said}");
        }
    }

    #[test]
    fn a_closing_message_says_whether_it_is_done() {
        assert!(says_done("Fixed: `a` was wrong."));
        assert!(says_done(
            "Here is what I did.\n\nBuild, tests, and lint all pass."
        ));
        assert!(!says_done("The cause is in `a`. Shall I mend it?"));
        assert!(!says_done("Added `a`, but the test still fails"));
    }
}
