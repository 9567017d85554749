//! `hud hook`: handles one event of a client that runs commands as hooks. The event is JSON on standard input. The
//! text for the model is written to standard output in the client's format.
//!
//! The client is recognised by the event itself ([`hud_clients`]):
//!
//! | client | recognised by | the HUD is shown |
//! | --- | --- | --- |
//! | Claude Code, Codex | `hook_event_name` | whole at SessionStart; the changes with each prompt and tool |
//! | Gemini CLI | its own values of `hook_event_name` | whole with each model call, which does not keep it; if that would move images and texts, the changes with each prompt and tool |
//! | Cline | `hookName` | the changes with each tool |
//! | goose | `event` | in the file that it reads before each turn (`--write`); its hooks can't pass text to the model |
//!
//! A hook must never block the agent. Errors are written to standard error, and the client continues as if there
//! were no hook.

mod hang;
mod machine;
pub(crate) mod placed;
mod seen;

use std::fmt::Display;
use std::io::{self, BufReader, Read, Write};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hud_agent::frame::{Frame, frame};
use hud_agent::known::known;
use hud_agent::placement::Placement;
use hud_agent::sent::sent;
use hud_agent::session::Session;
use hud_agent::setup::Setup;
use hud_agent::tool::ToolError;
use hud_clients::lenient;
use hud_clients::{Client, Found, HookEvent, Portion};
use hud_observe::observation::Observation;
use hud_observe::reported::Reported;
use hud_store::event::{ContextFrame, HudEvent, SessionId, StoredEvent};
use hud_store::log::{Log as _, LogError, advance, state_with_past};
use hud_store::section::{Context, Section as _};
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::{HudState, news};
use jiff::Timestamp;
use serde_json::Value;

use self::hang::{Hang, PAUSE};
pub(crate) use self::machine::Machine;
use self::machine::beginning;
use self::seen::Seen;
use crate::app::App;
use crate::args::{Hook, durability};
use crate::deadline::{self, Until, Worker};
use crate::location::{Location, LocationError};
use crate::outbox::{self, Pace, Report, Stamp};
use crate::output::{self, Failure};
use crate::process;
use crate::serving;
use crate::sweep;
use crate::tie::{self, Ties, token};

/// The note on reports that the log did not accept.
const KEPT: &str = "kept, to be written later";

/// The time for keeping reports that could not be written, if no other time is left.
const SHORT: Duration = Duration::from_millis(20);

/// The largest number of events of a fork for which its original is still searched.
const YOUNG: u64 = 32;

/// The number of bytes of an answer that are reserved for the text beside the frame: the tag, the session's name
/// and the note on a server that is gone.
const BESIDE: usize = 1_000;

/// The number of bytes from which on an answer is written in ASCII only. A longer answer arrives in several pieces,
/// and Gemini CLI loses a character that is cut between two pieces.
const PIECE: usize = 64 * 1024;

/// The largest size of an event, in bytes. The output of a tool may be long.
const LONGEST: u64 = 32 * 1024 * 1024;

/// The reports that are not in the log yet, and their location.
type Unwritten = Arc<Mutex<Option<(Location, Vec<Report>)>>>;

