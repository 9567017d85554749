//! The requests of a recorded session: [`Recorded`].

use std::path::Path;

use hud_store::event::{NewEvent, SessionId, StoredEvent};
use hud_store::fold::fold;
use hud_store::state::HudState;
use jiff::Timestamp;

use super::placed::{Placed, Slot, Writer};
use super::request::{Block, Request, Role};
use crate::known::Since;
use crate::layout::LayoutError;
use crate::placement::Placement;
use crate::replay::Replay;
use crate::setup::Setup;
use hud_clients::transcript::{Summary, Transcript, TranscriptError};
use hud_observe::observation::{Observation, Usage};

/// A number of seconds for which every provider keeps its cache. A prefix that is not read from the cache
/// within that time has changed.
const CERTAIN: i64 = 300;

/// The maximum number of tokens that a provider does not count as cached although they are unchanged. They are
/// the latest of the earlier messages.
const UNCERTAIN: u64 = 2_048;

/// The tokens of an unknown prompt, and the tokens that each call adds to it.
const PROMPT: u64 = 20_000;
const EACH: u64 = 1_500;

/// A recorded session: each model call, with the HUD in each placement.
///
/// The sizes of requests and of their unchanged prefixes are the provider's counts, if the transcript has
/// them. Otherwise the tokens of the messages are counted, and the client's own prompt is unknown.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The last model.
    pub model: Option<String>,
    /// The summary of the transcript, with the entries that were read and skipped.
    pub summary: Summary,
    /// True if the provider counted the tokens.
    pub is_counted: bool,
    calls: Vec<Call>,
    /// The definitions of the HUD's tools.
    tools: Block,
}

/// A call of the model.
#[derive(Clone, Debug)]
struct Call {
    at: Timestamp,
    /// The provider's counts.
    usage: Option<Usage>,
    /// The counted tokens of the messages since the previous call.
    said: u64,
    /// True if the conversation was replaced since the previous call.
    is_anew: bool,
    /// The HUD in each placement, in the order of [`Placement::ALL`].
    huds: Vec<Placed>,
}

/// The data that a session is built from while it is read.
struct Reader<'s> {
    setup: &'s Setup,
    replay: Replay,
    /// The model's knowledge, for a placement that keeps its messages. `None` before it was shown anything.
    known: Option<Known>,
    calls: Vec<Call>,
    model: Option<String>,
    said: u64,
    is_anew: bool,
    at: Timestamp,
}

/// The knowledge of a model that was shown a state.
struct Known {
    shown: HudState,
    /// The shown state, advanced by the later events that the model knows.
    state: HudState,
    since: Since,
}

impl Known {
    fn of(shown: HudState) -> Self {
        Self {
            state: shown.clone(),
            shown,
            since: Since::default(),
        }
    }

    fn state(&self) -> &HudState {
        match self.since.is_anew {
            true => &self.shown,
            false => &self.state,
        }
    }

    fn see(&mut self, event: &StoredEvent) {
        // Everything in a transcript is part of the conversation.
        if self.since.knows(event, Some(true)) {
            self.state = fold(std::mem::take(&mut self.state), event);
        }
    }
}

/// An error that prevents costing a session.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CostError {
    /// The transcript can't be read.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// The HUD can't be rendered.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The name of the session is not valid in a log.
    #[error("the name of the session {0}")]
    Name(#[from] hud_store::event::NameError),
    /// It contains no model call.
    #[error("no model was called in it: there is nothing to cost")]
    Empty,
}

impl Recorded {
    /// Reads a session, and renders the HUD of each of its calls.
    ///
    /// # Errors
    ///
    /// [`CostError`].
    pub fn read(path: impl AsRef<Path>, setup: &Setup) -> Result<Self, CostError> {
        let path = path.as_ref();
        let session = SessionId::new(Transcript::session_name(path)?)?;
        let mut reader = Reader {
            setup,
            replay: Replay::new(session).with(setup),
            known: None,
            calls: Vec::new(),
            model: None,
            said: 0,
            is_anew: false,
            at: Timestamp::UNIX_EPOCH,
        };
        let summary = Transcript::open(path)?.read(&mut |entry| {
            reader.at = entry.at.unwrap_or(reader.at);
            let observation = entry.observation.clone();
            let events = reader.replay.observe(entry);
            reader.see(events);
            reader.take(&observation)
        })?;
        let Reader { calls, model, .. } = reader;
        let is_counted = calls.iter().any(|call| call.usage.is_some());
        let calls = counted(calls, is_counted);
        if calls.is_empty() {
            return Err(CostError::Empty);
        }
        Ok(Self {
            tools: Writer::of(setup, model.as_deref()).tools()?,
            model,
            summary,
            is_counted,
            calls,
        })
    }

