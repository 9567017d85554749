//! `hud resume`: lets a running session continue the work of an earlier one.

use hud_agent::tool::ToolError;
use hud_components::text::line;
use hud_store::event::{Actor, SessionId};
use hud_store::sqlite::Durability;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::app::App;
use crate::args::Resume;
use crate::location::Location;
use crate::output::{self, Failure};
use crate::own;
use crate::tie::Ties;

/// The maximum number of characters of a task in the output.
const SHOWN: usize = 100;

pub(crate) fn run(args: &Resume, app: &App) -> Result<(), Failure> {
    let location = args.db.location(app)?;
    let session = match &args.session {
        Some(session) => session.clone(),
        None => running(&location)?,
    };
    let setup = app.serving(location.directory());
    let location = location.serving(&setup);
    let log = location.write(Durability::Full)?;
    let mut running = location.session(log, &session)?;
    let call = json!({ "tool": "sessions.resume", "args": { "session": args.earlier } });
    let answer = running.call_by(&Actor::User, &call, Timestamp::now());
    let answer = answer.map_err(|error| match error {
        ToolError::Log(error) => error.into(),
        error => Failure::Other(error.to_string()),
    })?;
    let task = answer.get("task").and_then(Value::as_str);
    output::note(format_args!(
        "{session} goes on with: {}",
        line(task.unwrap_or("no task"), SHOWN)
    ));
    Ok(())
}

/// Returns the session that a client runs in the project, if there is exactly one.
fn running(location: &Location) -> Result<SessionId, Failure> {
    let mut running = Ties::of(location)?.running();
    match (running.pop(), running.is_empty()) {
        (Some(session), true) => Ok(session),
        (session, _) => Err(Failure::Other(format!(
            "{} runs in this project: name the session that is to go on, as `{}`",
            session.map_or("no session", |_| "more than one session"),
            own::command("resume --session ID")
        ))),
    }
}
