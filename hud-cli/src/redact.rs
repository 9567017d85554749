//! `hud redact`: what an event said, taken out for good.

use hud_store::event::{Actor, NewEvent};
use hud_store::log::{EventName, LogError, Redact as _};
use hud_store::sqlite::Durability;

use crate::app::App;
use crate::args::Redact;
use crate::log;
use crate::output::{self, Failure, Output};

pub(crate) fn run(args: &Redact, app: &App) -> Result<(), Failure> {
    let location = args.db.location(app)?;
    let reader = location.read()?;
    let event = args.event.find(&reader)?;
    let event = event.ok_or_else(|| LogError::NoEvent {
        place: location.log().into(),
        event: args.event.to_string(),
    })?;
    if !args.yes {
        let mut output = Output::new();
        log::show(&mut output, &event, false, true)?;
        output.flush()?;
        return Err(Failure::Other(
            "nothing was changed: what is taken out can't be brought back; say --yes to do it"
                .to_owned(),
        ));
    }
    drop(reader);
    let mut log = location.write(Durability::Full)?;
    let name = EventName::Id(event.id);
    let done = log.redact(&name, args.reason.clone(), &mut |happened| {
        NewEvent::now(event.turn, Actor::User, happened)
    })?;
    if done.changed {
        output::note(format_args!(
            "event {} is redacted; copies and backups of the log still have it",
            args.event
        ));
    } else {
        output::note(format_args!("event {} was redacted already", args.event));
    }
    if done.lingers {
        output::note(
            "somebody reads the log, so the old pages still wait in its write-ahead log: do it again \
             when nobody does",
        );
    }
    if !done.also_in.is_empty() {
        let seqs: Vec<String> = done.also_in.iter().map(u64::to_string).collect();
        output::note(format_args!(
            "some of its words are in event {} still: see whether to redact them too",
            seqs.join(", ")
        ));
    }
    Ok(())
}
