//! Inherits events from the earlier sessions of a project.
//!
//! | content | from | recorded as |
//! | --- | --- | --- |
//! | the user's rules, core memory but `goal` and `progress` | sessions that no newer one inherits from | the same |
//! | notes | those of these sessions that no longer run | the same |
//! | the task and the open steps | the newest of them, if it has open steps, is recent and does not run | a quotation |
//! | the last changed files | the newest of them | a quotation |
//!
//! A quotation is not a task of this session. The agent resumes the work with `sessions.resume`, or drops the
//! quotation with `sessions.forget`. The inheriting session records everything itself, so its state is the
//! fold of the events in this session on every machine.

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

/// The number of latest sessions to scan, including those of sub-agents.
const SCANNED: usize = 64;

/// The maximum number of characters of a task in a list.
const TASK: usize = 120;

/// The maximum number of quoted files.
const FILES: usize = 8;

/// The maximum number of listed sessions.
const LISTED: usize = 3;

/// The time after its last event for which a session of unknown status counts as running.
const QUIET: SignedDuration = SignedDuration::from_mins(10);

/// The tolerated difference of clocks. A session that is later than that is ignored.
const SKEW: SignedDuration = SignedDuration::from_mins(1);

/// An earlier session, with its state.
struct Past {
    info: SessionInfo,
    state: HudState,
    runs: bool,
}

/// Returns the events that a new session inherits from the earlier sessions of a log. `runs` returns whether a
/// session still runs, if that is known, and `is_copy` whether it is written elsewhere.
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
            // A damaged session does not prevent the start of a new one.
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
        // A running session may add more, which a later session inherits.
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

/// Returns the project's blocks of core memory that fit, each from the newest session that has it.
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

/// Returns the sessions that no newer one inherits from or continues, the newest first.
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

/// Returns the unfinished work of the last session with a task. A session without a task passes on the
/// quotation that it inherited, unless its agent dropped it. The work of a running session is excluded.
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

/// Returns the task of a session whose plan has open steps.
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

/// Shortens unfinished work to the available room: its task, and the first steps.
fn quoted(left: Unfinished, room: &mut Room) -> Unfinished {
    let task = clip(&left.task, TASK * 4);
    // The task is kept even if the rules use all the room.
    room.left = room.left.saturating_sub(tokens(&task));
    let steps = left.steps.into_iter().filter(|step| room.takes(step));
    Unfinished {
        steps: steps.collect(),
        task,
        ..left
    }
}

/// Returns the last changed files of a session, the latest at the end.
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

/// Returns the list entry of a session with a task.
fn listed(past: &Past) -> Option<EarlierSession> {
    let task = past.state.task.as_ref()?;
    Some(EarlierSession {
        session: past.info.id.clone(),
        at: past.info.last_at,
        task: clip(&task.description, TASK),
        runs: past.runs,
    })
}

/// The remaining tokens of a budget.
struct Room {
    left: u64,
    omitted: u32,
}

impl Room {
    /// Returns the newest texts that fit, without duplicates and in their order.
    fn take(&mut self, mut texts: Vec<&String>) -> Vec<String> {
        let mut known = BTreeSet::new();
        texts.retain(|text| known.insert(*text));
        let texts = texts.into_iter().rev();
        let mut taken: Vec<String> = texts.filter(|text| self.takes(text)).cloned().collect();
        taken.reverse();
        taken
    }

    /// Uses the room for a text. Returns false, and counts the text as omitted, if there is none.
    fn takes(&mut self, text: &str) -> bool {
        let left = self.left.checked_sub(tokens(text));
        match left {
            Some(left) => self.left = left,
            None => self.omitted = self.omitted.saturating_add(1),
        }
        left.is_some()
    }
}

/// Returns the estimated tokens of a text and of its list marker.
fn tokens(text: &str) -> u64 {
    const MARK: u64 = 2;
    u64::from(Estimate.count(text).unwrap_or(u32::MAX)) + MARK
}

fn by(actor: Actor, event: impl Into<HudEvent>) -> Derived {
    let event = event.into();
    Derived { actor, event }
}