/// Handles the event in another thread, so that this one can return at the deadline if the work hangs.
pub(crate) fn run(args: &Hook, app: &App) -> Result<(), Failure> {
    let hang = Hang::of(&args.db);
    if hang.is_recent() {
        output::problem(format_args!(
            "nothing was recorded: the disk of the log did not answer less than {} s ago, and is tried again then",
            PAUSE.as_secs()
        ));
        return Ok(());
    }
    let time = args.deadline.of_user();
    let unwritten = Unwritten::default();
    let place = Arc::new(Mutex::new(None));
    // True while the log or the disk is waited for, and not the client.
    let is_at_work = Arc::new(AtomicBool::new(false));
    let shared = (unwritten.clone(), place.clone(), is_at_work.clone());
    let hook = Worker::new((args.clone(), app.clone(), shared));
    let pending = hook.start(|(args, app, (unwritten, place, is_at_work))| {
        let event = event(&mut io::stdin().lock());
        is_at_work.store(true, Ordering::Relaxed);
        let said = event.and_then(|event| answer(args, app, &event, unwritten, place));
        is_at_work.store(false, Ordering::Relaxed);
        let (said, due) = said.unwrap_or_else(|error| {
            output::problem(error);
            (None, None)
        });
        if let Some(answer) = said {
            // The client may not read the answer, so an error is ignored.
            let answer = answer.to_string();
            let answer = if answer.len() < PIECE {
                answer
            } else {
                ascii(&answer)
            };
            let _ = writeln!(io::stdout().lock(), "{answer}");
        }
        due
    });
    let late = match pending.wait(time * 85 / 100) {
        Ok(due) => {
            hang.forget();
            let location = lock(&place).take();
            let location = location.filter(|location| !outbox::is_empty(location));
            if due.is_none() && location.is_none() {
                return Ok(());
            }
            // The client waits for the process. This wait is no longer than an answer would have been.
            let time = time / 4;
            let done = Worker::new(()).start(move |()| {
                if let Some(Due { session, setup }) = due {
                    sweep::by_itself(session.log(), &setup.settings);
                    // This closes the log. Otherwise its write-ahead log is left for the next process to read.
                    drop(session);
                }
                if let Some(location) = location {
                    outbox::write_out(&location, Until::after(time), Pace::Fast)
                        .map(drop)
                        .unwrap_or_else(output::problem);
                }
            });
            let _ = done.wait(time);
            return Ok(());
        }
        Err(late) => late,
    };
    let Some((location, reports)) = lock(&unwritten).take() else {
        match is_at_work.load(Ordering::Relaxed) {
            true => {
                hang.note();
                output::problem("the log, or the folder that it is in, did not answer in time");
            }
            false => output::problem(
                "the client's event did not come in time, or its answer was not taken",
            ),
        }
        return Ok(());
    };
    let kept =
        Worker::new(()).start(move |()| outbox::keep(&location, &reports, Until::after(time / 10)));
    match kept.wait(time / 10) {
        Ok(Ok(())) => output::note(format_args!("{KEPT}: {late}")),
        Ok(Err(error)) => {
            output::problem(format_args!("nothing was recorded: {late}, and {error}"))
        }
        Err(_) => {
            hang.note();
            output::problem(format_args!(
                "nothing was recorded: {late}, nor did the disk"
            ));
        }
    }
    Ok(())
}

/// Forgets what hooks remember of a session.
pub(crate) fn forget(location: &Location, session: &SessionId) {
    let mut seen = Seen::of(location);
    if seen.forget(session) {
        seen.save(location);
    }
}

