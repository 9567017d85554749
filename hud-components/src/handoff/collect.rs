//! The items of a state.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use hud_store::event::{Actor, RecordAnswer, RecordCommand, RecordRead, RecordRefusal};
use hud_store::state::{Check, Constraint, Fact, HudState, RecordEntry, Speaker, StepStatus};

use super::diff::Diff;
use super::unit::{Unit, of_lines, of_prose, without_pasted};
use super::{Form, Head, Heading, Item, weigh};
use crate::section::source;
use crate::text::{line, said, visible};
use crate::value::{self, Statement};

/// The number of sentences of a message in which each may be about anything. In a longer one they are about its subject.
const BRIEF: usize = 3;

/// The priority of the newest command since the last report, in thousandths.
const SINCE: u64 = 2_500;

/// The priority of the newest read since the last report.
const READ_SINCE: u64 = 1_200;

/// The number of characters of a command that are shown.
const COMMAND: usize = 240;

/// A priority, in thousandths, that falls by a part with each item that is newer, down to a least one.
fn aged(priority: u64, newer: usize, kept: u64, least: u64) -> u64 {
    let mut aged = priority;
    for _ in 0..newer.min(60) {
        aged = aged * kept / 100;
    }
    aged.max(least)
}

pub(super) fn items(state: &HudState) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let reported = reported(state.record.entries());
    messages(state, reported, &mut items);
    rules(state, &mut items);
    let summary = Summary::of(state);
    in_progress(state, &summary, &mut items);
    changes(state, &mut items);
    commands(state, reported, &mut items);
    repository(state, &mut items);
    recorded(state, &summary, &mut items);
    learnt(state, reported, &mut items);
    replace(&mut items);
    items
}

/// Drops the user's statements that a later one replaces, and of the messages those that are rules. What the agent reports is
/// left as it is: two of its sentences that differ in a value are seldom about the same thing.
fn replace(items: &mut Vec<Item<'_>>) {
    let places: Vec<(usize, usize)> = { [Heading::Rules, Heading::Task].iter() }
        .flat_map(|heading| {
            let items = items.iter().enumerate();
            items.filter(move |(_, item)| item.heading == *heading)
        })
        .flat_map(|(at, item)| (0..item.units.len()).map(move |unit| (at, unit)))
        .collect();
    let text = |(at, unit): &(usize, usize)| {
        let unit = items.get(*at).and_then(|item| item.units.get(*unit));
        unit.map_or("", |unit| &*unit.text)
    };
    let statement = |place: &(usize, usize)| Statement {
        text: text(place),
        message: place.0,
        is_brief: items
            .get(place.0)
            .is_some_and(|item| item.units.len() <= BRIEF),
    };
    let statements: Vec<Statement<'_>> = places.iter().map(statement).collect();
    let mut dropped: BTreeSet<(usize, usize)> = { places.iter().zip(value::replaced(&statements)) }
        .filter(|(_, is_replaced)| *is_replaced)
        .map(|(place, _)| *place)
        .collect();
    let is_rule = |text: &str| {
        let mut rules = items.iter().filter(|item| item.heading == Heading::Rules);
        rules.any(|rule| rule.units.iter().any(|unit| unit.text.starts_with(text)))
    };
    let is_said_again = |place: &&(usize, usize)| {
        let item = items.get(place.0);
        item.is_some_and(|item| item.heading == Heading::Task) && is_rule(text(place))
    };
    dropped.extend(places.iter().filter(is_said_again));
    for (at, item) in items.iter_mut().enumerate() {
        let mut unit = 0..;
        item.units.retain(|_| {
            unit.next()
                .is_none_or(|unit| !dropped.contains(&(at, unit)))
        });
    }
    let quotes = |item: &Item<'_>| {
        matches!(
            item.heading,
            Heading::Rules | Heading::Task | Heading::Reports
        )
    };
    items.retain(|item| !quotes(item) || !item.units.is_empty());
}

fn whole<'s>(heading: Heading, text: impl Into<Cow<'s, str>>, priority: u64) -> Item<'s> {
    let text = text.into();
    Item {
        heading,
        head: Head::default(),
        units: vec![Unit {
            text,
            begins: true,
            is_code: false,
        }],
        form: Form::Text,
        priority,
        needs_all: true,
    }
}

