//! `hud doctor`: tests if the clients are answered and the log is sound, and reports the fixes.

mod conversations;
mod installation;
mod outbox;
#[cfg(feature = "postgres")]
mod server;
mod volume;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use hud_store::log::LogError;
#[cfg(not(feature = "postgres"))]
use hud_store::log::Place;
use hud_store::sqlite::{Mend, Report};
use serde::Serialize;

use self::installation::{Examined, examine};
use crate::app::App;
use crate::args::Doctor;
use crate::location::{Location, LocationError};
use crate::output::{self, Failure, Output, count, size};
use crate::own;
use crate::progress::{Unit, waiting, watched};

pub(crate) fn run(args: &Doctor, app: &App) -> Result<(), Failure> {
    if let Some(address) = args.db.address() {
        return on_server(args, &address, app);
    }
    let location = args.db.location(app)?;
    let outbox = outbox::examine(&location)?;
    // If a log is named, only that log is examined.
    let clients = match args.db.is_named() {
        true => Vec::new(),
        false => waiting("asking the clients", || examine(&location))?,
    };
    let report = match log(args, &location) {
        Err(Failure::Location(LocationError::Log(LogError::Missing { .. })))
            if !args.db.is_named() && !args.rebuild =>
        {
            None
        }
        report => Some(report?),
    };
    let settings = match args.db.is_named() {
        true => Vec::new(),
        false => app.config(location.directory()).errors.said(),
    };
    let found = Findings {
        clients,
        settings,
        outbox,
        volume: volume::examine(location.log()),
        report,
        #[cfg(feature = "postgres")]
        server: match args.db.is_named() {
            true => None,
            false => waiting("asking the server", || server::of_fleet(&location, app)),
        },
    };
    let mut output = Output::new();
    match args.json {
        true => output.json(&JsonReport::of(&found, &location))?,
        false => found.show(&mut output, &location)?,
    }
    output.flush()?;
    match found.problems() {
        0 => Ok(()),
        problems => Err(Failure::Other(format!(
            "{} found{}",
            count(problems, "problem"),
            match args.db.is_named() {
                true => format!(" in {}", location.log().display()),
                false => String::new(),
            }
        ))),
    }
}

/// Examines a log on a server.
#[cfg(feature = "postgres")]
fn on_server(args: &Doctor, address: &str, app: &App) -> Result<(), Failure> {
    server::run(args, address, app)
}

#[cfg(not(feature = "postgres"))]
fn on_server(_: &Doctor, address: &str, _: &App) -> Result<(), Failure> {
    let place = Place::address(address);
    Err(LocationError::NoServers { place }.into())
}

/// Checks the log. Does not create one.
fn log(args: &Doctor, location: &Location) -> Result<Report, Failure> {
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
    Ok(watched(Unit::Events, |watcher| log.check(watcher))?)
}

/// All findings.
struct Findings {
    clients: Vec<Examined>,
    /// The errors in the settings.
    settings: Vec<String>,
    /// The findings in the outbox.
    outbox: outbox::Examined,
    /// The problems with the place of the log.
    volume: Vec<volume::Unsafe>,
    /// The report on the log, if there is one.
    report: Option<Report>,
    /// The findings at the server of the fleet, if there is one.
    #[cfg(feature = "postgres")]
    server: Option<server::Examined>,
}

impl Findings {
    fn problems(&self) -> u64 {
        let in_clients: usize = self
            .clients
            .iter()
            .map(|client| client.problems.len())
            .sum();
        let in_log = self
            .report
            .as_ref()
            .map_or(0, |report| report.problems.len());
        #[cfg(feature = "postgres")]
        let at_server = self.server.as_ref().map_or(0, |found| found.problems.len());
        #[cfg(not(feature = "postgres"))]
        let at_server = 0;
        let in_outbox = usize::from(self.outbox.problem().is_some());
        let in_place = self.settings.len() + self.volume.len() + in_outbox;
        (in_clients + in_place + in_log + at_server) as u64
    }

    fn show(&self, output: &mut Output, location: &Location) -> Result<(), Failure> {
        for client in &self.clients {
            output.text(&told(client))?;
            for problem in &client.problems {
                output.removed(&format!("problem: {}", problem.what))?;
            }
        }
        for wrong in &self.settings {
            output.removed(&format!("problem: {wrong}"))?;
        }
        if let Some(told) = self.outbox.told() {
            output.text(&told)?;
        }
        if let Some((what, _)) = self.outbox.problem() {
            output.removed(&format!("problem: {what}"))?;
        }
        for found in &self.volume {
            output.removed(&format!("problem: {}", found.what))?;
        }
        match &self.report {
            Some(report) => show(output, report, location)?,
            None => output.text(&format!(
                "{}: there is no log yet{}",
                location.log().display(),
                match self.clients.iter().any(|client| client.is_silent) {
                    true => "",
                    false => "; the first turn of an agent makes it",
                }
            ))?,
        }
        #[cfg(feature = "postgres")]
        if let Some(server) = &self.server {
            server.show(output)?;
        }
        match self.first(location) {
            Some(mend) => output.heading(&format!("first: {mend}"))?,
            None => output.added(&self.well())?,
        }
        Ok(())
    }

