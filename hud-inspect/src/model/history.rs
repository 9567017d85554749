//! A session that is folded once, with data that makes each of its turns quick to show.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use hud_agent::setup::Setup;
use hud_core::Layer;
use hud_store::event::{ContextEvent, HudEvent, RedactionEvent, SessionId, StoredEvent};
use hud_store::fold::fold;
use hud_store::log::{Log, LogError, advance};
use hud_store::section::Sections;
use hud_store::state::HudState;

use super::column::{Column, Columns};
use super::event::{EventPage, EventQuery, page};
use super::index::Index;
use super::price::Prices;
use super::sent::Handed;
use super::turn::{Tokens, Turn};

/// The initial distance between kept states.
const EVERY: u64 = 256;

/// The maximum number of kept states. If there are more, every second one is dropped.
const MOST: usize = 512;

/// A session, folded up to the last event that was read.
#[derive(Clone, Debug)]
pub struct History {
    session: SessionId,
    sections: Sections,
    /// The sections that the static layer shows.
    steady: BTreeSet<String>,
    state: HudState,
    every: u64,
    /// The states at multiples of `every`, in order.
    kept: Vec<HudState>,
    turns: Vec<Turn>,
    columns: Columns,
    /// The tokens of all model calls, if the provider counted them.
    tokens: Option<Tokens>,
    /// The last known size of the model's context window.
    limit: Option<u64>,
    /// The model that was called last, and its provider.
    model: Option<String>,
    provider: Option<String>,
    pub(super) index: Index,
    /// True if all events of the log were read.
    is_caught_up: bool,
}

/// The reason why a session cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The log can't be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The turn does not exist yet.
    #[error(
        "session {session} has no turn {turn}: ask for one from 1 to {next}, which is the next"
    )]
    NoTurn {
        /// The session.
        session: SessionId,
        /// The requested turn.
        turn: u64,
        /// The turn after the last.
        next: u64,
    },
}

impl History {
    /// Returns a session of which nothing was read.
    pub fn new(session: SessionId, setup: &Setup) -> Self {
        let sections = setup.sections.clone();
        let parts = setup.layout.parts(&sections.empty_state());
        let steady = parts.unwrap_or_default().into_iter();
        let steady = steady.filter(|part| part.layer == Layer::Static);
        let steady = steady.map(|part| part.name.into_owned()).collect();
        Self::unread(session, sections, steady)
    }

    fn unread(session: SessionId, sections: Sections, steady: BTreeSet<String>) -> Self {
        Self {
            session,
            state: sections.empty_state(),
            sections,
            steady,
            every: EVERY,
            kept: Vec::new(),
            turns: Vec::new(),
            columns: Columns::default(),
            tokens: None,
            limit: None,
            model: None,
            provider: None,
            index: Index::default(),
            is_caught_up: false,
        }
    }

    /// Reads at most `most` more events. Returns true if that was all of them.
    ///
    /// A redaction of an event that was already read makes the kept data outdated, because it may
    /// contain the redacted text. Then everything is read again.
    ///
    /// # Errors
    /// As for [`Log::read`]. Events that were read before the error are kept.
    pub fn read<L: Log + ?Sized>(&mut self, log: &L, most: usize) -> Result<bool, LogError> {
        let (session, from) = (self.session.clone(), self.state.version.saturating_add(1));
        let (mut left, mut is_redacted, mut is_all) = (most, false, true);
        log.read(&session, from, &mut |event| {
            if left == 0 {
                is_all = false;
                return ControlFlow::Break(());
            }
            left -= 1;
            let is_redaction =
                matches!(&event.event, HudEvent::Redaction(RedactionEvent::Redact(_)));
            if self.is_caught_up && is_redaction {
                is_redacted = true;
                return ControlFlow::Break(());
            }
            self.take(&event);
            ControlFlow::Continue(())
        })?;
        if is_redacted {
            self.forget();
            return Ok(false);
        }
        self.is_caught_up |= is_all;
        Ok(is_all)
    }

