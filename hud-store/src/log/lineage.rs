//! Sessions that come from others: what they take over.

use jiff::Timestamp;
use uuid::Uuid;

use super::{Appended, Log, LogError, SessionInfo, append_with, project};
use crate::event::{
    Actor, BlockerAdd, DecisionRecord, ErrorEncountered, EventId, FileOpen, HudEvent,
    MemoryCoreUpdate, NewEvent, NoteAdd, SessionId, SessionStart, StepAdd, StepStart, TaskSet,
    TaskUpdate, UpdateMode,
};
use crate::project::{BLOCKERS_CAP, DECISIONS_CAP, ERRORS_CAP, FILES_CAP, NOTES_CAP};
use crate::state::{
    ActiveFile, Blocker, Decision, HudState, MemoryBlock, Note, Numbers, Origin, Step, StepStatus,
};

/// Begins a session with what it takes over from the sessions that it comes from.
///
/// | from | is taken over |
/// | --- | --- |
/// | the project's session | notes, decisions (its conventions), files |
/// | the parent of a sub-agent | the task, decisions |
/// | the session that it resumes | the task, decisions, notes, files, steps that are not done, blockers, open errors, core memory |
///
/// What is taken over is recorded in the session that takes it, so its state is the fold of its own events
/// still, and the other sessions are as they were. It is recorded once: to begin a session again
/// with the same origin changes nothing.
///
/// ```
/// use hud_store::event::{Actor, NewEvent, SessionId, TaskSet};
/// use hud_store::log::{Expected, Log, begin, project};
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
/// assert_eq!(project(&log, &new)?.task.unwrap().description, "Implement auth");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A session that has begun already, as one does whose client recorded something before anybody could
/// say where it comes from, is joined to its past: what it has itself stays and comes first, what is
/// taken over gets names that are free and leaves no item of the session's own without room. Its own
/// first request is then the latest one within the resumed task.
///
/// # Errors
/// [`LogError::Joined`] if the session comes from elsewhere already, [`LogError::Itself`] if it
/// is to come from itself, [`LogError::NoSession`] if one that it comes from has no events, and what
/// the log reports.
pub fn begin<L: Log + ?Sized>(
    log: &mut L,
    session: &SessionId,
    origin: &Origin,
    at: Timestamp,
) -> Result<Appended, LogError> {
    let mut past = Vec::new();
    for (from, what) in links(origin).into_iter().zip(Taken::EACH) {
        let Some(from) = from else { continue };
        if from == session {
            return Err(LogError::Itself {
                session: session.clone(),
            });
        }
        let state = project(log, from)?;
        if state.version == 0 {
            return Err(LogError::NoSession {
                session: from.clone(),
            });
        }
        past.push((from, state, what));
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
        for (_, past, what) in past.iter().filter(|(from, ..)| is_new(from)) {
            begins.take(past, *what);
        }
        Ok(begins.events)
    })?;
    Ok(appended)
}

/// The sessions that one comes from, in the order in which they are taken over.
fn links(origin: &Origin) -> [Option<&SessionId>; 3] {
    [&origin.project, &origin.parent, &origin.resumes].map(Option::as_ref)
}

/// Where a session comes from once it also comes from `origin`; `None` if it does already.
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

/// The sessions that a session made, in the order of their first events.
///
/// # Errors
/// As [`Log::sessions`].
pub fn children<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
) -> Result<Vec<SessionInfo>, LogError> {
    let mut sessions = log.sessions()?;
    sessions.retain(|info| info.origin.parent.as_ref() == Some(session));
    Ok(sessions)
}

/// What is taken over.
#[derive(Clone, Copy)]
struct Taken {
    task: bool,
    notes: bool,
    files: bool,
    plan: bool,
}

impl Taken {
    const PROJECT: Self = Self {
        task: false,
        notes: true,
        files: true,
        plan: false,
    };
    const PARENT: Self = Self {
        task: true,
        notes: false,
        files: false,
        plan: false,
    };
    const ALL: Self = Self {
        task: true,
        notes: true,
        files: true,
        plan: true,
    };
    /// From each of the [`links`].
    const EACH: [Self; 3] = [Self::PROJECT, Self::PARENT, Self::ALL];
}

