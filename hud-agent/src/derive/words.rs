//! What the agent says it found out and decided, in its own words.
//!
//! Nothing here understands a text. A sentence is weighed by what can be seen of it: whether it says that
//! something is the cause, whether it says what was changed or chosen, whether it names a thing (a file, a
//! place, an identifier, a command, a measure). What only announces the next look at something is left
//! out, and so are thanks, questions and what the checks say: others derive those.
//!
//! A statement is worth from 1 to 9. One that says again what another one said takes its place.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use hud_store::event::{
    Actor, CheckEvent, ConstraintEvent, DecisionEvent, DecisionRecord, DecisionRemove,
    FindingEvent, FindingRecord, FindingRemove, HudEvent, NoteEvent, RequestEnd, RequestEvent,
    StepEvent,
};
use hud_store::state::HudState;

use super::Derived;
use super::alike::{Words, alike};
use super::cues::Cues;
use super::prose::{self, Kind};
use crate::tool::{Item, Numbering};

/// What a statement has to weigh to be recorded.
const LEAST: u8 = 1;

/// How many statements one message leaves.
const PER_MESSAGE: usize = 10;

/// How long a statement may be, in characters.
const LONGEST: usize = 300;

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Finding,
    Decision,
}

/// Something that the agent said.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Statement {
    sort: Sort,
    text: String,
    weight: u8,
}

/// The events that follow from what the agent says, in a session in that state.
pub(super) fn events(text: &str, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
    record(statements(text), state, numbering)
}

/// The events that follow from where something was found.
pub(super) fn found(places: String, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
    let found = Statement {
        sort: Sort::Finding,
        text: clip(&places, LONGEST),
        weight: 2,
    };
    record(vec![found], state, numbering)
}

/// The events that follow from what a tool did.
pub(super) fn done(done: String, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
    let done = Statement {
        sort: Sort::Finding,
        text: clip(&done, LONGEST),
        weight: 4,
    };
    record(vec![done], state, numbering)
}

fn record(said: Vec<Statement>, state: &HudState, numbering: &mut Numbering) -> Vec<HudEvent> {
    if said.is_empty() {
        return Vec::new();
    }
    let mut known: Vec<Known<'_>> = known(state);
    let dropped = Dropped::of(state);
    let mut events = Vec::new();
    for Statement { sort, text, weight } in said {
        let words = Words::of(&text);
        if dropped.has(&text, &words) {
            continue;
        }
        let twin = known.iter().position(|known| alike(&known.words, &words));
        let mut id = None;
        if let Some(at) = twin {
            if known[at].is_recorded || known[at].text == text {
                continue;
            }
            let twin = known.remove(at);
            match twin.sort == sort {
                true => id = Some(twin.id.into_owned()),
                false => events.push(twin.removed()),
            }
        }
        let id = id.unwrap_or_else(|| {
            numbering.next(match sort {
                Sort::Finding => Item::Finding,
                Sort::Decision => Item::Decision,
            })
        });
        known.push(Known {
            sort,
            id: id.clone().into(),
            text: text.clone().into(),
            words,
            is_recorded: false,
        });
        events.push(match sort {
            Sort::Finding => HudEvent::from(FindingRecord {
                id,
                text,
                weight: Some(weight),
            }),
            Sort::Decision => HudEvent::from(DecisionRecord {
                id,
                summary: text,
                details: None,
                weight: Some(weight),
            }),
        });
    }
    events
}