/// The messages of the user, the agent and sub-agents.
fn messages<'s>(state: &'s HudState, reported: usize, items: &mut Vec<Item<'s>>) {
    let entries = state.record.entries();
    let said: Vec<(usize, &RecordEntry, Speaker, &str, Option<&str>)> = entries
        .iter()
        .enumerate()
        .filter_map(|(at, entry)| match &entry.fact {
            Fact::Message {
                by, text, about, ..
            } => Some((at, entry, *by, &**text, about.as_deref())),
            _ => None,
        })
        .collect();
    let users = said.iter().filter(|(_, _, by, ..)| *by == Speaker::User);
    let mut newer_users = users.count();
    let first = newer_users;
    if newer_users == 0
        && let Some(task) = &state.task
    {
        let text = format!("{}{}", task.description, source("", &task.by));
        items.push(whole(Heading::Task, text, 8_000));
    }
    let agents = said.iter().filter(|(_, _, by, ..)| *by != Speaker::User);
    let mut newer_agents = agents.count();
    let retracted = retracted(entries);
    let found = found(state);
    // A repeated message is shown where it is last.
    let mut texts = BTreeSet::new();
    let repeated: BTreeSet<usize> = { said.iter().rev() }
        .filter(|(_, _, by, text, _)| !texts.insert((*by == Speaker::User, text.trim())))
        .map(|(at, ..)| *at)
        .collect();
    for (index, (at, entry, by, text, about)) in said.iter().enumerate() {
        let turn = entry.turn;
        if *by == Speaker::User {
            newer_users -= 1;
            if retracted.contains(at) {
                continue;
            }
            let priority = match newer_users {
                _ if repeated.contains(at) => continue,
                0 => 12_000,
                newer if newer + 1 == first => 8_000,
                // A question was answered since.
                newer if text.ends_with(['?', '？', '؟']) => aged(3_000, newer, 85, 600),
                _ if text.lines().any(value::is_standing) => 8_000,
                newer => aged(8_000, newer, 93, 3_000),
            };
            let mut head = format!("t{turn}: ");
            // The question of a short answer, also where another short one precedes it.
            let before = said.get(..index).unwrap_or_default();
            let is_other =
                |(_, _, by, text, _): &&(usize, &RecordEntry, Speaker, &str, Option<&str>)| {
                    *by == Speaker::User && is_short(text)
                };
            let before = before.iter().rev().find(|said| !is_other(said));
            if is_short(text)
                && let Some((_, _, Speaker::Agent, asked, _)) = before
                && let Some(question) = answered(asked, text)
            {
                head = format!("t{turn} (after “{}”): ", line(&question.text, 300));
            }
            items.push(Item {
                heading: Heading::Task,
                head: Head {
                    code: None,
                    text: Cow::Owned(head),
                },
                units: {
                    let mut units = of_prose(text);
                    without_pasted(&mut units);
                    units
                },
                form: Form::Text,
                priority,
                needs_all: false,
            });
            continue;
        }
        newer_agents -= 1;
        if retracted.contains(at) || repeated.contains(at) {
            continue;
        }
        let mut units = of_prose(text);
        if newer_users > 0 {
            // What the agent asked, the user has answered.
            units.retain(|unit| !unit.text.ends_with(['?', '？', '؟']));
        }
        // A report closes a turn of the conversation; what is said before a call is narration, unless it is long.
        let next = said.get(index + 1);
        let closes = next.is_none_or(|(_, _, by, ..)| *by == Speaker::User)
            && entries
                .get(at + 1..)
                .unwrap_or_default()
                .iter()
                .take_while(|entry| !is_users(entry))
                .all(|entry| matches!(entry.fact, Fact::Message { .. }) || entry.turn > turn);
        let is_long = units.len() > 3 || text.chars().nth(400).is_some();
        let narrates = *by == Speaker::Agent && !closes && !is_long && newer_agents > 0;
        if narrates {
            // No report sums up what was found out since the last one.
            let is_found = |unit: &Unit<'_>| {
                let sentence = letters(&unit.text);
                found.iter().any(|found| sentence.contains(found))
            };
            units.retain(|unit| *at >= reported && is_found(unit));
            if units.is_empty() {
                continue;
            }
        }
        let priority = match (by, closes, is_long) {
            (Speaker::SubAgent, ..) => aged(3_000, newer_agents, 92, 300),
            (_, true, _) => aged(6_000, newer_agents, 80, 600),
            // Thoughts on the way to a report.
            (_, false, true) if newer_users > 0 => aged(1_500, newer_agents, 95, 500),
            (_, false, true) => aged(3_500, newer_agents, 95, 500),
            (_, false, false) => aged(4_500, newer_agents, 95, 1_500),
        };
        let head = match (by, about) {
            (Speaker::SubAgent, Some(about)) => {
                format!("t{turn}, sub-agent ({}): ", line(about, 80))
            }
            (Speaker::SubAgent, None) => format!("t{turn}, sub-agent: "),
            _ => format!("t{turn}: "),
        };
        items.push(Item {
            heading: Heading::Reports,
            head: Head {
                code: None,
                text: Cow::Owned(head),
            },
            units,
            form: Form::Text,
            priority,
            needs_all: false,
        });
    }
}

