//! `hud hook`: one event of a client that runs commands as hooks. The event comes as JSON on standard
//! input; what the model is to see goes out as the client wants it.
//!
//! The dialect is told from the event itself:
//!
//! | client | told by | the HUD is shown |
//! | --- | --- | --- |
//! | Claude Code, Codex | `hook_event_name` | whole at SessionStart; what changed with each prompt and tool |
//! | Gemini CLI | `hook_event_name` of its own | whole with each call of the model, which does not keep it; where that would change the places of images and texts, what changed, with each prompt and tool |
//! | Cline | `hookName` | what changed, with each tool |
//! | goose | `event` | by the file that it reads before each turn (`--write`): a hook can say nothing |
//!
//! A hook must never be in the agent's way: what goes wrong is said on standard error, and the client
//! goes on as if there were no hook.

mod chat;
mod claude;
mod cline;
mod cline_files;
mod gemini;
mod goose;
mod transcript;

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hud_agent::frame::frame;
use hud_agent::placement::Placement;
use hud_agent::session::{Observation, Session};
use hud_agent::setup::Setup;
use hud_agent::tool::ToolError;
use hud_store::event::SessionId;
use hud_store::log::{LogError, Moment, state_at};
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::HudState;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::App;
use crate::args::{Hook, durability};
use crate::deadline::{self, Until, Worker};
use crate::location::{Location, LocationError};
use crate::output::{self, Failure};
use crate::process::Client;
use crate::spool::{self, Report, Stamp};
use crate::tie::{Step, Ties, token};

/// What is said of reports that the log did not take.
const KEPT: &str = "kept, to be written later";

/// How long what could not be written may take to be kept, when no time is left.
const SHORT: Duration = Duration::from_millis(20);

/// How many events a fork has at most while its original is looked for.
const YOUNG: u64 = 32;

/// How many bytes an event may have: what a tool said may be long.
const LONGEST: u64 = 32 * 1024 * 1024;

/// What an event of a client means.
#[derive(Debug, Default)]
struct Meaning {
    session: String,
    /// The directory that the client works in.
    directory: Option<PathBuf>,
    reports: Vec<Observation>,
    /// What the client calls the message or call that the reports follow from. It is the same in a copy
    /// of the conversation.
    cause: Option<String>,
    /// Whether the session begins as a copy of another one.
    is_fork: bool,
    /// The transcript, where it may say of which.
    copied: Option<PathBuf>,
    /// What is in the client's own files and is said to no hook.
    found: Vec<Found>,
    /// How full the context is, where that is not in a transcript.
    usage: Option<Observation>,
    show: Show,
}

/// Something that was found in a client's own files.
#[derive(Debug)]
struct Found {
    /// What the client calls it: it is taken in once.
    name: String,
    reports: Vec<Observation>,
}

/// What the model is to see now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Show {
    #[default]
    Nothing,
    /// The whole HUD, for good: from now on only changes are shown.
    Whole,
    /// What changed since it was shown last.
    Changes,
    /// The whole HUD, for this call of the model only.
    Once,
}

/// How a client wants to be answered.
type Answer = fn(event: &Value, hud: &str) -> Value;

/// What is to be in the log, and is not in it yet.
type Unwritten = Arc<Mutex<Option<(Location, Vec<Report>)>>>;

/// Answers in a thread of its own: the client waits until its deadline, whatever hangs.
pub(crate) fn run(args: &Hook, app: &App) -> Result<(), Failure> {
    let time = args.deadline.of_user();
    let unwritten = Unwritten::default();
    let hook = Worker::new((args.clone(), app.clone(), unwritten.clone()));
    let pending = hook.start(|(args, app, unwritten)| {
        let said =
            event(&mut io::stdin().lock()).and_then(|event| answer(args, app, &event, unwritten));
        match said {
            Ok(Some(answer)) => writeln!(io::stdout().lock(), "{answer}").map_err(Failure::from),
            Ok(None) => Ok(()),
            Err(error) => {
                output::problem(error);
                Ok(())
            }
        }
    });
    let Err(late) = pending.wait(time * 85 / 100) else {
        return Ok(());
    };
    let Some((location, reports)) = lock(&unwritten).take() else {
        output::problem("the client's event did not come in time, or its answer was not taken");
        return Ok(());
    };
    let kept =
        Worker::new(()).start(move |()| spool::keep(&location, &reports, Until::after(time / 10)));
    match kept.wait(time / 10) {
        Ok(Ok(())) => output::note(format_args!("{KEPT}: {late}")),
        Ok(Err(error)) => {
            output::problem(format_args!("nothing was recorded: {late}, and {error}"))
        }
        Err(_) => output::problem(format_args!(
            "nothing was recorded: {late}, nor did the disk"
        )),
    }
    Ok(())
}