/// What is no longer so after these events, in a session in that state: that something is broken, once a
/// check passes; what was decided on the way to something that the user no longer wants.
pub(super) fn over(events: &[Derived], state: &HudState) -> Vec<HudEvent> {
    let mut over = Vec::new();
    // What is recorded again under its id is not over.
    let renewed: BTreeSet<&str> = events
        .iter()
        .filter_map(|said| recorded(&said.event))
        .collect();
    for Derived { actor, event } in events {
        match event {
            HudEvent::Decision(DecisionEvent::Record(e)) if actor.is_agent() => {
                let details = e.details.as_deref().unwrap_or_default();
                over.extend(said_before(
                    &format!("{} {details}", e.summary),
                    &renewed,
                    state,
                ));
            }
            HudEvent::Finding(FindingEvent::Record(e)) if actor.is_agent() => {
                over.extend(said_before(&e.text, &renewed, state));
            }
            HudEvent::Note(NoteEvent::Add(e)) if actor.is_agent() => {
                over.extend(said_before(&e.content, &renewed, state));
            }
            HudEvent::Check(CheckEvent::Run(run)) if run.passed => {
                let broken = state.findings.iter().filter(|finding| {
                    finding.by == Actor::Derived && says_broken(&finding.text.to_lowercase())
                });
                over.extend(broken.map(|finding| {
                    FindingRemove {
                        id: finding.id.clone(),
                    }
                    .into()
                }));
            }
            HudEvent::Request(RequestEvent::Close(e)) if e.how == RequestEnd::Withdrawn => {
                let Some(request) = state.requests.iter().find(|request| request.id == e.id) else {
                    continue;
                };
                let since = |by: &Actor, turn| *by == Actor::Derived && turn > request.turn;
                let decisions = state
                    .decisions
                    .iter()
                    .filter(|made| since(&made.by, made.turn));
                over.extend(decisions.map(|made| {
                    DecisionRemove {
                        id: made.id.clone(),
                    }
                    .into()
                }));
            }
            _ => {}
        }
    }
    over
}

/// What was derived and is now recorded by the agent itself.
fn said_before(
    said: &str,
    renewed: &BTreeSet<&str>,
    state: &HudState,
) -> impl Iterator<Item = HudEvent> {
    let words = Words::of(said);
    let known = known(state).into_iter();
    let known = known.filter(move |known| {
        !known.is_recorded && !renewed.contains(&*known.id) && alike(&known.words, &words)
    });
    known.map(Known::removed)
}

/// The id of what an event records.
fn recorded(event: &HudEvent) -> Option<&str> {
    match event {
        HudEvent::Decision(DecisionEvent::Record(e)) => Some(&e.id),
        HudEvent::Finding(FindingEvent::Record(e)) => Some(&e.id),
        _ => None,
    }
}

/// Whether a sentence says that something does not work at this moment, rather than why.
fn says_broken(lower: &str) -> bool {
    const BROKEN: &[&str] = &[
        "compile",
        "failing",
        "fails",
        "broken",
        "undefined",
        "not defined",
        "undeclared",
        "no `err`",
        "type error",
        "declared before",
        "unused",
        "syntax error",
        "redo",
        "needs fixing",
        "need fixing",
        "need to fix",
        "must fix",
        "test fail",
        "lint error",
    ];
    BROKEN.iter().any(|cue| lower.contains(cue))
}

/// What the agent dropped.
struct Dropped<'s>(Vec<(&'s str, Words)>);

impl<'s> Dropped<'s> {
    fn of(state: &'s HudState) -> Self {
        let texts = state.dropped.iter().map(|dropped| dropped.text.as_str());
        Self(texts.map(|text| (text, Words::of(text))).collect())
    }

    /// Whether one of them says the same in almost the same words.
    fn has(&self, text: &str, own: &Words) -> bool {
        self.0.iter().any(|(known, words)| {
            let most = words.len().max(own.len());
            *known == text || (most >= 2 && words.common(own) * 5 >= most * 4)
        })
    }
}

/// Takes out what a summary says again of what the agent dropped.
pub(super) fn without_dropped(events: &mut Vec<Derived>, state: &HudState) {
    if state.dropped.is_empty() {
        return;
    }
    let dropped = Dropped::of(state);
    events.retain(|said| {
        let text = match &said.event {
            HudEvent::Decision(DecisionEvent::Record(e)) => &e.summary,
            HudEvent::Finding(FindingEvent::Record(e)) => &e.text,
            HudEvent::Constraint(ConstraintEvent::Add(e)) => &e.text,
            HudEvent::Request(RequestEvent::Make(e)) => &e.text,
            HudEvent::Step(StepEvent::Add(e)) => &e.description,
            _ => return true,
        };
        said.actor != Actor::Summary || !dropped.has(text, &Words::of(text))
    });
}

