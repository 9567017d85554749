//! `hud log`: shows the events of a session.

use std::io;
use std::ops::ControlFlow;

use hud_store::event::{EventId, StoredEvent};
use hud_store::jsonl::Line;
use hud_store::section::Sections;
use jiff::Timestamp;
use serde_json::Value;

use crate::app::App;
use crate::args::Log;
use crate::output::{Failure, Output};
use crate::render::open;

/// The maximum number of characters of a payload's field in the output.
const SHOWN: usize = 100;

pub(crate) fn run(args: &Log, app: &App) -> Result<(), Failure> {
    let mut output = Output::new();
    let mut written: Result<(), Failure> = Ok(());
    let mut each = |sections: &Sections, event: StoredEvent| {
        if is_asked_for(args, sections, &event) {
            written = show(&mut output, &event, args.json, args.all);
            // A user who follows the log needs to see each event at once.
            if written.is_ok() && args.follow {
                written = output.flush().map_err(Failure::from);
            }
        }
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    };
    let mut idle = || ControlFlow::Continue(());
    if args.all {
        let log = args.source.db.open(app)?.log;
        check(args, log.sections())?;
        let mut each = |event| each(log.sections(), event);
        match args.follow {
            true => log.follow_all(1, &mut each, &mut idle)?,
            false => log.read_all(1, &mut each)?,
        }
    } else {
        let (log, session) = open(&args.source, app)?;
        check(args, log.sections())?;
        let mut each = |event| each(log.sections(), event);
        match args.follow {
            true => log.follow(&session, 1, &mut each, &mut idle)?,
            false => log.read(&session, 1, &mut each)?,
        }
    }
    written?;
    Ok(output.flush()?)
}

/// Checks that the log has the requested section.
fn check(args: &Log, sections: &Sections) -> Result<(), Failure> {
    match &args.section {
        Some(name) => sections
            .find(name)
            .map(drop)
            .map_err(|error| Failure::Other(error.to_string())),
        None => Ok(()),
    }
}

fn is_asked_for(args: &Log, sections: &Sections, event: &StoredEvent) -> bool {
    let is_of_kind = args
        .kind
        .as_deref()
        .is_none_or(|kind| is_of(event.event.kind(), kind));
    let is_about = args.section.as_deref().is_none_or(|section| {
        sections.subject(&event.event).is_some_and(|subject| {
            subject.section == section
                && (args.item.is_none() || subject.item.as_deref() == args.item.as_deref())
        })
    });
    let is_of_cause = args
        .cause
        .as_deref()
        .is_none_or(|name| event.cause == Some(EventId::of_name(name)));
    is_of_kind && is_about && is_of_cause
}

/// True if a kind is the requested one, or belongs to the requested family.
fn is_of(kind: &str, wanted: &str) -> bool {
    kind.strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Writes an event on a line, with its session if `several` is true.
pub(crate) fn show(
    output: &mut Output,
    event: &StoredEvent,
    json: bool,
    several: bool,
) -> Result<(), Failure> {
    let line = Line::of(event)?;
    if json {
        output.json(&line)?;
        return Ok(());
    }
    let payload: Value = serde_json::from_str(line.payload.get()).map_err(io::Error::from)?;
    let place = if several {
        format!("{:>5}  {:<12}", event.seq, event.session.as_str())
    } else {
        format!("{:>5}", event.version)
    };
    output.text(&format!(
        "{place}  turn {:<4} {:<19}  {:<7}  {:<18} {}",
        event.turn,
        time(event.at),
        event.actor.as_str(),
        line.kind,
        summary(&payload)
    ))?;
    Ok(())
}

/// Formats a time for people. Sessions without times, such as those of SWE-agent, are at the Unix epoch, which
/// is shown as `-`.
pub(crate) fn time(at: Timestamp) -> String {
    match at.as_second() {
        0 => "-".to_owned(),
        _ => at.strftime("%Y-%m-%d %H:%M:%S").to_string(),
    }
}

/// Returns the fields of a payload on a line. Nested objects are only named.
pub(crate) fn summary(payload: &Value) -> String {
    let Some(fields) = payload.as_object() else {
        return payload.to_string();
    };
    let shown: Vec<String> = fields
        .iter()
        .map(|(name, value)| match value {
            Value::String(text) => format!("{name}={}", hud_components::text::line(text, SHOWN)),
            Value::Object(_) => format!("{name}={{..}}"),
            other => format!("{name}={other}"),
        })
        .collect();
    shown.join(" ")
}
