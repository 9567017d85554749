//! The session pool of a process. Each session is opened on its first use.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hud_agent::advice::{advice, band};
use hud_agent::compaction::{Message, Trimmed};
use hud_agent::cost::Profile;
#[cfg(feature = "formats")]
use hud_agent::format::{Format, FormatError};
use hud_agent::frame::Frame;
use hud_agent::last_frame::LastFrame;
use hud_agent::layout::LayoutError;
use hud_agent::placement::{Breakpoint, Choice, Placement};
use hud_agent::sent::sent;
use hud_agent::session::Session;
use hud_agent::settings::Settings;
use hud_agent::setup::Setup;
use hud_agent::tool::{Operations, ToolError};
use hud_core::{Band, Density};
use hud_observe::observation::Observation;
use hud_observe::reported::Reported;
use hud_store::event::SessionId;
use hud_store::log::{Conversation, LogError, begin};
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::{HudState, Origin};
use jiff::Timestamp;
use serde_json::Value;

use crate::args::durability;
use crate::deadline::{self, Until};
use crate::location::{FileId, Location, LocationError};
use crate::outbox::{self, Background, OutboxError, Report, Stamp, Waits};
use crate::output;
use crate::sweep;

/// The session pool of one log.
pub(crate) struct Hub {
    setup: Arc<Setup>,
    location: Location,
    durability: Durability,
    /// The time that a request may spend on the log.
    time: Duration,
    until: Until,
    /// The file that the sessions in `open` are in.
    file: Option<FileId>,
    open: HashMap<SessionId, Open>,
    /// The states that models saw last, of sessions that were closed to be opened for writing.
    shown: HashMap<SessionId, HudState>,
    /// The session whose log is due for a sweep.
    due: Option<SessionId>,
    /// The session whose next frame differs from its last one.
    changed: Option<SessionId>,
    /// The number of uses so far, which finds the session that was used least recently.
    uses: u64,
    /// The thread that writes the outbox to the log in the background.
    background: Background,
}

struct Open {
    session: Session<SqliteLog>,
    durability: Durability,
    /// The reason why the log was opened for reading only, if it was.
    unwritable: Option<LocationError>,
    /// The state that the model saw last, for delta frames.
    shown: Option<HudState>,
    /// The last frame of the session.
    last: LastFrame,
    /// The placement of the last frame, unless it was a delta.
    whole: Option<Placement>,
    /// The last frame that the client received for the model.
    handed: Option<Handed>,
    /// The placement for the provider and the model of the last request.
    place: Option<Place>,
    used: u64,
}

/// The error if a request to a session was not carried out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HubError {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Location(#[from] LocationError),
    #[error("{} was removed or replaced while it was written to: do it again", .0.display())]
    Gone(PathBuf),
    #[error("{}", kept_because(.0))]
    Kept(NotYet),
    #[error("nothing was recorded: {0}, and {1}")]
    NotKept(NotYet, Box<OutboxError>),
    #[error(transparent)]
    Waits(#[from] Waits),
    #[error(transparent)]
    Tool(ToolError),
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[cfg(feature = "formats")]
    #[error(transparent)]
    Format(#[from] FormatError),
}

/// The reason why something is not in the log yet.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotYet {
    #[error(transparent)]
    Log(LogError),
    #[error(transparent)]
    Waits(Waits),
}

/// Returns the answer to a call that is kept in the outbox.
pub(crate) fn kept_because(reason: &dyn std::fmt::Display) -> String {
    format!(
        "Kept, and carried out as soon as the log can be written: do not repeat this call. (Not yet: \
         {reason}.)"
    )
}

impl From<ToolError> for HubError {
    fn from(error: ToolError) -> Self {
        match error {
            ToolError::Log(error) => Self::Log(error),
            error => Self::Tool(error),
        }
    }
}

impl Open {
    fn set_durability(&mut self, durability: Durability) -> Result<(), LogError> {
        if self.durability != durability {
            self.session.log().set_durability(durability)?;
            self.durability = durability;
        }
        Ok(())
    }

