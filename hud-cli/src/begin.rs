//! `hud begin`: a session that comes from others.

use hud_store::log::begin;
use hud_store::sqlite::Durability;
use hud_store::state::Origin;
use jiff::Timestamp;

use crate::app::App;
use crate::args::Begin;
use crate::output::{self, Failure, count};

pub(crate) fn run(args: &Begin, app: &App) -> Result<(), Failure> {
    let origin = Origin {
        resumes: args.resumes.clone(),
        parent: args.parent.clone(),
        project: args.project.clone(),
        forks: None,
    };
    if origin == Origin::default() {
        return Err(Failure::Other(
            "say what the session comes from: --resumes, --parent or --project".to_owned(),
        ));
    }
    let location = args.db.location(app)?;
    let mut log = location.write(Durability::Full)?;
    let begun = begin(&mut log, &args.session, &origin, Timestamp::now())?;
    output::note(format_args!(
        "{}: session {} has {}",
        location.log().display(),
        args.session,
        count(begun.version, "event")
    ));
    Ok(())
}