fn lock(unwritten: &Unwritten) -> MutexGuard<'_, Option<(Location, Vec<Report>)>> {
    unwritten.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads an event. A client need not end its input behind it.
fn event(input: &mut dyn Read) -> Result<Value, Failure> {
    let input = BufReader::new(input.take(LONGEST));
    Value::deserialize(&mut serde_json::Deserializer::from_reader(input))
        .map_err(|error| Failure::Other(format!("the event is no JSON: {error}")))
}

fn answer(
    args: &Hook,
    app: &App,
    event: &Value,
    unwritten: &Unwritten,
) -> Result<Option<Value>, Failure> {
    let name = event["hook_event_name"].as_str().unwrap_or_default();
    let (meaning, answer): (Meaning, Answer) = if event.get("hookName").is_some() {
        (cline::read(event), cline::answer)
    } else if event["event"].is_string() {
        (goose::read(event), goose::answer)
    } else if gemini::is_its(event) {
        (gemini::read(event), gemini::answer)
    } else if !name.is_empty() {
        (claude::read(event), claude::answer)
    } else {
        let known = "it has no `hook_event_name`, `hookName` or `event`";
        return Err(Failure::Other(format!(
            "the event is of no client that is known: {known}"
        )));
    };
    let id = SessionId::new(meaning.session.as_str())
        .map_err(|error| Failure::Other(format!("the name of the session {error}")))?;
    let directory = meaning.directory.as_deref();
    let location = args.db.location_in(directory.unwrap_or(Path::new(".")))?;
    let mut reports = vec![Report::runs(Stamp::now(), &id)];
    let mut observed = missed(event, &location, &id);
    observed.extend(meaning.reports);
    reports.extend(Report::observed(Stamp::now(), &id, &observed));
    *lock(unwritten) = Some((location.clone(), reports.clone()));
    let is_named = is_named(event, &location, &id);
    // Around a compaction a transcript may still say how full the context was.
    let usage = match meaning.show {
        Show::Changes | Show::Once => text(event, "/transcript_path")
            .and_then(|path| transcript::usage(path.as_ref()))
            .or(meaning.usage),
        Show::Nothing | Show::Whole => None,
    };
    let mut setup = app.serving(location.directory());
    args.deadline.put_into(&mut setup.settings);
    let until = Until::after(deadline::for_log(&setup.settings));
    let besides = Besides {
        cause: meaning.cause,
        is_fork: meaning.is_fork,
        copied: meaning.copied,
        found: meaning.found,
        usage,
    };
    let durability = durability(&setup.settings);
    let written = write(&location, durability, &id, reports, besides, until);
    if written.is_ok() {
        lock(unwritten).take();
    }
    let session = written?;
    if let Some(file) = args.written.file() {
        let frame = frame(session.state(), None, Placement::SystemTail, &setup)?;
        if let Err(error) = location.write_frame(file, &frame.system) {
            // Clients that are answered need no file.
            output::problem(error);
        }
    }
    let mut hud = show(&session, &location, meaning.show, &setup)?;
    let is_of_hud = text(event, "/tool_name").is_some_and(|tool| is_hud(&tool));
    if is_named && meaning.show != Show::Nothing && (is_of_hud || !hud.is_empty()) {
        if !hud.is_empty() {
            hud.push('\n');
        }
        let name = token(session.id());
        hud += &format!(
            "**Session**: `{name}`, to be said with each call of `hud`: `{{\"session\": \"{name}\", ..}}`\n"
        );
    }
    let is_asked_for = !hud.is_empty() || cline::is_call_of_hud(event);
    Ok(is_asked_for.then(|| answer(event, &hud)))
}

/// What does not come as a report.
struct Besides {
    cause: Option<String>,
    is_fork: bool,
    copied: Option<PathBuf>,
    found: Vec<Found>,
    usage: Option<Observation>,
}

