//! What a sentence announces: what is announced was neither found nor decided.

use std::sync::LazyLock;

use crate::cues::{Cues, starts, starts_any};

/// What a sentence announces, and what it says besides.
pub(super) struct Announcement<'l> {
    /// The verb of it, in small letters: `read` of `let's re-read it`.
    verb: &'l str,
    /// The clause that announces, without what is subordinate to it: its purpose, its reason, its time.
    pub(super) clause: &'l str,
    /// What it is for, from the verb on: nothing where that is not said.
    purpose: &'l str,
}

impl<'l> Announcement<'l> {
    /// What a sentence in small letters announces: `read` of `To be sure, let's read it`.
    pub(super) fn of(lower: &'l str) -> Option<Self> {
        let clause = main_clause(lower);
        let is_now = clause.starts_with("now ");
        let said = behind(clause, ORDER);
        let rest = match INTENDS.iter().find_map(|mark| starts(said, mark)) {
            Some(rest) => rest,
            // `Now fix the test.`
            None if is_now && DO.iter().any(|verb| begins_with_word(said, verb)) => said,
            None => expected(said)?,
        };
        let rest = behind(rest, BEFORE_VERBS);
        // What is done again is done.
        let rest = rest.strip_prefix("re-").unwrap_or(rest);
        let verb = rest.split(|c: char| !c.is_alphabetic()).next()?;
        let (_, purpose) = rest.split_once(" to ").unwrap_or_default();
        Some(Self {
            verb,
            clause: without_subordinate(said),
            purpose,
        })
    }

    /// Whether it only says what will be looked at next, or gone on with.
    pub(super) fn looks(&self) -> bool {
        let is_look = |verb: &str| LOOK.contains(&verb);
        match self.verb {
            // What is used to look is not what was chosen to build with.
            "use" => self
                .purpose
                .split(|c: char| !c.is_alphabetic())
                .next()
                .is_some_and(is_look),
            verb => is_look(verb) || verb.strip_prefix("re").is_some_and(is_look),
        }
    }

    /// Whether it says what will be mended.
    pub(super) fn mends(&self) -> bool {
        matches!(
            self.verb,
            "fix" | "repair" | "correct" | "resolve" | "address"
        )
    }

    /// Whether it says what will be done, which is soon known by what it did.
    pub(super) fn does(&self) -> bool {
        DO.contains(&self.verb)
    }
}

/// Whether a sentence only says what is going on: `Looking at the tests`, `We are now reading it`.
pub(super) fn is_under_way(lower: &str) -> bool {
    const PERSONS: &[&str] = &["i'm ", "i am ", "we're ", "we are "];
    let said = behind(main_clause(lower), ORDER);
    let by = behind(said, PERSONS);
    let verb = behind(by, BEFORE_VERBS);
    let has_subject = by.len() < said.len();
    let is_short = verb.split_whitespace().nth(8).is_none();
    // `Calling submit to submit` announces a call, `Calling it twice fails` does not.
    let calls = verb.starts_with("calling ") && verb.contains(" to ");
    (calls || LOOKING.iter().any(|word| begins_with_word(verb, word))) && (has_subject || is_short)
}

/// How long a sentence is at most that is looked through for where it turns, in bytes.
const LONG: usize = 2_000;

/// Where a sentence goes on to announce something: behind `The pool is empty` of `The pool is empty, so let me
/// read it`. Where it doubts what it said until then, that is its beginning: `It is in src, but we should check`.
pub(super) fn before_announcement(lower: &str) -> Option<usize> {
    const TURNS: &[&str] = &[
        ", so ", ", but ", " so ", "; ", " - ", " — ", " – ", ", and ",
    ];
    // What is longer is no sentence.
    if lower.len() > LONG {
        return None;
    }
    static CUES: LazyLock<Cues<()>> =
        LazyLock::new(|| Cues::new(TURNS.iter().map(|turn| (*turn, ()))));
    CUES.within(lower).find_map(|(at, turn, ())| {
        let announced = Announcement::of(lower.get(at + turn.len()..)?)?;
        let begin = if turn == ", but " { 0 } else { at };
        announced.looks().then_some(begin)
    })
}

