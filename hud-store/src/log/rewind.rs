//! Rewound and forked conversations, and the states that belong to their remaining messages.

use std::collections::HashSet;
use std::ops::ControlFlow;

use jiff::Timestamp;

use super::{Appended, Expected, Log, LogError, Moment, catch_up, fold_appended, state_at};
use crate::event::{Actor, EventId, HudEvent, NewEvent, SessionEvent, SessionId, SessionRestore};
use crate::state::HudState;

/// The maximum number of sessions to search for the origin of a fork, if no session begins with a message of the
/// conversation.
const LOOKED_THROUGH: usize = 20;

/// The maximum number of generations of forks.
const GENERATIONS: usize = 32;

/// A version of a session; 0 is before its first event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// The session.
    pub session: SessionId,
    /// The version.
    pub version: u64,
}

/// A conversation as the client has it now. It consists of the names of its messages and calls, which are the causes
/// of the events that they led to ([`NewEvent::cause`]).
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    causes: HashSet<EventId>,
    is_whole: bool,
}

impl Conversation {
    /// A conversation with these messages and calls. It is whole if it begins with its first message, and not with
    /// the remainder of a compaction.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>, is_whole: bool) -> Self {
        Self {
            causes: names.into_iter().map(EventId::of_name).collect(),
            is_whole,
        }
    }

    fn has(&self, cause: EventId) -> bool {
        self.causes.contains(&cause)
    }
}

/// The point to which a session has to be restored because messages were removed from the end of its conversation. It
/// is before the first event that one of them led to. `None` if no message was removed.
///
/// An event whose cause has no name belongs to the events around it.
///
/// ```
/// use hud_store::event::{Actor, EventId, NewEvent, NoteAdd, SessionId};
/// use hud_store::log::{Conversation, Expected, Log, state_of, restore, rewound_to};
/// use hud_store::memory::MemoryLog;
///
/// let mut log = MemoryLog::new();
/// let session = SessionId::new("s")?;
/// for (message, content) in [("m1", "kept"), ("m2", "undone")] {
///     let mut event = NewEvent::now(1, Actor::Agent, NoteAdd {
///         id: message.replace('m', "n"),
///         content: content.into(),
///     });
///     event.cause = Some(EventId::of_name(message));
///     log.append(&session, Expected::Any, &[event])?;
/// }
///
/// let state = state_of(&log, &session)?;
/// let conversation = Conversation::new(["m1"], true);
/// let point = rewound_to(&log, &session, &state, &conversation)?.unwrap();
/// assert_eq!(point.version, 1);
///
/// let (state, _) = restore(&mut log, &session, state, &point, "2026-11-20T12:00:00Z".parse()?)?;
/// assert_eq!(state.notes.len(), 1);
/// assert_eq!(rewound_to(&log, &session, &state, &conversation)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Log::read`].
pub fn rewound_to<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    state: &HudState,
    conversation: &Conversation,
) -> Result<Option<Point>, LogError> {
    // The usual case: the newest message that led to an event is in the conversation.
    if state.cause.is_none_or(|cause| conversation.has(cause)) {
        return Ok(None);
    }
    Ok(standing(&line(log, session)?, conversation))
}

/// The session that a new one was forked from, and its version at the last message that both have; `None` if no
/// session has any of the messages.
///
/// # Errors
/// As [`Log::read`].
pub fn forked_from<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    conversation: &Conversation,
) -> Result<Option<Point>, LogError> {
    if conversation.causes.len() < 2 {
        // A fork has at least one shared message and one other message.
        return Ok(None);
    }
    let mut sessions = log.sessions()?;
    sessions.retain(|info| info.id != *session);
    sessions.sort_by_key(|info| std::cmp::Reverse(info.last_at));
    let mut alike = Vec::new();
    for info in &sessions {
        // A fork begins with the same message as its original.
        if first_cause(log, &info.id)?.is_some_and(|cause| conversation.has(cause)) {
            alike.push(&info.id);
        }
    }
    if alike.is_empty() {
        // A compaction removed the first message.
        alike.extend(sessions.iter().take(LOOKED_THROUGH).map(|info| &info.id));
    }
    // Forks of one session share its beginning, so the nearest is the one that shares the most messages.
    let mut nearest: Option<(usize, Point)> = None;
    for from in alike {
        let line = line(log, from)?;
        let shared = |node: &&Node| node.cause.is_some_and(|cause| conversation.has(cause));
        let count = line.iter().filter(shared).count();
        if count > nearest.as_ref().map_or(0, |(most, _)| *most) {
            let newest = line.first().map(|node| node.point.clone());
            let point = standing(&line, conversation).or(newest);
            nearest = point.map(|point| (count, point));
        }
    }
    Ok(nearest.map(|(_, point)| point))
}

