//! A world in a log: the actions of the user and of the agents, and the HUD of each agent.

use std::collections::BTreeMap;

use hud_store::event::{Actor, EventId, HudEvent, NewEvent, SessionId};
use hud_store::log::{LogError, newer, state_of};
use hud_store::state::HudState;
use jiff::Timestamp;

use crate::count::Counter;
use crate::decide::{Answer, Decided, Turn};
use crate::format::Format;
use crate::gate::Refusal;
use crate::hud::{Hud, HudError, Source, hud};
use crate::limits::{HUD_TOKENS, LEAST_HUD_TOKENS, MESSAGE_TOKENS, MOST_HUD_TOKENS};
use crate::log::{Batch, WorldLog};
use crate::new_agent::NewAgent;
use crate::own::{HudFigures, Own};
use crate::response::Response;
use crate::schedule::{self, Beat};
use crate::world::{ARCHITECT, AgentId, MessageSend, RoomJoin, Sender, World, WorldEvent};

/// The maximum number of attempts if others append in between.
const ATTEMPTS: u32 = 100;

/// The reason why a world does not carry out a request.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RoomsError {
    /// A gate refused the action.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// The log reported an error.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The HUD cannot be rendered.
    #[error(transparent)]
    Hud(#[from] HudError),
    /// The name of the world is not a valid session name.
    #[error("the name of the world {0}")]
    Name(#[from] hud_store::event::NameError),
    /// A world with this name already exists.
    #[error("there is a world `{0}` already: go on with it, or give the new one another name")]
    Begun(String),
    /// A world without agents would have no rooms.
    #[error("a world begins with an agent, and there is none: name one")]
    Empty,
    /// The world does not exist.
    #[error("there is no world `{0}` in the log: begin it with `rooms new`")]
    NotBegun(String),
}

/// A world in a log.
///
/// ```
/// use hud_rooms::{NewAgent, Rooms, log::sections, world::AgentType};
/// use hud_store::{memory::MemoryLog, section::Sections};
/// use jiff::Timestamp;
///
/// let log = MemoryLog::new().with_sections(sections(Sections::new())?);
/// let now = Timestamp::from_second(1_700_000_000)?;
/// let agent = |name: &str| NewAgent {
///     name: Some(name.to_owned()),
///     agent_type: AgentType::Persona,
///     model: "a-model".to_owned(),
///     prompt: "You are curious.".to_owned(),
///     can_create_agents: false,
///     input: Default::default(),
///     output: Default::default(),
///     rooms: Vec::new(),
/// };
/// let mut rooms = Rooms::begin(log, "lab", &[agent("Ada"), agent("Bob")], now)?;
/// rooms.say(1, "Hello, Ada!", now)?;
/// let answer = rooms.respond(1, r#"{"responses":[{"room_id":1,"message":"Hello!"}]}"#, None, now)?;
/// assert_eq!(answer.sent, [2]);
/// assert!(rooms.hud(1, None, now)?.text.contains("Hello, Ada!"));
/// assert!(!rooms.hud(2, None, now)?.text.contains("Hello, Ada!"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rooms<L> {
    log: L,
    name: String,
    session: SessionId,
    world: HudState,
    own: BTreeMap<AgentId, HudState>,
    counter: Counter,
    hud_tokens: u64,
}

impl<L: WorldLog> Rooms<L> {
    /// Creates a world with its first agents.
    ///
    /// # Errors
    ///
    /// [`RoomsError::Begun`] if the world exists, [`RoomsError::Refused`] for an invalid agent, and the
    /// errors of the log.
    pub fn begin(
        log: L,
        name: &str,
        agents: &[NewAgent],
        now: Timestamp,
    ) -> Result<Self, RoomsError> {
        let mut rooms = Self::of(log, name)?;
        if agents.is_empty() {
            return Err(RoomsError::Empty);
        }
        if rooms.world.version > 0 {
            return Err(RoomsError::Begun(name.to_owned()));
        }
        rooms.change(now, |rooms, world, now| {
            let mut world = world.clone();
            let mut events = Vec::new();
            // All agents are created first, because one may join the room of a later one.
            for new in agents {
                let create = new.create(&world, &rooms.counter)?;
                world.take(&create, now);
                events.push(create);
            }
            for (id, new) in (1..).zip(agents) {
                for room in &new.rooms {
                    events.push(joined(&world, *room, id)?);
                }
            }
            Ok(events)
        })?;
        Ok(rooms)
    }

    /// Opens the world with a name.
    ///
    /// # Errors
    ///
    /// [`RoomsError::NotBegun`], and the errors of the log.
    pub fn open(log: L, name: &str) -> Result<Self, RoomsError> {
        let rooms = Self::of(log, name)?;
        match rooms.world.version {
            0 => Err(RoomsError::NotBegun(name.to_owned())),
            _ => Ok(rooms),
        }
    }