/// A session whose log is swept after the client was answered.
struct Due {
    session: Session<SqliteLog>,
    setup: Setup,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads an event. The client need not close its end of the input after the event.
fn event(input: &mut dyn Read) -> Result<Value, Failure> {
    let input = BufReader::new(input.take(LONGEST));
    let (event, repairs) = lenient::from_reader(input)
        .map_err(|error| Failure::Other(format!("the event is no JSON: {error}")))?;
    if !repairs.is_none() {
        output::note(format_args!("the event is damaged: {repairs}"));
    }
    Ok(event)
}

fn answer(
    args: &Hook,
    app: &App,
    event: &Value,
    unwritten: &Unwritten,
    place: &Mutex<Option<Location>>,
) -> Result<(Option<Value>, Option<Due>), Failure> {
    let Some(client) = hud_clients::of_event(event) else {
        let known = "it has no `hook_event_name`, `hookName` or `event`";
        return Err(Failure::Other(format!(
            "the event is of no client that is known: {known}"
        )));
    };
    let read = client.read(event, &Machine);
    let id = hud_secret::session_name(&read.session)
        .map_err(|error| Failure::Other(format!("the name of the session {error}")))?;
    let directory = read.directory.as_deref();
    let location = args
        .db
        .location_in(directory.unwrap_or(Path::new(".")), app)?;
    let mut reports = vec![Report::runs(Stamp::now(), &id)];
    let mut missed = missed(client, &read, &location, &id);
    missed.extend(read.said.clone());
    for missed in missed {
        reports.extend(found(&id, missed));
    }
    let before = said_before(client, &read, &location, &id);
    reports.extend(Report::observed(Stamp::now(), &id, before));
    let stamp = Stamp::now().said_at(read.at);
    reports.extend(Report::observed(stamp, &id, read.observations.clone()));
    *lock(unwritten) = Some((location.clone(), reports.clone()));
    let process = process::Client::of_this_process();
    let is_named = is_named(client, process.as_ref(), &read, &location, &id);
    let mut setup = app.serving(location.directory());
    args.deadline.put_into(&mut setup.settings);
    setup.most_bytes = client.most_bytes().map(|most| most.saturating_sub(BESIDE));
    let location = location.serving(&setup);
    *lock(place) = Some(location.clone());
    let known = match read.shows {
        Portion::Changes => Seen::of(&location).shown(&id),
        Portion::Nothing | Portion::Whole | Portion::Once => None,
    };
    let (mut shows, is_of_hud, wants_answer) = (read.shows, read.is_of_hud, read.wants_answer);
    let is_of_sub_agent = read.is_of_sub_agent;
    let is_compaction =
        |observed: &Observation| matches!(observed, Observation::CompactionBegins { .. });
    let compacts = read.observations.iter().any(is_compaction);
    let is_end = |observed: &Observation| matches!(observed, Observation::CompactionEnds { .. });
    let is_compacted = shows == Portion::Nothing && read.observations.iter().any(is_end);
    let writing = Writing {
        location: &location,
        durability: durability(&setup.settings),
        until: Until::after(deadline::for_log(&setup.settings)),
        id: &id,
        client,
    };
    let written = writing.write(reports, read, known);
    if written.is_ok() {
        lock(unwritten).take();
    }
    let Written {
        mut session,
        past,
        versions,
        is_writable,
        is_waiting,
    } = written?;
    if is_waiting && shows == Portion::Changes {
        // The fork's conversation contains the HUD of its original. A HUD without the inherited state would
        // show less.
        shows = Portion::Nothing;
    }
    let before = versions.start().saturating_sub(1);
    if compacts {
        // In any case: the compacted conversation may not contain the HUD.
        let mut seen = Seen::of(&location);
        seen.forget_shown(session.id());
        seen.save(&location);
    }
    if is_compacted {
        tell_of_compaction(&session, before, &location)?;
    }
    let is_seen = !is_of_sub_agent;
    let written: Vec<u64> = match is_seen {
        true => session.said().iter().copied().collect(),
        false => versions.collect(),
    };
    if !written.is_empty() {
        let mut seen = Seen::of(&location);
        seen.set_seen(session.id(), written.into_iter(), is_seen);
        seen.save(&location);
    }
    let mut handed = Vec::new();
    if let Some(file) = args.written.file() {
        let frame = framed(session.state(), None, Placement::SystemTail, &setup)?;
        match location.write_frame(file, &frame.system) {
            Ok(()) => {
                let (placement, version) = (Placement::SystemTail, session.state().version);
                handed.push(sent(&frame, version, None, placement, &setup.settings));
            }
            // The error is only reported, because clients that get an answer do not need the file.
            Err(error) => output::problem(error),
        }
    }
    let (mut hud, shown) = show(&session, past, &location, shows, &setup)?;
    handed.extend(shown);
    let name = token(session.id());
    // With `Portion::Changes`, the name is added only next to changes, or after a call of the `hud` tool.
    let is_said = is_of_hud || !hud.is_empty() || shows != Portion::Changes;
    if is_named && shows != Portion::Nothing && is_said {
        if !hud.is_empty() {
            hud.push('\n');
        }
        hud += &format!(
            "**Session**: `{name}`, to be said with each call of `hud`: `{{\"session\": \"{name}\", ..}}`\n"
        );
    }
    if shows != Portion::Nothing
        && let Some(server) = serving::gone(&location, process.as_ref())
    {
        let mut seen = Seen::of(&location);
        let is_news = seen.tells_gone(session.id(), server);
        // If the state could not be saved, the note would be repeated with each event.
        let is_known = !is_news || seen.save(&location);
        if shows != Portion::Changes || (is_news && is_known) {
            if !hud.is_empty() {
                hud.push('\n');
            }
            hud += serving::GONE;
        }
    }
    let is_asked_for = !hud.is_empty() || wants_answer;
    let answer = is_asked_for.then(|| client.answer(event, &hud, &name));
    if is_writable && let Err(error) = record(&mut session, handed, &location) {
        output::note(format_args!("the log does not say what was shown: {error}"));
    }
    let due = sweep::is_due(before, session.state().version, &setup.settings);
    Ok((answer, due.then(|| Due { session, setup })))
}

/// The session of an event, and the terms on which its log is written.
struct Writing<'w> {
    location: &'w Location,
    durability: Durability,
    until: Until,
    id: &'w SessionId,
    client: &'static dyn Client,
}