    /// Records the frame that was handed out last in the session. This is done before the next write or before
    /// another frame is handed out, so that a request for a frame does not wait for the hash.
    fn note_handed(&mut self, settings: &Settings) {
        let Some(handed) = self.handed.as_mut() else {
            return;
        };
        if let Some(Unnoted { version, base, at }) = handed.unnoted.take() {
            let Handed {
                frame, placement, ..
            } = handed;
            let kept = sent(frame, version, base, *placement, settings);
            self.session.hand(kept, at);
        }
    }

    /// Writes each report once, and returns the answer to the last one.
    fn write(&mut self, reports: &[Report], durability: Durability) -> Result<Value, HubError> {
        self.set_durability(durability)?;
        let mut answer = None;
        for report in reports {
            answer = report.write(&mut self.session)?;
        }
        Ok(answer.unwrap_or_default())
    }
}

impl Hub {
    /// Creates the session pool of the log at a location. The log is created when something is first recorded.
    /// A request takes little longer than the part of the deadline that is for the log.
    pub(crate) fn new(setup: Arc<Setup>, location: Location) -> Self {
        let time = deadline::for_log(&setup.settings);
        let location = location.serving(&setup);
        Self {
            durability: durability(&setup.settings),
            background: Background::begin(location.clone()),
            location,
            setup,
            time,
            until: Until::after(time),
            file: None,
            open: HashMap::new(),
            shown: HashMap::new(),
            due: None,
            changed: None,
            uses: 0,
        }
    }

    /// Returns the operations of the `hud` tool.
    pub(crate) fn operations(&self) -> &Operations {
        &self.setup.operations
    }

    /// Returns the user's settings.
    pub(crate) fn settings(&self) -> &Settings {
        &self.setup.settings
    }

    fn session(&mut self, id: &SessionId) -> Result<&mut Open, LocationError> {
        self.uses += 1;
        if self.location.file_id() != self.file {
            // Writes to a file that was removed are lost.
            self.open.clear();
            self.shown.clear();
        }
        if !self.open.contains_key(id) {
            if self.open.len() >= self.setup.settings.open_sessions {
                self.close_oldest();
            }
            let patience = self.until.left();
            let (log, unwritable) = self.location.open_within(self.durability, patience)?;
            self.file = self.location.file_id();
            let open = Open {
                session: self.location.session(log, id)?,
                durability: self.durability,
                unwritable,
                shown: self.shown.remove(id),
                last: LastFrame::default(),
                whole: None,
                handed: None,
                place: None,
                used: 0,
            };
            self.open.insert(id.clone(), open);
        }
        let open = self.open.get_mut(id).ok_or_else(|| LogError::NoSession {
            session: id.clone(),
        })?;
        open.used = self.uses;
        open.session.log().set_patience(self.until.left())?;
        Ok(open)
    }

    /// Returns a session for writing.
    fn writable(&mut self, id: &SessionId) -> Result<&mut Open, LocationError> {
        if self
            .open
            .get(id)
            .is_some_and(|open| open.unwritable.is_some())
        {
            // The log may be writable by now.
            self.open.remove(id);
        }
        if let Some(error) = self.session(id)?.unwritable.take() {
            self.open.remove(id);
            return Err(error);
        }
        let setup = Arc::clone(&self.setup);
        let open = self.session(id)?;
        open.note_handed(&setup.settings);
        Ok(open)
    }

    /// Returns the result of a write, or an error if the log was removed or replaced meanwhile.
    fn written<T>(&mut self, outcome: Result<T, HubError>) -> Result<T, HubError> {
        if outcome.is_ok() && self.location.file_id() != self.file {
            self.open.clear();
            return Err(HubError::Gone(self.location.log().to_owned()));
        }
        outcome
    }

    /// Begins a request to a session. The session's reports in the outbox are written to the log first.
    fn turn_to(&mut self, id: &SessionId, origin: Option<&Origin>) -> Result<(), Waits> {
        self.until = Until::after(self.time);
        // The log may be writable by now, but not in a process that has it open for reading only, because all
        // of the process's connections share SQLite's files next to the log.
        let readers = self.open.extract_if(|_, open| open.unwritable.is_some());
        let shown = readers.filter_map(|(id, open)| Some((id, open.shown?)));
        if self.shown.len() >= self.setup.settings.open_sessions {
            self.shown.clear();
        }
        self.shown.extend(shown);
        let made = outbox::make_way(&self.location, id, origin, self.until);
        if !outbox::is_empty(&self.location) {
            self.background.wake();
        }
        made
    }

