//! Answers the requests. It has the log, open for reading, and the sessions that were read.

use std::collections::BTreeMap;
use std::sync::Arc;

use hud_agent::setup::Setup;
use hud_store::event::{HudEvent, OutputEvent, SessionId};
use hud_store::log::{Log, Query, Search as _, SessionInfo, state_of};
use hud_store::sqlite::SqliteLog;
use hud_store::state::{HudState, changes};
use serde::Serialize;
use serde_json::{Value, json};

use super::answer::Refused;
use super::mdast;
use super::{Open, Which};
use crate::model::{
    Compared, Conversation, Event, EventPage, EventQuery, History, HistoryError, Message, Shown,
    ShownError, View,
};

/// The maximum number of sessions that are kept folded.
const OPEN: usize = 4;

/// The maximum number of events that are read for one request. The rest is read for the next ones, so
/// that a user sees the progress of a long session.
const STEP: usize = 40_000;

/// The maximum number of columns of a chart.
const COLUMNS: usize = 1_000;

/// The maximum number of hits of a search.
const HITS: usize = 50;

/// The maximum number of characters of an item in a list.
const LISTED: usize = 2_000;

/// The maximum number of characters of a task in the list of sessions.
const TASK: usize = 120;

/// The log and the sessions that were read from it.
pub(crate) struct Desk {
    open: Arc<Open>,
    which: Arc<Which>,
    /// The id of the open file.
    seen: String,
    log: SqliteLog,
    setup: Setup,
    /// The sessions that were requested last, the newest at the end.
    histories: Vec<History>,
}

/// A session in the list.
#[derive(Serialize)]
pub(crate) struct SessionRow {
    id: String,
    events: u64,
    first: i64,
    last: i64,
    task: Option<String>,
    turn: u64,
    percent: Option<u8>,
    errors: usize,
    from: Vec<String>,
    /// The reason why the session cannot be read, if it cannot.
    fault: Option<String>,
}

impl Desk {
    pub(crate) fn new(open: Arc<Open>, which: Arc<Which>, setup: Setup) -> Result<Self, String> {
        Ok(Self {
            seen: which(),
            which,
            log: open()?,
            open,
            setup,
            histories: Vec::new(),
        })
    }

    /// Returns the sequence number of the newest event. Sequence numbers have no gaps, so it is the
    /// number of events.
    pub(crate) fn newest(&self) -> Result<u64, String> {
        let sessions = self.log.sessions().map_err(|error| error.to_string())?;
        Ok(sessions.iter().map(|info| info.events).sum())
    }

    /// Checks that the log is still the open file.
    pub(crate) fn look(&mut self) -> Result<(), Refused> {
        match (self.which)() == self.seen {
            true => Ok(()),
            false => self.renew(),
        }
    }

    /// Opens the log again, because its file may have been replaced.
    fn renew(&mut self) -> Result<(), Refused> {
        let which = (self.which)();
        self.log = (self.open)().map_err(|error| Refused::unreadable(&error))?;
        self.seen = which;
        self.histories.clear();
        Ok(())
    }

    fn listed(&mut self) -> Result<Vec<SessionInfo>, Refused> {
        match self.log.sessions() {
            Ok(sessions) => Ok(sessions),
            Err(_) => {
                self.renew()?;
                (self.log.sessions()).map_err(|error| Refused::unreadable(&error))
            }
        }
    }

    /// Returns some of the sessions, sorted by their latest event, newest first.
    pub(crate) fn sessions(&mut self, from: usize, limit: usize) -> Result<Value, Refused> {
        let mut all = self.listed()?;
        all.sort_by(|one, other| (other.last_at, &one.id).cmp(&(one.last_at, &other.id)));
        // A session that cannot be read is listed with the reason, and does not affect the others.
        let rows = all.iter().skip(from).take(limit.min(200)).map(|info| {
            match state_of(&self.log, &info.id) {
                Ok(state) => row(info, &state),
                Err(error) => SessionRow {
                    fault: Some(error.to_string()),
                    ..row(info, &HudState::default())
                },
            }
        });
        let rows: Vec<SessionRow> = rows.collect();
        Ok(json!({ "total": all.len(), "sessions": rows }))
    }

    /// Returns the session with the latest event.
    pub(crate) fn latest(&mut self) -> Result<SessionId, Refused> {
        let all = self.listed()?;
        let latest = all.into_iter().max_by_key(|info| info.last_at);
        latest
            .map(|info| info.id)
            .ok_or_else(|| Refused::missing("the log has no session yet"))
    }

    /// Returns a list that contains one session.
    pub(crate) fn only(&mut self, session: &SessionId) -> Result<Value, Refused> {
        let info = self.info(session)?;
        let info =
            info.ok_or_else(|| Refused::missing(format!("the log has no session {session}")))?;
        let state = state_of(&self.log, session).map_err(|error| Refused::unreadable(&error))?;
        Ok(json!({ "total": 1, "sessions": [row(&info, &state)] }))
    }