/// Writes reports to the log, or keeps them, and gives the session as far as it is in the log.
fn write(
    location: &Location,
    durability: Durability,
    id: &SessionId,
    mut reports: Vec<Report>,
    Besides {
        cause,
        is_fork,
        copied,
        found,
        usage,
    }: Besides,
    until: Until,
) -> Result<Session<SqliteLog>, Failure> {
    let keep = |reports: &[Report], error: &LogError| {
        let until = Until::after(until.left().max(SHORT));
        spool::keep(location, reports, until)
            .map(|()| output::note(format_args!("{KEPT}: {error}")))
            .map_err(|reason| {
                Failure::Other(format!("nothing was recorded: {error}, and {reason}"))
            })
    };
    let is_free = spool::write_out(location, until).unwrap_or_else(|error| {
        // What can't be read of it must not keep the rest out.
        output::problem(error);
        true
    });
    let opened = location
        .open_within(durability, until.left())
        .and_then(|(log, unwritable)| Ok((location.session(log, id)?, unwritable)));
    let (mut session, unwritable) = match opened {
        Ok(opened) => opened,
        Err(LocationError::Log(error)) if spool::may_pass(&error) => {
            keep(&reports, &error)?;
            return Err(error.into());
        }
        Err(error) => return Err(error.into()),
    };
    match unwritable {
        None => {}
        // What is known already is shown all the same.
        Some(LocationError::Log(error)) if spool::may_pass(&error) => {
            if let Err(failure) = keep(&reports, &error) {
                output::problem(failure);
            }
            return Ok(session);
        }
        Some(error) => {
            output::problem(error);
            return Ok(session);
        }
    }
    if is_fork {
        session.begin_fork(jiff::Timestamp::now())?;
    }
    if let Some(transcript) = copied.filter(|_| session.state().version < YOUNG)
        && session.waits_for_original()?
    {
        let names = transcript::names(&transcript);
        session.join_original(names.iter().map(String::as_str), jiff::Timestamp::now())?;
    }
    if let Some(usage) = usage.filter(|usage| is_news(usage, session.state())) {
        // The model was called since, and what is reported follows from what it said.
        let called = [Observation::ModelCall, usage];
        reports.splice(1..1, Report::observed(Stamp::now(), id, &called));
    }
    for Found {
        name,
        reports: found,
    } in found.into_iter().rev()
    {
        if found.iter().all(|report| is_new(report, session.state())) {
            let stamp = Stamp::named(&format!("{id} {name}"));
            reports.splice(1..1, Report::observed(stamp, id, &found));
        }
    }
    if let Some(name) = cause {
        let cause = [Observation::Cause { name }];
        reports.splice(1..1, Report::observed(Stamp::now(), id, &cause));
    }
    if !is_free {
        let path = location.log().to_owned();
        keep(&reports, &LogError::Busy { path })?;
        return Ok(session);
    }
    for (nth, report) in reports.iter().enumerate() {
        session.log().set_patience(until.left())?;
        match report.write(&mut session) {
            Ok(_) => {}
            Err(ToolError::Log(error)) if spool::may_pass(&error) => {
                keep(reports.get(nth..).unwrap_or_default(), &error)?;
                break;
            }
            Err(error) => return Err(Failure::Other(error.to_string())),
        }
    }
    Ok(session)
}

/// Leaves a note for the client's server. Gives whether the agent has to name its session to it: the
/// client does not, and it can't be told by the process either.
fn is_named(event: &Value, location: &Location, session: &SessionId) -> bool {
    let client = Client::of_this_process();
    match Ties::note(location, client.clone(), session, step(event)) {
        Ok(ties) => {
            let is_codex = event.get("turn_id").is_some();
            let is_told = is_codex
                || ["hookName", "event"]
                    .iter()
                    .any(|key| event[key].is_string());
            !is_told && !ties.tell(client.as_ref(), session)
        }
        Err(error) => {
            output::problem(error);
            false
        }
    }
}

/// What an event says of the sessions of its client.
fn step(event: &Value) -> Step {
    let name = ["hook_event_name", "hookName", "event"]
        .iter()
        .find_map(|key| event[key].as_str());
    match name {
        // Whatever it goes on from, one conversation is shown at a time.
        Some("SessionStart")
            if event["source"]
                .as_str()
                .is_some_and(|source| source != "startup") =>
        {
            Step::Switches
        }
        Some("SessionStart" | "agent_start") => Step::Begins,
        Some("SessionEnd" | "session_shutdown") => Step::Ends,
        _ => Step::Runs,
    }
}

/// Whether something is not a request that a hook has said already.
fn is_new(found: &Observation, state: &HudState) -> bool {
    let (Observation::User { text }, Some(task)) = (found, &state.task) else {
        return true;
    };
    let known = [Some(&task.description), task.latest_request.as_ref()];
    !known.contains(&Some(text))
}