/// A statement of the state.
struct Known<'s> {
    sort: Sort,
    id: Cow<'s, str>,
    text: Cow<'s, str>,
    words: Words,
    /// Whether the agent recorded it with the tool: then it stays as it is.
    is_recorded: bool,
}

impl Known<'_> {
    fn removed(self) -> HudEvent {
        let id = self.id.into_owned();
        match self.sort {
            Sort::Finding => FindingRemove { id }.into(),
            Sort::Decision => DecisionRemove { id }.into(),
        }
    }
}

fn known(state: &HudState) -> Vec<Known<'_>> {
    let findings = state.findings.iter().map(|finding| Known {
        sort: Sort::Finding,
        id: Cow::Borrowed(&finding.id),
        text: Cow::Borrowed(&finding.text),
        words: Words::of(&finding.text),
        is_recorded: finding.by.is_agent(),
    });
    let decisions = state.decisions.iter().map(|decision| {
        let details = decision.details.as_deref().unwrap_or_default();
        Known {
            sort: Sort::Decision,
            id: Cow::Borrowed(&decision.id),
            text: Cow::Borrowed(&decision.summary),
            words: Words::of_all([decision.summary.as_str(), details]),
            is_recorded: decision.by.is_agent(),
        }
    });
    // What is noted is not derived beside the note.
    let notes = state.notes.iter().map(|note| Known {
        sort: Sort::Finding,
        id: Cow::Borrowed(&note.id),
        text: Cow::Borrowed(&note.content),
        words: Words::of(&note.content),
        is_recorded: true,
    });
    findings.chain(decisions).chain(notes).collect()
}

/// The statements of a message, those that weigh most, in the order in which they were made.
fn statements(text: &str) -> Vec<Statement> {
    let mut all: Vec<Statement> = Vec::new();
    for part in prose::read(text) {
        collect(part, &mut all);
    }
    while all.len() > PER_MESSAGE {
        let lightest = (0..all.len()).min_by_key(|at| all[*at].weight);
        all.remove(lightest.unwrap_or(0));
    }
    all
}

fn collect(text: &str, all: &mut Vec<Statement>) {
    // What the list that goes on is about: the line before it, or the item that it is in.
    let mut about: Option<(usize, String)> = None;
    let mut leads = false;
    let mut is_asked = false;
    let mut half: Option<Half> = None;
    for block in prose::blocks(text) {
        if let (Kind::Item { indent, .. }, Some(half)) = (block.kind, &mut half)
            && half.takes(indent, block.text, all)
        {
            continue;
        }
        if block.kind != Kind::Gap {
            half = None;
        }
        match block.kind {
            Kind::Code | Kind::Quote | Kind::Gap => {}
            Kind::Row => {
                let cells: Vec<&str> = block.text.split('|').map(str::trim).collect();
                let cells: Vec<&str> = cells
                    .into_iter()
                    .filter(|cell| !cell.is_empty())
                    .take(3)
                    .collect();
                let made = statement(&cells.join(": "), None, false);
                all.extend(made.filter(|made| made.weight > 0));
            }
            Kind::Heading => {
                about = None;
                leads = false;
                is_asked = false;
            }
            Kind::Line => {
                about = None;
                let line = prose::plain(block.text);
                let is_label = line.ends_with(':');
                if is_label && !line.contains(' ') {
                    about = Some((0, line.trim_end_matches(':').to_owned()));
                }
                leads = is_label && Said::of(&line.to_lowercase()).finds;
                is_asked = is_label && asks_about(&line);
                let mut follows = false;
                for sentence in prose::sentences(block.text) {
                    let made = statement(sentence, None, false);
                    let last = all.last_mut().filter(|_| follows);
                    follows = made.is_some();
                    match (made, last) {
                        // A few words are half of what the sentence beside them says.
                        (Some(made), Some(last))
                            if last.sort == made.sort
                                && (is_short(&made.text) || is_short(&last.text)) =>
                        {
                            last.text = clip(&format!("{} {}", last.text, made.text), LONGEST);
                            last.weight = last.weight.max(made.weight);
                        }
                        (made, _) => all.extend(made),
                    }
                }
                // A few words that nothing is beside say nothing.
                all.retain(|made| made.weight > 0);
                half = Half::of(&line, 0, all);
            }
            Kind::Item {
                indent, checked, ..
            } => {
                if checked == Some(false) || is_asked {
                    continue;
                }
                let line = prose::plain(block.text);
                let parent = about
                    .as_ref()
                    .filter(|(at, name)| *at <= indent && is_label(name));
                let parent = parent.map(|(_, name)| name.as_str());
                let made = statement(block.text, parent, true);
                let is_parent = made.is_none() || line.trim_end().ends_with(':');
                if indent == 0 && is_parent {
                    let name = line
                        .split([':', '—', '–'])
                        .next()
                        .unwrap_or_default()
                        .trim();
                    about = Some((indent + 1, name.to_owned()));
                }
                let made = made.filter(|made| made.weight > 0);
                let is_kept = made.is_some();
                all.extend(made.map(|made| match leads {
                    true => Statement {
                        sort: Sort::Finding,
                        weight: (made.weight + 1).min(9),
                        ..made
                    },
                    false => made,
                }));
                if is_kept {
                    half = Half::of(&line, indent + 1, all);
                }
            }
        }
    }
}

