//! `hud redact`: erases the content of an event permanently.

use hud_store::event::{Actor, NewEvent, StoredEvent};
use hud_store::log::{EventName, Log, LogError, Place, Redacted};
use hud_store::sqlite::Durability;

use crate::app::App;
use crate::args::Redact;
use crate::erase;
use crate::log;
use crate::output::{self, Failure, Output};

pub(crate) fn run(args: &Redact, app: &App) -> Result<(), Failure> {
    if let Some(address) = args.db.address() {
        return on_server(args, &address, app);
    }
    let location = args.db.location(app)?;
    let reader = location.read()?;
    let event = chosen(args, &reader, &location.log().into())?;
    drop(reader);
    erase::prepare(&location);
    let mut log = location.write(Durability::Full)?;
    let words = log.words(&event.session, Some(event.version))?;
    let done = take_out(args, &mut log, &event)?;
    let words = log.erased(words)?;
    drop(log);
    report(args, &done);
    erase::finish(&location, &words, done.lingers)
}

/// Redacts an event of a session that is written on a server.
#[cfg(feature = "postgres")]
fn on_server(args: &Redact, address: &str, app: &App) -> Result<(), Failure> {
    use crate::location::LocationError;
    use crate::{opened, own};

    let address = address.parse().map_err(LocationError::from)?;
    let mut log = opened::server(&address, std::path::Path::new("."), app)?;
    let event = chosen(args, &log, &log.place().clone())?;
    let done = take_out(args, &mut log, &event).map_err(|error| match error {
        LogError::Moved { session, home, .. } => Failure::Other(format!(
            "nothing was changed: {session} is written by the log {home}; redact the event there, by {session}:{}, \
             and send that with `{}`",
            event.version,
            own::command("push")
        )),
        error => error.into(),
    })?;
    report(args, &done);
    if done.lingers {
        output::note(format_args!(
            "the server has the old rows in its files still, and in its write-ahead log; to rewrite the tables, as the \
             owner of the log: VACUUM FULL {log}.event, {log}.session, {log}.content, {log}.kept, {log}.snapshot, \
             {log}.search; docs/fleet.md has the steps for the write-ahead log, too",
            log = address.log()
        ));
    }
    Ok(())
}

#[cfg(not(feature = "postgres"))]
fn on_server(_: &Redact, address: &str, _: &App) -> Result<(), Failure> {
    let place = Place::address(address);
    Err(crate::location::LocationError::NoServers { place }.into())
}

/// Returns the requested event. Without `--yes`, shows the event and returns an error.
fn chosen<L: Log>(args: &Redact, log: &L, place: &Place) -> Result<StoredEvent, Failure> {
    let event = args.event.find(log)?.ok_or_else(|| LogError::NoEvent {
        place: place.clone(),
        event: args.event.to_string(),
    })?;
    if args.yes {
        return Ok(event);
    }
    let mut output = Output::new();
    log::show(&mut output, &event, false, true)?;
    output.flush()?;
    Err(Failure::Other(
        "nothing was changed: what is taken out can't be brought back; say --yes to do it"
            .to_owned(),
    ))
}

fn take_out<L: hud_store::log::Redact>(
    args: &Redact,
    log: &mut L,
    event: &StoredEvent,
) -> Result<Redacted, LogError> {
    let name = EventName::Id(event.id);
    log.redact(&name, args.reason.clone(), &mut |happened| {
        NewEvent::now(event.turn, Actor::User, happened)
    })
}

fn report(args: &Redact, done: &Redacted) {
    if done.changed {
        output::note(format_args!(
            "event {} is redacted; copies of the log elsewhere, and HUDs that `--write FILE` wrote, still have it",
            args.event
        ));
    } else {
        output::note(format_args!("event {} was redacted already", args.event));
    }
    if !done.also_in.is_empty() {
        let seqs: Vec<String> = done.also_in.iter().map(u64::to_string).collect();
        output::note(format_args!(
            "some of its words are in event {} still: see whether to redact them too",
            seqs.join(", ")
        ));
    }
}