/// The letters of the agent's sentences that were read as something that it found out.
fn found(state: &HudState) -> Vec<String> {
    let derived = { state.findings.iter() }.filter(|finding| finding.by == Actor::Derived);
    let texts = derived.map(|finding| letters(&finding.text));
    texts.filter(|text| !text.is_empty()).collect()
}

/// The places of the messages that a later one says no longer hold.
fn retracted(entries: &[RecordEntry]) -> BTreeSet<usize> {
    let mut retracted = BTreeSet::new();
    for (at, entry) in entries.iter().enumerate() {
        let Fact::Message {
            retracts: Some(speaker),
            ..
        } = &entry.fact
        else {
            continue;
        };
        let is_theirs =
            |entry: &RecordEntry| matches!(&entry.fact, Fact::Message { by, .. } if by == speaker);
        let before = entries.get(..at).unwrap_or_default();
        retracted.extend(before.iter().rposition(is_theirs));
    }
    retracted
}

/// True for an answer that means nothing without its question: a number, a letter, a word or two.
fn is_short(answer: &str) -> bool {
    let is_dense = |c: char| u32::from(c) >= 0x2E80 && c.is_alphabetic();
    let words = answer.split_whitespace().count() + answer.chars().filter(|c| is_dense(*c)).count();
    words <= 4 && answer.chars().nth(24).is_none()
}

/// The part of a message that a short answer is to: the option of its number, else the end of the message.
fn answered<'t>(asked: &'t str, answer: &str) -> Option<Unit<'t>> {
    let mut units = of_prose(asked);
    let number = answer.trim().trim_end_matches(['.', ')']);
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    let names = |unit: &Unit<'_>| {
        let text = unit.text.trim_start_matches(['•', '◦', ' ', '(', '*']);
        let rest = text.strip_prefix(number);
        is_number && rest.is_some_and(|rest| rest.starts_with([')', '.', ' ', ':', '|']))
    };
    let at = units
        .iter()
        .rposition(names)
        .or(units.len().checked_sub(1))?;
    Some(units.swap_remove(at))
}

const fn is_users(entry: &RecordEntry) -> bool {
    matches!(
        entry.fact,
        Fact::Message {
            by: Speaker::User,
            ..
        }
    )
}

fn rules<'s>(state: &'s HudState, items: &mut Vec<Item<'s>>) {
    let rule = |rule: &Constraint| {
        let text = format!("{}{}", rule.text, source(&rule.id, &rule.by));
        whole(Heading::Rules, text, 60_000)
    };
    items.extend(state.constraints.iter().map(rule));
}

/// The letters and digits of the summary with which the conversation begins. Its items are not repeated.
struct Summary(String);

impl Summary {
    fn of(state: &HudState) -> Self {
        // A client that leaves the cut to the HUD shows no summary itself.
        let compacted = { state.compacted.as_ref() }.filter(|last| last.boundary.is_none());
        let summary = compacted.and_then(|last| last.summary.as_deref());
        Self(letters(summary.unwrap_or_default()))
    }

    /// True for a text that was read in this summary.
    fn has(&self, by: &Actor, text: &str) -> bool {
        *by == Actor::Summary && self.0.contains(&letters(text))
    }
}

fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The plan, and what is in its way.
fn in_progress<'s>(state: &'s HudState, summary: &Summary, items: &mut Vec<Item<'s>>) {
    let steps = &state.next_steps;
    let done = steps
        .iter()
        .rposition(|step| step.status == StepStatus::Completed);
    for (at, step) in steps.iter().enumerate() {
        if summary.has(&step.by, &step.description) {
            continue;
        }
        let is_done = step.status == StepStatus::Completed;
        let priority = match step.status {
            StepStatus::InProgress => 20_000,
            StepStatus::Pending => 10_000,
            StepStatus::Completed => aged(3_000, done.unwrap_or(at) - at, 85, 1_200),
        };
        let now = match step.status {
            StepStatus::InProgress => " (in progress)",
            _ => "",
        };
        items.push(Item {
            form: Form::Step { done: is_done },
            ..whole(
                Heading::InProgress,
                format!("{}{now}", step.description),
                priority,
            )
        });
    }
    for blocker in &state.blockers {
        let text = format!("Blocked: {}", blocker.description);
        items.push(whole(Heading::InProgress, text, 20_000));
    }
}

/// The files that were changed, each with what was changed in it.
fn changes<'s>(state: &'s HudState, items: &mut Vec<Item<'s>>) {
    struct Changed<'s> {
        turn: u64,
        order: usize,
        created: bool,
        diff: Diff<'s>,
    }
    let mut files: BTreeMap<&str, Changed<'s>> = BTreeMap::new();
    for (order, entry) in state.record.entries().iter().enumerate() {
        let Fact::Change {
            path,
            created,
            diff,
        } = &entry.fact
        else {
            continue;
        };
        let file = files.entry(path).or_insert_with(|| Changed {
            turn: 0,
            order: 0,
            created: false,
            diff: Diff::default(),
        });
        file.turn = entry.turn;
        file.order = order;
        if *created {
            // What was in it before is gone.
            file.diff = Diff::default();
            file.created = true;
        }
        file.diff.add(diff);
    }
    for file in &state.active_files {
        let gone = file.status == hud_store::state::FileStatus::Deleted;
        if gone {
            files.remove(&*file.path);
            let mut item = whole(Heading::Changes, "", 2_000);
            item.units.clear();
            item.head = Head {
                code: Some(Cow::Borrowed(&file.path)),
                text: format!(" deleted (t{})", file.turn).into(),
            };
            items.push(item);
        } else if file.status.is_change() && !files.contains_key(&*file.path) {
            let mut item = whole(Heading::Changes, "", 2_500);
            item.units.clear();
            let moved = file.was.as_ref().map(|was| format!(", was {was}"));
            let names = match file.names.is_empty() {
                true => String::new(),
                false => format!(": {}", file.names.join(", ")),
            };
            item.head = Head {
                code: Some(Cow::Borrowed(&file.path)),
                text: format!(" (t{}{}){names}", file.turn, moved.unwrap_or_default()).into(),
            };
            items.push(item);
        }
    }
    let entries = || state.record.entries().iter();
    let is_at_work = entries().any(|entry| matches!(entry.fact, Fact::Command(_) | Fact::Read(_)));
    let is_sub_agents = |entry: &RecordEntry| {
        const BY: Speaker = Speaker::SubAgent;
        matches!(entry.fact, Fact::Message { by: BY, .. })
    };
    let is_first = items.iter().all(|item| item.heading != Heading::Changes);
    if is_at_work && is_first && files.is_empty() && !entries().any(is_sub_agents) {
        let none = "no file was changed with an edit tool";
        items.push(whole(Heading::Changes, none, 3_000));
    }
    let directory = directory(state);
    let mut files: Vec<(&str, Changed<'s>)> = files.into_iter().collect();
    files.sort_by_key(|(_, file)| file.order);
    let count = files.len();
    for (at, (path, file)) in files.into_iter().enumerate() {
        let new = if file.created { "new, " } else { "" };
        items.push(Item {
            heading: Heading::Changes,
            head: Head {
                code: Some(Cow::Borrowed(within(path, directory))),
                text: format!(" ({new}t{})", file.turn).into(),
            },
            units: file.diff.units(),
            form: Form::Code("diff"),
            priority: aged(6_000, count - 1 - at, 90, 2_000),
            needs_all: false,
        });
    }
}

