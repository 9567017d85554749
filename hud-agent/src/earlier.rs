//! The events with which a session begins in a project that has earlier sessions.
//!
//! | what | from | recorded as |
//! | --- | --- | --- |
//! | the rules that the user set, blocks of core memory but `goal` and `progress` | each session that no newer one inherits from | what they are |
//! | notes | those of these sessions that no longer run | what they are |
//! | the task and the open steps | the newest of them, if it has open steps, is recent and does not run | a quotation |
//! | the files that were changed last | the newest of them | a quotation |
//!
//! A quotation is no task of this session: its agent takes the work over with `sessions.resume`, or drops the
//! quotation with `sessions.forget`. All of it is recorded in the session that inherits it, so that the session's state is
//! the fold of its own events on every machine.

use std::collections::BTreeSet;

use hud_core::tokens::{Estimate, TokenCounter};
use hud_store::event::{
    Actor, ConstraintAdd, EarlierInherit, HudEvent, MemoryCoreUpdate, NoteAdd, SessionId,
    UpdateMode,
};
use hud_store::log::{Log, LogError, SessionInfo, state_of};
use hud_store::section::{EARLIER_CAP, MemoryBlock};
use hud_store::state::{
    CoreBlock, Earlier, EarlierSession, HudState, StepStatus, Task, Unfinished,
};
use jiff::{SignedDuration, Timestamp};

use crate::settings::Inherit;
use crate::tool::{Item, Numbering};
use hud_derive::{Derived, clip};

/// The number of latest sessions that are looked at, sub-agents' among them.
const SCANNED: usize = 64;

/// The number of characters of a task that are quoted in a list.
const TASK: usize = 120;

/// The number of files that are quoted.
const FILES: usize = 8;

/// The number of sessions that are listed.
const LISTED: usize = 3;

/// The time after its last event for which a session of which nothing else is known may run.
const QUIET: SignedDuration = SignedDuration::from_mins(10);

/// The difference of clocks up to which a session is not taken for one of the future.
const SKEW: SignedDuration = SignedDuration::from_mins(1);

/// An earlier session, with its state.
struct Past {
    info: SessionInfo,
    state: HudState,
    runs: bool,
}

/// The events that follow from the earlier sessions of a log for one that begins then. `runs` returns whether a session
/// still runs, if that is known, and `is_copy` whether it is written elsewhere.
pub(crate) fn inherited<L: Log>(
    log: &L,
    session: &SessionId,
    at: Timestamp,
    settings: &Inherit,
    runs: impl Fn(&SessionId) -> Option<bool>,
    is_copy: impl Fn(&SessionId) -> Result<bool, LogError>,
) -> Result<Vec<Derived>, LogError> {
    if !settings.on {
        return Ok(Vec::new());
    }
    let mut past = Vec::new();
    for info in log.newest(SCANNED)? {
        let is_of_sub_agent = info.origin.parent.is_some();
        let is_of_future = info.last_at.duration_since(at) > SKEW;
        if info.id == *session || is_of_sub_agent || is_of_future || is_copy(&info.id)? {
            continue;
        }
        let state = match state_of(log, &info.id) {
            Ok(state) => state,
            // A damaged session is no reason not to begin.
            Err(LogError::Corrupt { .. }) => continue,
            Err(error) => return Err(error),
        };
        let is_recent = || at.duration_since(info.last_at) < QUIET;
        let runs = runs(&info.id).unwrap_or_else(is_recent);
        past.push(Past { info, state, runs });
        if past.len() == EARLIER_CAP {
            break;
        }
    }
    Ok(of_past(&past, at, settings))
}

fn of_past(past: &[Past], at: Timestamp, settings: &Inherit) -> Vec<Derived> {
    let heads = heads(past);
    let mut room = Room {
        left: settings.tokens,
        omitted: 0,
    };
    let oldest_first = || heads.iter().rev().map(|past| &past.state);
    let rules = oldest_first().flat_map(|state| &state.constraints);
    let rules = rules.filter(|rule| rule.by == Actor::User);
    let rules = room.take(rules.map(|rule| &rule.text).collect());
    let unfinished = unfinished(past, at, settings).map(|left| quoted(left, &mut room));
    let blocks = blocks(&heads, &mut room);
    let ended = || heads.iter().filter(|past| !past.runs);
    let notes = ended().rev().flat_map(|past| &past.state.notes);
    let notes = room.take(notes.map(|note| &note.content).collect());
    let files = heads.first();
    let files = files.map_or_else(Vec::new, |past| changed(&past.state, &mut room));
    let sessions: Vec<EarlierSession> = past.iter().filter_map(listed).take(LISTED).collect();
    let is_empty = [&rules, &notes, &files].into_iter().all(Vec::is_empty);
    if is_empty && sessions.is_empty() && blocks.is_empty() {
        return Vec::new();
    }
    let inherit = EarlierInherit {
        sessions,
        // A session that runs may add more, which is for the next one.
        from: ended().map(|past| past.info.id.clone()).collect(),
        unfinished,
        files,
        omitted: room.omitted,
    };
    let mut numbering = Numbering::default();
    let mut events = vec![by(Actor::Derived, inherit)];
    events.extend(rules.into_iter().map(|text| {
        let id = numbering.next(Item::RULE);
        by(Actor::User, ConstraintAdd { id, text })
    }));
    events.extend(blocks);
    events.extend(notes.into_iter().map(|content| {
        let id = numbering.next(Item::Note);
        by(Actor::Derived, NoteAdd { id, content })
    }));
    events
}

