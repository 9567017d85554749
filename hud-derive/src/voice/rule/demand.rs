//! Clauses that forbid or demand by what they begin with, and not those that say how things are.

use super::super::words::{begins, has, is_dense, words};
use super::abroad::is_spanish;

/// Words that begin a clause which forbids or demands.
const BEGINNINGS: &[&str] = &[
    // What must not be.
    "don't",
    "do not",
    "dont",
    "never",
    "avoid",
    "must not",
    "mustn't",
    "no more",
    "nothing",
    "not a",
    "stay away",
    "refrain",
    "stop",
    "leave",
    "without",
    // What must be.
    "always",
    "only",
    "just the",
    "use only",
    "use",
    "ask me before",
    "ask before",
    "check with me before",
    "keep",
    "prefer",
    "stick to",
    "stick with",
    "make sure",
    "ensure",
    "from now on",
    "whenever",
    "in the future",
    "going forward",
    "remember to",
    "using",
];

/// What makes `don't` say how things are, not how they shall be: `don't know why`.
const STATES: &[&str] = &[
    "know",
    "think",
    "see",
    "understand",
    "remember",
    "mind",
    "worry",
    "care",
    "believe",
    "get",
    "bother",
    "you",
    "we",
    "have",
    "want",
    "like",
    "seem",
    "recall",
    "forget",
];

/// What `no` begins that is no rule.
const NO: &[&str] = &[
    "idea", "problem", "problems", "worries", "thanks", "thank", "need", "clue", "rush", "hurry",
    "it", "that", "this", "i", "you", "we", "the", "there", "not", "no", "longer", "way", "more",
    "one", "a",
];

/// Whether a clause forbids or demands.
pub(super) fn demands(clause: &str) -> bool {
    let mut said = words(clause);
    let (first, second) = (said.next().unwrap_or(""), said.next().unwrap_or(""));
    if first == "no" {
        // `no, ignore this` answers, and `no new crates` forbids.
        return !second.is_empty()
            && clause.starts_with("no ")
            && !NO.contains(&second)
            && !is_spanish(clause)
            && !says_lack(clause);
    }
    let Some(beginning) = BEGINNINGS
        .iter()
        .filter(|word| begins(clause, word))
        .max_by_key(|word| word.len())
    else {
        return false;
    };
    let next = clause
        .get(beginning.len()..)
        .and_then(|rest| words(rest).next())
        .unwrap_or("");
    match *beginning {
        "don't" | "do not" | "dont" | "never" => {
            !next.is_empty() && !STATES.contains(&next) && next != "mind"
        }
        // These begin a question or a report as well.
        "stop" | "leave" => has(
            clause,
            &["alone", "as is", "as it is", "untouched", "unchanged"],
        ),
        "use" => clause.contains(", not "),
        // A property of the thing to make is a part of the request for it.
        "make sure" | "ensure" if matches!(next, "it" | "this" | "that" | "they") => {
            const LASTING: &[&str] = &[
                "never", "always", "only", "not", "doesn't", "don't", "can't", "no", "nothing",
                "without", "stays", "keeps", "remains",
            ];
            has(clause, LASTING)
        }
        "keep" => has(
            clause,
            &[
                "simple", "short", "small", "minimal", "as is", "it", "the", "all", "to",
            ],
        ),
        // `Without it, all is lost` and `using it would help` say how things are.
        "using" | "without" => {
            const SAYS: &[&str] = &["will", "would", "is", "are", "was", "were", "may", "can"];
            !next.is_empty() && !has(clause, SAYS)
        }
        "nothing" => !next.is_empty() && !says_nothing(clause),
        "only" | "just the" | "no more" | "prefer" | "whenever" => !next.is_empty(),
        "in the future" | "going forward" => !next.is_empty(),
        "not a" => false,
        _ => !next.is_empty() || clause.contains(is_dense),
    }
}

/// Words after which something is demanded of what is named before.
const SHALL: &[&str] = &[
    "should", "must", "may", "shall", "can", "needs", "has to", "please",
];

/// Words of where something is, or of what it is.
const WHERE: &[&str] = &[
    "on", "for", "about", "of", "that", "in", "at", "from", "when", "where", "here", "there",
    "yet", "is", "are", "was", "were", "has", "have", "so", "found", "exists", "left",
];

/// Whether what begins with `no` says that something is missing, and not that it shall be: `no section on
/// limits`, `no errors in the log`. What is new or more is forbidden wherever it would be.
fn says_lack(clause: &str) -> bool {
    const MORE: &[&str] = &[
        "new",
        "more",
        "other",
        "additional",
        "extra",
        "further",
        "external",
    ];
    const SEEN: &[&str] = &[
        "error",
        "errors",
        "output",
        "luck",
        "sign",
        "trace",
        "result",
        "results",
        "response",
        "difference",
        "effect",
        "mention",
        "matches",
        "warnings",
        "failures",
        "answer",
        "success",
    ];
    let is_asked = has(clause, &["please"]);
    let clause = clause.split([',', ';']).next().unwrap_or(clause);
    if is_asked || has(clause, SHALL) || has(clause, MORE) {
        return false;
    }
    let mut said = words(clause).skip(1);
    said.clone().any(|word| SEEN.contains(&word)) || said.any(|word| WHERE.contains(&word))
}

/// Whether what begins with `nothing` says what was seen, and not what is wanted: `nothing obvious in the
/// trace`, `nothing works`.
fn says_nothing(clause: &str) -> bool {
    let clause = clause.split([',', ';']).next().unwrap_or(clause);
    if has(clause, SHALL) {
        return false;
    }
    let mut said = words(clause).skip(1);
    let verb = said.clone().next().unwrap_or("");
    let is_verb = (verb.ends_with('s') || verb.ends_with("ed")) && !verb.ends_with("ss");
    (is_verb && verb != "else") || said.any(|word| WHERE.contains(&word) || word == "to")
}
