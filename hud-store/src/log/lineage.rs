//! Sessions that come from other sessions, and the items that they inherit.

use jiff::Timestamp;
use uuid::Uuid;

use super::{Appended, Log, LogError, append_with, state_of};
use crate::event::{
    Actor, ConstraintEvent, EventId, HudEvent, NewEvent, RequestEvent, SessionId, SessionStart,
    TaskEvent,
};
use crate::section::{self, Relation, Taking};
use crate::state::{HudState, Numbers, Origin};

/// Begins a session with the items that it inherits from the sessions that it comes from.
///
/// | from | inherited |
/// | --- | --- |
/// | the project's session | notes, decisions (its conventions), files |
/// | the parent of a sub-agent | the task, decisions |
/// | the session that it resumes | the task, decisions, notes, files, steps that are not done, blockers, open errors, core memory, dropped items |
///
/// Inherited items are recorded in the new session, so its state is still the fold of its events. The other
/// sessions do not change. Beginning a session again with the same origin changes nothing.
///
/// ```
/// use hud_store::event::{Actor, NewEvent, SessionId, TaskSet};
/// use hud_store::log::{Expected, Log, begin, state_of};
/// use hud_store::memory::MemoryLog;
/// use hud_store::state::Origin;
///
/// let mut log = MemoryLog::new();
/// let (old, new) = (SessionId::new("monday")?, SessionId::new("tuesday")?);
/// let task = TaskSet { description: "Implement auth".into() };
/// log.append(&old, Expected::Any, &[NewEvent::now(1, Actor::User, task)])?;
///
/// let origin = Origin { resumes: Some(old), ..Origin::default() };
/// begin(&mut log, &new, &origin, "2026-11-20T12:00:00Z".parse()?)?;
/// assert_eq!(state_of(&log, &new)?.task.unwrap().description, "Implement auth");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A session may have begun already, for example if its client recorded an event before the origin was known. Such a
/// session keeps its own items, which come first. Inherited items get free names and never displace the session's own
/// items. The session's own first request is then the latest request within the resumed task.
///
/// # Errors
/// [`LogError::Joined`] if the session comes from another session already, [`LogError::Itself`] if it is to come from
/// itself, [`LogError::NoSession`] if a session that it comes from has no events, and the errors of the log.
pub fn begin<L: Log + ?Sized>(
    log: &mut L,
    session: &SessionId,
    origin: &Origin,
    at: Timestamp,
) -> Result<Appended, LogError> {
    begun(log, session, origin, at, false)
}

/// Begins a session as [`begin`] does, even if its parent is not in the log, for example because the parent is on
/// another machine that can't be reached. Such a session inherits nothing from its parent, now or later.
///
/// # Errors
/// As [`begin`].
pub fn begin_apart<L: Log + ?Sized>(
    log: &mut L,
    session: &SessionId,
    origin: &Origin,
    at: Timestamp,
) -> Result<Appended, LogError> {
    begun(log, session, origin, at, true)
}

fn begun<L: Log + ?Sized>(
    log: &mut L,
    session: &SessionId,
    origin: &Origin,
    at: Timestamp,
    is_apart: bool,
) -> Result<Appended, LogError> {
    let mut past = Vec::new();
    for (from, relation) in links(origin).into_iter().zip(RELATIONS) {
        let Some(from) = from else { continue };
        if from == session {
            return Err(LogError::Itself {
                session: session.clone(),
            });
        }
        let state = state_of(log, from)?;
        if state.version == 0 && !(is_apart && relation == Relation::Parent) {
            return Err(LogError::NoSession {
                session: from.clone(),
            });
        }
        past.push((from, state, relation));
    }
    let (_, appended) = append_with(log, session, |state| {
        let Some(joined) = joined(session, state, origin)? else {
            return Ok::<_, LogError>(Vec::new());
        };
        let known = state.origin.clone().unwrap_or_default();
        let mut begins = Beginning::new(session, state, at);
        begins.push(SessionStart {
            resumes: joined.resumes,
            parent: joined.parent,
            project: joined.project,
        });
        let is_new = |from: &SessionId| !links(&known).contains(&Some(from));
        for (_, past, relation) in past.iter().filter(|(from, ..)| is_new(from)) {
            begins.take(past, *relation);
        }
        Ok(begins.events)
    })?;
    Ok(appended)
}