/// What a sentence, or an item of a list, says; none if it says nothing that should be kept.
fn statement(marked: &str, about: Option<&str>, is_item: bool) -> Option<Statement> {
    let plain = prose::plain(marked);
    let text = without_filler(plain.trim());
    if text.chars().nth(11).is_none() || text.ends_with(['?', '？']) {
        return None;
    }
    let lower = text.to_lowercase();
    let measures = measures(text);
    let code = u8::try_from(marked.matches('`').count() / 2).unwrap_or(u8::MAX);
    let names = names(text).max(code).saturating_add(measures.min(2));
    let Said {
        finds,
        chooses,
        contrasts,
    } = Said::of(&lower);
    let changes = changes(&lower);
    let looks = announces_look(&lower) && !finds;
    let reasons = finds || chooses || contrasts;
    let does = announced(&lower).is_some_and(|verb| DO.contains(&verb)) && !reasons;
    if (looks && !chooses && names < 3)
        || does
        || lower.starts_with("to confirm")
        || ((is_ours(&lower) || is_to_user(&lower)) && names == 0)
    {
        return None;
    }
    let mut weight = names.min(3);
    weight += if finds { 3 } else { 0 };
    weight += if changes || chooses { 2 } else { 0 };
    weight += u8::from(contrasts);
    weight += u8::from(measures > 0);
    weight += u8::from(is_item);
    // Cues are of a few languages; names are of none.
    weight += u8::from(!text.is_ascii() && mostly_foreign(text));
    // What is done next is soon done, and then said again.
    weight = weight.saturating_sub(if looks { 2 } else { u8::from(is_next(&lower)) });
    if weight < LEAST || (names == 0 && (is_short(text) || !(finds || chooses))) {
        return None;
    }
    let text = match about {
        Some(about) if !text.contains(about) => format!("{about}: {text}"),
        _ => text.to_owned(),
    };
    let sort = match (changes || chooses) && !lower.contains("issue is") {
        true => Sort::Decision,
        false => Sort::Finding,
    };
    // A measure or a name is nothing that is said.
    let is_scrap = text
        .split_whitespace()
        .nth(if code > 0 { 1 } else { 2 })
        .is_none();
    let weight = if is_scrap && text.is_ascii() {
        0
    } else {
        weight.clamp(1, 9)
    };
    let text = text.trim_end_matches([':', '：']);
    let whole = DANGLING.iter().find_map(|end| text.strip_suffix(end));
    Some(Statement {
        sort,
        text: clip(whole.unwrap_or(text), LONGEST),
        weight,
    })
}

/// How long a statement gets by the items that complete it, in characters.
const COMPLETED: usize = 120;

/// A statement that ends in the middle of what it says, as the items of a list go on with it: `it is lost
/// because:`.
struct Half {
    /// Which one it is.
    at: usize,
    /// How far its items are indented at least.
    indent: usize,
    /// Whether no item was taken yet.
    is_first: bool,
}