struct Beginning<'b> {
    session: &'b SessionId,
    /// The session as it is; of version 0 if it begins now.
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
            numbers: own.numbers,
            events: Vec::new(),
        }
    }

    fn push(&mut self, event: impl Into<HudEvent>) {
        // Of the session and the place, so that two who begin it at once do the same.
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
            actor: Actor::Derived,
            cause: None,
            event: event.into(),
        });
    }

    /// The name that an item has in the session: its own where the session begins with it, else one
    /// that is free.
    fn name(&mut self, id: &str) -> String {
        match self.own.version {
            0 => id.to_owned(),
            _ => self.numbers.name_like(id),
        }
    }

    /// The newest of `past` that are not in the session, as many as find room beside its own.
    fn fitting<'p, T>(
        past: &'p [T],
        own: &[T],
        cap: usize,
        same: impl Fn(&T, &T) -> bool,
    ) -> Vec<&'p T> {
        let is_new = |item: &&T| !own.iter().any(|own| same(own, item));
        let mut fitting: Vec<&T> = past.iter().filter(is_new).collect();
        let room = cap.saturating_sub(own.len());
        fitting.drain(..fitting.len().saturating_sub(room));
        fitting
    }

    fn take(&mut self, past: &HudState, what: Taken) {
        if what.task {
            self.take_task(past, what);
        }
        let same = |one: &Decision, other: &Decision| one.summary == other.summary;
        for decision in Self::fitting(&past.decisions, &self.own.decisions, DECISIONS_CAP, same) {
            let id = self.name(&decision.id);
            self.push(DecisionRecord {
                id,
                summary: decision.summary.clone(),
                details: decision.details.clone(),
            });
        }
        if what.notes {
            let same = |one: &Note, other: &Note| one.content == other.content;
            for note in Self::fitting(&past.notes, &self.own.notes, NOTES_CAP, same) {
                let id = self.name(&note.id);
                self.push(NoteAdd {
                    id,
                    content: note.content.clone(),
                });
            }
        }
        if what.files {
            let own = &self.own.active_files;
            let same = |one: &ActiveFile, other: &ActiveFile| one.path == other.path;
            let taken = Self::fitting(&past.active_files, own, FILES_CAP, same);
            // The session's own were touched since.
            let own = own.iter().filter(|_| !taken.is_empty());
            for file in taken.iter().copied().chain(own) {
                self.push(FileOpen {
                    path: file.path.clone(),
                });
            }
        }
        if what.plan {
            self.take_plan(past);
        }
    }

    /// The task; what the session has been asked for since is the latest request in it. A sub-agent
    /// that was given a task of its own keeps it.
    fn take_task(&mut self, past: &HudState, what: Taken) {
        let Some(task) = &past.task else { return };
        let own = self.own.task.as_ref();
        if own.is_some() && !what.plan {
            return;
        }
        self.push(TaskSet {
            description: task.description.clone(),
        });
        let own = own.map(|own| own.latest_request.as_ref().unwrap_or(&own.description));
        if let Some(request) = own.or(task.latest_request.as_ref()) {
            self.push(TaskUpdate {
                description: None,
                latest_request: Some(request.clone()),
            });
        }
    }

    fn take_plan(&mut self, state: &HudState) {
        let is_at_work = |step: &Step| step.status == StepStatus::InProgress;
        let has_own = self.own.next_steps.iter().any(is_at_work);
        let is_open = |step: &&Step| step.status != StepStatus::Completed;
        for step in state.next_steps.iter().filter(is_open) {
            let id = self.name(&step.id);
            self.push(StepAdd {
                id: id.clone(),
                description: step.description.clone(),
            });
            if is_at_work(step) && !has_own {
                self.push(StepStart { id });
            }
        }
        let same = |one: &Blocker, other: &Blocker| one.description == other.description;
        for blocker in Self::fitting(&state.blockers, &self.own.blockers, BLOCKERS_CAP, same) {
            let id = self.name(&blocker.id);
            self.push(BlockerAdd {
                id,
                description: blocker.description.clone(),
            });
        }
        let open: Vec<_> = state.errors.iter().filter(|e| !e.is_resolved()).collect();
        let room = ERRORS_CAP.saturating_sub(self.own.errors.len());
        for error in &open[open.len().saturating_sub(room)..] {
            let id = self.name(&error.id);
            self.push(ErrorEncountered {
                id,
                message: error.message.clone(),
                tool: error.tool.clone(),
                target: error.target.clone(),
            });
        }
        for block in [
            MemoryBlock::Goal,
            MemoryBlock::Progress,
            MemoryBlock::Context,
        ] {
            let content = &state.core_memory.block(block).content;
            let own = &self.own.core_memory.block(block).content;
            if !content.is_empty() && own.is_empty() {
                self.push(MemoryCoreUpdate {
                    block,
                    content: content.clone(),
                    mode: UpdateMode::Replace,
                });
            }
        }
    }
}