    /// Forgets all events, for example because another log replaced this one.
    pub fn forget(&mut self) {
        let (session, sections) = (self.session.clone(), self.sections.clone());
        *self = Self::unread(session, sections, std::mem::take(&mut self.steady));
    }

    fn take(&mut self, event: &StoredEvent) {
        let section = self.index.take(event, &self.sections);
        let is_steady = section.is_some_and(|section| self.steady.contains(section));
        self.state = fold(std::mem::take(&mut self.state), event);
        // A turn ends with the first event of a later one.
        let turn = self.state.turn;
        if self.turns.last().is_none_or(|last| last.turn < turn) {
            // The turn before has ended.
            self.columns.take(&self.turns);
            self.turns.push(Turn::begin(turn, event));
        }
        if let Some(last) = self.turns.last_mut() {
            last.take(event, is_steady);
            last.end(&self.state);
            self.limit = last.limit.or(self.limit);
        }
        if let HudEvent::Context(ContextEvent::Snapshot(reading)) = &event.event {
            if let Some(call) = reading.call {
                self.tokens = Some(self.tokens.unwrap_or_default().and(call.into()));
            }
            let last = |known: &mut Option<String>, now: &Option<String>| {
                if now.is_some() && known != now {
                    known.clone_from(now);
                }
            };
            last(&mut self.model, &reading.model);
            last(&mut self.provider, &reading.provider);
        }
        if self.state.version.is_multiple_of(self.every) {
            self.kept.push(self.state.clone());
            if self.kept.len() > MOST {
                // The states at multiples of twice the distance stay.
                let mut place = 0;
                self.kept.retain(|_| {
                    place += 1;
                    place % 2 == 0
                });
                self.every = self.every.saturating_mul(2);
            }
        }
    }

    /// The session's name.
    pub const fn session(&self) -> &SessionId {
        &self.session
    }

    /// The state after all events that were read.
    pub const fn state(&self) -> &HudState {
        &self.state
    }

    /// Returns the turns with events, in order.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Returns the number of the turn after the last.
    pub const fn next_turn(&self) -> u64 {
        self.state.turn.saturating_add(1)
    }

    /// Returns a turn, if it has events.
    pub fn turn(&self, turn: u64) -> Option<&Turn> {
        let at = self.turns.binary_search_by_key(&turn, |row| row.turn);
        self.turns.get(at.ok()?)
    }

    /// Returns at most `most` columns for a chart.
    pub fn columns(&self, most: usize) -> Vec<Column> {
        self.columns.at_most(most, &self.turns)
    }

    /// Returns the tokens of all model calls, if the provider counted them.
    pub const fn tokens(&self) -> Option<Tokens> {
        self.tokens
    }

    /// Returns the last known size of the model's context window, in tokens.
    pub const fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Returns the prices of the model that was called last, if they are known.
    pub fn prices(&self, setup: &Setup) -> Option<Prices> {
        Prices::of(self.model.as_deref()?, self.provider.as_deref(), setup)
    }

    /// Returns the version of the last event before a turn. The model saw the state after that event.
    pub fn version_before(&self, turn: u64) -> u64 {
        let at = self.turns.partition_point(|row| row.turn < turn);
        match at.checked_sub(1).and_then(|at| self.turns.get(at)) {
            Some(row) => row.last,
            None => 0,
        }
    }

    /// Returns the turn of an event.
    pub fn turn_of(&self, version: u64) -> Option<u64> {
        let at = self.turns.partition_point(|row| row.last < version);
        let row = self.turns.get(at)?;
        (row.first <= version).then_some(row.turn)
    }

    /// Returns the turn of a time in milliseconds since 1970: the first turn with an event then or
    /// later, or else the next one.
    pub fn turn_at(&self, at: i64) -> u64 {
        let row = self.turns.partition_point(|row| row.ended < at);
        self.turns
            .get(row)
            .map_or_else(|| self.next_turn(), |row| row.turn)
    }