    /// The thread that writes the outbox to the log in the background.
    pub(crate) fn background(&self) -> &Background {
        &self.background
    }

    /// Keeps reports in the outbox if the error may be temporary.
    fn keep(&self, reports: &[Report], error: HubError) -> HubError {
        let reason = match error {
            HubError::Log(error) | HubError::Location(LocationError::Log(error))
                if outbox::may_pass(&error) =>
            {
                NotYet::Log(error)
            }
            HubError::Waits(waits) => NotYet::Waits(waits),
            error => return error,
        };
        let kept = outbox::keep(&self.location, reports, Until::after(self.time));
        self.background.wake();
        match kept {
            Ok(()) => HubError::Kept(reason),
            Err(error) => HubError::NotKept(reason, error.into()),
        }
    }

    /// Closes all sessions. The last connection of a log removes SQLite's files next to it.
    pub(crate) fn close(&mut self) {
        self.open.clear();
    }

    fn close_oldest(&mut self) {
        let oldest = self.open.iter().min_by_key(|(_, open)| open.used);
        if let Some(id) = oldest.map(|(id, _)| id.clone()) {
            self.open.remove(&id);
        }
    }

    /// Begins a session, which inherits from its origin.
    pub(crate) fn begin(
        &mut self,
        id: &SessionId,
        origin: &Origin,
        stamp: Stamp,
    ) -> Result<(), HubError> {
        let way = self.turn_to(id, Some(origin));
        let begun = way.map_err(HubError::from).and_then(|()| {
            let patience = self.until.left();
            let mut log = self.location.write_within(self.durability, patience)?;
            Ok(begin(&mut log, id, origin, stamp.at())?)
        });
        match begun {
            Ok(_) => Ok(()),
            Err(error) => Err(self.keep(&[Report::begins(stamp, id, origin)], error)),
        }
    }

    /// Records the reports of a client, and returns the state after them. Reports that nobody awaits become
    /// durable with the next ones that somebody does.
    ///
    /// # Errors
    ///
    /// [`HubError::Kept`] if the reports are in the outbox and are written later.
    pub(crate) fn observe(
        &mut self,
        id: &SessionId,
        reports: Vec<Reported>,
        stamp: Stamp,
        is_awaited: bool,
    ) -> Result<&HudState, HubError> {
        let durability = match is_awaited {
            true => self.durability,
            false => Durability::Fast,
        };
        let is_compacted = reports
            .iter()
            .any(|report| is_end_of_compaction(&report.observation));
        let named = Report::observed(stamp, id, reports);
        let written = self.write(id, &named, durability);
        if let Some(open) = self.open.get_mut(id)
            && is_compacted
        {
            // The state that was shown last is no longer in the conversation.
            open.shown = None;
        }
        match written {
            Ok(_) => Ok(self.session(id)?.session.state()),
            Err(error) => Err(self.keep(&named, error)),
        }
    }

    /// Returns the version of a session if the session is open.
    pub(crate) fn version(&self, id: &SessionId) -> Option<u64> {
        Some(self.open.get(id)?.session.state().version)
    }

    /// Carries out a call of the `hud` tool.
    ///
    /// # Errors
    ///
    /// [`HubError::Kept`] if the call is in the outbox and is carried out later.
    pub(crate) fn call(
        &mut self,
        id: &SessionId,
        call: &Value,
        name: Option<&str>,
        stamp: Stamp,
    ) -> Result<Value, HubError> {
        if self.setup.operations.only_reads(call) {
            self.until = Until::after(self.time);
            let open = self.session(id)?;
            return Ok(open.session.call(call, stamp.at())?);
        }
        let reports = Report::called(stamp, id, call, name);
        let written = self.write(id, &reports, self.durability);
        written.map_err(|error| self.keep(&reports, error))
    }