impl Half {
    /// The last statement, if its line ends so.
    fn of(line: &str, indent: usize, all: &[Statement]) -> Option<Self> {
        const JOINS: &[&str] = &[
            "and",
            "as",
            "because",
            "but",
            "by",
            "car",
            "contains",
            "describes",
            "for",
            "from",
            "has",
            "if",
            "in",
            "includes",
            "into",
            "means",
            "now",
            "of",
            "on",
            "or",
            "parce",
            "porque",
            "que",
            "that",
            "to",
            "und",
            "via",
            "weil",
            "when",
            "where",
            "which",
            "with",
        ];
        let said = line.trim_end().strip_suffix([':', '：'])?;
        let last = said.rsplit(' ').next().unwrap_or(said);
        let is_half = JOINS.contains(&last) || (last.ends_with("ing") && last != "following");
        let at = all.len().checked_sub(1).filter(|_| is_half)?;
        Some(Self {
            at,
            indent,
            is_first: true,
        })
    }

    /// Adds an item to the statement; gives whether it is one of its list and there was room.
    fn takes(&mut self, indent: usize, item: &str, all: &mut [Statement]) -> bool {
        let Some(half) = all.get_mut(self.at).filter(|_| indent >= self.indent) else {
            return false;
        };
        let item = prose::plain(item);
        let item = item.trim().trim_end_matches(['.', ':', ';']);
        if half.text.chars().count() + item.chars().count() + 2 > COMPLETED {
            return false;
        }
        half.text.push_str(if self.is_first { " " } else { "; " });
        half.text.push_str(item);
        self.is_first = false;
        true
    }
}

/// Whether a sentence is so short that it says little alone.
fn is_short(text: &str) -> bool {
    text.chars().nth(39).is_none()
}

/// Whether a name is short enough to be said before each of what it has under it.
fn is_label(name: &str) -> bool {
    !name.is_empty() && name.chars().nth(40).is_none() && name.split_whitespace().nth(3).is_none()
}

/// Which words are in a sentence, of those that say what it is.
#[derive(Clone, Copy, Default)]
struct Said {
    finds: bool,
    chooses: bool,
    contrasts: bool,
}

impl Said {
    fn of(lower: &str) -> Self {
        #[derive(Clone, Copy)]
        enum Sort {
            Finding,
            Choice,
            Contrast,
        }
        static CUES: LazyLock<Cues<Sort>> = LazyLock::new(|| {
            let sorts = [
                (FINDING, Sort::Finding),
                (CHOICE, Sort::Choice),
                (CONTRAST, Sort::Contrast),
            ];
            let each = |(cues, sort): (&'static [&'static str], Sort)| {
                cues.iter().map(move |cue| (*cue, sort))
            };
            Cues::new(sorts.into_iter().flat_map(each))
        });
        let mut said = Self::default();
        for (_, _, sort) in CUES.within(lower) {
            match sort {
                Sort::Finding => said.finds = true,
                Sort::Choice => said.chooses = true,
                Sort::Contrast => said.contrasts = true,
            }
        }
        said
    }
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
    "i'll update",
    "i'll remove",
    "i'll change",
    "i'll go with",
    "i'd go with",
    "i would go with",
    "i will go with",
    "going with",
    "decided",
    "i chose",
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
    "replace it with",
    "stattdessen",
    "anstatt",
    "au lieu de",
    "en lugar de",
    "而不是",
    "代わりに",
    "вместо",
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
];

/// Whether a sentence says what was or is being changed.
pub(super) fn changes(lower: &str) -> bool {
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
    let behind = [
        " - ", " — ", " – ", ": ", "i ", "i've ", "i have ", "we ", "now ", "is now ", "are now ",
    ];
    behind.iter().any(|mark| {
        lower.contains(mark)
            && lower
                .match_indices(mark)
                .take(4)
                .any(|(at, _)| begins(&lower[at + mark.len()..]))
    })
}

