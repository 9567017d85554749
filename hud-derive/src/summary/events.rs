//! Events of the statements of a summary.

use std::borrow::Cow;
use std::collections::BTreeSet;

use hud_components::value::is_restated;
use hud_store::event::{
    Actor, ConstraintAdd, DecisionRecord, DecisionRemove, FileOpen, FindingRecord, FindingRemove,
    HudEvent, RequestMake, StepAdd, StepComplete, TaskEvent, TaskSet, TaskUpdate,
};
use hud_store::state::{Decision, HudState, StepStatus};

use super::files::{self, Short};
use super::{LONGEST, Lifted, Part, Sorted};
use crate::alike::{Words, alike};
use crate::lexicon::Intent;
use crate::numbering::{Item, Numbering};
use crate::prose::ends;
use crate::words::{changes, clip, names as names_of};

/// The longest task, in characters.
const TASK: usize = 500;

/// The longest rule, in characters. A longer text is more than a rule.
const RULE: usize = 160;

/// The largest number of items of each kind from a summary.
const MOST: usize = 20;

/// The least number of statements that make a summary a full account of the session. The model left out of it what
/// has little use. A shorter summary shows nothing about what it leaves out.
const ACCOUNT: usize = 5;

/// The longest remaining text, in bytes: its beginning and its end.
const REST: (usize, usize) = (3_000, 1_000);

/// The weights of items. They are larger than most weights of items that were derived during the work.
mod weight {
    /// The weight of findings, decisions and current work.
    pub(super) const MAIN: u8 = 9;
    /// The weight of completed work.
    pub(super) const DONE: u8 = 8;
    /// The weight of statements about files, and of statements under rules that are not rules.
    pub(super) const SIDE: u8 = 7;
}

/// The builder of the events.
pub(super) struct Events<'s, N> {
    state: &'s HudState,
    numbering: &'s mut Numbering,
    named: N,
    /// The words of the summary.
    words: Words,
    lifted: Lifted,
    rest: Vec<String>,
}

/// A statement that can be compared with others.
struct Stated {
    words: Words,
    /// The numbers in it. A text with other numbers is another statement.
    numbers: BTreeSet<String>,
}

impl Stated {
    fn of(text: &str) -> Self {
        let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')'));
        let begins_with_digit = |word: &&str| word.starts_with(|c: char| c.is_numeric());
        let numbers = words.filter(begins_with_digit);
        Self {
            words: Words::of(text),
            numbers: numbers
                .map(|number| number.trim_end_matches('.').to_owned())
                .collect(),
        }
    }

    /// True if it has almost all words of another statement, and each of its numbers.
    fn includes(&self, other: &Self) -> bool {
        // One or two words in common are not enough.
        let has_words = match other.words.len() {
            0..=2 => self.words == other.words,
            _ => holds(&self.words, &other.words),
        };
        has_words && other.numbers.is_subset(&self.numbers)
    }
}

/// A decision with its details.
fn stated(decision: &Decision) -> Cow<'_, str> {
    match &decision.details {
        Some(details) => format!("{} {details}", decision.summary).into(),
        None => decision.summary.as_str().into(),
    }
}

/// A finding or a decision.
struct Statement {
    text: String,
    weight: u8,
    is_decision: bool,
}

impl<'s, N: Fn(&str) -> Option<String>> Events<'s, N> {
    pub(super) fn new(
        summary: &[&str],
        state: &'s HudState,
        numbering: &'s mut Numbering,
        named: N,
    ) -> Self {
        Self {
            state,
            numbering,
            named,
            words: Words::of_all(summary.iter().copied()),
            lifted: Lifted::default(),
            rest: Vec::new(),
        }
    }

    pub(super) fn of(mut self, sorted: Sorted) -> Lifted {
        self.rest = sorted.rest;
        self.task(sorted.task);
        let main = |is_decision| {
            move |text| Statement {
                text,
                weight: weight::MAIN,
                is_decision,
            }
        };
        let mut statements: Vec<Statement> = sorted.findings.into_iter().map(main(false)).collect();
        statements.extend(sorted.decisions.into_iter().map(main(true)));
        let (rules, others): (Vec<_>, Vec<_>) = sorted
            .instructions
            .into_iter()
            .partition(|text| is_rule(text));
        statements.extend(others.into_iter().map(|text| Statement {
            weight: weight::SIDE,
            ..main(false)(text)
        }));
        let rules = [sorted.rules, rules].concat();
        match is_heard(self.state) {
            true => self.rest.extend(rules),
            false => self.rules(rules, &mut statements),
        }
        self.done(sorted.done, &mut statements);
        self.files(sorted.files, &mut statements);
        statements.extend(sorted.now.into_iter().map(main(false)));
        self.statements(statements);
        let (quoted, next): (Vec<_>, Vec<_>) = sorted
            .next
            .into_iter()
            .partition(|text| text.starts_with(['"', '“', '„', '«', '「']));
        self.next(next);
        // Quotations under the next steps are requests of the user.
        self.said(sorted.said.into_iter().chain(quoted).collect());
        let rest = self.rest.join("\n");
        let [begin, end] = ends(&rest, REST);
        self.lifted.rest = match end.is_empty() {
            true => begin.to_owned(),
            false => format!("{begin} … {end}"),
        };
        self.lifted
    }

