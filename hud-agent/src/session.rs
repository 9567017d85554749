//! An agent's session while it runs: what its client reports and what the agent says comes in, and is
//! appended to the log; the state and its frame go out.
//!
//! Several processes may run the same session, as the hooks of a client do: each takes in what the
//! others appended before it decides, and decides anew when one was quicker.

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

/// A session that is running.
#[derive(Debug)]
pub struct Session<L> {
    id: SessionId,
    log: L,
    state: HudState,
    deriver: Deriver,
    operations: Operations,
    settings: Arc<Settings>,
    /// What the next events are named after, if they must not be appended twice.
    name: Option<Uuid>,
    /// What led to what is appended next.
    cause: Option<EventId>,
    /// The versions of what the user said.
    said: BTreeSet<u64>,
    /// The frame that the client was handed last.
    handed: Option<ContextFrame>,
    /// What the client was handed and what is not in the log yet.
    unrecorded: Vec<NewEvent>,
}

/// The cause of what begins a fork.
const FORK: &str = "fork";

/// How often a conversation is followed anew because somebody else wrote to the session meanwhile.
const ATTEMPTS: u32 = 20;

/// How many frames wait at most for something else to be recorded: a log that can not be written must not fill
/// the memory.
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

    /// As [`open`](Self::open), with the state that the session had at an earlier version: see
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

    /// Takes the operations of the `hud` tool; without, they are the built-in ones.
    #[must_use]
    pub fn with_operations(self, operations: Operations) -> Self {
        let operations = operations.with_memory(&self.settings.memory);
        Self {
            deriver: self.deriver.with_tool(Arc::new(operations.clone())),
            operations,
            ..self
        }
    }

    /// Takes what a user has set; without, it is the default.
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

    /// Says which directory the agent works in, as an absolute path, for relative paths of files.
    pub fn work_in(&mut self, directory: &str) {
        self.deriver.work_in(directory);
    }

    /// The session's name.
    pub const fn id(&self) -> &SessionId {
        &self.id
    }

    /// The state as it was when the session was last written to or [caught up](Self::catch_up).
    pub const fn state(&self) -> &HudState {
        &self.state
    }

    /// The log.
    pub const fn log(&self) -> &L {
        &self.log
    }

    /// Takes in what other processes appended.
    ///
    /// # Errors
    ///
    /// As [`Log::read`]. The state is then as it was.
    pub fn catch_up(&mut self) -> Result<(), LogError> {
        if let Some(state) = newer(&self.log, &self.id, &self.state)? {
            self.deriver.follow(&state);
            self.state = state;
        }
        Ok(())
    }

    /// What the agent knows of the session that was shown a state of it: besides that, what it did, read and
    /// said since. See [`known`]: what the user said to this very session, it has seen.
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

    /// The versions of what was recorded here as the user's: it was said in the conversation.
    pub const fn said(&self) -> &BTreeSet<u64> {
        &self.said
    }

    /// Records that the session began, unless something was recorded of it already: from then on
    /// other processes see that it is there.
    ///
    /// # Errors
    ///
    /// As [`Log::append`].
    pub fn begin(&mut self, at: Timestamp) -> Result<(), LogError> {
        self.begin_with(Vec::new(), at)
    }

    /// Records that the session began, and what it begins with, unless something was recorded of it already.
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

    /// Takes in what the client reports: the events that follow from it are in the log then.
    ///
    /// # Errors
    ///
    /// As [`Log::append`]. Nothing was recorded then, and the report can be made again.
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

    /// Follows a conversation that may have been rewound: what the messages led to that are gone from
    /// its end is taken back. A session of which nothing is recorded begins with what the one had that
    /// the conversation was copied from. Gives whether anything was restored.
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
                    // What it knew besides was of what is no longer so.
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

    /// Records that the session begins as a fork of another one, which the client does not name: see
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

    /// Takes over, in a session that began as a fork, what the one knew that its conversation was copied
    /// from. `names` are those of the messages and calls of the conversation. Gives that session, if it was
    /// found.
    ///
    /// # Errors
    ///
    /// As [`Log::append`]. Nothing was taken over then.
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

    /// As [`join_original`](Self::join_original), from the session that the client names. Gives whether anything
    /// is recorded of that one.
    ///
    /// # Errors
    ///
    /// As [`Log::append`]. Nothing was taken over then.
    pub fn join_named(&mut self, original: SessionId, at: Timestamp) -> Result<bool, LogError> {
        match self.join(original, at) {
            Ok(()) => Ok(true),
            Err(LogError::NoSession { .. } | LogError::Itself { .. } | LogError::Joined { .. }) => {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Whether the session began as a fork, and what its original knew was not taken over yet.
    ///
    /// # Errors
    ///
    /// As [`Log::read`].
    pub fn waits_for_original(&self) -> Result<bool, LogError> {
        let origin = self.state.origin.as_ref();
        let is_joined = origin.is_some_and(|origin| origin.resumes.is_some());
        Ok(!is_joined && first_cause(&self.log, &self.id)? == Some(EventId::of_name(FORK)))
    }

    /// Takes note of what the client was handed for the model. It is recorded with what is recorded next, or by
    /// [`record_handed`](Self::record_handed): nobody waits for it. What shows nothing, or the same as before, is
    /// not worth an event.
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

    /// Records what the client was [handed](Self::hand), and nothing else. Nothing begins a session so.
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

    /// What stays of the client's conversation in the next request, which is made at that time.
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

    /// Cuts what a tool said before the model reads it, if the settings have that
    /// ([`Prune::entry`](crate::settings::Prune::entry)) and it is long: what the model is to read instead.
    /// The whole of it is recorded then.
    ///
    /// # Errors
    ///
    /// As [`Log::append`]. The output is to stay as it is then.
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
        // In a fork of the conversation it is this session's still.
        let args = json!({ "session": self.id, "version": version });
        short.push_str(&format!(
            "[All {lines} lines: {{\"tool\":\"recall\",\"args\":{args}}}]\n"
        ));
        Ok(Some(short))
    }

    /// Appends what follows from the state, deciding anew when another process was quicker. Gives the versions
    /// of what is the user's of it.
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
            // What follows from nothing else waits for what does.
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
        // An empty batch has no place in the log, and one that failed is not there.
        if !appended.as_ref().is_ok_and(|done| done.last_seq > 0) {
            self.unrecorded = handed;
        }
        let appended = appended?;
        if let Some(mut deriver) = decided {
            deriver.follow(&self.state);
            self.deriver = deriver;
        }
        if appended.duplicates > 0 {
            // What was in the log already has its version.
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
    /// Carries out a call of the [`hud` tool](crate::tool), and gives the answer for the agent.
    ///
    /// # Errors
    ///
    /// [`ToolError`]: nothing was recorded then.
    pub fn call(&mut self, made: &Value, at: Timestamp) -> Result<Value, ToolError> {
        self.call_by(&Actor::Agent, made, at)
    }

    /// Carries out a call of the [`hud` tool](crate::tool) for somebody else than the agent, as a person who puts
    /// right what is wrong: what it records says who made it. It was not said in the conversation, so the agent is
    /// told of it.
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

    /// Carries out a call as [`call_by`](Self::call_by) does, for somebody who saw the session at a version:
    /// unless something was recorded since that is more than a reading of the context or a note of what a client
    /// was handed. Whether that is so is decided on the state that the call's events are appended to, so of two
    /// who saw the same only one is followed.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call), and [`LogError::Conflict`] where something was recorded since.
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

    /// Whether nothing that anybody would act on was recorded since a version.
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

    /// `seen` is the version that the session must have.
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
        // It is carried out on the state that its events are appended to.
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
    /// Takes over what another session knew.
    fn join(&mut self, resumes: SessionId, at: Timestamp) -> Result<(), LogError> {
        let origin = Origin {
            resumes: Some(resumes),
            ..Origin::default()
        };
        begin(&mut self.log, &self.id, &origin, at)?;
        self.catch_up()
    }

    /// Takes over what another session knew, for the agent that asks for it, and says what.
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

/// The id of the nth event that follows from what has a name.
fn nth_of(name: &Uuid, nth: u64) -> EventId {
    EventId::from_uuid(Uuid::new_v5(name, &nth.to_be_bytes()))
}

#[cfg(feature = "sqlite")]
impl Session<hud_store::sqlite::SqliteLog> {
    /// Takes in a report as [`observe`](Self::observe) does, but once: however often it is made under
    /// the same name, by whatever process, its events are in the log once.
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
            // Another process was quicker, and has decided otherwise.
            Err(LogError::IdConflict { .. }) => self.catch_up(),
            outcome => outcome,
        }
    }

    /// Carries out a call of the [`hud` tool](crate::tool) as [`call`](Self::call) does, but once:
    /// however often it is made under the same name, by whatever process. `None` if it was made before.
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

    /// Records that the session began, as [`begin`](Self::begin) does, with what it
    /// [inherits](crate::settings::Inherit) from the earlier sessions of the log. `runs` returns whether one of them still
    /// runs, if that is known. What is written elsewhere is no session of this user's, and nothing is inherited from it.
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

    /// Has come up what a sub-agent recorded behind that version: see
    /// [`SqliteLog::hand_up`](hud_store::sqlite::SqliteLog::hand_up). Nothing happens where the session is no
    /// sub-agent's, or where its parent's session is written elsewhere: it comes up there.
    ///
    /// # Errors
    ///
    /// As [`Log::append`]. What did not come up then does so the next time.
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

    /// Whether events of that name are in the log. What follows of them is in the state then.
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

/// The newest events of the session.
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