/// The directory that the agent works in, if it is known.
fn directory(state: &HudState) -> Option<&str> {
    let mut entries = state.record.entries().iter().rev();
    entries.find_map(|entry| match &entry.fact {
        Fact::Command(run) => run.directory.as_deref(),
        _ => None,
    })
}

/// A path as it is named within a directory.
fn within<'p>(path: &'p str, directory: Option<&str>) -> &'p str {
    let inner = directory.and_then(|directory| path.strip_prefix(directory));
    inner
        .and_then(|path| path.strip_prefix('/'))
        .unwrap_or(path)
}

/// The last failure of each check, the checks, and other commands.
fn commands<'s>(state: &'s HudState, reported: usize, items: &mut Vec<Item<'s>>) {
    let checks = || {
        state
            .checks
            .iter()
            .filter(|check| !is_covered(check, state))
    };
    for check in checks() {
        let outcome = if check.passed { "passed" } else { "failed" };
        let since = match check.edits_since {
            0 => "",
            _ => ", files changed since",
        };
        let counts = said(check.said.as_ref()).map(|said| format!(" ({})", line(said, 120)));
        let mut item = whole(
            Heading::Checks,
            "",
            if check.passed { 5_000 } else { 9_000 },
        );
        item.units.clear();
        item.head = Head {
            code: Some(Cow::Borrowed(&check.check)),
            text: format!(
                ": {outcome}{} at t{}{since}",
                counts.unwrap_or_default(),
                check.turn
            )
            .into(),
        };
        items.push(item);
    }
    let entries = state.record.entries();
    let all: Vec<(bool, u64, &RecordCommand)> = { entries.iter().enumerate() }
        .filter_map(|(at, entry)| match &entry.fact {
            Fact::Command(command) => Some((at < reported, entry.turn, command)),
            _ => None,
        })
        .collect();
    let wrapped = wrapped(state);
    for (at, (is_reported, turn, run)) in all.iter().enumerate() {
        let newer = all.len() - 1 - at;
        let fails = run.passed == Some(false);
        let is_of = |check: &&Check| {
            check.turn == *turn && (run.checks.is_empty() || run.checks.contains(&check.check))
        };
        let checked = checks().find(is_of);
        let is_open = || {
            let mut errors = state.errors.iter();
            errors.any(|error| error.turn == *turn && !error.is_resolved())
        };
        let (heading, priority) = match checked {
            Some(check) if fails && !check.passed => (Heading::Failing, 6_000),
            // Its last run is among the checks.
            _ if !run.checks.is_empty() => continue,
            _ if fails && !is_open() => continue,
            // No report sums up the outputs since the last one.
            _ if !is_reported => (Heading::Commands, aged(SINCE, newer, 85, 300)),
            _ if fails => (Heading::Commands, aged(2_000, newer, 93, 100)),
            _ => (Heading::Commands, aged(1_500, newer, 95, 80)),
        };
        let mut units = of_lines(&run.output);
        units.retain(|unit| !wrapped.contains(&masked(&unit.text)));
        let mut words = run.command.split_whitespace();
        let asks_for_help = words.any(|word| matches!(word, "--help" | "--version"));
        if asks_for_help && (units.is_empty() || *is_reported) {
            continue;
        }
        let outcome = match (fails, units.is_empty()) {
            (true, _) => ", failed",
            (false, true) => ", no output seen",
            (false, false) => "",
        };
        items.push(Item {
            heading,
            head: Head {
                code: Some(line(&run.command, COMMAND)),
                text: format!(" (t{turn}{outcome})").into(),
            },
            units,
            form: Form::Code(""),
            priority,
            needs_all: false,
        });
    }
}

/// The place of the first entry after the last report: after the last message of the user's, or after the agent's if that
/// ends the record.
fn reported(entries: &[RecordEntry]) -> usize {
    let is_message = |entry: &RecordEntry| matches!(entry.fact, Fact::Message { .. });
    match entries.last() {
        Some(last) if is_message(last) => entries.len(),
        _ => { entries.iter().rposition(is_users) }.map_or(0, |at| at + 1),
    }
}

