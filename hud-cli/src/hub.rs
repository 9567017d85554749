//! The sessions that a process serves, each opened when it is first asked for.

use std::collections::HashMap;
use std::path::PathBuf;

use hud_agent::compaction::{Kept, Message};
use hud_agent::frame::{Frame, place};
use hud_agent::session::{Observation, Session};
use hud_agent::tool::ToolError;
use hud_core::{Bands, Density, LowerError, Placed, Placement};
use hud_store::event::SessionId;
use hud_store::log::{LogError, begin};
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::{HudState, Origin};
use jiff::Timestamp;
use serde_json::Value;

use crate::location::{FileId, Location, LocationError};

/// How many sessions are kept open. A client runs a few at once; one that was closed is opened again
/// in a moment.
const OPEN: usize = 32;

/// The sessions of one log.
pub(crate) struct Hub {
    location: Location,
    durability: Durability,
    /// The file that the sessions below are in.
    file: Option<FileId>,
    open: HashMap<SessionId, Open>,
    /// Counts uses, to close what was used least recently.
    uses: u64,
}

struct Open {
    session: Session<SqliteLog>,
    durability: Durability,
    /// Why the log was opened for reading only, if it was.
    unwritable: Option<LocationError>,
    /// What the model saw last, where only changes are shown.
    shown: Option<HudState>,
    used: u64,
}

/// Why something asked of a session was not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HubError {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Location(#[from] LocationError),
    #[error("{} was removed or replaced while it was written to: do it again", .0.display())]
    Gone(PathBuf),
    #[error(transparent)]
    Tool(ToolError),
    #[error(transparent)]
    Lower(#[from] LowerError),
}

impl From<ToolError> for HubError {
    fn from(error: ToolError) -> Self {
        match error {
            ToolError::Log(error) => Self::Log(error),
            error => Self::Tool(error),
        }
    }
}

impl Open {
    fn set_durability(&mut self, durability: Durability) -> Result<(), LogError> {
        if self.durability != durability {
            self.session.log().set_durability(durability)?;
            self.durability = durability;
        }
        Ok(())
    }

    fn observe(&mut self, reports: &[Observation], durability: Durability) -> Result<(), HubError> {
        self.set_durability(durability)?;
        for report in reports {
            self.session.observe(report, Timestamp::now())?;
            if matches!(report, Observation::CompactionEnds { .. }) {
                // What was shown before is no longer in the conversation.
                self.shown = None;
            }
        }
        Ok(())
    }

    fn call(&mut self, call: &Value, durability: Durability) -> Result<Value, HubError> {
        self.set_durability(durability)?;
        Ok(self.session.call(call, Timestamp::now())?)
    }
}

impl Hub {
    /// The sessions of the log at a place. The log is made when something is first recorded.
    pub(crate) fn new(location: Location, durability: Durability) -> Self {
        Self {
            location,
            durability,
            file: None,
            open: HashMap::new(),
            uses: 0,
        }
    }

    fn session(&mut self, id: &SessionId) -> Result<&mut Open, LocationError> {
        self.uses += 1;
        if self.location.file_id() != self.file {
            // Nobody would find what is written to a file that was removed.
            self.open.clear();
        }
        if !self.open.contains_key(id) {
            if self.open.len() >= OPEN {
                self.close_oldest();
            }
            let (log, unwritable) = self.location.open(self.durability)?;
            self.file = self.location.file_id();
            let open = Open {
                session: Session::open(log, id.clone())?,
                durability: self.durability,
                unwritable,
                shown: None,
                used: 0,
            };
            self.open.insert(id.clone(), open);
        }
        let open = self.open.get_mut(id).ok_or_else(|| LogError::NoSession {
            session: id.clone(),
        })?;
        open.used = self.uses;
        Ok(open)
    }

    /// A session that is to be written to.
    fn writable(&mut self, id: &SessionId) -> Result<&mut Open, LocationError> {
        if self
            .open
            .get(id)
            .is_some_and(|open| open.unwritable.is_some())
        {
            // It may be possible by now.
            self.open.remove(id);
        }
        if let Some(error) = self.session(id)?.unwritable.take() {
            self.open.remove(id);
            return Err(error);
        }
        self.session(id)
    }

    /// What came of writing, if it can be relied on.
    fn written<T>(&mut self, outcome: Result<T, HubError>) -> Result<T, HubError> {
        if outcome.is_ok() && self.location.file_id() != self.file {
            self.open.clear();
            return Err(HubError::Gone(self.location.log().to_owned()));
        }
        outcome
    }

    fn close_oldest(&mut self) {
        let oldest = self.open.iter().min_by_key(|(_, open)| open.used);
        if let Some(id) = oldest.map(|(id, _)| id.clone()) {
            self.open.remove(&id);
        }
    }

    /// Begins a session with what it takes over.
    pub(crate) fn begin(&mut self, id: &SessionId, origin: &Origin) -> Result<(), HubError> {
        let mut log = self.location.write(self.durability)?;
        begin(&mut log, id, origin, Timestamp::now())?;
        Ok(())
    }

    /// Takes in what a client reports, and gives the state after it. What nobody waits for is as
    /// durable as the next thing that somebody does.
    pub(crate) fn observe(
        &mut self,
        id: &SessionId,
        reports: &[Observation],
        is_awaited: bool,
    ) -> Result<&HudState, HubError> {
        let durability = match is_awaited {
            true => self.durability,
            false => Durability::Fast,
        };
        let open = self.writable(id)?;
        let outcome = open.observe(reports, durability);
        self.written(outcome)?;
        Ok(self.session(id)?.session.state())
    }

    /// Carries out a call of the `hud` tool.
    pub(crate) fn call(&mut self, id: &SessionId, call: &Value) -> Result<Value, HubError> {
        let durability = self.durability;
        let open = self.writable(id)?;
        let outcome = open.call(call, durability);
        self.written(outcome)
    }

    /// The place of the log.
    pub(crate) fn location(&self) -> &Location {
        &self.location
    }

    /// The frame as the model is to see it now.
    pub(crate) fn place(
        &mut self,
        id: &SessionId,
        placement: Placement,
    ) -> Result<Placed, HubError> {
        let open = self.session(id)?;
        open.session.catch_up()?;
        let state = open.session.state();
        let placed = place(state, open.shown.as_ref(), placement, Bands::default())?;
        if placement == Placement::Delta {
            open.shown = Some(state.clone());
        }
        Ok(placed)
    }

    /// What stays of the client's conversation in the next request.
    pub(crate) fn kept<'m>(
        &mut self,
        id: &SessionId,
        messages: &'m [Message],
    ) -> Result<Kept<'m>, HubError> {
        let open = self.session(id)?;
        open.session.catch_up()?;
        Ok(open.session.kept(messages, &Bands::default()))
    }

    /// Records that a compaction begins, and gives the whole HUD at that moment.
    pub(crate) fn compacting(
        &mut self,
        id: &SessionId,
        trigger: Option<String>,
    ) -> Result<String, HubError> {
        let report = Observation::CompactionBegins { trigger };
        self.observe(id, &[report], true)?;
        self.whole(id)
    }

    /// The whole HUD, as full as it can be.
    pub(crate) fn whole(&mut self, id: &SessionId) -> Result<String, HubError> {
        let open = self.session(id)?;
        open.session.catch_up()?;
        let frame = Frame::of(open.session.state(), Some(Density::Full), Bands::default())?;
        Ok(frame.markdown)
    }
}