/// Whether a sentence only says what will be looked at next.
fn announces_look(lower: &str) -> bool {
    match announced(lower) {
        Some(verb) => LOOK.contains(&verb),
        None => lower.starts_with("looking at ") || lower.starts_with("checking "),
    }
}

/// The verb of what a sentence announces: `read` of `To be sure, let's read it`. A sentence that says why, or
/// what else could be done, is none.
fn announced(lower: &str) -> Option<&str> {
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

/// Whether a sentence is about the conversation.
fn is_ours(lower: &str) -> bool {
    [
        "you're right",
        "you are right",
        "sure",
        "good idea",
        "good question",
        "great",
        "sorry",
        "thanks",
        "would you",
        "let me know",
        "perfect",
        "excellent",
        "all tests",
        "tests pass",
        "done",
    ]
    .iter()
    .any(|mark| lower.starts_with(mark))
}

/// The end of a sentence that a list goes on with.
const DANGLING: &[&str] = &[
    " with the following details",
    " with these details",
    " as follows",
    " are as follows",
];

/// Whether a sentence asks something of the user, or leaves it to them.
fn is_to_user(lower: &str) -> bool {
    ["please ", "if you", "could you ", "can you ", "let me know"]
        .iter()
        .any(|mark| lower.starts_with(mark))
}

/// Whether a line asks the user about the list behind it: what is on that is not so yet.
pub(super) fn asks_about(line: &str) -> bool {
    const ASKS: &[&str] = &[
        "would you like",
        "you would like",
        "do you want",
        "want me to",
        "shall i",
        "should i",
        "please confirm",
        "please provide",
        "could you",
        "to confirm",
        "need the following",
        "the following information",
        "the following details",
    ];
    let lower = line.to_lowercase();
    ASKS.iter().any(|cue| lower.contains(cue))
}

/// What is left without the words that a sentence is begun with.
fn without_filler(text: &str) -> &str {
    let mut text = text.trim_start_matches(['-', '—', '–', '•', ' ', '✓', '✅']);
    const FILLERS: &[&str] = &[
        "now i understand - ",
        "now i understand the issue",
        "now i understand",
        "i see - ",
        "i see, ",
        "good, ",
        "great, ",
        "okay, ",
        "ok, ",
        "interesting! ",
        "interesting, ",
        "excellent! ",
        "perfect! ",
        "done. ",
        "yes, ",
        "right, ",
        "so ",
        "well, ",
        "hmm, ",
        "wait, ",
        "actually, ",
        "good - ",
        "summary: ",
    ];
    loop {
        let cut = FILLERS.iter().find_map(|filler| {
            let head = text.get(..filler.len())?;
            head.eq_ignore_ascii_case(filler)
                .then(|| text[filler.len()..].trim_start_matches([' ', '.', ',', ':', '!']))
        });
        match cut {
            Some(rest) if !rest.is_empty() => text = rest,
            _ => return text,
        }
    }
}

/// How many different things a text names: files, places, identifiers, commands, hashes.
pub(super) fn names(text: &str) -> u8 {
    let mut found: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        let word = word
            .trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '/' | '-' | '#')));
        if is_name(word) && !found.contains(&word) {
            found.push(word);
            if found.len() >= 5 {
                break;
            }
        }
    }
    found.len() as u8
}

/// Whether a word is the name of something in a program or a repository.
pub(crate) fn is_name(word: &str) -> bool {
    if word.len() < 2 || word.contains("://") {
        return word.contains("://");
    }
    let bytes = word.as_bytes();
    let inner = |mark: u8| bytes[1..].iter().rev().skip(1).any(|byte| *byte == mark);
    let has_digit = bytes.iter().any(u8::is_ascii_digit);
    let has_letter = bytes.iter().any(u8::is_ascii_alphabetic);
    let lower_upper = bytes
        .windows(2)
        .any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    let is_hash =
        (7..=40).contains(&word.len()) && has_digit && bytes.iter().all(u8::is_ascii_hexdigit);
    let is_file = word.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty()
            && (1..=5).contains(&end.len())
            && end.bytes().all(|b| b.is_ascii_alphanumeric())
            && has_letter
    });
    (inner(b'_')
        || (inner(b'/') && has_letter && word.len() > 4)
        || lower_upper
        || is_hash
        || is_file
        || (word.starts_with('-') && has_letter)
        || (word.starts_with('#') && has_digit)
        || word.contains("::")
        || word.contains("()"))
        && has_letter | word.starts_with('#')
}

