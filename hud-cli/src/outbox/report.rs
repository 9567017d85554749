//! A report: something that happened, with its idempotency key.

use hud_agent::session::Session;
use hud_agent::tool::ToolError;
use hud_observe::observation::Observation;
use hud_observe::reported::{Reported, happened};
use hud_store::event::SessionId;
use hud_store::sqlite::SqliteLog;
use hud_store::state::Origin;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

/// Something that is still to be written to the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The name that its events are derived from, so that they are there once.
    id: Uuid,
    /// The time at which it happened.
    pub(super) at: Timestamp,
    pub(super) session: SessionId,
    #[serde(flatten)]
    pub(super) what: Content,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Content {
    /// The session has events.
    Runs(()),
    /// The session comes from others.
    Begins(Origin),
    /// A client's report.
    #[serde(deserialize_with = "hud_clients::observation")]
    Observed(Observation),
    /// A call of the `hud` tool.
    Called(Value),
}

/// The idempotency key of something that happened, however often it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    id: Uuid,
    at: Timestamp,
}

impl Stamp {
    /// Something that happens now.
    pub(crate) fn now() -> Self {
        Self {
            id: Uuid::now_v7(),
            at: Timestamp::now(),
        }
    }

    /// The time at which it happened.
    pub(crate) const fn at(&self) -> Timestamp {
        self.at
    }

    /// The same at the time that a client says, if that is not later.
    pub(crate) fn said_at(self, said: Option<Timestamp>) -> Self {
        Self {
            at: happened(said, self.at),
            ..self
        }
    }

    /// Something that has a name, which happened by now.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            id: Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()),
            at: Timestamp::now(),
        }
    }

    /// The nth of several things that it consists of.
    fn nth(self, nth: usize) -> Self {
        Self {
            id: Uuid::new_v5(&self.id, &nth.to_be_bytes()),
            ..self
        }
    }
}

impl Report {
    fn of(Stamp { id, at }: Stamp, session: &SessionId, what: Content) -> Self {
        let session = session.clone();
        Self {
            id,
            at,
            session,
            what,
        }
    }

    /// A session is at work: it is in the log, whatever else is said of it.
    pub(crate) fn runs(stamp: Stamp, session: &SessionId) -> Self {
        Self::of(stamp, session, Content::Runs(()))
    }

    /// A session begins with what it takes over.
    pub(crate) fn begins(stamp: Stamp, session: &SessionId, origin: &Origin) -> Self {
        Self::of(stamp, session, Content::Begins(origin.clone()))
    }

    /// A client reports something, which may have happened before the stamp was made.
    pub(crate) fn observed(
        stamp: Stamp,
        session: &SessionId,
        reports: impl IntoIterator<Item = impl Into<Reported>>,
    ) -> Vec<Self> {
        let of = |(nth, report): (usize, Reported)| {
            let stamp = stamp.nth(nth).said_at(report.at);
            Self::of(stamp, session, Content::Observed(report.observation))
        };
        let reports = reports.into_iter().map(Into::into);
        reports.enumerate().map(of).collect()
    }

    /// An agent calls its tool, in a call that may have a name in the client's conversation.
    pub(crate) fn called(
        stamp: Stamp,
        session: &SessionId,
        call: &Value,
        name: Option<&str>,
    ) -> Vec<Self> {
        let name = name.map(str::to_owned);
        let cause = name.map(|name| Content::Observed(Observation::Cause { name }));
        let whats = cause.into_iter().chain([Content::Called(call.clone())]);
        whats.map(|what| Self::of(stamp, session, what)).collect()
    }

    /// Writes it to the log, unless it is there. Gives what a call is answered; `None` if it was made
    /// before.
    pub(crate) fn write(
        &self,
        session: &mut Session<SqliteLog>,
    ) -> Result<Option<Value>, ToolError> {
        let before = session.state().version;
        let mut answer = None;
        match &self.what {
            Content::Runs(()) => session.begin(self.at)?,
            Content::Begins(_) => {}
            Content::Observed(observation) => {
                session.observe_once(self.id, observation, self.at)?
            }
            Content::Called(call) => answer = session.call_once(self.id, call, self.at)?,
        }
        // It is recorded, and comes up with what the sub-agent records next if it does not now.
        let _ = session.hand_up(before, self.at);
        Ok(answer)
    }
}