    fn of(log: L, name: &str) -> Result<Self, RoomsError> {
        let session = SessionId::new(name)?;
        let world = state_of(log.log(), &session)?;
        Ok(Self {
            log,
            name: name.to_owned(),
            session,
            world,
            own: BTreeMap::new(),
            counter: Counter::default(),
            hud_tokens: HUD_TOKENS,
        })
    }

    /// Sets the maximum number of tokens of a HUD, in place of [`HUD_TOKENS`].
    #[must_use]
    pub fn with_hud_tokens(self, most: u64) -> Self {
        let hud_tokens = most.clamp(LEAST_HUD_TOKENS, MOST_HUD_TOKENS);
        Self { hud_tokens, ..self }
    }

    /// Returns the world as of the last operation.
    pub fn world(&self) -> &World {
        world(&self.world)
    }

    /// Returns the log.
    pub fn into_log(self) -> L {
        self.log
    }

    /// Returns the session of the world.
    pub const fn session(&self) -> &SessionId {
        &self.session
    }

    /// Returns the session of an agent's own state.
    ///
    /// # Errors
    ///
    /// [`RoomsError::Name`] if the world's name is too long for that.
    pub fn session_of(&self, agent: AgentId) -> Result<SessionId, RoomsError> {
        Ok(SessionId::new(format!("{}/agent-{agent}", self.name))?)
    }

    /// Returns the token counter that is used for HUDs.
    pub const fn counter(&self) -> &Counter {
        &self.counter
    }

    /// Imports new events of others.
    ///
    /// # Errors
    ///
    /// The errors of the log.
    pub fn refresh(&mut self) -> Result<&World, RoomsError> {
        if let Some(newer) = newer(self.log.log(), &self.session, &self.world)? {
            self.world = newer;
        }
        Ok(world(&self.world))
    }

    /// Returns the current own state of an agent.
    ///
    /// # Errors
    ///
    /// The errors of the log.
    pub fn own(&mut self, agent: AgentId) -> Result<&HudState, RoomsError> {
        let session = self.session_of(agent)?;
        let state = match self.own.remove(&agent) {
            None => state_of(self.log.log(), &session)?,
            Some(state) => newer(self.log.log(), &session, &state)?.unwrap_or(state),
        };
        Ok(self.own.entry(agent).or_insert(state))
    }

    /// Creates an agent.
    ///
    /// # Errors
    ///
    /// [`RoomsError::Refused`] if it is invalid, and the errors of the log.
    pub fn add(&mut self, new: &NewAgent, now: Timestamp) -> Result<AgentId, RoomsError> {
        let mut made = 0;
        self.change(now, |rooms, known, now| {
            let mut world = known.clone();
            let create = new.create(&world, &rooms.counter)?;
            world.take(&create, now);
            made = known.next_agent();
            let mut events = vec![create];
            for room in &new.rooms {
                events.push(joined(&world, *room, made)?);
            }
            Ok(events)
        })?;
        Ok(made)
    }

    /// Sends a message of the user, as The Architect, in a room. The Architect joins the room if needed.
    ///
    /// # Errors
    ///
    /// [`RoomsError::Refused`] if the room does not exist or the text is empty or too long, and the
    /// errors of the log.
    pub fn say(&mut self, room: AgentId, text: &str, now: Timestamp) -> Result<u64, RoomsError> {
        let content = self.bounded("the message", text, MESSAGE_TOKENS)?;
        let mut said = 0;
        self.change(now, |_, world, now| {
            let open = world.known_room(room)?;
            let mut events = Vec::new();
            if !open.members.contains_key(&ARCHITECT) {
                events.push(joined(world, room, ARCHITECT)?);
            }
            said = world.next_message();
            let sender = Sender::Agent(ARCHITECT);
            let (id, content) = (said, content.clone());
            events.push(
                MessageSend {
                    id,
                    room,
                    sender,
                    content,
                    due: now,
                    reply_to: None,
                }
                .into(),
            );
            Ok(events)
        })?;
        Ok(said)
    }

    /// Returns the HUD of an agent, in its own format or another one.
    ///
    /// # Errors
    ///
    /// [`RoomsError::Hud`] if the agent does not exist, and the errors of the log.
    pub fn hud(
        &mut self,
        agent: AgentId,
        format: Option<Format>,
        now: Timestamp,
    ) -> Result<Hud, RoomsError> {
        self.refresh()?;
        // Nothing is read for an agent that never existed.
        let known = self.world().known_agent(agent)?;
        let format = format.unwrap_or(known.input);
        self.own(agent)?;
        let empty = HudState::default();
        let state = self.own.get(&agent).unwrap_or(&empty);
        let source = Source {
            world: self.world(),
            own: own(state),
            knowledge: &state.knowledge,
            agent,
            now,
            budget: self.hud_tokens,
        };
        Ok(hud(source, format, &self.counter)?)
    }