/// The blocks of core memory that are of the project, as far as there is room: those of the newest session that has them.
fn blocks(heads: &[&Past], room: &mut Room) -> Vec<Derived> {
    let mut named = BTreeSet::new();
    let blocks = heads
        .iter()
        .flat_map(|past| past.state.core_memory.written());
    let blocks = blocks.filter(|(block, known)| {
        !matches!(block, MemoryBlock::Goal | MemoryBlock::Progress)
            && named.insert(block.name().to_owned())
            && room.takes(&known.content)
    });
    let update = |(block, known): (MemoryBlock, &CoreBlock)| {
        let update = MemoryCoreUpdate {
            block,
            content: known.content.clone(),
            mode: UpdateMode::Replace,
            limit: known.limit,
        };
        by(Actor::Derived, update)
    };
    blocks.map(update).collect()
}

/// The sessions that no newer one inherits from or continues, the newest first.
fn heads(past: &[Past]) -> Vec<&Past> {
    let mut covered: BTreeSet<&SessionId> = BTreeSet::new();
    let mut heads = Vec::new();
    for one in past {
        if !covered.contains(&one.info.id) {
            heads.push(one);
        }
        covered.extend(&one.state.earlier.from);
        let origin = one.state.origin.iter();
        covered.extend(origin.flat_map(|origin| origin.resumes.iter().chain(&origin.forks)));
    }
    heads
}

/// The work that the last session with a task left unfinished. One without a task hands on what it found, unless that was
/// not wanted. The work of a session that runs is its own.
fn unfinished(past: &[Past], at: Timestamp, settings: &Inherit) -> Option<Unfinished> {
    let past = past.iter().filter(|past| !past.runs);
    let is_last = |past: &&Past| {
        let Earlier {
            unfinished,
            forgotten,
            ..
        } = &past.state.earlier;
        past.state.task.is_some() || unfinished.is_some() || *forgotten
    };
    let last = { past }.find(is_last)?;
    let left = match &last.state.task {
        Some(task) => open(last, task),
        None => last.state.earlier.unfinished.clone(),
    };
    let oldest = SignedDuration::from_hours(24 * i64::from(settings.days));
    left.filter(|left| at.duration_since(left.at) <= oldest)
}

/// The task of a session whose plan has steps that were not completed.
fn open(Past { info, state, .. }: &Past, task: &Task) -> Option<Unfinished> {
    let steps = state.next_steps.iter();
    let steps = steps.filter(|step| step.status != StepStatus::Completed);
    let steps: Vec<String> = steps.map(|step| step.description.clone()).collect();
    (!task.done && !steps.is_empty()).then(|| Unfinished {
        session: info.id.clone(),
        at: info.last_at,
        task: task.description.clone(),
        steps,
        branch: state.repository.branch.clone(),
    })
}

/// As much of unfinished work as there is room for: its task, and the first steps.
fn quoted(left: Unfinished, room: &mut Room) -> Unfinished {
    let task = clip(&left.task, TASK * 4);
    // There is room for what is left unfinished, whatever the rules have.
    room.left = room.left.saturating_sub(tokens(&task));
    let steps = left.steps.into_iter().filter(|step| room.takes(step));
    Unfinished {
        steps: steps.collect(),
        task,
        ..left
    }
}

/// The files that a session changed last, the latest at the end.
fn changed(state: &HudState, room: &mut Room) -> Vec<String> {
    let changed = state.active_files.iter().rev();
    let changed = changed.filter(|file| file.status.is_change());
    let own = changed.map(|file| &file.path);
    let found = state.earlier.files.iter().rev();
    let mut files: Vec<String> = Vec::new();
    for path in own.chain(found) {
        if files.len() < FILES && !files.contains(path) && room.takes(path) {
            files.push(path.clone());
        }
    }
    files.reverse();
    files
}

/// A session in the list, if it had a task.
fn listed(past: &Past) -> Option<EarlierSession> {
    let task = past.state.task.as_ref()?;
    Some(EarlierSession {
        session: past.info.id.clone(),
        at: past.info.last_at,
        task: clip(&task.description, TASK),
        runs: past.runs,
    })
}

/// The tokens that are left of a budget.
struct Room {
    left: u64,
    omitted: u32,
}

impl Room {
    /// The newest of the texts that have room, each once, in their order.
    fn take(&mut self, mut texts: Vec<&String>) -> Vec<String> {
        let mut known = BTreeSet::new();
        texts.retain(|text| known.insert(*text));
        let texts = texts.into_iter().rev();
        let mut taken: Vec<String> = texts.filter(|text| self.takes(text)).cloned().collect();
        taken.reverse();
        taken
    }

    /// True if a text has room, which is used then. One that has none is counted.
    fn takes(&mut self, text: &str) -> bool {
        let left = self.left.checked_sub(tokens(text));
        match left {
            Some(left) => self.left = left,
            None => self.omitted = self.omitted.saturating_add(1),
        }
        left.is_some()
    }
}

/// The estimated tokens of a text and of the mark of its line.
fn tokens(text: &str) -> u64 {
    const MARK: u64 = 2;
    u64::from(Estimate.count(text).unwrap_or(u32::MAX)) + MARK
}

fn by(actor: Actor, event: impl Into<HudEvent>) -> Derived {
    let event = event.into();
    Derived { actor, event }
}