impl Writing<'_> {
    /// Writes reports and the rest of an event to the log, or keeps the reports in the outbox. Returns the session as
    /// far as it is in the log, and its state at the version that was shown last.
    fn write(
        &self,
        mut reports: Vec<Report>,
        read: HookEvent,
        known: Option<u64>,
    ) -> Result<Written, Failure> {
        let &Self {
            location,
            durability,
            until,
            id,
            client,
        } = self;
        let keep = |reports: &[Report], error: &dyn Display| {
            let until = Until::after(until.left().max(SHORT));
            outbox::keep(location, reports, until)
                .map(|()| output::note(format_args!("{KEPT}: {error}")))
                .map_err(|reason| {
                    Failure::Other(format!("nothing was recorded: {error}, and {reason}"))
                })
        };
        let way = outbox::make_way(location, id, None, until);
        let opened =
            location
                .open_within(durability, until.left())
                .and_then(|(log, unwritable)| {
                    let (session, past) = location.session_with_past(log, id, known)?;
                    Ok((session, past, unwritable))
                });
        let (mut session, mut past, unwritable) = match opened {
            Ok(opened) => opened,
            Err(LocationError::Log(error)) if outbox::may_pass(&error) => {
                keep(&reports, &error)?;
                return Err(error.into());
            }
            Err(error) => return Err(error.into()),
        };
        match unwritable {
            None => {}
            // The known state is shown although nothing can be written.
            Some(LocationError::Log(error)) if outbox::may_pass(&error) => {
                if let Err(failure) = keep(&reports, &error) {
                    output::problem(failure);
                }
                return Ok(Written::nothing(session, past));
            }
            Some(error) => {
                output::problem(error);
                return Ok(Written::nothing(session, past));
            }
        }
        if read.is_fork {
            session.begin_fork(Timestamp::now())?;
        }
        let mut is_waiting = false;
        if let Some(transcript) = read.copied.filter(|_| session.state().version < YOUNG)
            && session.waits_for_original()?
        {
            match follow(client, &mut session, &beginning(&transcript))? {
                Original::Known(original) => {
                    if was_shown_all(&session, &original, location)? {
                        past = Some(session.state().clone());
                    }
                }
                Original::Unknown => is_waiting = true,
                Original::Unrecorded => {}
            }
        }
        if let Some(usage) = read.usage.filter(|usage| is_news(usage, session.state())) {
            // The model was called since the last reading, and the reports follow from its output.
            let stamp = Stamp::now().said_at(usage.at);
            let called = [Observation::ModelCall, usage.observation];
            reports.splice(1..1, Report::observed(stamp, id, called));
        }
        for of_file in read.found.into_iter().rev() {
            let mut observed = of_file.observations.iter();
            if observed.all(|observed| is_new(observed, session.state())) {
                reports.splice(1..1, found(id, of_file));
            }
        }
        if let Some(name) = read.cause {
            let cause = [Observation::Cause { name }];
            reports.splice(1..1, Report::observed(Stamp::now(), id, cause));
        }
        if let Err(waits) = way {
            keep(&reports, &waits)?;
            return Ok(Written::nothing(session, past));
        }
        let first = session.state().version + 1;
        location.begin(&mut session)?;
        for (nth, report) in reports.iter().enumerate() {
            session.log().set_patience(until.left())?;
            match report.write(&mut session) {
                Ok(_) => {}
                Err(ToolError::Log(error)) if outbox::may_pass(&error) => {
                    keep(reports.get(nth..).unwrap_or_default(), &error)?;
                    break;
                }
                Err(error) => return Err(Failure::Other(error.to_string())),
            }
        }
        let versions = first..=session.state().version;
        Ok(Written {
            session,
            past,
            versions,
            is_writable: true,
            is_waiting,
        })
    }
}

/// The session whose conversation a fork copies.
enum Original {
    /// The fork has inherited the state of this session.
    Known(SessionId),
    /// The client names the session, but nothing is recorded of it.
    Unrecorded,
    /// The session is not known yet.
    Unknown,
}

