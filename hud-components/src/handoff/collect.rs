//! The items of a state.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use hud_store::event::{Actor, RecordAnswer, RecordCommand, RecordRead, RecordRefusal};
use hud_store::state::{Constraint, DIFF_PLACE, Fact, HudState, RecordEntry, Speaker, StepStatus};

use super::replaced;
use super::unit::{Unit, of_lines, of_prose};
use super::{Form, Head, Heading, Item, weigh};
use crate::section::source;
use crate::text::{line, said, visible};

/// The number of characters of a command that are shown.
const COMMAND: usize = 160;

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
    messages(state, &mut items);
    rules(state, &mut items);
    in_progress(state, &mut items);
    changes(state, &mut items);
    commands(state, &mut items);
    repository(state, &mut items);
    recorded(state, &mut items);
    learnt(state, &mut items);
    replaced::remove(&mut items);
    items
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
fn messages<'s>(state: &'s HudState, items: &mut Vec<Item<'s>>) {
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
    for (index, (at, entry, by, text, about)) in said.iter().enumerate() {
        let turn = entry.turn;
        if *by == Speaker::User {
            newer_users -= 1;
            let priority = match newer_users {
                0 => 12_000,
                newer if newer + 1 == first => 8_000,
                // A question was answered since.
                newer if text.ends_with(['?', '？', '؟']) => aged(3_000, newer, 85, 600),
                newer => aged(8_000, newer, 93, 3_000),
            };
            let mut head = format!("t{turn}: ");
            // What a short answer answers.
            let before = said.get(..index).and_then(<[_]>::last);
            if text.chars().nth(24).is_none()
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
                units: of_prose(text),
                form: Form::Text,
                priority,
                needs_all: false,
            });
            continue;
        }
        newer_agents -= 1;
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
        let priority = match (by, closes, is_long) {
            (Speaker::SubAgent, ..) => aged(3_000, newer_agents, 92, 300),
            (_, true, _) => aged(6_000, newer_agents, 92, 900),
            (_, false, true) => aged(3_500, newer_agents, 95, 500),
            (_, false, false) if newer_agents == 0 => 3_000,
            (_, false, false) => aged(900, newer_agents, 95, 60),
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

/// The plan, and what is in its way.
fn in_progress<'s>(state: &'s HudState, items: &mut Vec<Item<'s>>) {
    let steps = &state.next_steps;
    let done = steps
        .iter()
        .rposition(|step| step.status == StepStatus::Completed);
    for (at, step) in steps.iter().enumerate() {
        let is_done = step.status == StepStatus::Completed;
        let priority = match step.status {
            StepStatus::InProgress => 20_000,
            StepStatus::Pending => 10_000,
            StepStatus::Completed => aged(3_000, done.unwrap_or(at) - at, 85, 300),
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
        units: Vec<Unit<'s>>,
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
            units: Vec::new(),
        });
        file.turn = entry.turn;
        file.order = order;
        if *created {
            // What was in it before is gone.
            file.units.clear();
            file.created = true;
        }
        file.units.extend(of_lines(diff, DIFF_PLACE));
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
    let mut files: Vec<(&str, Changed<'s>)> = files.into_iter().collect();
    files.sort_by_key(|(_, file)| file.order);
    let count = files.len();
    for (at, (path, file)) in files.into_iter().enumerate() {
        let new = if file.created { "new, " } else { "" };
        items.push(Item {
            heading: Heading::Changes,
            head: Head {
                code: Some(Cow::Borrowed(path)),
                text: format!(" ({new}t{})", file.turn).into(),
            },
            units: file.units,
            form: Form::Code("diff"),
            priority: aged(4_000, count - 1 - at, 95, 2_000),
            needs_all: false,
        });
    }
}

/// The last failure of each check, the checks, and other commands.
fn commands<'s>(state: &'s HudState, items: &mut Vec<Item<'s>>) {
    let entries = state.record.entries();
    for check in &state.checks {
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
    let is_failing = |turn: u64| {
        let mut checks = state.checks.iter();
        checks.any(|check| !check.passed && check.turn == turn)
    };
    let count = entries
        .iter()
        .filter(|entry| matches!(entry.fact, Fact::Command(_)))
        .count();
    let commands = entries.iter().filter_map(|entry| match &entry.fact {
        Fact::Command(RecordCommand {
            command,
            passed,
            output,
            ..
        }) => Some((entry.turn, command, *passed, output)),
        _ => None,
    });
    for (at, (turn, command, passed, output)) in commands.enumerate() {
        let newer = count - 1 - at;
        let fails = passed == Some(false);
        let (heading, priority) = match fails && is_failing(turn) {
            true => (Heading::Failing, 6_000),
            false if fails => (Heading::Commands, aged(2_000, newer, 93, 100)),
            false => (Heading::Commands, aged(1_500, newer, 95, 80)),
        };
        let outcome = if fails { ", failed" } else { "" };
        items.push(Item {
            heading,
            head: Head {
                code: Some(line(command, COMMAND)),
                text: format!(" (t{turn}{outcome})").into(),
            },
            units: of_lines(output, ""),
            form: Form::Code(""),
            priority,
            needs_all: false,
        });
    }
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
        add(None, format!("{edits} edits since the last commit"), 5_000);
    }
}

/// The lines of files and searches of which the agent used a name afterwards.
fn learnt<'s>(state: &'s HudState, items: &mut Vec<Item<'s>>) {
    let entries = state.record.entries();
    // From the last entry to the first: the names that were used after it.
    let mut used: HashMap<&str, u32, foldhash::fast::FixedState> = HashMap::default();
    let mut learnt = Vec::new();
    for entry in entries.iter().rev() {
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
                    .filter(|line| is_used(line))
                    .map(|line| Unit {
                        text: visible(line),
                        begins: true,
                        is_code: false,
                    })
                    .collect();
                if !units.is_empty() {
                    learnt.push((entry.turn, target, units));
                }
                target
            }
            _ => continue,
        };
        for name in weigh::names(own) {
            *used.entry(name).or_default() += 1;
        }
    }
    for (newer, (turn, target, units)) in learnt.into_iter().enumerate() {
        items.push(Item {
            heading: Heading::Learnt,
            head: Head {
                code: Some(line(target, COMMAND)),
                text: format!(" (t{turn})").into(),
            },
            units,
            form: Form::Code(""),
            priority: aged(700, newer, 96, 100),
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
fn recorded<'s>(state: &'s HudState, items: &mut Vec<Item<'s>>) {
    let is_derived = |by: &Actor| *by == Actor::Derived;
    for decision in state
        .decisions
        .iter()
        .filter(|decision| !is_derived(&decision.by))
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
