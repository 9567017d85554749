//! `hud log`: the events of a session in a log.

use std::io;
use std::ops::ControlFlow;

use hud_store::event::StoredEvent;
use hud_store::log::Log as _;
use serde::Serialize;
use serde_json::Value;

use crate::args::Log;
use crate::output::{Failure, Output};
use crate::render::open;

/// How long a payload is shown, in characters.
const SHOWN: usize = 100;

pub(crate) fn run(args: &Log) -> Result<(), Failure> {
    let (log, session) = open(&args.source)?;
    let mut output = Output::new();
    let mut written: Result<(), Failure> = Ok(());
    log.read(&session, 1, &mut |event| {
        if args
            .kind
            .as_deref()
            .is_some_and(|kind| !is_of(event.event.kind(), kind))
        {
            return ControlFlow::Continue(());
        }
        written = show(&mut output, &event, args.json);
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    written?;
    Ok(output.flush()?)
}

/// Whether a kind is the one asked for, or of the family asked for.
fn is_of(kind: &str, wanted: &str) -> bool {
    kind.strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// An event for machines.
#[derive(Serialize)]
struct JsonEvent<'e> {
    seq: u64,
    session: &'e str,
    version: u64,
    id: String,
    turn: u64,
    at: String,
    actor: &'e str,
    kind: &'e str,
    v: u32,
    payload: Value,
}

fn show(output: &mut Output, event: &StoredEvent, json: bool) -> Result<(), Failure> {
    let encoded = event
        .event
        .encode()
        .map_err(|error| Failure::Other(error.to_string()))?;
    let payload: Value = serde_json::from_str(&encoded.payload).map_err(io::Error::from)?;
    if json {
        output.json(&JsonEvent {
            seq: event.seq,
            session: event.session.as_str(),
            version: event.version,
            id: event.id.to_string(),
            turn: event.turn,
            at: event.at.to_string(),
            actor: event.actor.as_str(),
            kind: &encoded.kind,
            v: encoded.v,
            payload,
        })?;
    } else {
        // A session without times, as SWE-agent's are, stands at the beginning of all time.
        let at = match event.at.as_second() {
            0 => "-".to_owned(),
            _ => event.at.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        };
        output.text(&format!(
            "{:>5}  turn {:<4} {at:<19}  {:<18} {}",
            event.version,
            event.turn,
            encoded.kind,
            summary(&payload)
        ))?;
    }
    Ok(())
}

/// The fields of a payload on a line. What is nested is only named.
fn summary(payload: &Value) -> String {
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