    /// Returns the events of a part of a session. Unlike a summary, it does not show the state of anything else. Only
    /// derived items that it restates completely are removed.
    pub(super) fn of_part(mut self, part: Part) -> Vec<HudEvent> {
        let statement = |is_decision| {
            move |text| Statement {
                text,
                weight: weight::MAIN,
                is_decision,
            }
        };
        let findings = part.findings.into_iter().map(statement(false));
        let decisions = part.decisions.into_iter().map(statement(true));
        let mut statements: Vec<Statement> = findings.chain(decisions).collect();
        self.rules(part.rules, &mut statements);
        self.done(part.done, &mut statements);
        self.improve(statements);
        let steps = &self.state.next_steps;
        let open = steps.iter().filter(|step| is_open(step.status));
        let known = open.map(|step| step.description.clone()).collect();
        self.add_steps(part.next, known);
        self.requests(part.requests);
        self.lifted.events
    }

    /// Records the new statements. Derived items that these restate completely are removed.
    fn improve(&mut self, statements: Vec<Statement>) {
        let new: Vec<Words> = statements.iter().map(|new| Words::of(&new.text)).collect();
        let is_said = |own: &Words| new.iter().any(|new| holds(new, own));
        let mut known = Vec::new();
        for finding in &self.state.findings {
            let own = Stated::of(&finding.text);
            if finding.by == Actor::Derived && is_said(&own.words) {
                let id = finding.id.clone();
                self.lifted.events.push(FindingRemove { id }.into());
            } else {
                known.push(own);
            }
        }
        for decision in &self.state.decisions {
            let own = Stated::of(&stated(decision));
            if decision.by == Actor::Derived && is_said(&own.words) {
                let id = decision.id.clone();
                self.lifted.events.push(DecisionRemove { id }.into());
            } else {
                known.push(own);
            }
        }
        self.record(statements, known);
    }

    /// Adds the requests that are not known.
    fn requests(&mut self, texts: Vec<String>) {
        let mut known = self.wanted();
        for text in texts {
            let own = Words::of(&text);
            let is_known = |known: &Words| known == &own || holds(known, &own);
            if known.iter().any(is_known) {
                continue;
            }
            known.push(own);
            let id = self.numbering.next(Item::REQUEST);
            self.lifted.events.push(RequestMake { id, text }.into());
        }
    }

    /// Adds the rules that are not known. A long one becomes a finding.
    fn rules(&mut self, texts: Vec<String>, statements: &mut Vec<Statement>) {
        let mut count = 0;
        for text in texts {
            if text.chars().nth(RULE).is_some() {
                statements.push(Statement {
                    text,
                    weight: weight::SIDE,
                    is_decision: false,
                });
                continue;
            }
            let own = Words::of(&text);
            let mut known = self.state.constraints.iter();
            if known.any(|rule| rule.text == text || alike(&Words::of(&rule.text), &own)) {
                continue;
            }
            count += 1;
            if count > MOST / 2 {
                self.rest.push(text);
                continue;
            }
            let id = self.numbering.next(Item::RULE);
            self.lifted.events.push(ConstraintAdd { id, text }.into());
        }
    }

    fn files(&mut self, texts: Vec<String>, statements: &mut Vec<Statement>) {
        for text in texts {
            let (paths, about) = files::file(&text);
            for given in paths {
                let seen = &mut self.lifted.files;
                if let Some(path) = files::known_as(given, self.state, &self.named)
                    && seen.len() < MOST
                    && !seen.iter().any(|(_, known)| *known == path)
                {
                    seen.push((given.to_owned(), path));
                }
            }
            if !files::is_status(about) {
                let is_long = about.chars().nth(60).is_some();
                statements.push(Statement {
                    weight: if is_long { weight::DONE } else { weight::SIDE },
                    text,
                    is_decision: false,
                });
            }
        }
        for (_, path) in &self.lifted.files {
            if !self
                .state
                .active_files
                .iter()
                .any(|file| file.path == *path)
            {
                let path = path.clone();
                self.lifted
                    .events
                    .push(FileOpen { path, lines: None }.into());
            }
        }
    }

