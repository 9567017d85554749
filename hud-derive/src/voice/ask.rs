//! Whether a sentence asks for something, and for what: for an answer, or for something to be done.

use super::words::{begins, has, head, lower, words};
use crate::prose::sentences;

/// Words before what is asked for.
const FILLERS: &[&str] = &[
    "please", "also", "and", "but", "so", "then", "now", "ok", "okay", "alright", "great", "ah",
    "oh", "hm", "hmm", "right", "well", "finally", "first", "next", "yes", "yeah", "sure", "just",
    "thanks", "perfect", "cool", "nice", "actually", "instead", "bitte", "und", "dann", "jetzt",
    "aber",
];

/// Verbs that a sentence begins with which asks for something.
const VERBS: &[&str] = &[
    "add",
    "adjust",
    "allow",
    "apply",
    "avoid",
    "build",
    "bump",
    "change",
    "check",
    "clean",
    "clear",
    "commit",
    "compare",
    "compute",
    "configure",
    "convert",
    "copy",
    "correct",
    "create",
    "debug",
    "delete",
    "deploy",
    "describe",
    "disable",
    "do",
    "document",
    "don't",
    "downgrade",
    "drop",
    "enable",
    "ensure",
    "explain",
    "expose",
    "extend",
    "extract",
    "figure",
    "find",
    "finish",
    "fix",
    "format",
    "generate",
    "get",
    "give",
    "go",
    "handle",
    "help",
    "hide",
    "implement",
    "improve",
    "include",
    "increase",
    "inline",
    "insert",
    "inspect",
    "install",
    "integrate",
    "introduce",
    "investigate",
    "keep",
    "leave",
    "limit",
    "list",
    "load",
    "log",
    "look",
    "make",
    "mark",
    "measure",
    "merge",
    "migrate",
    "mock",
    "move",
    "never",
    "open",
    "optimize",
    "parse",
    "pick",
    "port",
    "prepare",
    "print",
    "provide",
    "pull",
    "push",
    "put",
    "read",
    "rebase",
    "reduce",
    "refactor",
    "release",
    "remove",
    "rename",
    "replace",
    "report",
    "rerun",
    "reset",
    "resolve",
    "restore",
    "return",
    "revert",
    "review",
    "rewrite",
    "run",
    "save",
    "search",
    "send",
    "set",
    "show",
    "simplify",
    "skip",
    "sort",
    "split",
    "squash",
    "start",
    "stop",
    "store",
    "support",
    "switch",
    "take",
    "tell",
    "test",
    "try",
    "turn",
    "undo",
    "update",
    "upgrade",
    "use",
    "validate",
    "verify",
    "wait",
    "wire",
    "wrap",
    "write",
];

/// Words by which something is asked for anywhere in a sentence.
const ASKS: &[&str] = &[
    "can you",
    "could you",
    "would you",
    "will you",
    "can we",
    "could we",
    "can't we",
    "couldn't we",
    "shouldn't we",
    "let's",
    "lets",
    "i'd like",
    "i would like",
    "i want",
    "i need",
    "we should",
    "you should",
    "we need",
    "make sure",
    "please",
    "how about",
    "what about",
    "we must",
    "you must",
    "it should",
    "bitte",
    "könntest du",
    "kannst du",
    "peux-tu",
    "pouvez-vous",
    "s'il te plaît",
    "por favor",
    "puedes",
    "пожалуйста",
    "можешь",
    "请",
    "帮",
    "してください",
    "お願い",
    "해줘",
    "해 주세요",
    "해주세요",
];

/// Whether a sentence asks for something to be done.
pub(super) fn is_directive(lowered: &str) -> bool {
    has(lowered, ASKS) || first_word(lowered).is_some_and(|word| VERBS.contains(&word))
}

/// The first word of a sentence that is no filler.
pub(super) fn first_word(lowered: &str) -> Option<&str> {
    words(lowered).find(|word| !FILLERS.contains(word))
}

/// Whether a sentence leans on the one before it.
pub(super) fn refers(lowered: &str) -> bool {
    has(
        lowered,
        &["that", "this", "it", "these", "those", "them", "so"],
    )
}

/// Verbs of what is over once it is done.
const ONCE: &[&str] = &[
    "run",
    "rerun",
    "show",
    "list",
    "print",
    "explain",
    "tell",
    "describe",
    "summarize",
    "summarise",
];

/// Whether a text wants an answer, or something done once: it is over when the agent has spoken.
pub(super) fn is_question(text: &str) -> bool {
    const ANSWERS: &[&str] = &[
        "what",
        "why",
        "how",
        "who",
        "when",
        "where",
        "which",
        "is",
        "are",
        "was",
        "were",
        "does",
        "do",
        "did",
        "has",
        "have",
        "isn't",
        "aren't",
        "doesn't",
        "could it",
        "can it",
        "should",
        "question",
        "can you explain",
        "could you explain",
        "can you tell",
        "could you tell",
        "explain",
        "can you check if",
        "warum",
        "wieso",
        "wie",
        "was ist",
        "pourquoi",
        "comment",
        "por qué",
        "cómo",
        "почему",
        "как",
        "为什么",
        "怎么",
        "什么",
        "なぜ",
        "왜",
    ];
    let text = text.trim_end();
    let lowered = lower(head(text, 2_000));
    let is_short = words(&lowered).nth(8).is_none();
    if is_short && first_word(&lowered).is_some_and(|word| ONCE.contains(&word)) {
        return true;
    }
    // What is asked last is what is wanted.
    let ends = text.ends_with(['?', '？', '吗', '呢', '؟']);
    let Some(last) = sentences(&lowered).last() else {
        return false;
    };
    if !ends || text.lines().nth(3).is_some() {
        return false;
    }
    let first = last
        .find(first_word(last).unwrap_or(""))
        .and_then(|at| last.get(at..))
        .unwrap_or(last);
    let is_asked = ANSWERS
        .iter()
        .any(|word| begins(first, word) || begins(lowered.trim_start(), word));
    is_asked || !is_directive(last)
}
