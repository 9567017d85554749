//! The page of one turn, which has all contents of the screen, read from the log.

use std::collections::BTreeMap;

use hud_agent::setup::Setup;
use hud_core::{Bands, Density};
use hud_inspect::model::{
    Absent, Column, Compared, DiffLine, Event, EventQuery, History, HistoryError, SectionShown,
    Shown, ShownError, Tokens, Verdict, View,
};
use hud_store::log::{Log, LogError, state_of};
use hud_store::state::HudState;

/// The number of events that are listed before a turn, and the number of those after it.
const EVENTS: usize = 200;

/// The maximum number of columns of the chart. No terminal is wider.
const COLUMNS: usize = 1_000;

/// The contents of the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Page {
    pub(super) session: String,
    /// The turn that is shown.
    pub(super) turn: u64,
    /// The turn after the last.
    pub(super) next: u64,
    /// The version of the state that is shown, and the version of the state in the previous turn.
    pub(super) version: u64,
    pub(super) before: u64,
    /// The tokens in the context, their limit, and the use in percent.
    pub(super) used: Option<u64>,
    pub(super) limit: Option<u64>,
    pub(super) percent: Option<u8>,
    /// The tokens of the turn's model calls, if the provider counted them.
    pub(super) call: Option<Tokens>,
    pub(super) bands: Bands,
    pub(super) columns: Vec<Column>,
    /// The tokens, the density and the placement of the HUD.
    pub(super) tokens: u64,
    pub(super) density: &'static str,
    pub(super) placement: &'static str,
    /// The verdict on whether the client received the same HUD.
    pub(super) sent: Verdict,
    /// The text that the model sees, as names of layers with their lines.
    pub(super) texts: Vec<(&'static str, Vec<Said>)>,
    /// The changes since the previous turn, if they were requested.
    pub(super) diff: Option<Vec<DiffLine>>,
    pub(super) sections: Vec<SectionShown>,
    pub(super) absent: Vec<Absent>,
    pub(super) events: Vec<Event>,
}

/// The options for the page of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// The density, or `None` for the one that was sent.
    pub(super) density: Option<Density>,
    /// True if the turn is compared with the previous one.
    pub(super) is_diff: bool,
}

/// A line of the HUD, and the version of the event that it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) event: Option<u64>,
}

/// The error if a turn cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(super) enum PageError {
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Shown(#[from] ShownError),
}

impl Page {
    /// Returns the page of a turn, with the HUD that the model saw.
    pub(super) fn of<L: Log + ?Sized>(
        history: &History,
        log: &L,
        setup: &Setup,
        turn: u64,
        asked: Asked,
    ) -> Result<Self, PageError> {
        let next = history.next_turn();
        let turn = turn.clamp(1, next);
        let state = history.state_in(log, turn)?;
        Self::showing(history, log, setup, &state, (turn, next), asked)
    }

    /// Returns the page of the next turn, for a session that was not read to its end yet.
    pub(super) fn newest<L: Log + ?Sized>(
        history: &History,
        log: &L,
        setup: &Setup,
        asked: Asked,
    ) -> Result<Self, PageError> {
        let state = state_of(log, history.session())?;
        let next = state.turn.saturating_add(1);
        Self::showing(history, log, setup, &state, (next, next), asked)
    }

    fn showing<L: Log + ?Sized>(
        history: &History,
        log: &L,
        setup: &Setup,
        state: &HudState,
        (turn, next): (u64, u64),
        asked: Asked,
    ) -> Result<Self, PageError> {
        let view = View {
            density: asked.density,
            ..View::default()
        };
        let handed = history.handed(log, state.version)?;
        let shown = Shown::as_handed(state, &view, setup, history, handed.as_ref())?;
        let events = history.events(
            log,
            &EventQuery {
                from: state.version.saturating_sub(EVENTS as u64) + 1,
                limit: 2 * EVENTS,
                ..EventQuery::default()
            },
        )?;
        let diff = match asked.is_diff {
            true => {
                let before = history.version_before(turn.saturating_sub(1).max(1));
                let before = history.state_at(log, before)?;
                let was = Shown::of(&before, &view, setup, history)?;
                let is = Shown::of(state, &view, setup, history)?;
                Some(Compared::of((&before, &was), (state, &is)).lines)
            }
            false => None,
        };
        let context = state.context.as_ref();
        let mut lines = shown.lines.into_iter();
        let texts = shown.layers.iter().map(|layer| {
            let own = lines.by_ref().take(layer.lines).map(|line| Said {
                text: line.text,
                event: line.event,
            });
            (layer.name, own.collect())
        });
        let texts = texts.collect();
        let row = history.turns().binary_search_by_key(&turn, |row| row.turn);
        let row = row.ok().and_then(|at| history.turns().get(at));
        Ok(Self {
            session: history.session().to_string(),
            turn,
            next,
            version: state.version,
            before: history.version_before(turn.saturating_sub(1)),
            used: context.map(|context| context.used),
            limit: context.and_then(|context| context.limit),
            percent: context.and_then(|context| context.percentage()),
            call: row.and_then(|row| row.tokens),
            bands: setup.settings.bands,
            columns: history.columns(COLUMNS),
            tokens: shown.tokens,
            density: shown.density,
            placement: shown.placement,
            sent: shown.sent.verdict,
            texts,
            diff,
            sections: shown.sections,
            absent: shown.absent,
            events: events.events,
        })
    }

    /// Returns the number of hidden items of a section by reason.
    pub(super) fn reasons(&self, section: &str) -> BTreeMap<String, usize> {
        let mut reasons = BTreeMap::new();
        for absent in self
            .absent
            .iter()
            .filter(|absent| absent.section == section)
        {
            *reasons.entry(absent.why.to_string()).or_default() += 1;
        }
        reasons
    }
}
