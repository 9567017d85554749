//! Words that say what a sentence is: what was found, chosen, changed.

use std::sync::LazyLock;

use crate::cues::Cues;

/// Which words are in a sentence, of those that say what it is.
#[derive(Clone, Copy, Default)]
pub(super) struct Said {
    pub(super) finds: bool,
    pub(super) chooses: bool,
    /// Whether it says so of who decided, however short it is and whatever it compares: `we decided on two`.
    pub(super) decides: bool,
    /// Whether it says what will or must be done, which says less than what was chosen.
    pub(super) intends: bool,
    pub(super) contrasts: bool,
}

impl Said {
    pub(super) fn of(lower: &str) -> Self {
        #[derive(Clone, Copy)]
        enum Sort {
            Finding,
            Choice,
            Decision,
            Intention,
            Contrast,
        }
        static CUES: LazyLock<Cues<Sort>> = LazyLock::new(|| {
            let sorts = [
                (FINDING, Sort::Finding),
                (CHOICE, Sort::Choice),
                (DECISION, Sort::Decision),
                (INTENTION, Sort::Intention),
                (CONTRAST, Sort::Contrast),
            ];
            let each = |(cues, sort): (&'static [&'static str], Sort)| {
                cues.iter().map(move |cue| (*cue, sort))
            };
            Cues::new(sorts.into_iter().flat_map(each))
        });
        let mut said = Self::default();
        for (at, cue, sort) in CUES.within(lower) {
            match sort {
                // `should be fixed` is a hope.
                Sort::Intention if cue == "should be" => {
                    let rest = lower.get(at + cue.len()..).unwrap_or_default();
                    let next = rest.split(|c: char| !c.is_alphabetic()).nth(1);
                    said.intends |= !next.is_some_and(|next| HOPED.contains(&next));
                }
                Sort::Intention => said.intends = true,
                Sort::Finding => said.finds = true,
                Sort::Choice => said.chooses = true,
                Sort::Decision => said.decides |= decides(lower, at, cue),
                Sort::Contrast => said.contrasts = true,
            }
        }
        said.chooses |= said.decides;
        said
    }
}

/// Whether a place where a decision is spoken of says that it was made: not in the middle of a word
/// (`undecided`), and not that it is still open.
fn decides(lower: &str, at: usize, cue: &str) -> bool {
    const OPEN: &[&str] = &[
        "not",
        "n't",
        "yet to be",
        "to be",
        "has to",
        "have to",
        "must",
        "nicht",
        "noch nicht",
        "не",
        "ещё не",
        "no",
        "pas",
        "没",
        "没有",
        "尚未",
        "还没",
        "未",
        "لم",
        "if",
        "once",
        "until",
        "whether",
        "wenn",
        "если",
        "когда",
        "si",
        "user",
        "you",
    ];
    let before = lower[..at].trim_end();
    let is_inside = !cue.starts_with(|c: char| !c.is_ascii())
        && !before.is_empty()
        && before.len() == at
        && before.ends_with(char::is_alphanumeric);
    let is_open = OPEN.iter().any(|open| {
        before.strip_suffix(open).is_some_and(|rest| {
            !open.is_ascii() || *open == "n't" || !rest.ends_with(char::is_alphanumeric)
        })
    });
    !is_inside && !is_open
}

/// Words of who found something out.
const FINDING: &[&str] = &[
    "root cause",
    "caused by",
    "the cause",
    "the issue is",
    "the issue was",
    "the problem is",
    "the problem was",
    "the reason",
    "found it",
    "turns out",
    "because",
    "defaults to",
    "by default",
    "confirmed",
    "intentionally",
    "on purpose",
    "which means",
    "which suggests",
    "which indicates",
    "this suggests",
    "this indicates",
    "is due to",
    "was due to",
    "this means",
    "meaning that",
    "i see",
    "out of sync",
    "the failure",
    "fails since",
    "failed because",
    "is wrong",
    "was wrong",
    "is missing",
    "doesn't exist",
    "does not exist",
    "doesn't compile",
    "does not compile",
    "already fixed",
    "needs fixing",
    "depends on",
    "relies on",
    "is defined in",
    "was defined in",
    "is responsible for",
    "ursache",
    "das problem",
    "liegt an",
    "weil ",
    "parce que",
    "la cause",
    "le problème",
    "porque",
    "el problema",
    "la causa",
    "原因",
    "因为",
    "問題",
    "问题",
    "причина",
    "потому что",
];

/// Words of who chose something.
const CHOICE: &[&str] = &[
    "instead of",
    "rather than",
    "the fix is",
    "the fix was",
    "approach is",
    "simplest",
    "recommend",
    "the plan is",
    "replace it with",
    "stattdessen",
    "anstatt",
    "anstelle",
    "au lieu de",
    "plutôt que",
    "en lugar de",
    "en vez de",
    "em vez de",
    "invece di",
    "而不是",
    "代わりに",
    "ではなく",
    "вместо",
    "بدلا من",
    "بدلاً من",
    "대신",
];