    /// Writes reports, after the session's reports in the outbox.
    fn write(
        &mut self,
        id: &SessionId,
        reports: &[Report],
        durability: Durability,
    ) -> Result<Value, HubError> {
        self.turn_to(id, None)?;
        let before = self.writable(id)?.session.state().version;
        if before == 0 {
            let location = self.location.clone();
            location.begin(&mut self.writable(id)?.session)?;
        }
        let open = self.writable(id)?;
        let outcome = open.write(reports, durability);
        let after = open.session.state().version;
        let is_shown = open.whole.is_some();
        if sweep::is_due(before, after, &self.setup.settings) {
            self.due = Some(id.clone());
        }
        if is_shown && before != after {
            self.changed = Some(id.clone());
        }
        self.written(outcome)
    }

    /// True if there is work for the time between requests.
    pub(crate) fn is_work_left(&self) -> bool {
        self.due.is_some() || self.changed.is_some()
    }

    /// Does the work that is left for the time between requests.
    pub(crate) fn work_ahead(&mut self) {
        self.prepare();
        self.sweep();
    }

    /// Renders the frame that follows from a write. There is time for this while the model works, and the next
    /// request for a frame is then answered at once.
    fn prepare(&mut self) {
        let Some(open) = self.changed.take().and_then(|id| self.open.get_mut(&id)) else {
            return;
        };
        let Some(placement) = open.whole else { return };
        // Errors are reported to the next request for a frame.
        let log = open.session.log();
        if log.set_patience(Duration::ZERO).is_err() || open.session.catch_up().is_err() {
            return;
        }
        let state = open.session.state();
        let _ = (open.last).frame::<LayoutError>(state, None, placement, &self.setup, || Ok(None));
    }

    /// Sweeps the log if it is due.
    pub(crate) fn sweep(&mut self) {
        let Some(open) = self.due.take().and_then(|id| self.open.get(&id)) else {
            return;
        };
        let log = open.session.log();
        if log.set_patience(Duration::ZERO).is_ok() {
            sweep::by_itself(log, &self.setup.settings);
        }
    }

    /// Returns the location of the log.
    pub(crate) fn location(&self) -> &Location {
        &self.location
    }

    /// Returns the frame that the model has to see now.
    pub(crate) fn frame(&mut self, id: &SessionId, asked: &Asked) -> Result<Placed, HubError> {
        // The frame lacks the reports in the outbox, which is better than no frame.
        let _ = self.turn_to(id, None);
        if self.setup.layout.refresh() {
            // The last frame has the previous layout.
            for open in self.open.values_mut() {
                open.last = LastFrame::default();
            }
        }
        let setup = Arc::clone(&self.setup);
        let open = self.session(id)?;
        open.session.catch_up()?;
        let (session, state) = (&open.session, open.session.state());
        let place = Place::of(&mut open.place, asked, state, &setup.settings);
        let placement = match asked.placement.unwrap_or(setup.settings.placement) {
            Choice::Is(placement) => placement,
            Choice::Auto => place.placement,
        };
        let placement = match placement {
            // A delta needs a client that keeps the earlier frames.
            Placement::Delta if !asked.keeps => Placement::default(),
            placement => placement,
        };
        let breakpoints = place.breakpoints;
        let shown = open
            .shown
            .as_ref()
            .filter(|_| placement == Placement::Delta);
        let known = || {
            let known = shown.map(|shown| session.known(shown, |_| None));
            known.transpose().map_err(HubError::from)
        };
        let version = shown.map(|shown| shown.version);
        open.whole = (placement != Placement::Delta).then_some(placement);
        let frame = open.last.frame(state, version, placement, &setup, known)?;
        let frame = output::shown(frame);
        let band = band(state, &setup.settings);
        let is_handed = |handed: &Handed| handed.is(&frame, placement);
        let unnoted =
            (asked.is_for_model && !open.handed.as_ref().is_some_and(is_handed)).then(|| Unnoted {
                version: state.version,
                base: version,
                at: Timestamp::now(),
            });
        if placement == Placement::Delta && version != Some(state.version) {
            open.shown = Some(state.clone());
        }
        if unnoted.is_some() {
            open.note_handed(&setup.settings);
            open.handed = Some(Handed {
                frame: Arc::clone(&frame),
                placement,
                unnoted,
            });
        }
        Ok(Placed {
            frame,
            placement,
            breakpoints,
            band,
        })
    }

