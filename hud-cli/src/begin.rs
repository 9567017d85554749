//! `hud begin`: begins a session that comes from others.

use hud_store::log::{begin, begin_apart};
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::Origin;
use jiff::Timestamp;

use crate::app::App;
use crate::args::Begin;
use crate::location::Location;
use crate::output::{self, Failure, count};

pub(crate) fn run(args: &Begin, app: &App) -> Result<(), Failure> {
    let mut origin = Origin {
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
    let begin = match fetch(&mut log, &mut origin, &location, app)? {
        true => begin,
        false => begin_apart,
    };
    let begun = begin(&mut log, &args.session, &origin, Timestamp::now())?;
    output::note(format_args!(
        "{}: session {} has {}",
        location.log().display(),
        args.session,
        count(begun.version, "event")
    ));
    Ok(())
}

/// Copies the parent's session from another machine if necessary, and renames the parent in `origin` to its
/// local name. Returns false if the parent could not be fetched.
#[cfg(feature = "postgres")]
fn fetch(
    log: &mut SqliteLog,
    origin: &mut Origin,
    location: &Location,
    app: &App,
) -> Result<bool, Failure> {
    let Some(parent) = &mut origin.parent else {
        return Ok(true);
    };
    match crate::fleet::pull::parent(log, parent, location, app)? {
        Some(name) => {
            *parent = name;
            Ok(true)
        }
        None => Ok(false),
    }
}

#[cfg(not(feature = "postgres"))]
fn fetch(_: &mut SqliteLog, _: &mut Origin, _: &Location, _: &App) -> Result<bool, Failure> {
    Ok(true)
}