/// Words of who decided.
const DECISION: &[&str] = &[
    "i'll go with",
    "i'd go with",
    "i would go with",
    "i will go with",
    "we'll go with",
    "we go with",
    "let's go with",
    "went with",
    "going with",
    "decided",
    "i chose",
    "we chose",
    "i've chosen",
    "i picked",
    "opted for",
    "settled on",
    "entschieden",
    "entscheide mich",
    "entscheiden uns",
    "ich nehme ",
    "wir nehmen ",
    "ich setze auf",
    "wir setzen auf",
    "die wahl fällt auf",
    "ich wähle ",
    "j'ai décidé",
    "j'ai choisi",
    "je choisis",
    "je pars sur",
    "on part sur",
    "on garde ",
    "j'opte pour",
    "j'ai opté",
    "he decidido",
    "hemos decidido",
    "he optado",
    "opto por",
    "elijo ",
    "he elegido",
    "me quedo con",
    "nos quedamos con",
    "decidi ",
    "optei por",
    "ho deciso",
    "решил ",
    "решила ",
    "решили ",
    "решено",
    "выбрал ",
    "выбрала ",
    "выбираю ",
    "остановился на",
    "остановилась на",
    "беру вариант",
    "决定",
    "決定",
    "改用",
    "采用",
    "選択しました",
    "选用",
    "决定用",
    "採用",
    "にします",
    "することにし",
    "決めました",
    "قررت",
    "قررنا",
    "اخترت",
    "سأعتمد",
    "결정했",
    "하기로 했",
    "선택했",
];

/// Words of who means to do something.
const INTENTION: &[&str] = &[
    "i'll update",
    "i'll remove",
    "i'll change",
    "should use",
    "should be",
    "need to",
    "needs to",
    "i'll use",
    "let me use",
    "let me set",
    "i'll add",
    "i'll fix",
    "i'll replace",
];

/// What something should be that is expected to be so, rather than made so.
const HOPED: &[&str] = &[
    "able", "complete", "correct", "done", "fine", "fixed", "gone", "good", "mended", "ok", "okay",
    "passing", "ready", "resolved", "solved", "working",
];

/// Words of what is otherwise than one would think.
const CONTRAST: &[&str] = &[
    " not ",
    "n't ",
    " but ",
    " still ",
    " only ",
    "already",
    "however",
    " no longer",
    "→",
    " -> ",
    " never ",
    " without ",
];

/// Verbs of what was done, at the beginning of a sentence or an item.
const CHANGE: &[&str] = &[
    "added",
    "updated",
    "removed",
    "fixed",
    "changed",
    "replaced",
    "renamed",
    "moved",
    "deleted",
    "created",
    "refactored",
    "switched",
    "implemented",
    "extracted",
    "reverted",
    "reset",
    "set",
    "made",
    "kept",
    "converted",
    "simplified",
    "split",
    "merged",
    "introduced",
    "wrote",
    "dropped",
    "disabled",
    "enabled",
    "bumped",
    "upgraded",
    "downgraded",
    "pinned",
    "wrapped",
    "inlined",
    "registered",
    "documented",
    "adjusted",
    "corrected",
    "rewrote",
    "restored",
    "committed",
    "ajouté",
    "corrigé",
    "remplacé",
    "supprimé",
    "renommé",
    "añadí",
    "añadido",
    "agregué",
    "cambié",
    "cambiado",
    "corregí",
    "corregido",
    "eliminé",
    "eliminado",
    "reemplacé",
    "movido",
    "adicionei",
    "corrigi",
    "добавил",
    "добавила",
    "добавлен",
    "добавлена",
    "добавлено",
    "заменил",
    "заменила",
    "исправил",
    "исправила",
    "исправлен",
    "исправлена",
    "обновил",
    "обновила",
    "перенёс",
    "перенесла",
    "переименовал",
    "переименовала",
    "удалил",
    "удалила",
    "أضفت",
    "أزلت",
    "أصلحت",
    "عدلت",
    "غيرت",
    "حذفت",
    "استبدلت",
];

/// The same in scripts that part words by no spaces, and of German, which has them at the end.
const CHANGE_WITHIN: &[&str] = &[
    "已添加",
    "已修改",
    "已修复",
    "已删除",
    "已更新",
    "已改为",
    "已替换",
    "添加了",
    "修改了",
    "修复了",
    "删除了",
    "更新了",
    "改成了",
    "改为了",
    "替换为",
    "追加しました",
    "変更しました",
    "修正しました",
    "削除しました",
    "更新しました",
    "置き換えました",
    " hinzugefügt",
    " ersetzt",
    " umbenannt",
    " umgestellt",
    " behoben",
    " entfernt",
    " angepasst",
    "추가했",
    "수정했",
    "변경했",
    "삭제했",
    "تمت إضافة",
    "تم تغيير",
    "تم إصلاح",
    "تم حذف",
];

/// How many places of a sentence are looked at behind which it may say what was changed.
const MOST_MARKS: usize = 24;

/// Whether a sentence says what was or is being changed.
pub(crate) fn changes(lower: &str) -> bool {
    let begins = |text: &str| {
        let first = text
            .split(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or("");
        CHANGE.contains(&first)
    };
    if begins(lower) || lower.contains('→') {
        return true;
    }
    // `common.go - Added constants`, `I've updated`, `we renamed`.
    const BEHIND: &[&str] = &[
        " - ", " — ", " – ", ": ", "i ", "i've ", "i have ", "we ", "now ", "is now ", "are now ",
    ];
    // Each with whether it says so itself, and not what is behind it.
    static CUES: LazyLock<Cues<bool>> = LazyLock::new(|| {
        let whole = CHANGE_WITHIN.iter().map(|cue| (*cue, true));
        Cues::new(whole.chain(BEHIND.iter().map(|mark| (*mark, false))))
    });
    let mut marks = 0;
    CUES.within(lower).any(|(at, cue, is_whole)| {
        marks += usize::from(!is_whole);
        is_whole || (marks <= MOST_MARKS && begins(&lower[at + cue.len()..]))
    })
}