/// A sentence without the clause that it begins with and that is not its own: `To be certain, ..`, `Before
/// submitting the changes, ..`. The sentence itself where none of its clauses announces anything.
fn main_clause(lower: &str) -> &str {
    if !starts_any(lower, SUBORDINATES) {
        return lower;
    }
    let behind_commas = lower
        .match_indices(", ")
        .filter_map(|(at, comma)| lower.get(at + comma.len()..));
    let announces = |clause: &&str| starts_any(behind(clause, ORDER), INTENDS);
    behind_commas.clone().find(announces).unwrap_or(lower)
}

/// A clause up to where another one begins that says when, why or what for.
fn without_subordinate(clause: &str) -> &str {
    const BEGINS: &[&str] = &[
        " to ",
        " since ",
        " because ",
        " as ",
        " so that ",
        " in order ",
        " when ",
        " where ",
        " which ",
        " that ",
        " if ",
        " whether ",
        " before ",
        " after ",
        " until ",
        " while ",
        " why ",
        " how ",
        " what ",
    ];
    static CUES: LazyLock<Cues<()>> =
        LazyLock::new(|| Cues::new(BEGINS.iter().map(|begin| (*begin, ()))));
    let end = CUES.within(clause).next();
    end.and_then(|(end, ..)| clause.get(..end))
        .unwrap_or(clause)
}

/// What something is expected to do, and has not done yet: `This script will attempt to ..`.
fn expected(said: &str) -> Option<&str> {
    const EXPECTS: &[&str] = &[
        " will attempt to ",
        " will try to ",
        " is going to ",
        " is supposed to ",
    ];
    if !said.contains(" to ") {
        return None;
    }
    EXPECTS.iter().find_map(|expects| {
        let (subject, rest) = said.split_once(expects)?;
        subject.split_whitespace().nth(4).is_none().then_some(rest)
    })
}

/// What is behind the words of a table that a text begins with.
fn behind<'t>(mut text: &'t str, words: &[&str]) -> &'t str {
    while let Some(rest) = words.iter().find_map(|word| starts(text, word)) {
        text = rest;
    }
    text
}