/// Makes a fork inherit the state of its original, which is identified by the beginning of the fork's transcript.
fn follow(
    client: &dyn Client,
    session: &mut Session<SqliteLog>,
    transcript: &str,
) -> Result<Original, LogError> {
    let names = client.copied_names(transcript);
    let names = names.iter().map(String::as_str);
    if let Some(original) = session.join_original(names, Timestamp::now())? {
        return Ok(Original::Known(original));
    }
    let named = client.original(transcript);
    let Some(named) = named.and_then(|named| hud_secret::session_name(&named).ok()) else {
        return Ok(Original::Unknown);
    };
    Ok(match session.join_named(named.clone(), Timestamp::now())? {
        true => Original::Known(named),
        false => Original::Unrecorded,
    })
}

/// Notes that the model of a fork was shown everything that the fork inherited, because its conversation is a copy.
/// Returns false if the model of the original had not been shown all of it.
fn was_shown_all(
    fork: &Session<SqliteLog>,
    original: &SessionId,
    location: &Location,
) -> Result<bool, LogError> {
    let mut seen = Seen::of(location);
    let Some(shown) = seen.shown(original) else {
        return Ok(false);
    };
    let log = fork.log();
    let (now, past) = state_with_past(log, original, shown)?;
    let Some(past) = past else {
        return Ok(false);
    };
    let known = known(log, original, &past, |event| {
        seen.is_seen(original, event.version)
    })?;
    let mut news = news(&known, &now);
    news.retain(|change| change.section != Context::NAME);
    if !news.is_empty() {
        return Ok(false);
    }
    seen.set_shown(fork.id(), fork.state().version);
    Ok(seen.save(location))
}

/// The outcome of writing an event.
struct Written {
    session: Session<SqliteLog>,
    /// The session's state at the version that was shown last.
    past: Option<HudState>,
    /// The versions that were added to the session.
    versions: RangeInclusive<u64>,
    /// True if more can be written.
    is_writable: bool,
    /// True if the session is a fork whose original is not known yet.
    is_waiting: bool,
}

impl Written {
    fn nothing(session: Session<SqliteLog>, past: Option<HudState>) -> Self {
        let version = session.state().version;
        Self {
            session,
            past,
            versions: RangeInclusive::new(version + 1, version),
            is_writable: false,
            is_waiting: false,
        }
    }
}

/// Notes the session for the client's server. Returns true if the agent has to name its session to the server,
/// because the client does not, and the process does not identify it either.
fn is_named(
    client: &dyn Client,
    process: Option<&process::Client>,
    read: &HookEvent,
    location: &Location,
    session: &SessionId,
) -> bool {
    let step = tie::Step::from(read.step);
    match Ties::note(location, process.cloned(), session, step) {
        Ok(ties) => !client.says_session() && !ties.tell(process, session),
        Err(error) => {
            output::problem(error);
            false
        }
    }
}

/// True unless an observation is a user request that a hook has reported before.
fn is_new(found: &Observation, state: &HudState) -> bool {
    let (Observation::User { text }, Some(task)) = (found, &state.task) else {
        return true;
    };
    let known = [Some(&task.description), task.latest_request.as_ref()];
    !known.contains(&Some(text))
}

/// The reports of observations in a client's files. Their events are in the log once, even if several hooks find
/// them.
fn found(session: &SessionId, found: Found) -> Vec<Report> {
    let stamp = Stamp::named(&format!("{session} {}", found.name)).said_at(found.at);
    Report::observed(stamp, session, found.observations)
}

/// The observations that the client only writes to its transcript, without running a hook.
fn missed(
    client: &dyn Client,
    event: &HookEvent,
    location: &Location,
    session: &SessionId,
) -> Vec<Found> {
    let Some(transcript) = &event.missed else {
        return Vec::new();
    };
    let mut seen = Seen::of(location);
    let read = seen.read(session);
    // A session that begins may have no transcript yet. Everything that will be in it is new.
    let begins = || matches!(event.step, hud_clients::Step::Begins).then(|| (Vec::new(), 0));
    let missed = client.missed(transcript, read.unwrap_or(0), &Machine);
    let Some((missed, end)) = missed.or_else(begins) else {
        return Vec::new();
    };
    let is_compaction = |missed: &Observation| matches!(missed, Observation::CompactionEnds { .. });
    if missed
        .iter()
        .any(|found| found.observations.iter().any(is_compaction))
    {
        seen.forget_shown(session);
    }
    if read != Some(end) {
        seen.set_read(session, end);
        seen.save(location);
    }
    // At the start of a session, and in a transcript that was not read before, the content is recorded already or
    // is older than our records.
    match read.is_none()
        || matches!(
            event.step,
            hud_clients::Step::Begins | hud_clients::Step::Switches
        ) {
        true => Vec::new(),
        false => missed,
    }
}