    /// Returns the summary of a session.
    fn info(&mut self, session: &SessionId) -> Result<Option<SessionInfo>, Refused> {
        if let Ok(found) = self.log.session(session) {
            return Ok(found);
        }
        self.renew()?;
        (self.log.session(session)).map_err(|error| Refused::unreadable(&error))
    }

    /// Returns a session, read as far as one request may read it.
    fn history(
        &mut self,
        session: &SessionId,
    ) -> Result<(&History, &SqliteLog, &Setup, bool), Refused> {
        let mut history = match self
            .histories
            .iter()
            .position(|known| known.session() == session)
        {
            Some(at) => self.histories.remove(at),
            None => History::new(session.clone(), &self.setup),
        };
        let mut read = history.read(&self.log, STEP);
        // Requested after the read, so that events appended in between are no reason to begin again.
        let is_of_log = match self.info(session)? {
            Some(info) => read.is_ok() && history.state().version <= info.events,
            None => {
                let missing = format!("the log has no session {session}");
                return Err(Refused::missing(missing));
            }
        };
        if !is_of_log {
            // Another log may have replaced the file.
            self.renew()?;
            history.forget();
            read = history.read(&self.log, STEP);
        }
        let is_all = read.map_err(|error| Refused::unreadable(&error))?;
        if self.histories.len() >= OPEN {
            self.histories.remove(0);
        }
        self.histories.push(history);
        let history = self.histories.last();
        let history = history.ok_or_else(|| Refused::missing("the session was closed"))?;
        Ok((history, &self.log, &self.setup, is_all))
    }

    /// Returns the turns of a session.
    pub(crate) fn timeline(&mut self, session: &SessionId) -> Result<Value, Refused> {
        let (history, log, setup, is_all) = self.history(session)?;
        let state = history.state();
        let events = match is_all {
            true => state.version,
            false => {
                let info = log.session(session);
                let info = info.map_err(|error| Refused::unreadable(&error))?;
                info.map_or(state.version, |info| info.events)
            }
        };
        let bands = &setup.settings.bands;
        Ok(json!({
            "session": session.as_str(),
            "read": is_all,
            "events": events,
            "version": state.version,
            "next": history.next_turn(),
            "turns": history.turns().len(),
            "columns": history.columns(COLUMNS),
            "limit": history.limit(),
            "bands": [bands.compact_from, bands.minimal_from],
            "kinds": history.kinds().collect::<BTreeMap<_, _>>(),
            "sections": history.sections().collect::<BTreeMap<_, _>>(),
            "tokens": history.tokens(),
            "prices": history.prices(setup),
            "model": state.context.as_ref().and_then(|context| context.model.clone()),
        }))
    }

    /// Returns the frame that the model saw in a turn. Without a turn, returns the next frame.
    pub(crate) fn frame(
        &mut self,
        session: &SessionId,
        turn: Option<u64>,
        view: &View,
        has_tree: bool,
    ) -> Result<Value, Refused> {
        let (history, log, setup, is_all) = self.history(session)?;
        let next = history.next_turn();
        let (turn, state) = match turn {
            // The newest state is known before all events are read.
            None if !is_all => {
                let state = state_of(log, session).map_err(|error| Refused::unreadable(&error))?;
                (state.turn.saturating_add(1), state)
            }
            turn => {
                let turn = turn.unwrap_or(next);
                (turn, history.state_in(log, turn).map_err(of_history)?)
            }
        };
        let handed = history.handed(log, state.version);
        let handed = handed.map_err(|error| Refused::unreadable(&error))?;
        let shown = Shown::as_handed(&state, view, setup, history, handed.as_ref());
        let mut shown = shown.map_err(of_shown)?;
        if !has_tree {
            shown.calls.clear();
        }
        let row = history.turn(turn);
        let context = state.context.as_ref().map(|context| {
            json!({ "used": context.used, "limit": context.limit, "percent": context.percentage() })
        });
        let markdown: Vec<&str> = shown.layers.iter().map(|layer| &*layer.markdown).collect();
        Ok(json!({
            "turn": turn,
            "next": next.max(turn),
            "read": is_all,
            "context": context,
            "happened": row,
            "mdast": mdast::read(&markdown.join("\n")),
            "task": state.task.as_ref().map(|task| {
                json!({ "description": task.description, "pinned": task.pinned })
            }),
            "errors": state.errors.iter().filter(|error| !error.is_resolved())
                .map(|error| json!({ "id": error.id, "text": error.message }))
                .collect::<Vec<_>>(),
            "shown": shown,
        }))
    }

    /// Returns the messages of a turn.
    pub(crate) fn said_in(
        &mut self,
        session: &SessionId,
        conversation: &Conversation,
        turn: u64,
    ) -> Result<Vec<Message>, Refused> {
        let (history, ..) = self.history(session)?;
        Ok(conversation.in_turn_of(history, turn))
    }

