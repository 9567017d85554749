//! A running session of an agent. The client's reports and the agent's calls become events in the log, and the
//! session has the state and its frames.
//!
//! Several processes, such as the hooks of a client, can run the same session. Each one reads the events of
//! the others before a decision. If another process appends first, it decides again.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use std::sync::Arc;

use hud_store::event::{
    Actor, ContentHash, ContextFrame, EventId, HudEvent, NewEvent, SessionId, SessionStart,
    StoredEvent,
};
use hud_store::log::{
    Conversation, Expected, Log, LogError, Query, Search, append_onto, begin, first_cause,
    forked_from, kept, newer, restore, rewound_to, state_of, state_with_past,
};
use hud_store::section::dropped_with;
use hud_store::state::{HudState, Origin, OutputClass, PrunedOutput};
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::compaction::{Message, Trimmed, trim};
use crate::earlier::inherited;
use crate::known::known;
use crate::prune::entry::{bounds, cut};
use crate::prune::rule::Pressure;
use crate::prune::{Now, class_of};
use crate::sent::is_same;
use crate::settings::Settings;
use crate::tool::{self, Found, Lookup, Numbering, Operations, OtherSession, ToolError};
use hud_derive::{Derived, Deriver};
use hud_observe::observation::Observation;

/// A running session.
#[derive(Debug)]
pub struct Session<L> {
    id: SessionId,
    log: L,
    state: HudState,
    deriver: Deriver,
    operations: Operations,
    settings: Arc<Settings>,
    /// The idempotency key of the next events, if they must not be appended twice.
    name: Option<Uuid>,
    /// The cause of the next events.
    cause: Option<EventId>,
    /// The versions of the user's events.
    said: BTreeSet<u64>,
    /// The last frame that the client received.
    handed: Option<ContextFrame>,
    /// The frames that the client received and that are not in the log yet.
    unrecorded: Vec<NewEvent>,
}

/// The cause of the first events of a fork.
const FORK: &str = "fork";

/// The maximum number of attempts to follow a conversation while other processes write to the session.
const ATTEMPTS: u32 = 20;

/// The maximum number of frames that wait to be recorded. It limits the memory if the log can't be written.
const MOST_UNRECORDED: usize = 64;

impl<L: Log> Session<L> {
    /// Opens a session, which may be new.
    ///
    /// # Errors
    ///
    /// As [`Log::read`].
    pub fn open(log: L, id: SessionId) -> Result<Self, LogError> {
        let state = state_of(&log, &id)?;
        Ok(Self::of(log, id, state))
    }

    /// Opens a session as [`open`](Self::open) does. Also returns its state at an earlier version: see
    /// [`state_with_past`].
    ///
    /// # Errors
    ///
    /// As [`Log::read`].
    pub fn open_with_past(
        log: L,
        id: SessionId,
        version: u64,
    ) -> Result<(Self, Option<HudState>), LogError> {
        let (state, past) = state_with_past(&log, &id, version)?;
        Ok((Self::of(log, id, state), past))
    }

    fn of(log: L, id: SessionId, state: HudState) -> Self {
        let operations = Operations::built_in();
        Self {
            deriver: Deriver::of(&state).with_tool(Arc::new(operations.clone())),
            operations,
            settings: Arc::default(),
            id,
            log,
            state,
            name: None,
            cause: None,
            said: BTreeSet::new(),
            handed: None,
            unrecorded: Vec::new(),
        }
    }

    /// Sets the operations of the `hud` tool. The default is the built-in ones.
    #[must_use]
    pub fn with_operations(self, operations: Operations) -> Self {
        let operations = operations.with_memory(&self.settings.memory);
        Self {
            deriver: self.deriver.with_tool(Arc::new(operations.clone())),
            operations,
            ..self
        }
    }

    /// Sets the user's settings.
    #[must_use]
    pub fn with_settings(self, settings: Arc<Settings>) -> Self {
        let operations = self.operations.with_memory(&settings.memory);
        let deriver = self.deriver.with_settings(settings.of_derivation());
        Self {
            deriver: deriver.with_tool(Arc::new(operations.clone())),
            operations,
            settings,
            ..self
        }
    }

    /// Sets the agent's working directory for relative paths of files, as an absolute path.
    pub fn work_in(&mut self, directory: &str) {
        self.deriver.work_in(directory);
    }

    /// The session's id.
    pub const fn id(&self) -> &SessionId {
        &self.id
    }