    fn done(&mut self, texts: Vec<String>, statements: &mut Vec<Statement>) {
        for text in texts {
            let mut open = self
                .state
                .next_steps
                .iter()
                .filter(|step| is_open(step.status));
            if let Some(step) = open.find(|step| says(&text, &step.description)) {
                let id = step.id.clone();
                self.lifted.events.push(StepComplete { id }.into());
            }
            statements.push(Statement {
                is_decision: changes(&text.to_lowercase()),
                text,
                weight: weight::DONE,
            });
        }
    }

    /// Records the new statements. A derived item is removed if the summary states it better. An item of an earlier
    /// summary is removed if this one states it with more words or with another value.
    fn statements(&mut self, statements: Vec<Statement>) {
        let least = match statements.len() {
            0..ACCOUNT => 0,
            _ => weight::SIDE,
        };
        let is_replaced = |text: &str, own: &Words| {
            statements.iter().any(|new| {
                let words = Words::of(&new.text);
                let says_more = own.len() > 2 && words.len() > own.len() && holds(&words, own);
                says_more || is_restated(text, &new.text)
            })
        };
        let leaves = |by: &Actor, text: &str, own: &Words, weight| match by {
            Actor::Summary => is_replaced(text, own),
            by => !is_recorded(by) && self.says_better(own, weight, least),
        };
        let mut known: Vec<Stated> = Vec::new();
        let mut over: Vec<HudEvent> = Vec::new();
        for finding in &self.state.findings {
            let own = Stated::of(&finding.text);
            if leaves(&finding.by, &finding.text, &own.words, finding.weight) {
                let id = finding.id.clone();
                over.push(FindingRemove { id }.into());
            } else if is_kept_in_mind(&finding.by) {
                known.push(own);
            }
        }
        for decision in &self.state.decisions {
            let own = Stated::of(&stated(decision));
            if leaves(&decision.by, &decision.summary, &own.words, decision.weight) {
                let id = decision.id.clone();
                over.push(DecisionRemove { id }.into());
            } else if is_kept_in_mind(&decision.by) {
                known.push(own);
            }
        }
        self.lifted.events.extend(over);
        self.record(statements, known);
    }

    /// Records the statements that are not known.
    fn record(&mut self, statements: Vec<Statement>, mut known: Vec<Stated>) {
        let names = Short::of(self.state, &self.lifted.files);
        let mut counts = [0; 2];
        for statement in statements {
            let Statement {
                text,
                weight,
                is_decision,
            } = statement;
            let text = names.shorten(&text);
            let own = Stated::of(&text);
            if known.iter().any(|known| known.includes(&own)) {
                continue;
            }
            let count = &mut counts[usize::from(is_decision)];
            if *count == MOST {
                self.rest.push(text);
                continue;
            }
            *count += 1;
            known.push(own);
            // A statement without names or numbers is of little use.
            let names_any = names_of(&text) > 0 || text.contains(|c: char| c.is_ascii_digit());
            let weight = Some(if names_any { weight } else { weight - 3 });
            self.lifted.events.push(match is_decision {
                true => DecisionRecord {
                    id: self.numbering.next(Item::Decision),
                    summary: text,
                    details: None,
                    weight,
                }
                .into(),
                false => FindingRecord {
                    id: self.numbering.next(Item::Finding),
                    text,
                    weight,
                }
                .into(),
            });
        }
    }

    /// True if a derived item is removed, because the summary restates it or because it weighs less than `least`.
    fn says_better(&self, own: &Words, weight: Option<u8>, least: u8) -> bool {
        let common = own.common(&self.words);
        common * 2 >= own.len() || weight.unwrap_or_default() < least
    }

    /// Adds the next steps. The open steps of an earlier summary stay until they are done.
    fn next(&mut self, texts: Vec<String>) {
        let steps = self.state.next_steps.iter();
        let open = steps.filter(|step| is_open(step.status));
        let known = open.map(|step| step.description.clone()).collect();
        self.add_steps(texts, known);
    }

    /// Adds the steps that are not known.
    fn add_steps(&mut self, texts: Vec<String>, known: Vec<String>) {
        let names = Short::of(self.state, &self.lifted.files);
        let with_words = |text: String| (Words::of(&text), text.to_lowercase());
        let mut known: Vec<(Words, String)> = known.into_iter().map(with_words).collect();
        let most = MOST + known.len();
        for text in texts {
            let description = names.shorten(&text);
            let (own, small) = with_words(description.clone());
            // A step of one word or of common words only is compared by its text.
            let is_known = |(words, text): &(Words, String)| {
                *text == small || (*words == own && !own.is_empty()) || alike(words, &own)
            };
            if known.iter().any(is_known) {
                continue;
            }
            if known.len() >= most {
                self.rest.push(description);
                continue;
            }
            known.push((own, small));
            let id = self.numbering.next(Item::Step);
            self.lifted.events.push(StepAdd { id, description }.into());
        }
    }