/// True if a later check that passed runs all that a check runs: the same command, of the same places or of more.
fn is_covered(check: &Check, state: &HudState) -> bool {
    let later = state.checks.iter().filter(|other| other.at > check.at);
    let mut wider = later.filter(|other| other.passed && other.check != check.check);
    wider.any(|other| {
        let own: Vec<&str> = check.check.split_whitespace().collect();
        let words: Vec<&str> = other.check.split_whitespace().collect();
        let is_place = |word: &str| word.contains('/') || word == ".";
        let within = |word: &str, place: &str| {
            let place = place.trim_start_matches("./").trim_end_matches("...");
            is_place(word)
                && word
                    .trim_start_matches("./")
                    .starts_with(place.trim_matches('.'))
        };
        let has = |word: &&str| {
            own.contains(word) || (is_place(word) && own.iter().any(|own| within(own, word)))
        };
        let is_same = own.first() == words.first() && words.iter().all(has);
        let narrows = |word: &&str| !words.contains(word) && word.starts_with('-');
        is_same && !own.iter().any(narrows)
    })
}

/// The lines, [masked], that the outputs of several commands have, as a wrapper prints them for each call. A line that a
/// command asks for itself, as `echo "exit: $?"` does, is none.
fn wrapped(state: &HudState) -> BTreeSet<String> {
    /// The number of commands from which on a line that all of them print tells nothing about one.
    const COMMANDS: usize = 3;
    let mut of_line: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for entry in state.record.entries() {
        let (call, printed) = match &entry.fact {
            Fact::Command(run) => (&run.command, &run.output),
            Fact::Read(read) => (&read.target, &read.lines),
            _ => continue,
        };
        let is_asked_for = |line: &str| {
            let words = line.split_whitespace();
            let mut words = words.filter(|word| !has_digit(word)).peekable();
            words.peek().is_some() && words.all(|word| call.contains(word))
        };
        for line in printed.lines().filter(|line| !is_asked_for(line)) {
            of_line.entry(masked(line)).or_default().insert(call);
        }
    }
    of_line.retain(|_, commands| commands.len() >= COMMANDS);
    of_line.into_keys().collect()
}

fn has_digit(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

/// A line with a mark for each word that has a digit.
fn masked(line: &str) -> String {
    let words = line.split_whitespace();
    let words = words.map(|word| if has_digit(word) { "#" } else { word });
    words.collect::<Vec<&str>>().join(" ")
}

fn repository<'s>(state: &'s HudState, items: &mut Vec<Item<'s>>) {
    let repository = &state.repository;
    let mut add = |code: Option<&'s str>, text: String, priority| {
        let mut item = whole(Heading::Repository, "", priority);
        item.units.clear();
        item.head = Head {
            code: code.map(Cow::Borrowed),
            text: text.into(),
        };
        items.push(item);
    };
    if let Some(branch) = &repository.branch {
        add(Some(branch), " is the branch".to_owned(), 6_000);
    }
    if let Some(operation) = &repository.unfinished {
        add(
            None,
            format!("{operation} in progress, not concluded"),
            12_000,
        );
    }
    let count = repository.commits.len();
    for (at, commit) in repository.commits.iter().enumerate() {
        let hash = commit.hash.as_deref();
        let pushed = if commit.pushed {
            ", pushed"
        } else {
            ", not pushed"
        };
        let text = format!(" {} (t{}{pushed})", commit.message, commit.turn);
        let text = if hash.is_none() {
            text.trim().to_owned()
        } else {
            text
        };
        add(hash, text, aged(5_000, count - 1 - at, 85, 1_000));
    }
    if repository.edits_since > 0 && count > 0 {
        let edits = repository.edits_since;
        let noun = if edits == 1 { "edit" } else { "edits" };
        add(None, format!("{edits} {noun} since the last commit"), 5_000);
    }
}