    /// Handles an agent's response and ends its heartbeat. When this returns, everything that passed its
    /// gates is in the log, in one transaction. The rest is refused, and shown in the agent's next HUD.
    ///
    /// # Errors
    ///
    /// [`RoomsError::Refused`] if the agent does not exist, and the errors of the log. Then nothing was
    /// changed.
    pub fn respond(
        &mut self,
        agent: AgentId,
        text: &str,
        hud: Option<HudFigures>,
        now: Timestamp,
    ) -> Result<Answer, RoomsError> {
        let read = Response::read(text);
        self.turn(agent, now, |turn| match &read {
            Ok(response) => turn.respond(response, hud),
            Err(refusal) => turn.unread(refusal.clone(), hud),
        })
    }

    /// Ends a heartbeat that got no response.
    ///
    /// # Errors
    ///
    /// As [`respond`](Self::respond).
    pub fn skip(&mut self, agent: AgentId, now: Timestamp) -> Result<(), RoomsError> {
        self.turn(agent, now, |turn| turn.unanswered()).map(|_| ())
    }

    /// Returns the next agent to call, with the time.
    pub fn next(&self) -> Option<Beat> {
        schedule::next(self.world())
    }

    /// Decides on a turn of an agent and appends the decided events to the world's and the agent's
    /// sessions.
    fn turn(
        &mut self,
        agent: AgentId,
        now: Timestamp,
        decide: impl Fn(Turn<'_>) -> Decided,
    ) -> Result<Answer, RoomsError> {
        let session = self.session_of(agent)?;
        let mut attempt = 1;
        loop {
            self.refresh()?;
            let known = self.world().known_agent(agent)?;
            let beat = known.beats.saturating_add(1);
            self.own(agent)?;
            let empty = HudState::default();
            let state = self.own.get(&agent).unwrap_or(&empty);
            let turn = Turn::new(
                self.world(),
                own(state),
                &state.knowledge,
                agent,
                now,
                &self.counter,
            )?;
            let Decided { world, own, answer } = decide(turn);
            let now = self.world().at(now);
            let new = |event: HudEvent| self.event(beat, Actor::Agent, now, event);
            let batches = [
                Batch {
                    session: self.session.clone(),
                    version: self.world.version,
                    events: world.into_iter().map(|event| new(event.into())).collect(),
                },
                Batch {
                    session: session.clone(),
                    version: state.version,
                    events: own.into_iter().map(new).collect(),
                },
            ];
            match self.log.append_all(&batches) {
                Ok(()) => return self.refresh().map(|_| answer),
                Err(LogError::Conflict { .. }) if attempt < ATTEMPTS => attempt += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Decides on a change of the world and appends the decided events.
    fn change(
        &mut self,
        now: Timestamp,
        mut decide: impl FnMut(&Self, &World, Timestamp) -> Result<Vec<WorldEvent>, RoomsError>,
    ) -> Result<(), RoomsError> {
        for attempt in 1.. {
            self.refresh()?;
            let world = self.world();
            let now = world.at(now);
            let events = decide(self, world, now)?;
            if events.is_empty() {
                break;
            }
            let events = events
                .into_iter()
                .map(|event| self.event(0, Actor::User, now, event.into()));
            let batch = Batch {
                session: self.session.clone(),
                version: self.world.version,
                events: events.collect(),
            };
            match self.log.append_all(&[batch]) {
                Ok(()) => break,
                Err(LogError::Conflict { .. }) if attempt < ATTEMPTS => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.refresh().map(|_| ())
    }

    fn event(&self, turn: u64, actor: Actor, at: Timestamp, event: HudEvent) -> NewEvent {
        NewEvent {
            id: EventId::now_v7(),
            turn,
            at,
            actor,
            cause: None,
            event,
        }
    }

    fn bounded(&self, what: &str, text: &str, most: u64) -> Result<String, Refusal> {
        crate::decide::bounded(&self.counter, what, text, most).map(str::to_owned)
    }
}

fn world(state: &HudState) -> &World {
    static NONE: std::sync::LazyLock<World> = std::sync::LazyLock::new(World::default);
    state.section().unwrap_or(&NONE)
}

fn own(state: &HudState) -> &Own {
    static NONE: std::sync::LazyLock<Own> = std::sync::LazyLock::new(Own::default);
    state.section().unwrap_or(&NONE)
}

fn joined(world: &World, room: AgentId, agent: AgentId) -> Result<WorldEvent, Refusal> {
    let room = world.known_room(room)?.id;
    Ok(RoomJoin { room, agent }.into())
}
