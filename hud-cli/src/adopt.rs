//! `hud adopt`: copies a log from elsewhere to the location of this project's log.

use std::path::Path;

use hud_store::log::Log;

use crate::app::App;
use crate::args::Adopt;
use crate::backup::copy;
use crate::output::{self, Failure, count};
use crate::own;
use crate::progress::{Unit, watched};

pub(crate) fn run(args: &Adopt, app: &App) -> Result<(), Failure> {
    let here = Path::new(".");
    let (from, to) = (
        app.location(Some(&args.log), here)?,
        app.location(None, here)?,
    );
    let log = from.read()?;
    let (given, path) = (from.log().display(), to.log().display());
    let report = watched(Unit::Events, |watcher| log.check(watcher))?;
    if let Some(problem) = report.problems.first() {
        return Err(Failure::Other(format!(
            "{given} is not sound ({}): see `{}`",
            problem.what,
            own::command("doctor --db LOG")
        )));
    }
    if to.prepare()? {
        return Err(Failure::Other(format!(
            "this project has a log already, {path}: add the events with `{} | {}`",
            own::command("export --db LOG"),
            own::command("import")
        )));
    }
    let what = format!(
        "{} in {}",
        count(report.events, "event"),
        count(log.sessions()?.len() as u64, "session")
    );
    if !args.yes {
        output::note(format_args!(
            "{given} has {what}: it would be copied to {path}, and agents in this project would read what \
             it says; nothing was changed yet: if it is yours, say --yes to do it"
        ));
        return Ok(());
    }
    copy(&log, to.log())?;
    output::note(format_args!(
        "{what} taken over: {given} is not needed any more"
    ));
    Ok(())
}