/// How many numbers of a text measure or place something: `800ms`, `12 %`, `line 58`, `:163`.
fn measures(text: &str) -> u8 {
    let bytes = text.as_bytes();
    let mut found = 0;
    let mut at = 0;
    while let Some(begin) = (at..bytes.len()).find(|at| bytes[*at].is_ascii_digit()) {
        let is_of_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
        let end = (begin..bytes.len())
            .find(|at| !is_of_number(&bytes[*at]))
            .unwrap_or(bytes.len());
        at = end;
        let before = &text[..begin];
        let is_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
        let unit = text[end..]
            .trim_start()
            .split(|c: char| !(c.is_alphabetic() || c == '%'))
            .next();
        let is_measure = unit.is_some_and(|unit| UNITS.contains(&unit));
        let is_place = before.ends_with(':')
            || ["line ", "lines ", "line", "PR ", "issue ", "Zeile "]
                .iter()
                .any(|word| before.ends_with(word));
        if (is_measure && !is_word) || is_place {
            found += 1;
        }
    }
    found
}

/// Units that numbers are measured in.
const UNITS: &[&str] = &[
    "ms",
    "s",
    "ns",
    "µs",
    "us",
    "sec",
    "seconds",
    "min",
    "minutes",
    "%",
    "x",
    "B",
    "KB",
    "kB",
    "MB",
    "GB",
    "KiB",
    "MiB",
    "GiB",
    "bytes",
    "lines",
    "files",
    "tests",
    "tokens",
    "times",
    "failures",
    "errors",
    "characters",
    "chars",
    "rows",
    "places",
    "occurrences",
    "calls",
    "callers",
];