    /// The state at the last write or [`catch_up`](Self::catch_up).
    pub const fn state(&self) -> &HudState {
        &self.state
    }

    /// The log.
    pub const fn log(&self) -> &L {
        &self.log
    }

    /// Reads the events that other processes appended.
    ///
    /// # Errors
    ///
    /// As [`Log::read`]. The state is then unchanged.
    pub fn catch_up(&mut self) -> Result<(), LogError> {
        if let Some(state) = newer(&self.log, &self.id, &self.state)? {
            self.deriver.follow(&state);
            self.state = state;
        }
        Ok(())
    }

    /// Returns the agent's knowledge of the session: the state that it was shown, and the later events that it
    /// knows. See [`known`]. It has seen the user's messages to this session.
    ///
    /// # Errors
    ///
    /// As [`Log::read`].
    pub fn known(
        &self,
        shown: &HudState,
        is_seen: impl Fn(&StoredEvent) -> Option<bool>,
    ) -> Result<HudState, LogError> {
        known(&self.log, &self.id, shown, |event| {
            is_seen(event).or_else(|| self.said.contains(&event.version).then_some(true))
        })
    }

    /// The versions of the user's events that this process recorded from the conversation.
    pub const fn said(&self) -> &BTreeSet<u64> {
        &self.said
    }

    /// Records the start of the session, unless it already has events. Other processes can see the session
    /// from then on.
    ///
    /// # Errors
    ///
    /// As [`Log::append`].
    pub fn begin(&mut self, at: Timestamp) -> Result<(), LogError> {
        self.begin_with(Vec::new(), at)
    }

    /// Records the start of the session and the inherited events, unless it already has events.
    fn begin_with(&mut self, inherited: Vec<Derived>, at: Timestamp) -> Result<(), LogError> {
        let start = SessionStart {
            resumes: None,
            parent: None,
            project: None,
        };
        let mut events = vec![Derived {
            actor: Actor::Derived,
            event: start.into(),
        }];
        events.extend(inherited);
        self.append(at, |_, state| {
            let is_new = state.version == 0;
            Ok::<_, LogError>(if is_new { events.clone() } else { Vec::new() })
        })?;
        Ok(())
    }

    /// Appends the events that follow from an observation of the client.
    ///
    /// # Errors
    ///
    /// As [`Log::append`]. Nothing was recorded then, and the call can be repeated.
    pub fn observe(&mut self, observation: &Observation, at: Timestamp) -> Result<(), LogError> {
        if let Observation::Cause { name } = observation {
            self.cause = Some(EventId::of_name(name));
            return Ok(());
        }
        let said = self.append(at, |deriver, state| {
            Ok::<_, LogError>(deriver.derive(observation, state))
        })?;
        self.said.extend(said);
        Ok(())
    }