    /// The first fix to make. Problems of the log come first, because they lose the most.
    fn first(&self, location: &Location) -> Option<String> {
        let path = location.log().display();
        let worst = self
            .report
            .as_ref()
            .and_then(|report| report.problems.first());
        if let (Some(worst), Some(report)) = (worst, &self.report) {
            return Some(match worst.mend {
                Mend::Rebuild => format!(
                    "the events are sound; make the rest anew: {}",
                    own::command(format_args!("doctor --db {path} --rebuild"))
                ),
                Mend::Restore => format!(
                    "events are damaged: restore a backup, or save what is sound, the first {}: {}",
                    count(report.events, "event"),
                    own::command(format_args!("export --db {path} > events.jsonl"))
                ),
            });
        }
        if let Some((_, fix)) = self.outbox.problem() {
            return Some(fix);
        }
        if let Some(found) = self.volume.first() {
            return Some(found.mend.clone());
        }
        if let Some(wrong) = self.settings.first() {
            return Some(format!("mend the settings: {wrong}"));
        }
        #[cfg(feature = "postgres")]
        if let Some(mend) = self.server.as_ref().and_then(server::Examined::first) {
            return Some(mend.to_owned());
        }
        let mut problems = self.clients.iter().flat_map(|client| &client.problems);
        problems.next().map(|problem| problem.mend.clone())
    }

    fn well(&self) -> String {
        let is_connected = self.clients.iter().any(|client| client.installed);
        match self.clients.is_empty() || is_connected {
            true => "all is well".to_owned(),
            false => format!(
                "all is well, and no client shows the HUD here yet: {}",
                own::command("install")
            ),
        }
    }
}

/// A client on one line.
fn told(client: &Examined) -> String {
    let mut told = client.client.title().to_owned();
    if let Some(version) = &client.version {
        told.push(' ');
        told.push_str(version);
    }
    told.push_str(match (client.connected, client.installed) {
        (true, _) => ": shows the HUD here",
        (false, true) => ": doesn't show the HUD here, though it is installed",
        (false, false) => ": doesn't show the HUD here",
    });
    for (what, time) in [("hook", client.hook_ms), ("server", client.server_ms)] {
        if let Some(time) = time {
            told.push_str(&format!(", {what} answered in {time} ms"));
        }
    }
    told
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
    if report.problems.is_empty() {
        output.added("sound: the file, the chain, the order, and what is derived")?;
        if report.wal > 0 {
            // SQLite reads a write-ahead log that was damaged by a crash as a shorter one.
            output.text(
                "newest events that a damaged write-ahead log has lost can't be missed: if a \
                 program crashed, see whether the last event is the one you expect",
            )?;
        }
    }
    Ok(())
}

/// A report in JSON.
#[derive(Serialize)]
struct JsonReport<'r> {
    /// The report on the log, if there is one.
    #[serde(flatten)]
    log: Option<JsonLog<'r>>,
    problems: Vec<JsonProblem<'r>>,
    clients: &'r [Examined],
    /// The log in the project, which is not used.
    unused: Option<PathBuf>,
    /// The server of the fleet, if there is one.
    #[cfg(feature = "postgres")]
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<server::Json<'r>>,
}

#[derive(Serialize)]
struct JsonLog<'r> {
    schema: u32,
    sqlite: &'r str,
    sessions: u64,
    events: u64,
    archived: u64,
    unknown: &'r BTreeMap<String, u64>,
    bytes: u64,
    free: u64,
    wal: u64,
}

#[derive(Serialize)]
struct JsonProblem<'r> {
    what: Cow<'r, str>,
    mend: Cow<'r, str>,
}

impl<'r> JsonReport<'r> {
    fn of(found: &'r Findings, location: &Location) -> Self {
        let in_log = found.report.iter().flat_map(|report| &report.problems);
        let in_log = in_log.map(|problem| JsonProblem {
            what: problem.what.as_str().into(),
            mend: match problem.mend {
                Mend::Restore => "restore".into(),
                Mend::Rebuild => "rebuild".into(),
            },
        });
        let in_outbox = found.outbox.problem().map(|(what, fix)| JsonProblem {
            what: what.into(),
            mend: fix.into(),
        });
        let in_volume = found.volume.iter().map(|found| JsonProblem {
            what: found.what.as_str().into(),
            mend: found.mend.as_str().into(),
        });
        let in_settings = found.settings.iter().map(|what| JsonProblem {
            what: what.as_str().into(),
            mend: "mend the settings".into(),
        });
        let in_clients = found.clients.iter().flat_map(|client| &client.problems);
        let in_clients = in_clients.map(|problem| JsonProblem {
            what: problem.what.as_str().into(),
            mend: problem.mend.as_str().into(),
        });
        Self {
            log: found.report.as_ref().map(|report| JsonLog {
                schema: report.schema,
                sqlite: &report.sqlite,
                sessions: report.sessions,
                events: report.events,
                archived: report.archived,
                unknown: &report.unknown,
                bytes: report.bytes,
                free: report.free,
                wal: report.wal,
            }),
            problems: (in_log.chain(in_outbox))
                .chain(in_volume)
                .chain(in_settings)
                .chain(in_clients)
                .collect(),
            clients: &found.clients,
            unused: location.unused(),
            #[cfg(feature = "postgres")]
            server: found.server.as_ref().map(server::Examined::json),
        }
    }
}
