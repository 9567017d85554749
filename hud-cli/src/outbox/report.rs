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

/// A report that is not in the log yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The id that the ids of its events are derived from, so that they are in the log once.
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
    /// The session inherits from others.
    Begins(Origin),
    /// A client's report.
    #[serde(deserialize_with = "hud_clients::observation")]
    Observed(Observation),
    /// A call of the `hud` tool.
    Called(Value),
}

/// The idempotency key of a report, and its time. It is the same for each attempt to write it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    id: Uuid,
    at: Timestamp,
}

impl Stamp {
    /// A new key for now.
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

    /// The same key with the time that a client reports, if that is not later.
    pub(crate) fn said_at(self, said: Option<Timestamp>) -> Self {
        Self {
            at: happened(said, self.at),
            ..self
        }
    }

    /// The key of a report with a name, for now.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            id: Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()),
            at: Timestamp::now(),
        }
    }

    /// The key of the nth of several reports.
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

    /// The report that a session is active. It puts the session into the log, even without other events.
    pub(crate) fn runs(stamp: Stamp, session: &SessionId) -> Self {
        Self::of(stamp, session, Content::Runs(()))
    }

    /// The report that a session begins with an inherited state.
    pub(crate) fn begins(stamp: Stamp, session: &SessionId, origin: &Origin) -> Self {
        Self::of(stamp, session, Content::Begins(origin.clone()))
    }

    /// The reports of a client's observations, which may have happened before the stamp was created.
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

    /// The reports of a call of the agent's tool. The call may have a name in the client's conversation.
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

    /// Writes the report to the log, unless it is there. Returns the answer to a call, and `None` if the call
    /// was in the log already.
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
        // The event is recorded. If propagating it to the parent fails now, the sub-agent's next event does it.
        let _ = session.hand_up(before, self.at);
        Ok(answer)
    }
}