    /// Returns the whole HUD in a format, and the band of context use.
    #[cfg(feature = "formats")]
    pub(crate) fn formatted(
        &mut self,
        id: &SessionId,
        format: Format,
    ) -> Result<(String, Band), HubError> {
        let _ = self.turn_to(id, None);
        let setup = Arc::clone(&self.setup);
        let open = self.session(id)?;
        open.session.catch_up()?;
        let state = open.session.state();
        let show = |setup: &Setup| match format.write(state, None, setup) {
            Err(FormatError::Layout(error)) => Err(error),
            written => Ok(written),
        };
        let written = output::shown(setup.showing(show)?)?;
        Ok((written, band(state, &setup.settings)))
    }

    /// Returns the advice for the agent about its context, which is empty if there is enough room.
    pub(crate) fn advice(&mut self, id: &SessionId) -> Result<String, HubError> {
        let setup = Arc::clone(&self.setup);
        let open = self.session(id)?;
        open.session.catch_up()?;
        advice(open.session.state(), &setup.settings)
            .map_err(|error| HubError::Layout(error.into()))
    }

    /// Undoes the effects of messages that are no longer in the client's conversation, and begins a copied
    /// conversation with the state of its original. Returns true if anything was restored.
    pub(crate) fn follow(
        &mut self,
        id: &SessionId,
        conversation: &Conversation,
        stamp: Stamp,
    ) -> Result<bool, HubError> {
        self.turn_to(id, None)?;
        let open = self.writable(id)?;
        let followed = open.session.follow(conversation, stamp.at());
        if let Ok(true) = followed {
            open.shown = None;
        }
        self.written(followed.map_err(HubError::from))
    }

    /// Selects the parts of the client's conversation that stay in the next request.
    pub(crate) fn trim<'m>(
        &mut self,
        id: &SessionId,
        messages: &'m [Message],
        stamp: Stamp,
    ) -> Result<Trimmed<'m>, HubError> {
        let _ = self.turn_to(id, None);
        let setup = Arc::clone(&self.setup);
        let open = self.session(id)?;
        open.session.catch_up()?;
        Ok(open.session.trim(messages, stamp.at(), &setup.settings))
    }

    /// Shortens a tool's output before the model reads it, if the settings allow it. Returns the new text.
    pub(crate) fn enter(
        &mut self,
        id: &SessionId,
        tool: &str,
        content: &str,
        stamp: Stamp,
    ) -> Result<Option<String>, HubError> {
        self.turn_to(id, None)?;
        let setup = Arc::clone(&self.setup);
        let open = self.writable(id)?;
        let cut = open
            .session
            .enter(tool, content, stamp.at(), &setup.settings);
        self.written(cut.map_err(HubError::from))
    }

    /// Records that a compaction begins, and returns the whole HUD at that moment.
    pub(crate) fn compacting(
        &mut self,
        id: &SessionId,
        trigger: Option<String>,
        stamp: Stamp,
    ) -> Result<String, HubError> {
        let report = Observation::CompactionBegins {
            trigger,
            tokens_before: None,
        };
        match self.observe(id, vec![report.into()], stamp, true) {
            // The report does not change the HUD, so the HUD is correct even if the report is only in the
            // outbox.
            Ok(_) | Err(HubError::Kept(_)) => self.whole(id),
            Err(error) => Err(error),
        }
    }

    /// Returns the whole HUD at full density.
    pub(crate) fn whole(&mut self, id: &SessionId) -> Result<String, HubError> {
        let setup = Arc::clone(&self.setup);
        let open = self.session(id)?;
        open.session.catch_up()?;
        let state = open.session.state();
        let show = |setup: &Setup| Frame::whole(state, Some(Density::Full), setup);
        Ok(output::shown(setup.showing(show)?).system)
    }
}

/// A client's request for a frame.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// The placement of the HUD, or `None` for the one in the settings.
    pub(crate) placement: Option<Choice>,
    /// True if the client keeps the frames in the conversation.
    pub(crate) keeps: bool,
    pub(crate) provider: Option<String>,
    /// The model that is called, or `None` for the one that was called last.
    pub(crate) model: Option<String>,
    /// True if the client puts the frame into a request to the model. Such a frame is recorded.
    pub(crate) is_for_model: bool,
}

