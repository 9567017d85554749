//! Sessions that come from others: what a new one begins with.

use jiff::Timestamp;
use uuid::Uuid;

use super::{Appended, Expected, Log, LogError, SessionInfo, project};
use crate::event::{
    Actor, BlockerAdd, DecisionRecord, ErrorEncountered, EventId, FileOpen, HudEvent,
    MemoryCoreUpdate, NewEvent, NoteAdd, SessionId, SessionStart, StepAdd, StepStart, TaskSet,
    TaskUpdate, UpdateMode,
};
use crate::state::{HudState, MemoryBlock, Origin, StepStatus};

/// Begins a session with what it takes over from the sessions that it comes from.
///
/// | from | is taken over |
/// | --- | --- |
/// | the project's session (`open-memory-hud.md` 3.5) | notes, decisions (its conventions), files |
/// | the parent of a sub-agent | the task, decisions |
/// | the session that it resumes | the task, decisions, notes, files, steps that are not done, blockers, open errors, core memory |
///
/// What is taken over is recorded in the new session, so its state is the fold of its own events
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
/// # Errors
/// [`LogError::Conflict`] if the session has begun in another way, [`LogError::NoSession`] if one
/// that it comes from has no events, and what the log reports.
pub fn begin<L: Log + ?Sized>(
    log: &mut L,
    session: &SessionId,
    origin: &Origin,
    at: Timestamp,
) -> Result<Appended, LogError> {
    // A session that has begun with this origin is left as it is, whatever the others did since.
    let known = project(log, session)?;
    if known.version > 0 && known.origin.as_ref() == Some(origin) {
        return log.append(session, Expected::Any, &[]);
    }
    Expected::NoStream.check(session, known.version)?;
    let mut begins = Beginning {
        session,
        at,
        events: Vec::new(),
    };
    begins.push(SessionStart {
        resumes: origin.resumes.clone(),
        parent: origin.parent.clone(),
        project: origin.project.clone(),
    });
    for (from, what) in [
        (&origin.project, Taken::PROJECT),
        (&origin.parent, Taken::PARENT),
        (&origin.resumes, Taken::ALL),
    ] {
        if let Some(from) = from {
            let state = project(log, from)?;
            if state.version == 0 {
                return Err(LogError::NoSession {
                    session: from.clone(),
                });
            }
            begins.take(&state, what);
        }
    }
    log.append(session, Expected::NoStream, &begins.events)
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
}

struct Beginning<'b> {
    session: &'b SessionId,
    at: Timestamp,
    events: Vec<NewEvent>,
}

impl Beginning<'_> {
    fn push(&mut self, event: impl Into<HudEvent>) {
        // Of the session and the place, so that two who begin it at once do the same.
        let name = format!("{}\n{}", self.session, self.events.len());
        self.events.push(NewEvent {
            id: EventId::from_uuid(Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes())),
            turn: 0,
            at: self.at,
            actor: Actor::Derived,
            cause: None,
            event: event.into(),
        });
    }

    fn take(&mut self, state: &HudState, what: Taken) {
        if what.task
            && let Some(task) = &state.task
        {
            self.push(TaskSet {
                description: task.description.clone(),
            });
            if task.latest_request.is_some() {
                self.push(TaskUpdate {
                    description: None,
                    latest_request: task.latest_request.clone(),
                });
            }
        }
        for decision in &state.decisions {
            self.push(DecisionRecord {
                id: decision.id.clone(),
                summary: decision.summary.clone(),
                details: decision.details.clone(),
            });
        }
        if what.notes {
            for note in &state.notes {
                self.push(NoteAdd {
                    id: note.id.clone(),
                    content: note.content.clone(),
                });
            }
        }
        if what.files {
            for file in &state.active_files {
                self.push(FileOpen {
                    path: file.path.clone(),
                });
            }
        }
        if what.plan {
            self.take_plan(state);
        }
    }

    fn take_plan(&mut self, state: &HudState) {
        let open = |status| status != StepStatus::Completed;
        for step in state.next_steps.iter().filter(|step| open(step.status)) {
            self.push(StepAdd {
                id: step.id.clone(),
                description: step.description.clone(),
            });
            if step.status == StepStatus::InProgress {
                self.push(StepStart {
                    id: step.id.clone(),
                });
            }
        }
        for blocker in &state.blockers {
            self.push(BlockerAdd {
                id: blocker.id.clone(),
                description: blocker.description.clone(),
            });
        }
        for error in state.errors.iter().filter(|error| !error.is_resolved()) {
            self.push(ErrorEncountered {
                id: error.id.clone(),
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
            if !content.is_empty() {
                self.push(MemoryCoreUpdate {
                    block,
                    content: content.clone(),
                    mode: UpdateMode::Replace,
                });
            }
        }
    }
}
