//! What a message asks for: its own words apart from what is pasted into it, its items one by one, and all of
//! it shortened.

use super::words::{begins, clip, has, head, lower, places, words};
use crate::derive::prose::{self, Kind, blocks, sentences};

/// How long a request is kept at most, in characters.
const LONGEST: usize = 480;

/// How long an item of a list is kept at most, in characters.
const ITEM: usize = 200;

/// How many items of a list are requests of their own.
const ITEMS: usize = 12;

/// How many lines make a log.
const LOG: usize = 8;

/// How a message begins that is all pasted.
pub(super) const PASTED_MARK: &str = "(pasted, ";

/// How many pasted lines are kept of a message.
const PASTED: usize = 4;

/// How many sentences of a message are weighed.
const SENTENCES: usize = 400;

/// A message of the user, read.
#[derive(Debug, Default)]
pub(super) struct Message {
    /// The user's own words, without items and what was pasted.
    pub(super) own: String,
    /// The items of a list, each shortened.
    pub(super) items: Vec<String>,
    /// The sentences of the user, of items too.
    pub(super) sentences: Vec<String>,
    /// All of it in short: nothing where all that it has are items.
    pub(super) gist: String,
    /// Whether all of it was pasted.
    pub(super) is_pasted: bool,
}

impl Message {
    pub(super) fn read(text: &str) -> Self {
        let [begin, end] = prose::read(text);
        let mut lines: Vec<Line<'_>> = lines(begin).collect();
        lines.extend(lines_of_end(end));
        mark_pasted(&mut lines);
        let mut message = Self::default();
        let mut items: Vec<String> = Vec::new();
        let mut pasted: Vec<&str> = Vec::new();
        let mut paragraphs: Vec<String> = vec![String::new()];
        let mut is_item = false;
        let mut is_titled = false;
        let rows = rows(&lines);
        let outer = lines
            .iter()
            .filter(|line| !line.is_pasted)
            .filter_map(Line::indent)
            .min();
        for line in &lines {
            match line.kind {
                _ if line.is_pasted => pasted.push(line.text.trim()),
                Kind::Row => {}
                Kind::Gap => {
                    is_item = false;
                    paragraphs.push(String::new());
                }
                Kind::Item { indent, .. } if Some(indent) == outer => {
                    is_item = true;
                    items.push(line.text.to_owned());
                }
                _ => {
                    if let (false, Some(title)) = (is_item, paragraphs.last_mut())
                        && is_title(title, line.text)
                    {
                        title.push(':');
                        is_titled = true;
                        paragraphs.push(String::new());
                    }
                    let to = match (is_item, items.last_mut()) {
                        (true, Some(item)) => item,
                        _ => match paragraphs.last_mut() {
                            Some(paragraph) => paragraph,
                            None => continue,
                        },
                    };
                    if !to.is_empty() {
                        to.push(' ');
                    }
                    to.push_str(line.text);
                }
            }
        }
        // A table is a list of its rows.
        items.extend(rows);
        // One item is no list.
        if items.len() == 1 {
            paragraphs.append(&mut items);
        }
        paragraphs.retain(|paragraph| !paragraph.is_empty());
        for paragraph in &mut paragraphs {
            if paragraph.contains("**") || paragraph.contains("](") {
                *paragraph = prose::plain(paragraph);
            }
        }
        message.sentences = paragraphs
            .iter()
            .chain(&items)
            .flat_map(|text| sentences(text))
            .take(SENTENCES)
            .map(str::to_owned)
            .collect();
        message.is_pasted = paragraphs.is_empty() && items.is_empty() && !pasted.is_empty();
        message.own = paragraphs.join("\n");
        message.gist = match (&*message.own, &*pasted) {
            ("", []) => String::new(),
            // As it was typed.
            (_, []) if items.is_empty() && !is_titled && text.chars().nth(LONGEST).is_none() => {
                text.to_owned()
            }
            ("", pasted) => telling(pasted, true),
            (_, pasted) => {
                let own = shortened(&paragraphs, LONGEST);
                match telling(pasted, false) {
                    said if said.is_empty() => own,
                    said => format!("{own} {said}"),
                }
            }
        };
        message.items = items
            .iter()
            .take(ITEMS)
            .map(|item| shortened(std::slice::from_ref(item), ITEM))
            .collect();
        message
    }
}

/// The rows of a table, without its head and the numbers of its rows.
fn rows(lines: &[Line<'_>]) -> Vec<String> {
    let is_rule = |text: &str| text.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let mut rows = lines.iter().filter(|line| line.kind == Kind::Row);
    let has_head = rows.clone().nth(1).is_some_and(|line| is_rule(line.text));
    if has_head {
        rows.next();
    }
    let row = |line: &Line<'_>| {
        let cells = line.text.trim_matches('|').split('|').map(str::trim);
        let said = cells.filter(|cell| cell.chars().any(char::is_alphabetic));
        said.collect::<Vec<_>>().join(": ")
    };
    rows.filter(|line| !is_rule(line.text))
        .map(row)
        .filter(|row| !row.is_empty())
        .collect()
}

