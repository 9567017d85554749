//! `hud sessions`: lists the sessions of a log, or deletes one.

use hud_store::event::{Actor, NewEvent, SessionId};
use hud_store::log::{Log, Place, SessionInfo, state_of, state_while};
use hud_store::sqlite::Durability;
use hud_store::state::Earlier;
use serde::Serialize;

use crate::app::App;
use crate::args::Sessions;
use crate::erase;
use crate::log::time;
use crate::opened::FileOnly;
use crate::output::{self, Failure, Output, count};
use crate::recorded;

/// The maximum number of characters of a task in the output.
const SHOWN: usize = 60;

/// A session in the JSON output.
#[derive(Serialize)]
struct JsonSession<'s> {
    session: &'s str,
    events: u64,
    first_at: String,
    last_at: String,
    origin: &'s hud_store::state::Origin,
    task: Option<&'s str>,
}

/// Returns the session with this name, or an error if the log has none.
pub(crate) fn known(
    log: &dyn Log,
    place: &Place,
    wanted: &SessionId,
) -> Result<SessionInfo, Failure> {
    let info = log.session(wanted)?;
    info.ok_or_else(|| Failure::Other(format!("{place} has no session {wanted}")))
}

pub(crate) fn run(args: &Sessions, app: &App) -> Result<(), Failure> {
    if let Some(session) = &args.delete {
        return delete(session, args, app);
    }
    if args.recorded {
        return recorded::list(args);
    }
    let log = args.db.open(app)?.log;
    let mut output = Output::new();
    for info in log.sessions()? {
        if args.json {
            let state = state_of(&*log, &info.id)?;
            let task = state.task.as_ref().map(|task| task.description.as_str());
            output.json(&JsonSession {
                session: info.id.as_str(),
                events: info.events,
                first_at: info.first_at.to_string(),
                last_at: info.last_at.to_string(),
                origin: &info.origin,
                task,
            })?;
            continue;
        }
        show(&*log, &info, &mut output)?;
    }
    Ok(output.flush()?)
}

/// Shows a session to people.
fn show(log: &dyn Log, info: &SessionInfo, output: &mut Output) -> Result<(), Failure> {
    output.text(&format!(
        "{}  {}, {} to {}{}",
        info.id,
        count(info.events, "event"),
        time(info.first_at),
        time(info.last_at),
        origin(info)
    ))?;
    if let Some(task) = &state_of(log, &info.id)?.task {
        let task = hud_components::text::line(&task.description, SHOWN);
        output.text(&format!("    {task}"))?;
    }
    Ok(())
}

/// The version of the event by which a session inherits, which is the one after its start.
const INHERITED: u64 = 2;

/// Returns the sessions that come from a session or inherit from it.
fn heirs(log: &dyn Log, session: &SessionId) -> Result<Vec<SessionId>, Failure> {
    let mut heirs = Vec::new();
    for info in log.sessions()? {
        let origin = &info.origin;
        let from = [
            &origin.resumes,
            &origin.parent,
            &origin.project,
            &origin.forks,
        ];
        let comes_from = from.into_iter().flatten().any(|from| from == session);
        // A session inherits when it begins, so its later events are not read.
        let inherited = || state_while(log, &info.id, |event| event.version <= INHERITED);
        if comes_from || has_inherited(&inherited()?.earlier, session) {
            heirs.push(info.id);
        }
    }
    Ok(heirs)
}

/// True if another session has inherited something from a session.
fn has_inherited(earlier: &Earlier, session: &SessionId) -> bool {
    let listed = earlier.sessions.iter().map(|listed| &listed.session);
    let quoted = earlier.unfinished.iter().map(|left| &left.session);
    let mut from = earlier.from.iter().chain(listed).chain(quoted);
    from.any(|from| from == session)
}

/// Deletes a session from the log.
fn delete(session: &SessionId, args: &Sessions, app: &App) -> Result<(), Failure> {
    let location = args.db.file(FileOnly::Delete, app)?;
    let reader = location.read()?;
    let info = known(&reader, &location.log().into(), session)?;
    if !args.yes {
        let mut output = Output::new();
        show(&reader, &info, &mut output)?;
        output.flush()?;
        return Err(Failure::Other(
            "nothing was changed: a session that was deleted can't be brought back; say --yes to do it"
                .to_owned(),
        ));
    }
    drop(reader);
    erase::prepare(&location);
    let mut log = location.write(Durability::Full)?;
    let words = log.words(session, None)?;
    let heirs = heirs(&log, session)?;
    let deleted = |happened| NewEvent::now(0, Actor::User, happened);
    let done = log.delete_with_name(session, deleted)?;
    let words = log.erased(words)?;
    drop(log);
    erase::forget(&location, session);
    output::note(format_args!(
        "{session} is deleted: {} and {}; copies of the log elsewhere, and HUDs that `--write FILE` wrote, still have it",
        count(done.events, "event"),
        count(done.contents, "kept output"),
    ));
    for heir in heirs {
        output::note(format_args!(
            "{heir} comes from it, and may have begun with some of what it said: see whether to redact that, too"
        ));
    }
    if !done.is_nameless {
        output::note(
            "its name stays: it is what a log on a server, or another one, knows the session by",
        );
    }
    erase::finish(&location, &words, done.lingers)
}

fn origin(info: &SessionInfo) -> String {
    let origin = &info.origin;
    [
        ("resumes", &origin.resumes),
        ("sub-agent of", &origin.parent),
        ("of project", &origin.project),
    ]
    .into_iter()
    .filter_map(|(how, from)| Some(format!(", {how} {}", from.as_ref()?)))
    .collect()
}