/// Whether a text begins with a word.
fn begins_with_word(text: &str, word: &str) -> bool {
    starts(text, word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// What a clause begins with that says when, why or what for.
const SUBORDINATES: &[&str] = &[
    "to ",
    "in order to ",
    "before ",
    "after ",
    "once ",
    "since ",
    "as ",
    "because ",
    "now that ",
    "now to ",
    "if ",
    "with ",
    "when ",
    "given ",
    "while ",
    "for ",
    "from ",
    "based on ",
    "next, to ",
    "next to ",
    "first, to ",
];

/// Words before what is announced that say when.
const ORDER: &[&str] = &[
    "now ",
    "now, ",
    "first ",
    "first, ",
    "next ",
    "next, ",
    "then ",
    "then, ",
    "finally, ",
    "so ",
    "so, ",
    "and ",
    "here, ",
    "therefore, ",
    "ok, ",
    "okay, ",
    "alright, ",
];

/// Who intends something.
const INTENDS: &[&str] = &[
    "let me ",
    "let's ",
    "let us ",
    "i'll ",
    "i will ",
    "i'm going to ",
    "i am going to ",
    "i need to ",
    "i want to ",
    "i can ",
    "i should ",
    "we'll ",
    "we will ",
    "we need to ",
    "we can ",
    "we should ",
    "we could ",
    "i could ",
    "i would like to ",
    "i'd like to ",
    "it would be good to ",
    "it would be best to ",
    "it would be wise to ",
    "it would be prudent to ",
    "it would be helpful to ",
    "it would be useful to ",
    "it would be a good idea to ",
    "it's important to ",
    "it is important to ",
    "it's best to ",
    "it is best to ",
    "it's time to ",
    "it is time to ",
    "it makes sense to ",
    "the next step is to ",
    "the first step is to ",
    "my next step is to ",
    "we're ready to ",
    "i'm ready to ",
    "we are ready to ",
    "i am ready to ",
];

/// Words between who intends something and the verb.
const BEFORE_VERBS: &[&str] = &[
    "now ",
    "also ",
    "first ",
    "quickly ",
    "just ",
    "probably ",
    "then ",
    "next ",
    "simply ",
    "still ",
    "carefully ",
    "need to ",
    "have to ",
    "go ahead and ",
    "try to ",
    "attempt to ",
];

/// Verbs of what is soon done, and is known by what it did.
const DO: &[&str] = &[
    "add",
    "apply",
    "change",
    "clean",
    "create",
    "delete",
    "edit",
    "extract",
    "fix",
    "implement",
    "insert",
    "install",
    "modify",
    "move",
    "open",
    "paste",
    "remove",
    "rename",
    "replace",
    "rewrite",
    "submit",
    "update",
    "write",
];

/// Verbs of looking, and of going on.
const LOOK: &[&str] = &[
    "check",
    "checkout",
    "read",
    "look",
    "locate",
    "navigate",
    "open",
    "submit",
    "remove",
    "see",
    "verify",
    "run",
    "find",
    "search",
    "understand",
    "investigate",
    "explore",
    "examine",
    "review",
    "start",
    "test",
    "try",
    "get",
    "list",
    "inspect",
    "compare",
    "continue",
    "assess",
    "grep",
    "measure",
    "confirm",
    "double",
    "take",
    "view",
    "make",
    "clean",
    "rerun",
    "build",
    "debug",
    "trace",
    "think",
    "analyze",
    "analyse",
    "trigger",
    "fetch",
    "do",
    "proceed",
    "begin",
    "know",
    "be",
    "first",
    "commit",
    "push",
    "summarize",
];

/// Verbs of looking, as what is going on.
const LOOKING: &[&str] = &[
    "checking",
    "continuing",
    "examining",
    "executing",
    "exploring",
    "inspecting",
    "investigating",
    "listing",
    "locating",
    "looking",
    "navigating",
    "opening",
    "proceeding",
    "re-running",
    "reading",
    "rerunning",
    "reviewing",
    "running",
    "searching",
    "submitting",
    "trying",
    "verifying",
    "viewing",
];

/// Whether a sentence only announces a look or a step in another language than English: `Ich sehe mir a.rs an.`,
/// `Смотрю a.py.`, `a.ts を確認します。`
pub(super) fn announces_abroad(lower: &str) -> bool {
    const BEGINS: &[&str] = &[
        "ich sehe mir ",
        "ich schaue ",
        "ich schau ",
        "ich prüfe ",
        "ich lese ",
        "ich öffne ",
        "ich suche ",
        "ich werde ",
        "ich führe ",
        "ich starte ",
        "ich beginne ",
        "ich füge ",
        "ich mache ",
        "lass mich ",
        "schauen wir ",
        "als nächstes ",
        "zuerst ",
        "je lis ",
        "je regarde ",
        "je vais ",
        "je vérifie ",
        "je cherche ",
        "je lance ",
        "je commence ",
        "je l'ajoute",
        "j'ajoute ",
        "j'ouvre ",
        "voyons ",
        "regardons ",
        "d'abord",
        "voy a ",
        "miro ",
        "reviso ",
        "leo ",
        "busco ",
        "ejecuto ",
        "abro ",
        "añado ",
        "déjame ",
        "vamos a ",
        "veamos ",
        "primero ",
        "vou ",
        "deixe-me ",
        "vamos ",
        "leggo ",
        "controllo ",
        "vediamo ",
        "смотрю ",
        "посмотрю ",
        "проверю ",
        "проверяю ",
        "читаю ",
        "прочитаю ",
        "открою ",
        "открываю ",
        "запускаю ",
        "запущу ",
        "ищу ",
        "добавлю ",
        "исправлю ",
        "сейчас ",
        "сначала ",
        "давайте ",
        "давай ",
        "我先",
        "我来",
        "让我",
        "我将",
        "我会",
        "先看",
        "接下来",
        "现在我",
        "下面我",
        "まず",
        "سأ",
        "سوف ",
        "دعني ",
        "لنر",
    ];
    const ENDS: &[&str] = &[
        "確認します",
        "見ます",
        "読みます",
        "調べます",
        "実行します",
        "みます",
        "始めます",
        "直します",
        "追加します",
        "하겠습니다",
        "보겠습니다",
    ];
    let end = lower.trim_end_matches(['.', '。', '!', '！', ':', '：']);
    starts_any(lower, BEGINS) || (!lower.is_ascii() && ENDS.iter().any(|last| end.ends_with(last)))
}

/// Whether a sentence says what is about to be done.
pub(super) fn is_next(lower: &str) -> bool {
    const NEXT: &[&str] = &[
        "now i need to",
        "i need to",
        "i'll ",
        "let me ",
        "now i'll",
        "now let me",
        "next i",
        "next, i",
        "i'm going to",
    ];
    starts_any(lower, NEXT)
}