/// What happened of which the client runs no hook, and which it only writes into its transcript.
fn missed(event: &Value, location: &Location, session: &SessionId) -> Vec<Observation> {
    let find = match gemini::is_its(event) {
        true => chat::compressed,
        false if claude::is_of_agent(event) => transcript::not_run,
        false => return Vec::new(),
    };
    let Some(transcript) = text(event, "/transcript_path") else {
        return Vec::new();
    };
    let id = session.as_str();
    let mut seen = Seen::of(location);
    let read = seen.read.get(id).copied();
    // What was there when the session was gone on with is known, or was before us.
    let is_new = read.is_none() || event["hook_event_name"] == "SessionStart";
    let (missed, end) = find(transcript.as_ref(), read.unwrap_or(0));
    let is_compaction = |missed: &Observation| matches!(missed, Observation::CompactionEnds { .. });
    if missed.iter().any(is_compaction) {
        seen.shown.remove(id);
    }
    if read != Some(end) {
        seen.read.insert(id.to_owned(), end);
        seen.save(location);
    }
    match is_new {
        true => Vec::new(),
        false => missed,
    }
}

/// Whether a reading is not the one that was taken last.
fn is_news(usage: &Observation, state: &HudState) -> bool {
    let Observation::Usage {
        input,
        cache_write,
        cache_read,
        output,
        ..
    } = usage
    else {
        return false;
    };
    let counts = [input, cache_write, cache_read, output];
    let used = counts
        .into_iter()
        .fold(0_u64, |sum, count| sum.saturating_add(*count));
    state
        .context
        .as_ref()
        .is_none_or(|context| context.used != used)
}

/// The text that the model is to see.
fn show(
    session: &Session<SqliteLog>,
    location: &Location,
    show: Show,
    setup: &Setup,
) -> Result<String, Failure> {
    let state = session.state();
    if show == Show::Nothing {
        return Ok(String::new());
    }
    if show == Show::Once {
        return Ok(frame(state, None, Placement::SystemTail, setup)?.system);
    }
    // What the model saw last is kept beside the log: each hook is a process of its own.
    let mut seen = Seen::of(location);
    let version = seen.shown.get(session.id().as_str()).copied();
    let before = match (show, version) {
        (Show::Changes, Some(version)) => {
            let moment = Moment::Version(version);
            Some(state_at(session.log(), session.id(), moment)?)
        }
        _ => None,
    };
    let frame = frame(state, before.as_ref(), Placement::Delta, setup)?;
    if !frame.message.is_empty() || before.is_none() {
        seen.shown.insert(session.id().to_string(), state.version);
        if !seen.save(location) && show == Show::Changes {
            // It would be shown again with each event.
            return Ok(String::new());
        }
    }
    Ok(frame.message)
}

/// What is known of each session besides its events. Lost, it costs one whole HUD.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct Seen {
    /// The version that its model saw last.
    shown: BTreeMap<String, u64>,
    /// How far its client's transcript was read, in bytes.
    read: BTreeMap<String, u64>,
}

impl Seen {
    /// The end of the file's name, behind the log's.
    const FILE: &str = ".seen.json";

    fn of(location: &Location) -> Self {
        let text = location.read_beside(Self::FILE).unwrap_or_else(|error| {
            output::problem(error);
            None
        });
        serde_json::from_slice(&text.unwrap_or_default()).unwrap_or_default()
    }

    /// Writes it down, and gives whether that was done.
    fn save(&self, location: &Location) -> bool {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let saved = location.write_beside(Self::FILE, &text);
        saved.map_err(output::problem).is_ok()
    }
}

/// A text field.
fn text(event: &Value, pointer: &str) -> Option<String> {
    Some(event.pointer(pointer)?.as_str()?.to_owned())
}

/// Something that a tool said: text as it is, anything else as JSON.
fn content(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// Whether a tool is one of ours: what it does is recorded where it is done.
fn is_hud(tool: &str) -> bool {
    let name = tool.rsplit("__").next().unwrap_or(tool);
    let name = name.strip_prefix("mcp_hud_").unwrap_or(name);
    name == "hud" || name == "hud_compact"
}

fn wrapped(hud: &str) -> String {
    format!("<hud>\n{}\n</hud>", hud.trim_end())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::odd::any_json;

    proptest! {
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
            for (read, answer) in [
                (claude::read as fn(&Value) -> Meaning, claude::answer as Answer),
                (cline::read, cline::answer),
                (gemini::read, gemini::answer),
                (goose::read, goose::answer),
            ] {
                read(&event);
                answer(&event, "the HUD");
            }
        }
    }
}