    /// Makes a session of the states before each call, one minute apart. The conversation is unknown: a prompt
    /// of 20,000 tokens, and 1,500 more with each call.
    ///
    /// # Errors
    ///
    /// [`CostError`].
    pub fn of_states(states: &[HudState], setup: &Setup) -> Result<Self, CostError> {
        if states.is_empty() {
            return Err(CostError::Empty);
        }
        let model = states.iter().rev().find_map(|state| {
            let context = state.context.as_ref()?;
            context.model.clone()
        });
        let writer = Writer::of(setup, model.as_deref());
        let mut calls = Vec::with_capacity(states.len());
        let mut shown: Option<&HudState> = None;
        for (state, nth) in states.iter().zip(0_i64..) {
            let mut huds = Vec::new();
            for placement in Placement::ALL {
                let known = shown.filter(|_| placement == Placement::Delta);
                let hud = writer.hud(state, known, placement)?;
                huds.push(hud);
            }
            shown = Some(state);
            let sent = nth
                .unsigned_abs()
                .saturating_mul(EACH)
                .saturating_add(PROMPT);
            calls.push(Call {
                at: Timestamp::from_second(nth.saturating_mul(60)).unwrap_or(Timestamp::MAX),
                usage: Some(Usage {
                    cache_read: sent,
                    ..Usage::default()
                }),
                said: if nth == 0 { EACH } else { 0 },
                is_anew: false,
                huds,
            });
        }
        Ok(Self {
            tools: writer.tools()?,
            model,
            summary: Summary::default(),
            is_counted: false,
            calls,
        })
    }

    /// Returns the number of model calls.
    pub fn calls(&self) -> usize {
        self.calls.len()
    }

    /// Returns the provider's counts of each call. Empty if the transcript has none.
    pub fn usage(&self) -> impl Iterator<Item = Usage> {
        let counted = self.calls.iter().filter(|_| self.is_counted);
        counted.filter_map(|call| call.usage)
    }

    /// Returns the requests with the HUD in a placement, or without it.
    ///
    /// The client [marks](crate::placement::Breakpoint) its system prompt and the last message of its
    /// conversation. A request has one block for the messages between two calls.
    pub fn requests(&self, placement: Option<Placement>) -> Vec<Request> {
        let place = placement.and_then(|placement| {
            let mut all = Placement::ALL.iter();
            all.position(|other| *other == placement)
        });
        let mut requests = Vec::with_capacity(self.calls.len());
        let mut prompt = Prompt::default();
        for (nth, call) in self.calls.iter().enumerate() {
            prompt.goes_on(
                nth,
                call,
                nth.checked_sub(1).and_then(|nth| self.calls.get(nth)),
            );
            let hud = place.and_then(|place| call.huds.get(place));
            let mut blocks = Vec::new();
            blocks.extend(hud.map(|_| self.tools.clone()));
            blocks.push(prompt.system.clone());
            let mut breakpoints = vec![blocks.len() - 1];
            if let Some(hud) = hud {
                blocks.extend_from_slice(&hud.system);
                prompt.conversation.extend_from_slice(&hud.kept);
            }
            blocks.extend_from_slice(&prompt.conversation);
            breakpoints.push(blocks.len() - 1);
            if let Some(hud) = hud {
                blocks.extend_from_slice(&hud.tail);
            }
            let at = call.at;
            requests.push(Request {
                at,
                blocks,
                breakpoints,
            });
        }
        requests
    }

    /// Returns the parts of the HUD in each call, in the order of the request. Empty for a HUD that stays in
    /// the conversation.
    pub fn parts(&self, placement: Placement) -> impl Iterator<Item = &[Slot]> {
        let mut all = Placement::ALL.iter();
        let place = all.position(|other| *other == placement).unwrap_or(0);
        self.calls.iter().map(move |call| {
            let hud = call.huds.get(place);
            hud.map_or(&[][..], |hud| hud.parts.as_slice())
        })
    }
}

/// The request of a client without the HUD.
struct Prompt {
    system: Block,
    conversation: Vec<Block>,
}

impl Default for Prompt {
    fn default() -> Self {
        Self {
            system: Block::new("system", Role::System, "", 0),
            conversation: Vec::new(),
        }
    }
}

impl Prompt {
    /// Advances it to a call. The conversation keeps the prefix that the provider found in its cache, or would
    /// have found.
    fn goes_on(&mut self, nth: usize, call: &Call, before: Option<&Call>) {
        let anew = |id: &'static str, role, tokens| {
            Block::new(id, role, format!("{id} of call {nth}"), tokens)
        };
        let held = |prompt: &Self| {
            let blocks = prompt.conversation.iter();
            let blocks = blocks.filter(|block| block.role != Role::Hud);
            blocks.fold(prompt.system.tokens, |all, block| {
                all.saturating_add(block.tokens)
            })
        };
        let Some(before) = before else {
            let all = call.tokens().unwrap_or(call.said);
            let said = call.said.min(all);
            self.system = anew("system", Role::System, all - said);
            self.conversation = vec![anew("conversation", Role::Conversation, said)];
            return;
        };
        let then = held(self);
        let now = call.tokens();
        let mut stays = match call.is_anew {
            true => self.system.tokens,
            false => then.min(now.unwrap_or(then)),
        };
        if let Some(usage) = call.usage {
            let is_certain = call.at.as_second().saturating_sub(before.at.as_second()) < CERTAIN;
            let read = usage.cache_read;
            if is_certain && (read.saturating_add(UNCERTAIN) < stays || call.is_anew) {
                stays = read.min(then);
            }
        }
        let is_beyond = |prompt: &Self| held(prompt) > stays;
        while is_beyond(self) && self.conversation.pop().is_some() {}
        if is_beyond(self) {
            self.system = anew(
                "system",
                Role::System,
                self.system.tokens.min(now.unwrap_or(0)),
            );
        }
        let more = match now {
            Some(now) => now.saturating_sub(held(self)),
            None => call.said,
        };
        self.conversation
            .push(anew("conversation", Role::Conversation, more));
    }
}

