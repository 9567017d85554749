//! A session, folded once, with what makes any of its turns quick to show.

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

/// The distance of the states that are kept, at first.
const EVERY: u64 = 256;

/// How many of them are kept at most. Where there are more, every second one is let go.
const MOST: usize = 512;

/// A session, folded as far as it was read.
#[derive(Clone, Debug)]
pub struct History {
    session: SessionId,
    sections: Sections,
    /// The sections that the static layer shows.
    steady: BTreeSet<String>,
    state: HudState,
    every: u64,
    /// States at multiples of `every`, from the first one on.
    kept: Vec<HudState>,
    turns: Vec<Turn>,
    columns: Columns,
    /// The tokens of all calls of the model, where the provider counted them.
    tokens: Option<Tokens>,
    /// The last size of the model's window that was known.
    limit: Option<u64>,
    /// The model that was called last, and whose it is.
    model: Option<String>,
    provider: Option<String>,
    pub(super) index: Index,
    /// Whether all that the log had was read.
    is_caught_up: bool,
}

/// Why a session can't be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The log can't be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The turn has not come.
    #[error(
        "session {session} has no turn {turn}: ask for one from 1 to {next}, which is the next"
    )]
    NoTurn {
        /// The session.
        session: SessionId,
        /// The turn that was asked for.
        turn: u64,
        /// The turn after the last.
        next: u64,
    },
}

impl History {
    /// A session of which nothing has been read.
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

    /// Reads on, at most so many events, and says whether that was all that there is.
    ///
    /// Where an event says that something was redacted after it had been read, what is kept may have the
    /// words that were taken out: all of it is read anew.
    ///
    /// # Errors
    /// As [`Log::read`]. What was read before the error is kept.
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

    /// Begins anew, as where the log was replaced by another one.
    pub fn forget(&mut self) {
        let (session, sections) = (self.session.clone(), self.sections.clone());
        *self = Self::unread(session, sections, std::mem::take(&mut self.steady));
    }

    fn take(&mut self, event: &StoredEvent) {
        let section = self.index.take(event, &self.sections);
        let is_steady = section.is_some_and(|section| self.steady.contains(section));
        self.state = fold(std::mem::take(&mut self.state), event);
        // A turn is over when an event says that it is of a later one.
        let turn = self.state.turn;
        if self.turns.last().is_none_or(|last| last.turn < turn) {
            // The one before is over.
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
                // Those at multiples of twice the distance stay.
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

    /// The turns in which something happened, in their order.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The turn after the last.
    pub const fn next_turn(&self) -> u64 {
        self.state.turn.saturating_add(1)
    }

    /// What happened in a turn, if something did.
    pub fn turn(&self, turn: u64) -> Option<&Turn> {
        let at = self.turns.binary_search_by_key(&turn, |row| row.turn);
        self.turns.get(at.ok()?)
    }

    /// At most so many columns for a chart.
    pub fn columns(&self, most: usize) -> Vec<Column> {
        self.columns.at_most(most, &self.turns)
    }

    /// The tokens of all calls of the model, where the provider counted them.
    pub const fn tokens(&self) -> Option<Tokens> {
        self.tokens
    }

    /// The last size of the model's window that was known, in tokens.
    pub const fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// What calls of the model cost that was called last, where that is known.
    pub fn prices(&self, setup: &Setup) -> Option<Prices> {
        Prices::of(self.model.as_deref()?, self.provider.as_deref(), setup)
    }

    /// The version of the last event before a turn: what the model saw in it follows from that one and
    /// those before.
    pub fn version_before(&self, turn: u64) -> u64 {
        let at = self.turns.partition_point(|row| row.turn < turn);
        match at.checked_sub(1).and_then(|at| self.turns.get(at)) {
            Some(row) => row.last,
            None => 0,
        }
    }

    /// The turn in which an event happened.
    pub fn turn_of(&self, version: u64) -> Option<u64> {
        let at = self.turns.partition_point(|row| row.last < version);
        let row = self.turns.get(at)?;
        (row.first <= version).then_some(row.turn)
    }

    /// The turn of something at a time, in milliseconds since 1970: the first that has an event then or later, or the
    /// next one.
    pub fn turn_at(&self, at: i64) -> u64 {
        let row = self.turns.partition_point(|row| row.ended < at);
        self.turns
            .get(row)
            .map_or_else(|| self.next_turn(), |row| row.turn)
    }

    /// The state that the model saw in a turn.
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

    /// The state after the event of a version.
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

    /// The version of the last event about an item, up to a version. An empty item is a section that is
    /// one thing.
    pub fn last_about(&self, section: &str, item: &str, version: u64) -> Option<u64> {
        self.index.last_about(section, item, version)
    }

    /// The version of the event behind an item of a state of a version: the last one about it, or where events of the
    /// section name no items, the last one of its kind.
    pub fn behind(&self, section: &str, item: &str, version: u64) -> Option<u64> {
        let named = self.last_about(section, item, version);
        named.or_else(|| self.index.last_like(section, item, version))
    }

    /// The kind of the event of a version, and who made it happen: known without reading it.
    pub fn known_of(&self, version: u64) -> Option<(&str, &str)> {
        self.index.known_of(version)
    }

    /// What the client was handed last when a state of a version was what there was to show: the newest frame of that
    /// state or an earlier one. None if the log does not say.
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

    /// The kinds of the events, each with how many there are.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, u64)> {
        self.index.kinds()
    }

    /// The sections that events are about, each with how many there are.
    pub fn sections(&self) -> impl Iterator<Item = (&str, u64)> {
        self.index.sections()
    }

    /// Events that are asked for.
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

    /// What the sections have that do not say anything.
    pub(super) fn empty_state(&self) -> HudState {
        self.sections.empty_state()
    }
}