/// Whether a sentence says what is about to be done.
fn is_next(lower: &str) -> bool {
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

/// Whether most letters of a text are not Latin, or many are not ASCII.
fn mostly_foreign(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (mut all, mut foreign) = (0_usize, 0_usize);
    for letter in letters {
        all += 1;
        foreign += usize::from(!letter.is_ascii());
    }
    foreign * 4 > all
}

/// At most so many characters of a text, up to the end of a word.
pub(crate) fn clip(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return text.to_owned();
    };
    let cut = text[..end]
        .rfind(' ')
        .filter(|space| *space * 3 > end * 2)
        .unwrap_or(end);
    format!("{}…", &text[..cut])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statements of a message, each with `!` for a decision and `?` for a finding before it.
    fn said(text: &str) -> Vec<String> {
        let mark = |sort| if sort == Sort::Decision { '!' } else { '?' };
        let statements = statements(text).into_iter();
        statements
            .map(|said| format!("{}{}", mark(said.sort), said.text))
            .collect()
    }

    use hud_store::state::Finding;

    #[test]
    fn a_cause_and_a_choice_are_kept_and_what_is_only_announced_is_not() {
        assert_eq!(
            said(
                "Found it! The pool is empty because `Pool::new` never fills it. Let me run the tests:"
            ),
            ["?The pool is empty because Pool::new never fills it."]
        );
        assert_eq!(
            said("Good idea. I'll use `slices.Equal` instead of comparing strings. Shall I go on?"),
            ["!I'll use slices.Equal instead of comparing strings."]
        );
        assert_eq!(said("Let me read the file first."), Vec::<String>::new());
        assert_eq!(
            said("You're right, sorry. All tests pass. Done!"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_list_of_changes_is_kept_item_by_item_with_what_it_is_about() {
        let text = "Summary:\n\n1. **`a.rs`**:\n   - Added `Pool` for connections\n   - [ ] Removed the lock\n\
                    - Fixed the leak in `b.rs:12`";
        assert_eq!(
            said(text),
            [
                "!a.rs: Added Pool for connections",
                "!Fixed the leak in b.rs:12"
            ]
        );
    }

    #[test]
    fn what_is_only_announced_is_nothing_in_however_many_words() {
        for text in [
            "Now update the callers in `committed.rs`.",
            "To be certain, I'll run the `main.py` file.",
            "Before submitting the changes, we should open `src/a.rs`.",
            "Let's remove the `reproduce.py` file.",
            "Still ~800ms.",
            "- `explain_test.go`",
        ] {
            assert_eq!(said(text), Vec::<String>::new(), "{text}");
        }
        let reason = "I'll use `slices.Equal` instead of `reflect.DeepEqual`.";
        assert_eq!(said(reason).len(), 1);
    }

    #[test]
    fn what_the_user_is_asked_is_no_finding() {
        for text in [
            "Please provide the reason for it, so I can go on.",
            "If you're unable to find it, I recommend asking for it.",
            "To confirm, you would like `a.rs` to be removed, not `b.rs`:\n- remove `a.rs:12` and not `b.rs`",
            "Would you like me to do one of these:\n1. Replace `serde` because `x_y` is slow\n2. Cache `x_y()`",
        ] {
            assert_eq!(said(text), Vec::<String>::new(), "{text}");
        }
        let dangling = "The cheapest one is `HAT-110`, not `HAT-112`, with the following details:";
        assert_eq!(
            said(dangling),
            ["?The cheapest one is HAT-110, not HAT-112,"]
        );
    }

    #[test]
    fn half_a_sentence_goes_on_in_its_list() {
        let text = "Without `-u` the branch is pushed, but:\n- `git branch -vv` shows nothing.\n\
                    - `hasUnpushed` is wrong.\n\nDone.";
        assert_eq!(
            said(text),
            [
                "?Without -u the branch is pushed, but git branch -vv shows nothing; hasUnpushed is wrong"
            ]
        );
    }

    #[test]
    fn what_is_measured_is_a_name_and_code_that_is_shown_is_not_read() {
        assert_eq!(
            said("Now it takes 135ms, down from 800ms.\n```\nthe root cause is x.rs because\n```"),
            ["?Now it takes 135ms, down from 800ms."]
        );
    }

    #[test]
    fn other_languages_are_read_by_their_names_and_by_some_of_their_words() {
        assert_eq!(
            said("原因是 `config.toml` 缺少字段。接下来我看看"),
            ["?原因是 config.toml 缺少字段。"]
        );
        assert_eq!(
            said("Das Problem liegt an `pool.rs:40`, weil der Zähler nie sinkt."),
            ["?Das Problem liegt an pool.rs:40, weil der Zähler nie sinkt."]
        );
    }

    #[test]
    fn what_is_said_again_takes_the_place_of_what_was_said() {
        let mut numbering = Numbering::default();
        let mut state = HudState::default();
        let first = events(
            "The root cause is the empty pool in `pool.rs`.",
            &state,
            &mut numbering,
        );
        let [HudEvent::Finding(FindingEvent::Record(first))] = &first[..] else {
            panic!("one finding: {first:?}");
        };
        state.findings.push(Finding {
            id: first.id.clone(),
            text: first.text.clone(),
            by: Actor::Derived,
            turn: 1,
            weight: first.weight,
            at: jiff::Timestamp::UNIX_EPOCH,
        });
        let again = "The root cause is the empty pool in `pool.rs:40`.";
        let events = events(again, &state, &mut numbering);
        let [HudEvent::Finding(FindingEvent::Record(again))] = &events[..] else {
            panic!("one finding: {events:?}");
        };
        assert_eq!(again.id, first.id);
        assert!(again.text.ends_with(":40."), "{}", again.text);
    }

    #[test]
    fn a_message_of_any_length_leaves_a_few_short_statements() {
        let line = "The root cause is in `some/file.rs:12` because it is not read. ";
        for text in [
            line.repeat(20_000),
            "`".repeat(300_000),
            "1. ".repeat(100_000),
        ] {
            let all = statements(&text);
            assert!(all.len() <= PER_MESSAGE);
            assert!(
                all.iter()
                    .all(|said| said.text.chars().count() <= LONGEST + 50)
            );
        }
    }
}
