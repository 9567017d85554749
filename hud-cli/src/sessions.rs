//! `hud sessions`: the sessions of a log.

use hud_store::event::{Actor, NewEvent, SessionId};
use hud_store::log::{Log, Place, SessionInfo, state_of};
use hud_store::sqlite::Durability;
use serde::Serialize;

use crate::app::App;
use crate::args::Sessions;
use crate::log::time;
use crate::opened::FileOnly;
use crate::output::{self, Failure, Output, count};

/// How much of a task is shown, in characters.
const SHOWN: usize = 60;

/// A session for machines.
#[derive(Serialize)]
struct JsonSession<'s> {
    session: &'s str,
    events: u64,
    first_at: String,
    last_at: String,
    origin: &'s hud_store::state::Origin,
    task: Option<&'s str>,
}

/// The session of that name, or a report that the log has none.
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

/// Takes a session out of the log.
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
    let mut log = location.write(Durability::Full)?;
    let done = log.delete(session, |happened| NewEvent::now(0, Actor::User, happened))?;
    output::note(format_args!(
        "{session} is deleted: {} and {}; copies and backups of the log still have it",
        count(done.events, "event"),
        count(done.contents, "kept output"),
    ));
    if done.lingers {
        output::note(
            "somebody reads the log, so the old pages still wait in its write-ahead log until nobody does",
        );
    }
    Ok(())
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
