//! `hud sweep`: removes outputs from the log that are no longer needed. The log is also swept automatically
//! when a session begins and after a fixed number of events.

use hud_agent::settings::{Settings, Storage};
use hud_components::text::line;
use hud_store::sqlite::{Gone, Limits, SqliteLog, Swept};
use jiff::Timestamp;
use serde::Serialize;

use crate::app::App;
use crate::args::Sweep;
use crate::log::time;
use crate::opened::FileOnly;
use crate::output::{Failure, Output, count, size};
use crate::own;

/// The number of a session's events after which the log is swept again.
const EVERY: u64 = 500;

/// The maximum number of characters of an output's origin.
const SHOWN: usize = 60;

/// Returns the limits from the settings.
fn limits(storage: &Storage) -> Limits {
    Limits {
        count: storage.outputs,
        days: storage.days,
        live_days: storage.live_days,
    }
}

/// True if a log has to be swept automatically after the version of a session has changed.
pub(crate) fn is_due(before: u64, after: u64, settings: &Settings) -> bool {
    let begins = before == 0 && after > 0;
    settings.storage.sweep && (begins || before / EVERY != after / EVERY)
}

/// Sweeps a log automatically. Errors are ignored, because the log is swept again soon.
pub(crate) fn by_itself(log: &SqliteLog, settings: &Settings) {
    let _ = log.sweep(&limits(&settings.storage), Timestamp::now(), false);
}

/// A removed output in the JSON output.
#[derive(Serialize)]
struct JsonGone<'g> {
    hash: String,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'g str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'g str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'g str>,
    why: String,
}

/// The totals in the JSON output.
#[derive(Serialize)]
struct JsonSwept {
    dry_run: bool,
    gone: u64,
    gone_bytes: u64,
    kept: u64,
    kept_bytes: u64,
    held: u64,
}

pub(crate) fn run(args: &Sweep, app: &App) -> Result<(), Failure> {
    let location = args.db.file(FileOnly::Sweep, app)?;
    let setup = app.setup(location.directory())?;
    let limits = limits(&setup.settings.storage);
    // Opening the log for reading fails if there is none, so that this command does not create one.
    let reader = location.read()?;
    let swept = match args.dry_run {
        true => reader.sweep(&limits, Timestamp::now(), true)?,
        false => {
            drop(reader);
            let log = location.write(hud_store::sqlite::Durability::Full)?;
            log.sweep(&limits, Timestamp::now(), false)?
        }
    };
    let mut output = Output::new();
    match args.json {
        true => json(&swept, args.dry_run, &limits, &mut output)?,
        false => people(&swept, args.dry_run, &limits, &mut output)?,
    }
    Ok(output.flush()?)
}

fn json(swept: &Swept, dry_run: bool, limits: &Limits, output: &mut Output) -> Result<(), Failure> {
    for gone in &swept.gone {
        let named = gone.named.as_ref();
        output.json(&JsonGone {
            hash: gone.hash.to_string(),
            bytes: gone.bytes,
            session: named.map(|named| named.session.as_str()),
            version: named.map(|named| named.version),
            at: named.map(|named| named.at.to_string()),
            tool: named.map(|named| named.tool.as_str()),
            target: named.and_then(|named| named.target.as_deref()),
            why: why(gone, limits),
        })?;
    }
    output.json(&JsonSwept {
        dry_run,
        gone: swept.gone.len() as u64,
        gone_bytes: bytes(swept),
        kept: swept.kept,
        kept_bytes: swept.kept_bytes,
        held: swept.held,
    })?;
    Ok(())
}

fn people(
    swept: &Swept,
    dry_run: bool,
    limits: &Limits,
    output: &mut Output,
) -> Result<(), Failure> {
    for gone in &swept.gone {
        let what = match &gone.named {
            None => "named by no event".to_owned(),
            Some(named) => {
                let what = match &named.target {
                    Some(target) => format!("{} {target}", named.tool),
                    None => named.tool.clone(),
                };
                format!(
                    "{}, {}, {}:{}",
                    line(&what, SHOWN),
                    time(named.at),
                    named.session,
                    named.version
                )
            }
        };
        output.text(&format!("{what}: {}", size(gone.bytes)))?;
        output.text(&format!("    {}", why(gone, limits)))?;
    }
    let done = match dry_run {
        true => "would be reclaimed",
        false => "reclaimed",
    };
    output.text(&format!(
        "{} of {} {done}; {} of {} stay, {} of them only as placeholders of live sessions name them",
        size(bytes(swept)),
        count(swept.gone.len() as u64, "output"),
        size(swept.kept_bytes),
        count(swept.kept, "output"),
        swept.held
    ))?;
    if !dry_run && !swept.gone.is_empty() {
        output.text(&format!(
            "The room is used again; `{}` gives it back to the disk.",
            own::command("archive --vacuum")
        ))?;
    }
    Ok(())
}

fn bytes(swept: &Swept) -> u64 {
    swept.gone.iter().map(|gone| gone.bytes).sum()
}

/// Returns the reason why an output is removed.
fn why(gone: &Gone, limits: &Limits) -> String {
    match gone.named {
        None => "no event names it".to_owned(),
        Some(_) => format!(
            "older than {}, {} newer ones are kept, and no placeholder of a live session names it",
            count(limits.days.into(), "day"),
            limits.count
        ),
    }
}