impl Asked {
    /// Creates a request for a frame with a placement, for any provider.
    pub(crate) fn placed(placement: Placement) -> Self {
        Self {
            placement: Some(placement.into()),
            keeps: placement == Placement::Delta,
            ..Self::default()
        }
    }
}

/// A frame that was handed out, and its placement. It is not hashed again if it is handed out again.
#[derive(Debug)]
struct Handed {
    frame: Arc<Frame>,
    placement: Placement,
    /// The data that the session has not recorded yet.
    unnoted: Option<Unnoted>,
}

/// The other data that the log keeps of a frame that was handed out.
#[derive(Debug)]
struct Unnoted {
    /// The version of the state in the frame, and the version that a delta is relative to.
    version: u64,
    base: Option<u64>,
    at: Timestamp,
}

impl Handed {
    fn is(&self, frame: &Arc<Frame>, placement: Placement) -> bool {
        Arc::ptr_eq(&self.frame, frame) && self.placement == placement
    }
}

/// The placement of a frame for a provider and a model, cached until one of them changes.
#[derive(Debug)]
struct Place {
    provider: Option<String>,
    model: Option<String>,
    placement: Placement,
    breakpoints: &'static [Breakpoint],
}

impl Place {
    fn of<'p>(
        last: &'p mut Option<Self>,
        asked: &Asked,
        state: &HudState,
        settings: &Settings,
    ) -> &'p Self {
        let known = state.context.as_ref();
        let known = known.and_then(|context| context.model.as_deref());
        let model = asked.model.as_deref().or(known);
        let provider = asked.provider.as_deref();
        let is_same =
            |place: &Self| place.provider.as_deref() == provider && place.model.as_deref() == model;
        if !last.as_ref().is_some_and(is_same) {
            *last = None;
        }
        last.get_or_insert_with(|| {
            let found = Profile::of(&settings.profiles, provider, model.unwrap_or_default());
            let profile = found.map(|(_, profile)| profile);
            Self {
                provider: provider.map(ToOwned::to_owned),
                model: model.map(ToOwned::to_owned),
                placement: Choice::Auto.at(profile),
                breakpoints: profile.map_or(&[][..], Profile::breakpoints),
            }
        })
    }
}

/// A frame and its placement.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) frame: Arc<Frame>,
    pub(crate) placement: Placement,
    /// The cache breakpoints that the client sets in the request.
    pub(crate) breakpoints: &'static [Breakpoint],
    /// The band of context use.
    pub(crate) band: Band,
}

const fn is_end_of_compaction(report: &Observation) -> bool {
    matches!(report, Observation::CompactionEnds { .. })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use std::cell::Cell;

    use hud_agent::layout::Layout;
    use hud_core::rsx;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_written_is_rendered_before_somebody_asks_for_it() {
        thread_local!(static RENDERED: Cell<u32> = const { Cell::new(0) });
        let layout = Layout::new(|state| {
            RENDERED.set(RENDERED.get() + 1);
            rsx! { for note in &state.notes { {note.content.as_str()} } }
        });
        let directory = tempfile::tempdir().unwrap();
        let location = Location::of(Some(&directory.path().join("hud.db")), directory.path());
        let mut hub = Hub::new(
            Setup::default().with_layout(layout).into(),
            location.unwrap(),
        );
        let id = SessionId::new("s").unwrap();
        let asked = Asked::placed(Placement::SystemTail);
        let note = |hub: &mut Hub, text: &str| {
            let call = json!({ "tool": "notes.add", "args": { "content": text } });
            hub.call(&id, &call, None, Stamp::now()).unwrap();
        };
        note(&mut hub, "redis");
        hub.work_ahead();
        assert_eq!(RENDERED.get(), 0, "nobody has asked for a frame yet");
        hub.frame(&id, &asked).unwrap();
        note(&mut hub, "postgres");
        assert!(hub.is_work_left());
        hub.work_ahead();
        let rendered = RENDERED.get();
        let shown = hub.frame(&id, &asked).unwrap().frame;
        assert!(shown.system.contains("postgres"), "{}", shown.system);
        assert_eq!(RENDERED.get(), rendered);
        assert!(!hub.is_work_left());
    }
}