    /// Sets or updates the task from the model's description of the goal. It replaces neither the user's own words nor
    /// a task that does not come from a summary.
    fn task(&mut self, texts: Vec<String>) {
        let mut known = self.state.task.iter();
        if is_heard(self.state) || known.any(|task| task.by != Actor::Summary) {
            self.rest.extend(texts);
            return;
        }
        let mut description = String::new();
        for text in texts {
            if description.chars().count() + text.chars().count() > TASK {
                self.rest.push(text);
                continue;
            }
            if !description.is_empty() {
                description.push('\n');
            }
            description.push_str(&text);
        }
        if description.is_empty() {
            return;
        }
        self.lifted.events.push(match &self.state.task {
            None => TaskSet { description }.into(),
            Some(_) => TaskUpdate {
                description: Some(description),
                latest_request: None,
            }
            .into(),
        });
    }

    /// The known wishes of the user.
    fn wanted(&self) -> Vec<Words> {
        let task = self.state.task.iter();
        let of_task = task.flat_map(|task| {
            let request = task.latest_request.iter();
            std::iter::once(&task.description).chain(request)
        });
        let requests = self.state.requests.iter().map(|request| &request.text);
        of_task
            .chain(requests)
            .map(|known| Words::of(known))
            .collect()
    }

    /// Adds the user's messages as requests if nothing of the user is known. New messages without a quotation stay as
    /// text, and otherwise all new ones do.
    fn said(&mut self, texts: Vec<String>) {
        let lifted = self.lifted.events.iter().filter_map(|event| match event {
            HudEvent::Task(TaskEvent::Set(set)) => Some(&set.description),
            HudEvent::Task(TaskEvent::Update(update)) => update.description.as_ref(),
            _ => None,
        });
        let mut known = self.wanted();
        known.extend(lifted.map(|known| Words::of(known)));
        let is_new = !is_heard(self.state) && self.state.requests.is_empty();
        for text in texts {
            let own = Words::of(&text);
            if known.iter().any(|known| holds(known, &own)) {
                continue;
            }
            match quoted(&text).filter(|_| is_new) {
                Some(quoted) => {
                    let id = self.numbering.next(Item::REQUEST);
                    let text = clip(quoted, LONGEST);
                    self.lifted.events.push(RequestMake { id, text }.into());
                }
                None => self.rest.push(text),
            }
        }
    }
}

fn is_open(status: StepStatus) -> bool {
    status != StepStatus::Completed
}

/// The text between the first and the last quotation mark.
fn quoted(text: &str) -> Option<&str> {
    let marks = ['"', '“', '”', '„', '«', '»', '「', '」'];
    let (begin, mark) = text.match_indices(marks).next()?;
    let end = text.rfind(marks)?;
    let quoted = text.get(begin + mark.len()..end)?.trim();
    (!quoted.is_empty()).then_some(quoted)
}

/// True if a text restates another one.
fn says(text: &str, other: &str) -> bool {
    let other = Words::of(other);
    !other.is_empty() && holds(&Words::of(text), &other)
}

/// True if the user's own words are known. No summary speaks for the user then.
fn is_heard(state: &HudState) -> bool {
    let is_users = |by: &Actor| *by == Actor::User;
    state.record.user_messages().next().is_some()
        || state
            .task
            .iter()
            .any(|task| is_users(&task.by) || task.latest_request.is_some())
        || state.requests.iter().any(|request| is_users(&request.by))
        || state.constraints.iter().any(|rule| is_users(&rule.by))
}

/// True if the agent or the user recorded it on purpose. No summary replaces it.
fn is_recorded(by: &Actor) -> bool {
    by.is_agent() || *by == Actor::User
}

/// True if the agent, the user or an earlier summary stated it. It is not recorded again.
fn is_kept_in_mind(by: &Actor) -> bool {
    is_recorded(by) || *by == Actor::Summary
}

/// True if one text has almost all words of another one.
fn holds(words: &Words, other: &Words) -> bool {
    let common = other.common(words);
    !other.is_empty() && common * 10 >= other.len() * 7
}

/// True if an instruction is a rule, and not a description. The cues are English, so a text with many non-ASCII
/// characters always counts as a rule.
fn is_rule(text: &str) -> bool {
    text.contains(['"', '“'])
        || Intent::RuleCue.is_in(&text.to_lowercase())
        || text.chars().filter(|c| !c.is_ascii()).count() * 8 > text.len()
}