/// The relation of a session to each of its [`links`].
const RELATIONS: [Relation; 3] = [Relation::Project, Relation::Parent, Relation::Resumed];

/// The sessions that a session comes from, in the order in which their items are inherited.
fn links(origin: &Origin) -> [Option<&SessionId>; 3] {
    [&origin.project, &origin.parent, &origin.resumes].map(Option::as_ref)
}

/// The combined origin of a session that also comes from `origin`; `None` if it comes from there already.
fn joined(
    session: &SessionId,
    state: &HudState,
    origin: &Origin,
) -> Result<Option<Origin>, LogError> {
    let known = state.origin.clone().unwrap_or_default();
    for (known, wanted) in links(&known).into_iter().zip(links(origin)) {
        if let (Some(known), Some(wanted)) = (known, wanted)
            && known != wanted
        {
            return Err(LogError::Joined {
                session: session.clone(),
                known: known.clone(),
                wanted: wanted.clone(),
            });
        }
    }
    let joined = Origin {
        resumes: known.resumes.clone().or(origin.resumes.clone()),
        parent: known.parent.clone().or(origin.parent.clone()),
        project: known.project.clone().or(origin.project.clone()),
        forks: known.forks.clone(),
    };
    Ok((state.version == 0 || joined != known).then_some(joined))
}

struct Beginning<'b> {
    session: &'b SessionId,
    /// The current state of the session; of version 0 if it begins now.
    own: &'b HudState,
    at: Timestamp,
    /// The highest numbers of items so far.
    numbers: Numbers,
    events: Vec<NewEvent>,
}

impl<'b> Beginning<'b> {
    fn new(session: &'b SessionId, own: &'b HudState, at: Timestamp) -> Self {
        Self {
            session,
            own,
            at,
            numbers: own.numbers.clone(),
            events: Vec::new(),
        }
    }

    fn push(&mut self, event: impl Into<HudEvent>) {
        self.push_by(Actor::Derived, event);
    }

    fn push_by(&mut self, actor: Actor, event: impl Into<HudEvent>) {
        // The id is derived from the session and the position, so that two processes that begin the session at once
        // append the same events.
        let version = self.own.version;
        let place = match version {
            0 => self.events.len().to_string(),
            version => format!("{version}\n{}", self.events.len()),
        };
        let name = format!("{}\n{place}", self.session);
        self.events.push(NewEvent {
            id: EventId::from_uuid(Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes())),
            turn: self.own.turn,
            at: self.at,
            actor,
            cause: None,
            event: event.into(),
        });
    }

    fn take(&mut self, past: &HudState, relation: Relation) {
        let is_new = self.own.version == 0;
        let mut taking = Taking::new(relation, is_new, &mut self.numbers);
        for event in section::carry_over(past, self.own, &mut taking) {
            let speaker = speaker(past, self.own, &event);
            self.push_by(speaker, event);
        }
    }
}

/// The actor of an inherited event. The user's task, requests and rules stay the user's.
fn speaker(past: &HudState, own: &HudState, event: &HudEvent) -> Actor {
    let by = match event {
        HudEvent::Task(TaskEvent::Set(_) | TaskEvent::Pin(_)) => {
            past.task.as_ref().map(|task| &task.by)
        }
        // Only the user makes requests within a task.
        HudEvent::Task(TaskEvent::Update(_)) => {
            let asked = past
                .task
                .as_ref()
                .and_then(|task| task.latest_request.as_ref());
            let own = own.task.as_ref().map(|task| &task.by);
            own.or(asked.map(|_| &Actor::User))
        }
        HudEvent::Constraint(ConstraintEvent::Add(add)) => {
            let mut rules = past.constraints.iter();
            rules
                .find(|rule| rule.text == add.text)
                .map(|rule| &rule.by)
        }
        HudEvent::Request(RequestEvent::Make(make)) => {
            let mut requests = past.requests.iter();
            requests
                .find(|request| request.text == make.text)
                .map(|request| &request.by)
        }
        _ => None,
    };
    by.cloned().unwrap_or(Actor::Derived)
}