/// Restores a session to an earlier version, or to a version of another session, with a `session.restore` event
/// that holds that state. `state` is a state of the session, which may be out of date. Returns the new state.
///
/// # Errors
/// As [`Log::read`] and [`Log::append`]; [`LogError::Conflict`] if somebody wrote to the session meanwhile.
pub fn restore<L: Log + ?Sized>(
    log: &mut L,
    session: &SessionId,
    state: HudState,
    to: &Point,
    at: Timestamp,
) -> Result<(HudState, Appended), LogError> {
    let mut state = catch_up(log, session, state)?;
    let mut then = state_at(log, &to.session, Moment::Version(to.version))?;
    // Outputs that the other session keeps are read from there.
    for left in &mut then.pruned {
        let of = left.session.take().unwrap_or_else(|| to.session.clone());
        left.session = Some(of).filter(|of| of != session);
    }
    let event = SessionRestore {
        session: Some(&to.session).filter(|from| *from != session).cloned(),
        version: to.version,
        state: Box::new(then),
    };
    let event = NewEvent {
        id: EventId::now_v7(),
        turn: state.turn,
        at,
        actor: Actor::Derived,
        cause: None,
        event: event.into(),
    };
    let events = vec![event];
    let appended = log.append(session, Expected::Exact(state.version), &events)?;
    fold_appended(log, session, &mut state, events, &appended)?;
    Ok((state, appended))
}

/// An event that led to a state.
#[derive(Debug)]
struct Node {
    point: Point,
    cause: Option<EventId>,
}

/// The point to go back to; `None` if no message was removed.
fn standing(line: &[Node], conversation: &Conversation) -> Option<Point> {
    let is_there = |node: &Node| node.cause.is_some_and(|cause| conversation.has(cause));
    let is_gone = |node: &Node| node.cause.is_some_and(|cause| !conversation.has(cause));
    let behind = match line.iter().position(is_there) {
        Some(newest) => &line[..newest],
        None if conversation.is_whole => line,
        // All events are of messages that a compaction removed.
        None => return None,
    };
    let first_gone = behind.iter().rposition(is_gone)?;
    let node = &line[first_gone];
    let before = line.get(first_gone + 1).map(|node| node.point.clone());
    Some(before.unwrap_or_else(|| Point {
        session: node.point.session.clone(),
        version: 0,
    }))
}

/// The events that led to the current state of a session, the newest first. It excludes events that were undone, and
/// includes events of the sessions that the session was forked from.
fn line<L: Log + ?Sized>(log: &L, session: &SessionId) -> Result<Vec<Node>, LogError> {
    let mut line = Vec::new();
    let mut from = Some((session.clone(), u64::MAX));
    for _ in 0..GENERATIONS {
        let Some((session, until)) = from.take() else {
            break;
        };
        let mut events = Vec::new();
        log.read(&session, 1, &mut |event| {
            if event.version > until {
                return ControlFlow::Break(());
            }
            let restored = match event.event {
                HudEvent::Session(SessionEvent::Restore(e)) => Some((e.session, e.version)),
                _ => None,
            };
            let cause = event.cause.filter(EventId::is_of_name);
            events.push((event.version, cause, restored));
            ControlFlow::Continue(())
        })?;
        let mut until = until;
        while let Some((version, cause, restored)) = events.pop() {
            if version > until {
                continue;
            }
            let session = session.clone();
            line.push(Node {
                point: Point { session, version },
                cause,
            });
            match restored {
                Some((None, version)) => until = version,
                Some((Some(other), version)) => {
                    from = Some((other, version));
                    break;
                }
                None => {}
            }
        }
    }
    Ok(line)
}

/// The first message or call that led to an event of a session, by its [name](EventId::of_name); `None` if no event
/// has one.
///
/// # Errors
/// As [`Log::read`].
pub fn first_cause<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
) -> Result<Option<EventId>, LogError> {
    let mut first = None;
    log.read(session, 1, &mut |event| {
        let other = match &event.event {
            HudEvent::Session(SessionEvent::Restore(e)) => e.state.cause,
            _ => None,
        };
        first = event.cause.filter(EventId::is_of_name).or(other);
        match first {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    })?;
    Ok(first)
}