    /// Returns all items of the state in a turn, with their sources.
    pub(crate) fn state(&mut self, session: &SessionId, turn: u64) -> Result<Value, Refused> {
        let (history, log, setup, _) = self.history(session)?;
        let state = history.state_in(log, turn).map_err(of_history)?;
        let empty = setup.sections.empty_state();
        let mut items = Vec::new();
        for item in changes(&empty, &state).into_iter().take(1_000) {
            let version = history.behind(item.section, &item.id, state.version);
            let known = version.and_then(|version| history.known_of(version));
            items.push(json!({
                "section": item.section,
                "item": item.id,
                "text": item.after.as_deref().map(beginning),
                "event": version,
                "by": known.map(|(_, by)| by),
                "turn": version.and_then(|version| history.turn_of(version)),
                "kind": known.map(|(kind, _)| kind),
            }));
        }
        Ok(json!({ "items": items }))
    }

    /// Returns the differences between two turns.
    pub(crate) fn diff(
        &mut self,
        session: &SessionId,
        (a, b): (u64, u64),
        view: &View,
    ) -> Result<Compared, Refused> {
        let (history, log, setup, _) = self.history(session)?;
        let of = |turn| {
            let state = history.state_in(log, turn).map_err(of_history)?;
            let shown = Shown::of(&state, view, setup, history).map_err(of_shown)?;
            Ok::<_, Refused>((state, shown))
        };
        let ((before, was), (after, is)) = (of(a)?, of(b)?);
        let mut compared = Compared::of((&before, &was), (&after, &is));
        for change in &mut compared.changes {
            for text in [&mut change.before, &mut change.after]
                .into_iter()
                .flatten()
            {
                *text = beginning(text);
            }
        }
        Ok(compared)
    }

    pub(crate) fn events(
        &mut self,
        session: &SessionId,
        query: &EventQuery,
    ) -> Result<EventPage, Refused> {
        let (history, log, _, _) = self.history(session)?;
        (history.events(log, query)).map_err(|error| Refused::unreadable(&error))
    }

    /// Returns an event with its whole payload.
    pub(crate) fn event(&mut self, session: &SessionId, version: u64) -> Result<Event, Refused> {
        let (history, log, _, _) = self.history(session)?;
        event_of(log, history, version)
    }

    pub(crate) fn search(
        &mut self,
        text: &str,
        session: Option<SessionId>,
        kind: Option<String>,
    ) -> Result<Value, Refused> {
        let query = Query {
            session,
            kind,
            limit: HITS,
            ..Query::new(text)
        };
        let hits = self
            .log
            .search(&query)
            .map_err(|error| Refused::unreadable(&error))?;
        let hits = hits.iter().map(|hit| {
            let pieces = hit
                .snippet
                .iter()
                .map(|piece| json!([piece.matched, piece.text]));
            json!({
                "session": hit.event.session.as_str(),
                "version": hit.event.version,
                "turn": hit.event.turn,
                "kind": hit.event.event.kind(),
                "actor": hit.event.actor.as_str(),
                "snippet": pieces.collect::<Vec<_>>(),
            })
        });
        Ok(json!({ "hits": hits.collect::<Vec<_>>() }))
    }

    /// Returns the current state of a session.
    pub(crate) fn now(&mut self, session: &SessionId) -> Result<HudState, Refused> {
        let state = state_of(&self.log, session).map_err(|error| Refused::unreadable(&error))?;
        match state.version {
            0 => Err(Refused::missing(format!(
                "the log has no session {session}"
            ))),
            _ => Ok(state),
        }
    }
}

/// Returns the beginning of a text, as a list shows it.
fn beginning(text: &str) -> String {
    text.chars().take(LISTED).collect()
}

fn event_of(log: &SqliteLog, history: &History, version: u64) -> Result<Event, Refused> {
    let mut found = None;
    log.read(history.session(), version, &mut |event| {
        found = Some(event);
        std::ops::ControlFlow::Break(())
    })
    .map_err(|error| Refused::unreadable(&error))?;
    let event = found
        .ok_or_else(|| Refused::missing(format!("{} has no event {version}", history.session())))?;
    let mut told = Event::of(&event, history, true).map_err(|error| Refused::unreadable(&error))?;
    if let HudEvent::Output(OutputEvent::Keep(keep)) = &event.event {
        let text = log.content(&keep.content.hash);
        told.content = text.map_err(|error| Refused::unreadable(&error))?;
    }
    Ok(told)
}

fn row(info: &SessionInfo, state: &HudState) -> SessionRow {
    let task = state.task.as_ref();
    let origins = [&info.origin.resumes, &info.origin.parent];
    SessionRow {
        id: info.id.to_string(),
        events: info.events,
        first: info.first_at.as_millisecond(),
        last: info.last_at.as_millisecond(),
        task: task.map(|task| task.description.chars().take(TASK).collect()),
        turn: state.turn,
        percent: (state.context.as_ref()).and_then(|context| context.percentage()),
        errors: (state.errors.iter())
            .filter(|error| !error.is_resolved())
            .count(),
        from: origins
            .into_iter()
            .flatten()
            .map(ToString::to_string)
            .collect(),
        fault: None,
    }
}

fn of_history(error: HistoryError) -> Refused {
    match error {
        HistoryError::NoTurn { .. } => Refused::missing(error.to_string()),
        error => Refused::unreadable(&error),
    }
}

fn of_shown(error: ShownError) -> Refused {
    Refused::unreadable(&error)
}
