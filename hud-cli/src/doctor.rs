//! `hud doctor`: whether a log is sound, and what to do if not.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hud_store::sqlite::{Mend, Report};
use serde::Serialize;

use crate::app::App;
use crate::args::Doctor;
use crate::location::Location;
use crate::output::{self, Failure, Output, count, size};
use crate::own;
use crate::progress::{Unit, watched};

pub(crate) fn run(args: &Doctor, app: &App) -> Result<(), Failure> {
    let location = args.db.location(app)?;
    // The command makes no log.
    let mut log = location.read()?;
    for path in log.narrow()? {
        output::note(format_args!(
            "{}: others could read it; only its owner can now",
            path.display()
        ));
    }
    if args.rebuild {
        log = location.mend()?;
        log.rebuild()?;
    }
    let report = watched(Unit::Events, |watcher| log.check(watcher))?;
    let mut output = Output::new();
    if args.json {
        output.json(&JsonReport::of(&report, &location))?;
    } else {
        show(&mut output, &report, &location)?;
    }
    output.flush()?;
    match report.problems.len() as u64 {
        0 => Ok(()),
        problems => Err(Failure::Other(format!(
            "{} has {}",
            location.log().display(),
            count(problems, "problem")
        ))),
    }
}

fn show(output: &mut Output, report: &Report, location: &Location) -> Result<(), Failure> {
    let path = location.log().display();
    output.text(&format!(
        "{path}: schema {}, read with SQLite {}",
        report.schema, report.sqlite
    ))?;
    output.text(&format!(
        "{} in {}, {} of them archived",
        count(report.events, "event"),
        count(report.sessions, "session"),
        report.archived
    ))?;
    output.text(&format!(
        "{}, {} of it free, {} in the write-ahead log",
        size(report.bytes),
        size(report.free),
        size(report.wal)
    ))?;
    for (kind, number) in &report.unknown {
        output.text(&format!(
            "{number} of kind `{kind}`, which this program doesn't know: they are kept"
        ))?;
    }
    for problem in &report.problems {
        output.removed(&format!("problem: {}", problem.what))?;
    }
    if let Some(unused) = location.unused() {
        output.text(&format!(
            "{} is not used, as it may have come with the project: if it is yours, add what is in it with \
             `{} | {}`; then remove it",
            unused.display(),
            own::command("export --db LOG"),
            own::command("import")
        ))?;
    }
    let worst = report.problems.first().map(|problem| problem.mend);
    match worst {
        None => {
            output.added("sound: the file, the chain, the order, and what is derived")?;
            if report.wal > 0 {
                // SQLite takes one that was damaged after a crash for a shorter one.
                output.text(
                    "newest events that a damaged write-ahead log has lost can't be missed: if a \
                     program crashed, see whether the last event is the one you expect",
                )?;
            }
        }
        Some(Mend::Rebuild) => output.text(&format!(
            "the events are sound; make the rest anew: hud doctor --db {path} --rebuild"
        ))?,
        Some(Mend::Restore) => output.text(&format!(
            "events are damaged: restore a backup, or save what is sound, the first {}: \
             hud export --db {path} > events.jsonl",
            count(report.events, "event")
        ))?,
    }
    Ok(())
}

/// A report for machines.
#[derive(Serialize)]
struct JsonReport<'r> {
    schema: u32,
    sqlite: &'r str,
    sessions: u64,
    events: u64,
    archived: u64,
    unknown: &'r BTreeMap<String, u64>,
    bytes: u64,
    free: u64,
    wal: u64,
    problems: Vec<JsonProblem<'r>>,
    /// A log in the project, which is not used.
    unused: Option<PathBuf>,
}

#[derive(Serialize)]
struct JsonProblem<'r> {
    what: &'r str,
    mend: &'static str,
}

impl<'r> JsonReport<'r> {
    fn of(report: &'r Report, location: &Location) -> Self {
        let problems = report.problems.iter().map(|problem| JsonProblem {
            what: &problem.what,
            mend: match problem.mend {
                Mend::Restore => "restore",
                Mend::Rebuild => "rebuild",
            },
        });
        Self {
            schema: report.schema,
            sqlite: &report.sqlite,
            sessions: report.sessions,
            events: report.events,
            archived: report.archived,
            unknown: &report.unknown,
            bytes: report.bytes,
            free: report.free,
            wal: report.wal,
            problems: problems.collect(),
            unused: location.unused(),
        }
    }
}