/// The lines of files and searches of which the agent used a name afterwards, and all since the last report, which no
/// report sums up.
fn learnt<'s>(state: &'s HudState, reported: usize, items: &mut Vec<Item<'s>>) {
    let entries = state.record.entries();
    // From the last entry to the first: the names that were used after it.
    let mut used: HashMap<&str, u32, foldhash::fast::FixedState> = HashMap::default();
    let mut learnt = Vec::new();
    for (at, entry) in entries.iter().enumerate().rev() {
        let own = match &entry.fact {
            Fact::Message {
                by: Speaker::Agent,
                text,
                ..
            } => text,
            Fact::Change { diff, .. } => diff,
            Fact::Command(RecordCommand { command, .. }) => command,
            Fact::Read(RecordRead { target, lines }) => {
                let is_used = |line: &str| weigh::names(line).any(|name| used.contains_key(name));
                let units: Vec<Unit<'s>> = lines
                    .lines()
                    .filter(|line| at >= reported || is_used(line))
                    .map(|line| Unit {
                        text: visible(line),
                        begins: true,
                        is_code: false,
                    })
                    .collect();
                if !units.is_empty() {
                    learnt.push((at < reported, entry.turn, target, units));
                }
                target
            }
            _ => continue,
        };
        for name in weigh::names(own) {
            *used.entry(name).or_default() += 1;
        }
    }
    let directory = directory(state);
    let mut looked = Vec::new();
    for entry in entries.iter().rev() {
        if let Fact::Read(RecordRead { target, .. }) = &entry.fact
            && target.contains('/')
            && !target.contains(char::is_whitespace)
            && !state
                .active_files
                .iter()
                .any(|file| file.path == *target && file.status.is_change())
        {
            let path = format!("`{}`", within(target, directory));
            if looked.iter().all(|unit: &Unit<'_>| unit.text != path) {
                looked.push(Unit {
                    text: path.into(),
                    begins: false,
                    is_code: false,
                });
            }
        }
    }
    if !looked.is_empty() {
        looked.reverse();
        items.push(Item {
            units: looked,
            head: Head {
                code: None,
                text: "read, not changed: ".into(),
            },
            needs_all: false,
            ..whole(Heading::Learnt, "", 1_200)
        });
    }
    for (newer, (is_reported, turn, target, units)) in learnt.into_iter().enumerate() {
        items.push(Item {
            heading: Heading::Learnt,
            head: Head {
                code: Some(line(target, COMMAND)),
                text: format!(" (t{turn})").into(),
            },
            units,
            form: Form::Code(""),
            priority: match is_reported {
                true => aged(700, newer, 96, 100),
                false => aged(READ_SINCE, newer, 90, 100),
            },
            needs_all: false,
        });
    }
    let from = items
        .iter()
        .position(|item| item.heading == Heading::Learnt);
    if let Some(learnt) = from.and_then(|from| items.get_mut(from..)) {
        learnt.reverse();
    }
}

/// The entries that the agent recorded, and the user's answers and refusals.
fn recorded<'s>(state: &'s HudState, summary: &Summary, items: &mut Vec<Item<'s>>) {
    let is_derived = |by: &Actor| *by == Actor::Derived;
    for decision in state
        .decisions
        .iter()
        .filter(|decision| !is_derived(&decision.by))
        .filter(|decision| !summary.has(&decision.by, &decision.summary))
    {
        let details = decision
            .details
            .as_ref()
            .map(|details| format!(": {details}"));
        let text = format!(
            "{}{}{}",
            decision.summary,
            details.unwrap_or_default(),
            source("", &decision.by).replace(" (agent)", "")
        );
        items.push(whole(Heading::Decisions, text, 6_000));
    }
    for finding in state
        .findings
        .iter()
        .filter(|finding| !is_derived(&finding.by))
        .filter(|finding| !summary.has(&finding.by, &finding.text))
    {
        items.push(whole(Heading::Notes, &*finding.text, 5_000));
    }
    for note in state.notes.iter().filter(|note| !is_derived(&note.by)) {
        items.push(whole(Heading::Notes, &*note.content, 5_000));
    }
    for entry in state.record.entries() {
        let text = match &entry.fact {
            Fact::Answer(RecordAnswer { question, answer }) => {
                format!("t{}: {question} → {answer}", entry.turn)
            }
            Fact::Refusal(RecordRefusal { call, reason }) => {
                let reason = reason.as_ref().map(|reason| format!(": {reason}"));
                let reason = reason.unwrap_or_default();
                format!("t{}: the user refused {call}{reason}", entry.turn)
            }
            _ => continue,
        };
        items.push(whole(Heading::Answers, text, 6_000));
    }
}