/// The last message of the agent before the user's prompt, which another process may have reported. The prompt
/// answers it.
fn said_before(
    client: &dyn Client,
    event: &HookEvent,
    location: &Location,
    session: &SessionId,
) -> Option<Observation> {
    let is_user = |observed: &Observation| matches!(observed, Observation::User { .. });
    let transcript = event.missed.as_deref()?;
    if !event.observations.iter().any(is_user) {
        return None;
    }
    let mut seen = Seen::of(location);
    let answered = seen.answered(session).unwrap_or(0);
    let (found, end) = client.missed(transcript, answered, &Machine)?;
    seen.set_answered(session, end);
    seen.save(location);
    let found = found.into_iter().rev();
    found
        .flat_map(|found| found.observations)
        .find_map(|observed| match observed {
            Observation::Agent { text } => Some(Observation::AgentBefore { text }),
            _ => None,
        })
}

/// Handles the end of a compaction after another hook has shown the whole HUD. The events that follow from the
/// summary need not be shown, because the model has the summary. `before` is the version before these events.
fn tell_of_compaction(
    session: &Session<SqliteLog>,
    before: u64,
    location: &Location,
) -> Result<(), LogError> {
    let mut seen = Seen::of(location);
    // The shown version was forgotten when the compaction began.
    let Some(shown) = seen.shown(session.id()).filter(|shown| *shown <= before) else {
        return Ok(());
    };
    let mut is_all_shown = true;
    let log = session.log();
    log.read(session.id(), shown.saturating_add(1), &mut |event| {
        let is_of_context = matches!(event.event, HudEvent::Context(_));
        is_all_shown &= is_of_context || event.version > before;
        match is_all_shown && event.version <= before {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    if is_all_shown {
        seen.set_shown(session.id(), session.state().version);
        seen.save(location);
    }
    Ok(())
}

/// True if a reading differs from the last one, and is not from before a compaction. The client writes the
/// compaction to its transcript some time after its hooks.
fn is_news(reading: &Reported, state: &HudState) -> bool {
    let Observation::Usage { usage, .. } = &reading.observation else {
        return false;
    };
    let compacted = [
        state.compacting.as_ref().map(|begun| begun.at),
        state.compacted.as_ref().map(|ended| ended.at),
    ];
    let is_old = |compacted: Timestamp| reading.at.is_some_and(|at| at <= compacted);
    !compacted.into_iter().flatten().any(is_old)
        && state
            .context
            .as_ref()
            .is_none_or(|context| context.used != usage.total())
}

/// A frame, with the built-in layout if the program's own layout panics.
fn framed(
    state: &HudState,
    before: Option<&HudState>,
    placement: Placement,
    setup: &Setup,
) -> Result<Frame, Failure> {
    let shown = setup.showing(|setup| frame(state, before, placement, setup))?;
    Ok(output::shown(shown))
}

/// The number of events that a session may be ahead of the shown version, while none of them changes the HUD.
const FAR: u64 = 64;

/// JSON with each character outside of ASCII as an escape.
fn ascii(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() {
            escaped.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            escaped.push_str(&format!("\\u{unit:04x}"));
        }
    }
    escaped
}

/// Records the frames that the client receives, if they differ from the last ones. The record is only for reference.
/// It is not waited for, and is made durable together with the next events.
fn record(
    session: &mut Session<SqliteLog>,
    mut handed: Vec<ContextFrame>,
    location: &Location,
) -> Result<(), LogError> {
    handed.retain(|frame| frame.system.is_some() || frame.message.is_some());
    // A frame that contains only changes is a new message each time.
    let is_whole = |frame: &ContextFrame| frame.base.is_none();
    if handed.iter().any(is_whole) {
        let mut seen = Seen::of(location);
        handed.retain(|frame| {
            let hashes = [frame.system, frame.message].map(|text| text.map(|text| text.hash));
            !is_whole(frame) || seen.hands(session.id(), format!("{} {hashes:?}", frame.placement))
        });
        if handed.iter().any(is_whole) {
            seen.save(location);
        }
    }
    if handed.is_empty() {
        return Ok(());
    }
    for frame in handed {
        session.hand(frame, Timestamp::now());
    }
    session.log().set_patience(SHORT)?;
    session.log().set_durability(Durability::Fast)?;
    session.record_handed()
}

/// The text for the model, and the frame that the log keeps of it. `past` is the session's state at the version that
/// the model saw last, or at an earlier one. Without it, the model is shown everything.
fn show(
    session: &Session<SqliteLog>,
    past: Option<HudState>,
    location: &Location,
    shows: Portion,
    setup: &Setup,
) -> Result<(String, Option<ContextFrame>), Failure> {
    let state = session.state();
    let kept = |frame: &Frame, base, placement| {
        sent(frame, state.version, base, placement, &setup.settings)
    };
    if let Some(said) = placed::otherwise(setup.settings.placement, shows) {
        output::note(said);
    }
    match shows {
        Portion::Nothing => return Ok((String::new(), None)),
        Portion::Once => {
            let frame = framed(state, None, Placement::SystemTail, setup)?;
            let kept = kept(&frame, None, Placement::SystemTail);
            return Ok((frame.system, Some(kept)));
        }
        Portion::Whole | Portion::Changes => {}
    }
    // The shown version is kept beside the log, because each hook is its own process. Another one may have shown more
    // since this one started.
    let mut seen = Seen::of(location);
    let before = match (seen.shown(session.id()), past) {
        (Some(version), Some(past)) if shows == Portion::Changes && version >= past.version => {
            let shown = advance(session.log(), session.id(), past, version)?;
            let is_seen = |event: &StoredEvent| seen.is_seen(session.id(), event.version);
            Some(session.known(&shown, is_seen)?)
        }
        _ => None,
    };
    let frame = framed(state, before.as_ref(), Placement::Delta, setup)?;
    // Until the version is noted, each event reads the later ones from the log again.
    let is_far = |shown: u64| state.version.saturating_sub(shown) >= FAR;
    let is_behind = seen.shown(session.id()).is_none_or(is_far);
    if !frame.message.is_empty() || before.is_none() || is_behind {
        seen.set_shown(session.id(), state.version);
        if !seen.save(location) && shows == Portion::Changes {
            // The changes would be shown again with each event.
            return Ok((String::new(), None));
        }
    }
    let base = before.as_ref().map(|before| before.version);
    let kept = kept(&frame, base, Placement::Delta);
    Ok((frame.message, Some(kept)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::odd::any_json;

    proptest! {
        #[test]
        fn escaped_json_is_the_same(text in any::<String>()) {
            let json = serde_json::to_string(&text).unwrap();
            let escaped = ascii(&json);
            prop_assert!(escaped.is_ascii());
            prop_assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), text);
        }

        #[test]
        fn no_event_is_too_odd_for_a_dialect(
            name in prop::sample::select(vec![
                "SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "PostCompact",
                "BeforeAgent", "BeforeModel", "AfterTool", "PostToolUseFailure",
                "prompt_submit", "tool_call", "tool_result", "x",
            ]),
            tool in prop::sample::select(vec![
                "Bash", "apply_patch", "run_shell_command", "read_files", "run_commands", "shell",
                "text_editor", "hud",
            ]),
            odd in prop::collection::vec(any_json(), 6),
        ) {
            let mut event = json!({
                "hook_event_name": name, "hookName": name, "event": name, "tool_name": tool,
                "tool_input": odd[0], "tool_response": odd[1], "tool_output": odd[1],
                "tool_result": odd[2], "postToolUse": odd[3], "llm_request": odd[4],
                "message": odd[5], "prompt": odd[5], "transcript_path": odd[3], "turn_id": odd[5],
            });
            if event["tool_result"].is_object() {
                event["tool_result"]["name"] = tool.into();
            }
            for client in hud_clients::CLIENTS {
                client.owns(&event);
                client.read(&event, &Machine);
                client.answer(&event, "the HUD", "session");
            }
        }
    }
}
