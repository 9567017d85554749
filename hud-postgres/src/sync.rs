//! The shared parts of sending and copying: pages of lines, other names for sessions, and errors.

use std::ops::ControlFlow;

use hud_store::event::SessionId;
use hud_store::jsonl::Line;
use hud_store::log::LogError;
use uuid::Uuid;

/// The maximum number of events that are sent or copied at once. They are held in memory.
const PAGE: usize = 1000;

/// The number of bytes of payloads and contents after which a page ends.
const PAGE_BYTES: usize = 1024 * 1024;

/// The error of sending or copying events.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SyncError {
    /// An error of one of the two logs.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The session was continued on both sides.
    #[error(
        "session {session} went on here after version {version}, and went on in the fleet as well: `hud push` \
         sends what is here as a session of its own; to have the other, copy it into another file with --db"
    )]
    Diverged {
        /// The name here.
        session: SessionId,
        /// The last version that both have in common.
        version: u64,
    },
    /// Another log became the session's home at the same time.
    #[error(
        "session {session} was taken over by {by} in the meantime: see `hud fleet status`, and take it over from \
         there if that is right"
    )]
    Raced {
        /// The name.
        session: SessionId,
        /// The log that is its home now.
        by: String,
    },
    /// The session's home changes there with each attempt.
    #[error(
        "session {session} can't be sent: what {place} says of it changes with each try; run `hud push` again \
         when nobody takes it over"
    )]
    Unsettled {
        /// The name here.
        session: SessionId,
        /// The address of the log that it is sent to.
        place: String,
    },
}

/// The lines of a page, as many as `read` passes, up to the limits.
pub(crate) fn page(
    read: impl FnOnce(&mut dyn FnMut(Line) -> ControlFlow<()>) -> Result<(), LogError>,
) -> Result<Vec<Line>, LogError> {
    let (mut lines, mut bytes) = (Vec::new(), 0);
    read(&mut |line: Line| {
        bytes += line.payload.get().len() + line.content.as_ref().map_or(0, String::len);
        lines.push(line);
        match lines.len() < PAGE && bytes < PAGE_BYTES {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    Ok(lines)
}

/// The name of a session of a log if its own name is taken: `main@1f0c9a3b`, and then with the suffix `.2`.
pub(crate) fn other_name(session: &SessionId, log: Option<Uuid>, nth: u32) -> SessionId {
    let log = log.unwrap_or_default();
    let short = log.simple().to_string().chars().take(8).collect::<String>();
    let end = match nth {
        0 | 1 => format!("@{short}"),
        nth => format!("@{short}.{nth}"),
    };
    SessionId::new(format!("{session}{end}")).unwrap_or_else(|_| {
        // The name has the maximum length.
        let hash = Uuid::new_v5(&log, session.as_str().as_bytes());
        SessionId::new(format!("{hash}{end}")).unwrap_or_else(|_| session.clone())
    })
}
