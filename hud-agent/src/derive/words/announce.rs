//! What a sentence announces.

/// Whether a sentence only says what will be looked at next.
pub(super) fn announces_look(lower: &str) -> bool {
    match announced(lower) {
        Some(verb) => LOOK.contains(&verb),
        None => lower.starts_with("looking at ") || lower.starts_with("checking "),
    }
}

/// The verb of what a sentence announces: `read` of `To be sure, let's read it`. A sentence that says why, or
/// what else could be done, is none.
pub(super) fn announced(lower: &str) -> Option<&str> {
    let mut said = lower;
    // `To be certain, ..`, `Before submitting the changes, ..`.
    const PURPOSES: &[&str] = &[
        "to ",
        "in order to ",
        "before ",
        "after ",
        "once ",
        "since ",
        "as ",
        "now that ",
        "if ",
    ];
    if PURPOSES.iter().any(|purpose| said.starts_with(purpose))
        && let Some((_, rest)) = said.split_once(", ")
    {
        said = rest;
    }
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
    ];
    let is_now = said.starts_with("now ");
    while let Some(rest) = ORDER.iter().find_map(|word| said.strip_prefix(word)) {
        said = rest;
    }
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
        "it would be good to ",
        "it's important to ",
        "the next step is to ",
    ];
    let rest = match INTENDS.iter().find_map(|mark| said.strip_prefix(mark)) {
        Some(rest) => rest,
        // `Now fix the test.`
        None if is_now && DO.iter().any(|verb| begins_with_word(said, verb)) => said,
        None => return None,
    };
    const BEFORE_VERBS: &[&str] = &[
        "now ",
        "also ",
        "first ",
        "quickly ",
        "just ",
        "probably ",
        "then ",
        "next ",
    ];
    let mut rest = rest;
    while let Some(next) = BEFORE_VERBS.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = next;
    }
    rest.split(|c: char| !c.is_alphabetic()).next()
}

/// Whether a text begins with a word.
fn begins_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word)
        .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// Verbs of what is soon done, and is known by what it did.
pub(super) const DO: &[&str] = &[
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
    "read",
    "look",
    "locate",
    "navigate",
    "open",
    "use",
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

/// Whether a sentence says what is about to be done.
pub(super) fn is_next(lower: &str) -> bool {
    [
        "now i need to",
        "i need to",
        "i'll ",
        "let me ",
        "now i'll",
        "now let me",
        "next i",
        "next, i",
        "i'm going to",
    ]
    .iter()
    .any(|mark| lower.starts_with(mark))
}