    /// Returns the state that the model saw in a turn.
    ///
    /// # Errors
    /// [`HistoryError`].
    pub fn state_in<L: Log + ?Sized>(&self, log: &L, turn: u64) -> Result<HudState, HistoryError> {
        let next = self.next_turn();
        if turn == 0 || turn > next {
            return Err(HistoryError::NoTurn {
                session: self.session.clone(),
                turn,
                next,
            });
        }
        Ok(self.state_at(log, self.version_before(turn))?)
    }

    /// Returns the state after the event with a version.
    ///
    /// # Errors
    /// As [`Log::read`].
    pub fn state_at<L: Log + ?Sized>(&self, log: &L, version: u64) -> Result<HudState, LogError> {
        if version >= self.state.version {
            return Ok(self.state.clone());
        }
        let at = self.kept.partition_point(|kept| kept.version <= version);
        let kept = at.checked_sub(1).and_then(|at| self.kept.get(at));
        let state = kept.cloned().unwrap_or_else(|| self.sections.empty_state());
        advance(log, &self.session, state, version)
    }

    /// Returns the version of the last event about an item, up to a version. An empty item stands for a
    /// section that is a single item.
    pub fn last_about(&self, section: &str, item: &str, version: u64) -> Option<u64> {
        self.index.last_about(section, item, version)
    }

    /// Returns the version of the event that an item of a state comes from: the last event about it or,
    /// if events of the section name no items, the last one of its kind.
    pub fn behind(&self, section: &str, item: &str, version: u64) -> Option<u64> {
        let named = self.last_about(section, item, version);
        named.or_else(|| self.index.last_like(section, item, version))
    }

    /// Returns the kind and the actor of the event with a version, without reading it.
    pub fn known_of(&self, version: u64) -> Option<(&str, &str)> {
        self.index.known_of(version)
    }

    /// Returns the newest frame that the client was handed of the state with a version, or of an earlier
    /// one. `None` if the log has no such frame.
    ///
    /// # Errors
    /// As [`Log::read`].
    pub fn handed<L: Log + ?Sized>(
        &self,
        log: &L,
        version: u64,
    ) -> Result<Option<Handed>, LogError> {
        let Some((event, shown)) = self.index.handed(version) else {
            return Ok(None);
        };
        let mut found = None;
        log.read(&self.session, event, &mut |stored| {
            if let HudEvent::Context(ContextEvent::Frame(frame)) = stored.event {
                found = Some(frame);
            }
            ControlFlow::Break(())
        })?;
        let Some(frame) = found else {
            return Ok(None);
        };
        let base = frame
            .base
            .map(|base| self.state_at(log, base))
            .transpose()?;
        Ok(Some(Handed {
            event,
            is_older: self.index.has_news(shown, version),
            frame,
            base,
        }))
    }

    /// Returns the kinds of the events, with the number of events of each.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, u64)> {
        self.index.kinds()
    }

    /// Returns the sections of the events, with the number of events of each.
    pub fn sections(&self) -> impl Iterator<Item = (&str, u64)> {
        self.index.sections()
    }

    /// Returns the events of a query.
    ///
    /// # Errors
    /// As [`Log::read`].
    pub fn events<L: Log + ?Sized>(
        &self,
        log: &L,
        query: &EventQuery,
    ) -> Result<EventPage, LogError> {
        page(self, log, query)
    }

    pub(super) fn subject_of(&self, event: &HudEvent) -> (Option<String>, Option<String>) {
        match self.sections.subject(event) {
            Some(subject) => (
                Some(subject.section.to_owned()),
                subject.item.map(std::borrow::Cow::into_owned),
            ),
            None => (None, None),
        }
    }

    /// Returns the state with the sections before any event.
    pub(super) fn empty_state(&self) -> HudState {
        self.sections.empty_state()
    }
}