    /// Follows a conversation that may have been rewound: restores the state before the messages that were
    /// removed from its end. A session without events starts with the state of the session whose conversation
    /// was copied. Returns true if a state was restored.
    ///
    /// # Errors
    ///
    /// As [`Log::append`]. Nothing was restored then.
    pub fn follow(&mut self, conversation: &Conversation, at: Timestamp) -> Result<bool, LogError> {
        for attempt in 1.. {
            self.catch_up()?;
            let point = match self.state.version {
                0 => forked_from(&self.log, &self.id, conversation)?,
                _ => rewound_to(&self.log, &self.id, &self.state, conversation)?,
            };
            let Some(point) = point else { break };
            match restore(&mut self.log, &self.id, self.state.clone(), &point, at) {
                Ok((state, _)) => {
                    // The deriver's other knowledge belongs to the removed messages.
                    self.deriver.rewind(&state);
                    self.state = state;
                    self.cause = None;
                    return Ok(true);
                }
                Err(LogError::Conflict { .. }) if attempt < ATTEMPTS => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// Records that the session begins as a fork of a session that the client does not name: see
    /// [`join_original`](Self::join_original).
    ///
    /// # Errors
    ///
    /// As [`Log::append`].
    pub fn begin_fork(&mut self, at: Timestamp) -> Result<(), LogError> {
        self.cause = Some(EventId::of_name(FORK));
        let begun = self.begin(at);
        self.cause = None;
        begun
    }

    /// Inherits the knowledge of the original session, in a session that began as a fork. `names` are the ids
    /// of the messages and calls of the copied conversation. Returns the original session, if it was found.
    ///
    /// # Errors
    ///
    /// As [`Log::append`]. Nothing was inherited then.
    pub fn join_original<'n>(
        &mut self,
        names: impl IntoIterator<Item = &'n str>,
        at: Timestamp,
    ) -> Result<Option<SessionId>, LogError> {
        let conversation = Conversation::new(names, true);
        let Some(point) = forked_from(&self.log, &self.id, &conversation)? else {
            return Ok(None);
        };
        self.join(point.session.clone(), at)?;
        Ok(Some(point.session))
    }

    /// Inherits as [`join_original`](Self::join_original), from the session that the client names. Returns
    /// false if that session can't be joined, for example because it has no events.
    ///
    /// # Errors
    ///
    /// As [`Log::append`]. Nothing was inherited then.
    pub fn join_named(&mut self, original: SessionId, at: Timestamp) -> Result<bool, LogError> {
        match self.join(original, at) {
            Ok(()) => Ok(true),
            Err(LogError::NoSession { .. } | LogError::Itself { .. } | LogError::Joined { .. }) => {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// True if the session began as a fork and has not inherited the knowledge of its original yet.
    ///
    /// # Errors
    ///
    /// As [`Log::read`].
    pub fn waits_for_original(&self) -> Result<bool, LogError> {
        let origin = self.state.origin.as_ref();
        let is_joined = origin.is_some_and(|origin| origin.resumes.is_some());
        Ok(!is_joined && first_cause(&self.log, &self.id)? == Some(EventId::of_name(FORK)))
    }

    /// Notes the frame that the client received for the model. It is recorded together with the next events or
    /// by [`record_handed`](Self::record_handed), so that nobody waits for it. An empty frame, or one that
    /// shows the same as the last one, is not recorded.
    pub fn hand(&mut self, frame: ContextFrame, at: Timestamp) {
        let is_empty = frame.system.is_none() && frame.message.is_none();
        let is_known = |before: &ContextFrame| is_same(before, &frame);
        if is_empty || self.handed.as_ref().is_some_and(is_known) {
            return;
        }
        if self.unrecorded.len() == MOST_UNRECORDED {
            self.unrecorded.remove(0);
        }
        self.handed = Some(frame.clone());
        self.unrecorded.push(NewEvent {
            id: EventId::now_v7(),
            turn: self.deriver.turn().max(self.state.turn),
            at,
            actor: Actor::Derived,
            cause: None,
            event: frame.into(),
        });
    }

    /// Records the [frames](Self::hand) that the client received. A session without events stays without
    /// events.
    ///
    /// # Errors
    ///
    /// As [`Log::append`].
    pub fn record_handed(&mut self) -> Result<(), LogError> {
        let handed = &self.unrecorded;
        let appended = append_onto(&mut self.log, &self.id, &mut self.state, |state| {
            let is_begun = state.version > 0;
            Ok::<_, LogError>(if is_begun { handed.clone() } else { Vec::new() })
        })?;
        if appended.last_seq > 0 {
            self.unrecorded.clear();
        }
        self.deriver.follow(&self.state);
        Ok(())
    }

    /// Returns the messages and outputs to keep in the client's next request, which is made at that time.
    pub fn trim<'m>(
        &self,
        messages: &'m [Message],
        at: Timestamp,
        settings: &Settings,
    ) -> Trimmed<'m> {
        let now = Now {
            turn: self.deriver.turn().max(self.state.turn),
            at: Some(at),
        };
        trim(messages, &self.state, now, settings)
    }

    /// Cuts a long output of a tool before the model reads it, if the settings allow that
    /// ([`Prune::entry`](crate::settings::Prune::entry)). Records the whole output, and returns the text for
    /// the model.
    ///
    /// # Errors
    ///
    /// As [`Log::append`]. The output must stay unchanged then.
    pub fn enter(
        &mut self,
        tool: &str,
        content: &str,
        at: Timestamp,
        settings: &Settings,
    ) -> Result<Option<String>, LogError> {
        let prune = &settings.prune;
        let stays = prune.protects(tool) || class_of(tool) == OutputClass::Kept;
        let pressure = Pressure::of(self.state.context.as_ref(), &settings.bands);
        let (longest, kept) = bounds(pressure);
        if stays || !prune.on || !prune.entry {
            return Ok(None);
        }
        let Some(mut short) = cut(content, longest, kept) else {
            return Ok(None);
        };
        let leaves = Observation::OutputLeaves {
            call: None,
            tool: tool.to_owned(),
            target: None,
            content: content.to_owned(),
        };
        self.observe(&leaves, at)?;
        let Some(version) = newest(self, 1)?.first().map(|event| event.version) else {
            return Ok(None);
        };
        let lines = content.lines().count();
        // A fork of the conversation can still recall it from this session.
        let args = json!({ "session": self.id, "version": version });
        short.push_str(&format!(
            "[All {lines} lines: {{\"tool\":\"recall\",\"args\":{args}}}]\n"
        ));
        Ok(Some(short))
    }

    /// Appends the events that follow from the state, and decides again if another process appended first.
    /// Returns the versions of the user's events.
    fn append<E: From<LogError>>(
        &mut self,
        at: Timestamp,
        mut decide: impl FnMut(&mut Deriver, &HudState) -> Result<Vec<Derived>, E>,
    ) -> Result<Vec<u64>, E> {
        let name = self.name;
        let mut decided = None;
        let cause = self.cause;
        let mut actors = Vec::new();
        let handed = std::mem::take(&mut self.unrecorded);
        let appended = append_onto(&mut self.log, &self.id, &mut self.state, |state| {
            let mut deriver = self.deriver.clone();
            deriver.follow(state);
            let derived = decide(&mut deriver, state)?;
            let turn = deriver.turn().max(state.turn);
            decided = Some(deriver);
            actors = derived.iter().map(|one| one.actor.clone()).collect();
            // Frames without other events wait for the next ones.
            let before = if derived.is_empty() {
                &[][..]
            } else {
                &*handed
            };
            let events = (0..)
                .zip(derived)
                .map(|(nth, Derived { actor, event })| NewEvent {
                    id: name.map_or_else(EventId::now_v7, |name| nth_of(&name, nth)),
                    turn,
                    at,
                    actor,
                    cause,
                    event,
                });
            Ok::<_, E>(before.iter().cloned().chain(events).collect())
        });
        // An empty batch has no sequence number, and a failed batch is not in the log.
        if !appended.as_ref().is_ok_and(|done| done.last_seq > 0) {
            self.unrecorded = handed;
        }
        let appended = appended?;
        if let Some(mut deriver) = decided {
            deriver.follow(&self.state);
            self.deriver = deriver;
        }
        if appended.duplicates > 0 {
            // A duplicate already has its version.
            return Ok(Vec::new());
        }
        let versions = (0..=appended.version).rev().zip(actors.iter().rev());
        let of_user = versions.filter(|(_, actor)| **actor == Actor::User);
        Ok(of_user.map(|(version, _)| version).collect())
    }
}

impl<L: Log> Session<L>
where
    Self: Lookup,
{
    /// Runs a call of the [`hud` tool](crate::tool), and returns the answer for the agent.
    ///
    /// # Errors
    ///
    /// [`ToolError`], and nothing was recorded then.
    pub fn call(&mut self, made: &Value, at: Timestamp) -> Result<Value, ToolError> {
        self.call_by(&Actor::Agent, made, at)
    }

    /// Runs a call of the [`hud` tool](crate::tool) for an actor other than the agent, such as a person with a
    /// correction. Its events have that actor. The call is not part of the conversation, so the agent gets it
    /// as news.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub fn call_by(
        &mut self,
        actor: &Actor,
        made: &Value,
        at: Timestamp,
    ) -> Result<Value, ToolError> {
        self.called(actor, made, at, None)
    }

    /// Runs a call as [`call_by`](Self::call_by) does, for somebody who saw the session at the version `seen`.
    /// It fails if events were recorded since, except for readings of the context and frames. The check uses
    /// the state to which the call's events are appended, so of two calls with the same `seen` only one
    /// succeeds.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call), and [`LogError::Conflict`] if other events were recorded since.
    pub fn call_seen(
        &mut self,
        actor: &Actor,
        made: &Value,
        at: Timestamp,
        seen: u64,
    ) -> Result<Value, ToolError> {
        self.catch_up()?;
        let version = self.state.version;
        if version != seen && (version < seen || !self.is_as_it_was(seen)?) {
            return Err(moved_on(&self.id, seen, version).into());
        }
        self.called(actor, made, at, Some(version))
    }

    /// True if only context events were recorded after a version.
    fn is_as_it_was(&self, version: u64) -> Result<bool, LogError> {
        let mut is_same = true;
        let from = version.saturating_add(1);
        self.log.read(&self.id, from, &mut |event| {
            is_same = matches!(event.event, HudEvent::Context(_));
            match is_same {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        })?;
        Ok(is_same)
    }

    /// Runs a call. `seen` is the version that the session must have.
    fn called(
        &mut self,
        actor: &Actor,
        made: &Value,
        at: Timestamp,
        seen: Option<u64>,
    ) -> Result<Value, ToolError> {
        let operations = self.operations.clone();
        let call = operations.call(&self.deriver.masked(made))?;
        if call.only_reads() {
            self.catch_up()?;
            return call.read(&self.state, self);
        }
        // The call runs on the state to which its events are appended.
        let directory = self.deriver.directory().map(ToOwned::to_owned);
        let (mut answer, mut resumes) = (Value::Null, None);
        let id = self.id.clone();
        self.append(at, |deriver, state| {
            if let Some(seen) = seen.filter(|seen| *seen != state.version) {
                return Err(moved_on(&id, seen, state.version).into());
            }
            let mut numbering = Numbering::of(state);
            let call = call.clone().by(actor.clone());
            let reply = call.write(state, &mut numbering, directory.as_deref())?;
            (answer, resumes) = (reply.answer, reply.resumes);
            let mut events = reply.events;
            if !actor.is_agent() {
                let dropped = events.iter().filter_map(|event| dropped_with(event, state));
                let dropped: Vec<HudEvent> = dropped.map(HudEvent::from).collect();
                events.extend(dropped);
            }
            let said = events.into_iter().map(|event| Derived {
                actor: actor.clone(),
                event,
            });
            Ok::<_, ToolError>(deriver.said_with_tool(said.collect(), state))
        })?;
        match resumes {
            Some(session) => self.resume(session, at),
            None => Ok(answer),
        }
    }
}

impl<L: Log> Session<L> {
    /// Inherits the knowledge of another session.
    fn join(&mut self, resumes: SessionId, at: Timestamp) -> Result<(), LogError> {
        let origin = Origin {
            resumes: Some(resumes),
            ..Origin::default()
        };
        begin(&mut self.log, &self.id, &origin, at)?;
        self.catch_up()
    }

    /// Inherits the knowledge of another session for the agent's call, and returns its task.
    fn resume(&mut self, resumes: SessionId, at: Timestamp) -> Result<Value, ToolError> {
        self.join(resumes, at).map_err(|error| match error {
            LogError::NoSession { .. } | LogError::Itself { .. } | LogError::Joined { .. } => {
                tool::refused(error)
            }
            error => error.into(),
        })?;
        Ok(json!({ "task": self.state.task.as_ref().map(|task| &task.description) }))
    }
}

fn moved_on(session: &SessionId, seen: u64, found: u64) -> LogError {
    LogError::Conflict {
        session: session.clone(),
        expected: Expected::Exact(seen),
        found,
    }
}

/// Returns the id of the nth event for an idempotency key.
fn nth_of(name: &Uuid, nth: u64) -> EventId {
    EventId::from_uuid(Uuid::new_v5(name, &nth.to_be_bytes()))
}

#[cfg(feature = "sqlite")]
impl Session<hud_store::sqlite::SqliteLog> {
    /// Appends the events of an observation as [`observe`](Self::observe) does, but once. `name` is the
    /// idempotency key for all calls of all processes.
    ///
    /// # Errors
    ///
    /// As [`Log::append`].
    pub fn observe_once(
        &mut self,
        name: Uuid,
        observation: &Observation,
        at: Timestamp,
    ) -> Result<(), LogError> {
        if self.has(&name)? {
            return Ok(());
        }
        match self.under(name, |session| session.observe(observation, at)) {
            // Another process appended first, with another decision.
            Err(LogError::IdConflict { .. }) => self.catch_up(),
            outcome => outcome,
        }
    }

    /// Runs a call of the [`hud` tool](crate::tool) as [`call`](Self::call) does, but once. `name` is the
    /// idempotency key for all calls of all processes. `None` if the call has been made before.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub fn call_once(
        &mut self,
        name: Uuid,
        made: &Value,
        at: Timestamp,
    ) -> Result<Option<Value>, ToolError> {
        if self.has(&name)? {
            return Ok(None);
        }
        match self.under(name, |session| session.call(made, at)) {
            Err(ToolError::Log(LogError::IdConflict { .. })) => {
                Ok(self.catch_up().map(|()| None)?)
            }
            outcome => outcome.map(Some),
        }
    }

    /// Records the start of the session as [`begin`](Self::begin) does, with the events that it
    /// [inherits](crate::settings::Inherit) from earlier sessions of the log. `runs` returns whether one of
    /// them still runs, if that is known. Nothing is inherited from a copy of a session that is written
    /// elsewhere.
    ///
    /// # Errors
    ///
    /// As [`Log::append`].
    pub fn begin_after(
        &mut self,
        at: Timestamp,
        runs: impl Fn(&SessionId) -> Option<bool>,
    ) -> Result<(), LogError> {
        if self.state.version > 0 {
            return Ok(());
        }
        let settings = &self.settings.inherit;
        let is_copy = |session: &SessionId| self.log.is_copy(session);
        let inherited = inherited(&self.log, &self.id, at, settings, runs, is_copy)?;
        self.begin_with(inherited, at)
    }

    /// Propagates the events of a sub-agent after a version to its parent: see
    /// [`SqliteLog::hand_up`](hud_store::sqlite::SqliteLog::hand_up). Does nothing if the session has no
    /// parent, or if the parent's session is written elsewhere, where it is propagated.
    ///
    /// # Errors
    ///
    /// As [`Log::append`]. The next call propagates the remaining events.
    pub fn hand_up(&mut self, since: u64, at: Timestamp) -> Result<(), LogError> {
        let origin = self.state.origin.as_ref();
        let Some(parent) = origin.and_then(|origin| origin.parent.clone()) else {
            return Ok(());
        };
        if self.state.version > since && !self.log.is_copy(&parent)? {
            self.log.hand_up(&self.id, &parent, since, at)?;
        }
        Ok(())
    }

    /// True if the log has events with that idempotency key. The state then includes them.
    fn has(&mut self, name: &Uuid) -> Result<bool, LogError> {
        let has = self.log.contains(&nth_of(name, 0))?;
        if has {
            self.catch_up()?;
        }
        Ok(has)
    }

    fn under<T>(&mut self, name: Uuid, act: impl FnOnce(&mut Self) -> T) -> T {
        self.name = Some(name);
        let outcome = act(self);
        self.name = None;
        outcome
    }
}

/// Returns the newest events of the session.
fn newest<L: Log>(session: &Session<L>, count: usize) -> Result<Vec<StoredEvent>, LogError> {
    let mut events = Vec::new();
    let from = session.state.version.saturating_sub(count as u64) + 1;
    session.log.read(&session.id, from, &mut |event| {
        events.push(event);
        ControlFlow::Continue(())
    })?;
    let excess = events.len().saturating_sub(count);
    events.drain(..excess);
    Ok(events)
}

impl<L: Search> Lookup for Session<L> {
    fn newest(&self, count: usize) -> Result<Vec<StoredEvent>, LogError> {
        newest(self, count)
    }

    fn search(&self, words: &str, count: usize) -> Result<Vec<Found>, LogError> {
        let query = Query {
            limit: count,
            ..Query::new(words)
        };
        let hits = self.log.search(&query)?.into_iter();
        let found = hits.map(|hit| Found {
            event: hit.event,
            snippet: hit.snippet.into_iter().map(|piece| piece.text).collect(),
        });
        Ok(found.collect())
    }

    fn session(&self) -> Option<&SessionId> {
        Some(&self.id)
    }

    fn event(
        &self,
        session: Option<&SessionId>,
        version: u64,
    ) -> Result<Option<StoredEvent>, LogError> {
        let mut found = None;
        let session = session.unwrap_or(&self.id);
        self.log.read(session, version, &mut |event| {
            found = Some(event).filter(|event| event.version == version);
            ControlFlow::Break(())
        })?;
        Ok(found)
    }

    fn at(&self, seq: u64) -> Result<Option<StoredEvent>, LogError> {
        let mut found = None;
        self.log.read_all(seq, &mut |event| {
            found = Some(event).filter(|event| event.seq == seq);
            ControlFlow::Break(())
        })?;
        Ok(found)
    }

    fn kept(&self, left: &PrunedOutput) -> Result<Option<StoredEvent>, LogError> {
        kept(&self.log, &self.id, left)
    }

    fn content(&self, hash: &ContentHash) -> Result<Option<String>, LogError> {
        self.log.content(hash)
    }

    fn others(&self, count: usize) -> Result<Vec<OtherSession>, LogError> {
        let mut others = self.log.newest(count.saturating_add(1))?;
        others.retain(|info| info.id != self.id);
        let others = others.into_iter().take(count).map(|info| {
            let state = state_of(&self.log, &info.id)?;
            let task = state.task.map(|task| task.description);
            Ok(OtherSession { info, task })
        });
        others.collect()
    }
}
