//! `hud sessions`: the sessions of a log.

use std::path::Path;

use hud_store::event::SessionId;
use hud_store::log::{Log, SessionInfo, state_of};
use serde::Serialize;

use crate::app::App;
use crate::args::Sessions;
use crate::log::time;
use crate::output::{Failure, Output, count};

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

/// Reports that the log has no session of that name.
pub(crate) fn known(
    db: &Path,
    sessions: &[SessionInfo],
    wanted: &SessionId,
) -> Result<(), Failure> {
    if sessions.iter().any(|info| info.id == *wanted) {
        return Ok(());
    }
    let path = db.display();
    Err(Failure::Other(format!("{path} has no session {wanted}")))
}

pub(crate) fn run(args: &Sessions, app: &App) -> Result<(), Failure> {
    let log = args.db.location(app)?.read()?;
    let mut output = Output::new();
    for info in log.sessions()? {
        let state = state_of(&log, &info.id)?;
        let task = state.task.as_ref().map(|task| task.description.as_str());
        if args.json {
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
        output.text(&format!(
            "{}  {}, {} to {}{}",
            info.id,
            count(info.events, "event"),
            time(info.first_at),
            time(info.last_at),
            origin(&info)
        ))?;
        if let Some(task) = task {
            output.text(&format!("    {}", hud_components::text::line(task, SHOWN)))?;
        }
    }
    Ok(output.flush()?)
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
