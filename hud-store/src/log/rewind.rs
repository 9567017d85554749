//! Conversations that are rewound or forked: which state belongs to the messages that are left.

use std::collections::HashSet;
use std::ops::ControlFlow;

use jiff::Timestamp;

use super::{Appended, Expected, Log, LogError, Moment, catch_up, fold_appended, state_at};
use crate::event::{Actor, EventId, HudEvent, NewEvent, SessionEvent, SessionId, SessionRestore};
use crate::state::HudState;

/// How many sessions a fork is looked for in, of those that share no beginning with it.
const LOOKED_THROUGH: usize = 20;

/// How often sessions may have been forked from each other.
const GENERATIONS: usize = 32;

/// A version of a session; 0 is before its first event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// The session.
    pub session: SessionId,
    /// The version.
    pub version: u64,
}

/// A conversation as the client has it now: the names of its messages and calls, by which the
/// events that they led to are found ([`NewEvent::cause`]).
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    causes: HashSet<EventId>,
    is_whole: bool,
}

impl Conversation {
    /// A conversation with these messages and calls. It is whole if it begins with its first
    /// message, and not with what a compaction left.
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

/// Where a session is to go back to because messages were taken out of its conversation at the end:
/// to before the first event that one of them led to. `None` if everything still holds.
///
/// Of an event without a cause that has a name nothing is known: it goes with those around it.
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
    // As it nearly always is: the newest message that led to anything is there.
    if state.cause.is_none_or(|cause| conversation.has(cause)) {
        return Ok(None);
    }
    Ok(standing(&line(log, session)?, conversation))
}

/// The session that a new one was forked from, and the version that it had at the last message that
/// both have; `None` if no session has any of the messages.
///
/// # Errors
/// As [`Log::read`].
pub fn forked_from<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    conversation: &Conversation,
) -> Result<Option<Point>, LogError> {
    if conversation.causes.len() < 2 {
        // A copy goes on with a message of its own.
        return Ok(None);
    }
    let mut sessions = log.sessions()?;
    sessions.retain(|info| info.id != *session);
    sessions.sort_by_key(|info| std::cmp::Reverse(info.last_at));
    let mut alike = Vec::new();
    for info in &sessions {
        // A copy begins with what the original began with.
        if first_cause(log, &info.id)?.is_some_and(|cause| conversation.has(cause)) {
            alike.push(&info.id);
        }
    }
    if alike.is_empty() {
        // What it began with was left behind by a compaction.
        alike.extend(sessions.iter().take(LOOKED_THROUGH).map(|info| &info.id));
    }
    // Forks of one session have its beginning in common: the nearest has the most of the messages.
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

/// Takes a session back to a version of its own, or on from what another one was at a version, by a
/// `session.restore` with that state. `state` is the session's, which may be an older one; the new one
/// is given back.
///
/// # Errors
/// As [`Log::read`] and [`Log::append`]; [`LogError::Conflict`] when the session was written to
/// meanwhile.
pub fn restore<L: Log + ?Sized>(
    log: &mut L,
    session: &SessionId,
    state: HudState,
    to: &Point,
    at: Timestamp,
) -> Result<(HudState, Appended), LogError> {
    let mut state = catch_up(log, session, state)?;
    let mut then = state_at(log, &to.session, Moment::Version(to.version))?;
    // What the other session kept is read there.
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

/// An event on the way to a state.
#[derive(Debug)]
struct Node {
    point: Point,
    cause: Option<EventId>,
}

/// The version to go back to; `None` if everything still holds.
fn standing(line: &[Node], conversation: &Conversation) -> Option<Point> {
    let is_there = |node: &Node| node.cause.is_some_and(|cause| conversation.has(cause));
    let is_gone = |node: &Node| node.cause.is_some_and(|cause| !conversation.has(cause));
    let behind = match line.iter().position(is_there) {
        Some(newest) => &line[..newest],
        None if conversation.is_whole => line,
        // It is of messages that a compaction left behind.
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

/// The events that led to what a session is now, the newest first: without those that were taken back,
/// and with those of the sessions that it was forked from.
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

/// The first message or call that led to an event of a session, by its
/// [name](EventId::of_name); `None` if no event has one.
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
