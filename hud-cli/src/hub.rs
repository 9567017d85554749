//! The sessions that a process serves, each opened when it is first asked for.

use std::collections::HashMap;

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

use crate::location::{Location, LocationError};

/// How many sessions are kept open. A client runs a few at once; one that was closed is opened again
/// in a moment.
const OPEN: usize = 32;

/// The sessions of one log.
pub(crate) struct Hub {
    location: Location,
    durability: Durability,
    open: HashMap<SessionId, Open>,
    /// Counts uses, to close what was used least recently.
    uses: u64,
}

struct Open {
    session: Session<SqliteLog>,
    durability: Durability,
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
}

impl Hub {
    /// The sessions of the log at a place. The log is made when something is first recorded.
    pub(crate) fn new(location: Location, durability: Durability) -> Self {
        Self {
            location,
            durability,
            open: HashMap::new(),
            uses: 0,
        }
    }

    fn session(&mut self, id: &SessionId) -> Result<&mut Open, LocationError> {
        self.uses += 1;
        if !self.open.contains_key(id) {
            if self.open.len() >= OPEN {
                self.close_oldest();
            }
            let log = self.location.write(self.durability)?;
            let open = Open {
                session: Session::open(log, id.clone())?,
                durability: self.durability,
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
        let open = self.session(id)?;
        open.set_durability(durability)?;
        for report in reports {
            open.session.observe(report, Timestamp::now())?;
            if matches!(report, Observation::CompactionEnds { .. }) {
                // What was shown before is no longer in the conversation.
                open.shown = None;
            }
        }
        Ok(open.session.state())
    }

    /// Carries out a call of the `hud` tool.
    pub(crate) fn call(&mut self, id: &SessionId, call: &Value) -> Result<Value, HubError> {
        let durability = self.durability;
        let open = self.session(id)?;
        open.set_durability(durability)?;
        Ok(open.session.call(call, Timestamp::now())?)
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
        let state = self.observe(id, &[report], true)?;
        let frame = Frame::of(state, Some(Density::Full), Bands::default())?;
        Ok(frame.markdown)
    }
}
