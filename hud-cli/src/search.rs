//! `hud search`: searches the text in the sessions of a log.

use std::time::Duration;

use hud_store::log::Query;
use hud_store::sqlite::{Durability, SqliteLog};

use crate::app::App;
use crate::args::Search;
use crate::location::{Location, LocationError};
use crate::log;
use crate::opened::Readable;
use crate::output::{Failure, Output};

pub(crate) fn run(args: &Search, app: &App) -> Result<(), Failure> {
    let log: Box<dyn Readable> = match args.db.on_server(app) {
        Some(opened) => opened?.log,
        None => Box::new(open(&args.db.location(app)?)?),
    };
    let query = Query {
        text: args.text.join(" "),
        session: args.session.clone(),
        kind: args.kind.clone(),
        limit: args.limit,
    };
    let hits = log.search(&query)?;
    let mut output = Output::new();
    for hit in &hits {
        if args.json {
            log::show(&mut output, &hit.event, true, true)?;
            continue;
        }
        let event = &hit.event;
        output.divider(&format!(
            "seq {} · {} · turn {} · {} · {}",
            event.seq,
            event.session,
            event.turn,
            log::time(event.at),
            event.event.kind()
        ))?;
        let parts = hit.snippet.iter();
        output.marked(parts.map(|piece| (piece.text.as_str(), piece.matched)))?;
    }
    output.flush()?;
    if hits.is_empty() {
        crate::output::note("nothing that was recorded has all of these words");
    }
    Ok(())
}

/// The time to wait for an index that others write.
const PATIENCE: Duration = Duration::from_secs(5);

/// Opens the log so that its index can be updated, if possible.
fn open(location: &Location) -> Result<SqliteLog, LocationError> {
    // Opening the log for reading fails if there is none, so that none is created.
    drop(location.read()?);
    let (log, _) = location.open_within(Durability::Full, PATIENCE)?;
    Ok(log)
}