impl Call {
    /// Returns the tokens of the request, if the provider counted them.
    fn tokens(&self) -> Option<u64> {
        let Usage {
            input,
            cache_write,
            cache_read,
            ..
        } = self.usage?;
        Some(input.saturating_add(cache_write).saturating_add(cache_read))
    }
}

/// Returns the calls to cost. If the provider counted any call, uncounted calls have failed. Their messages
/// and kept HUD blocks move to the next call.
fn counted(calls: Vec<Call>, is_counted: bool) -> Vec<Call> {
    if !is_counted {
        return calls;
    }
    let mut all: Vec<Call> = Vec::new();
    let mut lost: Option<Call> = None;
    for mut call in calls {
        if let Some(lost) = lost.take() {
            call.said = call.said.saturating_add(lost.said);
            call.is_anew |= lost.is_anew;
            for (hud, lost) in call.huds.iter_mut().zip(lost.huds) {
                hud.kept.splice(0..0, lost.kept);
            }
        }
        match call.usage {
            Some(_) => all.push(call),
            None => lost = Some(call),
        }
    }
    all
}

impl Reader<'_> {
    /// Adds events to the model's knowledge.
    fn see(&mut self, events: Vec<NewEvent>) {
        let Some(known) = &mut self.known else {
            return;
        };
        let last = self.replay.state().version;
        let count = u64::try_from(events.len()).unwrap_or(u64::MAX);
        for (event, version) in events.into_iter().zip(last.saturating_sub(count) + 1..) {
            known.see(&StoredEvent {
                seq: version,
                session: self.replay.session().clone(),
                version,
                id: event.id,
                turn: event.turn,
                at: event.at,
                actor: event.actor,
                cause: event.cause,
                event: event.event,
            });
        }
    }

    fn take(&mut self, observation: &Observation) -> Result<(), CostError> {
        match observation {
            Observation::ModelCall => {
                let call = Call {
                    at: self.at,
                    usage: None,
                    said: std::mem::take(&mut self.said),
                    is_anew: std::mem::take(&mut self.is_anew),
                    huds: self.huds()?,
                };
                self.calls.push(call);
            }
            Observation::Usage { usage, model, .. } => {
                if let Some(call) = self.calls.last_mut() {
                    call.usage.get_or_insert(*usage);
                }
                if model.is_some() {
                    self.model.clone_from(model);
                }
            }
            Observation::CompactionEnds { summary, .. } => {
                self.is_anew = true;
                self.known = None;
                self.said = 0;
                self.says(summary.as_deref().unwrap_or_default())?;
            }
            Observation::Rewind { .. } => {
                self.is_anew = true;
                self.known = None;
            }
            Observation::User { text } | Observation::Agent { text } => self.says(text)?,
            Observation::ToolCall { actions, .. } => {
                if let Ok(said) = serde_json::to_string(actions) {
                    self.says(&said)?;
                }
            }
            Observation::ToolResult { content, .. } => self.says(content)?,
            _ => {}
        }
        Ok(())
    }

    fn says(&mut self, said: &str) -> Result<(), CostError> {
        let tokens = self
            .writer()
            .block("said", Role::Conversation, said)?
            .tokens;
        self.said = self.said.saturating_add(tokens);
        Ok(())
    }

    fn writer(&self) -> Writer<'_> {
        Writer::of(self.setup, self.model.as_deref())
    }

    /// Renders the HUD in each placement.
    fn huds(&mut self) -> Result<Vec<Placed>, CostError> {
        let placements = Placement::ALL.iter();
        placements.map(|placement| self.hud(*placement)).collect()
    }

    fn hud(&mut self, placement: Placement) -> Result<Placed, CostError> {
        let state = self.replay.state();
        let known = self.known.as_ref().map(Known::state);
        let known = known.filter(|_| placement == Placement::Delta);
        let is_first = known.is_none();
        let hud = self.writer().hud(state, known, placement)?;
        if placement == Placement::Delta && (is_first || !hud.kept.is_empty()) {
            self.known = Some(Known::of(self.replay.state().clone()));
        }
        Ok(hud)
    }
}