/// Whether a line is the title of the one below it.
fn is_title(line: &str, below: &str) -> bool {
    !line.is_empty()
        && line.len() < 100
        && !line.ends_with(['.', ':', ',', '?', '!', ';'])
        && below.starts_with(char::is_uppercase)
}

/// A line of a message.
struct Line<'t> {
    kind: Kind,
    text: &'t str,
    is_pasted: bool,
}

impl Line<'_> {
    const fn indent(&self) -> Option<usize> {
        match self.kind {
            Kind::Item { indent, .. } => Some(indent),
            _ => None,
        }
    }
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    blocks(text).map(|block| Line {
        kind: block.kind,
        text: block.text,
        is_pasted: matches!(block.kind, Kind::Code | Kind::Quote),
    })
}

/// The lines of the end of a long text, without the one that it begins in the middle of.
fn lines_of_end(text: &str) -> impl Iterator<Item = Line<'_>> {
    lines(text.split_once('\n').map_or("", |(_, rest)| rest))
}

/// Marks output that nothing is around that says so: from the first line of it to the last, with what is
/// between, as a log has lines that read like sentences, and with the rest of the paragraphs that it begins
/// and ends in. One line alone is no log.
fn mark_pasted(lines: &mut [Line<'_>]) {
    let is_printed =
        |line: &Line<'_>| matches!(line.kind, Kind::Line | Kind::Heading) && is_output(line.text);
    let printed = lines.iter().filter(|line| is_printed(line)).count();
    let first = lines.iter().position(is_printed);
    let last = lines.iter().rposition(is_printed);
    let (Some(first), Some(last)) = (first, last) else {
        return;
    };
    let is_gap = |line: &Line<'_>| line.kind == Kind::Gap;
    let before = lines.get(..first).unwrap_or(&[]);
    let from = before
        .iter()
        .rposition(|line| is_gap(line) || leads_in(line.text))
        .map_or(0, |at| at + 1);
    let to = end_of_pasted(lines, from, last);
    let Some(between) = lines.get_mut(from..to) else {
        return;
    };
    let spoken = between
        .iter()
        .filter(|line| matches!(line.kind, Kind::Item { .. }))
        .count();
    if printed < 2 || spoken > printed {
        return;
    }
    for line in between {
        line.is_pasted = true;
    }
}

/// Where output ends whose last line that looks so is known: with its paragraph. A long log ends where the
/// message does, but for a last paragraph that speaks of it.
fn end_of_pasted(lines: &[Line<'_>], from: usize, last: usize) -> usize {
    let is_gap = |line: &Line<'_>| line.kind == Kind::Gap;
    let behind = lines.get(last..).unwrap_or(&[]);
    let paragraph = behind
        .iter()
        .position(is_gap)
        .map_or(lines.len(), |at| last + at);
    if paragraph.saturating_sub(from) < LOG {
        return paragraph;
    }
    let Some(gap) = lines
        .iter()
        .rposition(is_gap)
        .filter(|gap| *gap >= paragraph)
    else {
        return lines.len();
    };
    let spoken = lines.get(gap..).unwrap_or(&[]);
    let speaks = spoken.len() <= 4
        && spoken.iter().any(|line| leads_in(line.text))
        && !spoken
            .iter()
            .any(|line| matches!(line.kind, Kind::Item { .. }));
    if speaks { gap } else { lines.len() }
}

/// Whether a line is by who pastes what follows it.
fn leads_in(line: &str) -> bool {
    let lowered = lower(head(line, 400));
    let speaks = words(&lowered).any(|word| {
        matches!(
            word,
            "i" | "you"
                | "we"
                | "my"
                | "me"
                | "this"
                | "that"
                | "please"
                | "can"
                | "it"
                | "i'm"
                | "here"
        )
    });
    line.ends_with([':', '?', '：', '？']) || speaks
}

/// Whether a line is one that a program printed, or code: nobody speaks so.
fn is_output(line: &str) -> bool {
    let trimmed = line.trim();
    let Some(first) = trimmed.chars().next() else {
        return false;
    };
    let words = trimmed.split_whitespace().count();
    let is_long_word = words == 1 && trimmed.len() > 40 && first != '@';
    let marks = trimmed
        .chars()
        .filter(|c| {
            matches!(
                c,
                '{' | '}'
                    | '('
                    | ')'
                    | '['
                    | ']'
                    | '='
                    | ';'
                    | '<'
                    | '>'
                    | '|'
                    | '/'
                    | ':'
                    | '_'
                    | '"'
            )
        })
        .count();
    matches!(
        first,
        '{' | '}' | '[' | ']' | '^' | '$' | '+' | '✓' | '✗' | '✘'
    ) || trimmed.starts_with("---")
        || trimmed.starts_with("===")
        || trimmed.starts_with("\"") && (trimmed.ends_with(',') || trimmed.ends_with('{'))
        || trimmed.ends_with(['{', '}', ';'])
        || trimmed == "FAIL"
        || is_long_word
        || place(trimmed)
        || has_stamp(trimmed)
        || is_of_program(trimmed)
        || (trimmed.len() > 12 && marks * 5 > trimmed.chars().count())
}

/// Whether a line begins with a place in a file: `src/a.rs:12:5: ...`, or a word and a colon as programs print
/// them: `error: ...`.
fn place(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or(line);
    let mut parts = first.split(':');
    let is_file = parts.next().is_some_and(|file| file.contains(['.', '/']));
    let is_numbered = parts
        .next()
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
    let is_said = [
        "error:",
        "warning:",
        "fatal:",
        "Error:",
        "panic:",
        "npm",
        "Traceback",
    ]
    .contains(&first);
    (is_file && is_numbered) || is_said
}

/// Whether a line begins with the name of what printed it, `go: no such file`, or names a place on the machine,
/// and is nobody's own.
fn is_of_program(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or(line);
    let name = first.strip_suffix(':').unwrap_or("");
    let is_name =
        !name.is_empty() && name.len() <= 12 && name.bytes().all(|byte| byte.is_ascii_lowercase());
    let names_place = words.any(|word| word.starts_with('/') && word.matches('/').count() > 3);
    (is_name || names_place) && !leads_in(line)
}

/// Whether a line begins with a date or a time.
fn has_stamp(line: &str) -> bool {
    let digits = line.bytes().take(19).filter(u8::is_ascii_digit).count();
    line.starts_with(|c: char| c.is_ascii_digit()) && digits >= 6 && line.contains(':')
}

/// Of pasted lines those that say what is wrong, in short.
fn telling(pasted: &[&str], is_all: bool) -> String {
    let count = pasted.iter().filter(|line| !line.is_empty()).count();
    let is_telling = |line: &&&str| {
        place(line)
            || ["fail", "error", "panic", "exception"]
                .iter()
                .any(|word| lower(head(line, 400)).contains(word))
    };
    let mut told: Vec<String> = pasted
        .iter()
        .filter(is_telling)
        .take(PASTED)
        .map(|line| clip(line, 120))
        .collect();
    if told.is_empty() && (is_all || count <= 2) {
        told.extend(
            pasted
                .iter()
                .find(|line| !line.is_empty())
                .map(|line| clip(line, 120)),
        );
    }
    match (told.is_empty(), is_all) {
        (true, _) => String::new(),
        (false, true) => format!("{PASTED_MARK}{count} lines) {}", told.join(" / ")),
        (false, false) => told.join(" / "),
    }
}

/// Paragraphs in at most so many characters: what asks for something, with what it refers to, and then what
/// comes first.
fn shortened(paragraphs: &[String], most: usize) -> String {
    let length = |text: &str| text.chars().count();
    if paragraphs
        .iter()
        .map(|text| length(text) + 1)
        .sum::<usize>()
        <= most + 1
    {
        return paragraphs.join(" ");
    }
    let all: Vec<&str> = paragraphs
        .iter()
        .flat_map(|text| sentences(text))
        .take(SENTENCES)
        .collect();
    let lowered: Vec<String> = all.iter().map(|sentence| lower(sentence)).collect();
    let mut kept: Vec<usize> = Vec::new();
    let mut left = most;
    let mut keep = |at: usize, left: &mut usize| {
        let Some(sentence) = all.get(at) else { return };
        let cost = length(without_aside(sentence)) + 1;
        if !kept.contains(&at) && (cost <= *left || kept.is_empty()) {
            kept.push(at);
            *left = left.saturating_sub(cost);
        }
    };
    // The first says what it is about.
    if all.first().is_some_and(|first| length(first) * 3 <= most) {
        keep(0, &mut left);
    }
    for (at, sentence) in lowered.iter().enumerate() {
        if is_directive(sentence) {
            if at > 0 && refers(sentence) {
                keep(at - 1, &mut left);
            }
            keep(at, &mut left);
        }
    }
    // A title says nothing without what is below it.
    let is_title = |sentence: &str| sentence.ends_with(':') && sentence.len() < 100;
    for at in (0..all.len()).filter(|at| all.get(*at).is_some_and(|sentence| !is_title(sentence))) {
        keep(at, &mut left);
    }
    kept.sort_unstable();
    let mut said = String::new();
    let mut before = None;
    for at in kept {
        let Some(sentence) = all.get(at) else {
            continue;
        };
        if before.is_some_and(|before| before + 1 < at) {
            said.push_str(" …");
        }
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(without_aside(sentence));
        before = Some(at);
    }
    clip(&said, most)
}

/// A sentence without the clause before its point: `While a is fine, b is not` says that b is not.
fn without_aside(sentence: &str) -> &str {
    let lowered = lower(head(sentence, 10));
    if ["while", "although", "though"]
        .iter()
        .any(|word| begins(&lowered, word))
        && let Some((_, point)) = sentence.split_once(", ")
        && point.split_whitespace().nth(3).is_some()
    {
        return point;
    }
    sentence
}

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
fn refers(lowered: &str) -> bool {
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

/// The place of the first phrase of several in a text.
pub(super) fn first_of(lowered: &str, phrases: &[&str]) -> Option<usize> {
    places(lowered, phrases).min()
}
