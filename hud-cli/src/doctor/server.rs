//! `hud doctor` for a log on a server. It tests if acknowledged events survive the loss of a machine, and if agents'
//! events can reach the server.

use std::path::Path;
use std::time::Duration;

use hud_postgres::{Address, Checkup, Standby};
use hud_store::log::{LogError, Place};
use serde::Serialize;

use crate::app::App;
use crate::args::Doctor;
use crate::fleet::is_known;
use crate::location::{Location, LocationError};
use crate::opened::FileOnly;
use crate::output::{Failure, Output, count, size};
use crate::progress::waiting;
use crate::{opened, own};

/// The oldest supported version of PostgreSQL.
const OLDEST: u32 = 15;

/// The largest accepted difference of two clocks, in milliseconds. With a larger one, the events of two machines
/// can be in the wrong order.
const SKEW: u64 = 5_000;

/// The largest accepted lag of a standby.
const LAG: Duration = Duration::from_secs(10);

/// The largest accepted number of bytes that a standby is behind.
const BEHIND: u64 = 256 * 1024 * 1024;

/// The longest accepted duration of a transaction. While it runs, no old row is cleaned up, not even of the row that
/// each append changes.
const LONG: Duration = Duration::from_secs(300);

/// A problem or a piece of advice, and the fix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    pub(super) what: String,
    pub(super) mend: String,
}

impl Finding {
    fn new(what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            mend: mend.into(),
        }
    }
}

/// A server, and the findings there.
pub(super) struct Examined {
    place: Place,
    checkup: Option<Checkup>,
    /// The problems.
    pub(super) problems: Vec<Finding>,
    /// The advice on settings that work but could be better.
    advice: Vec<Finding>,
}

/// Runs `hud doctor` for a log on a server that is named.
pub(super) fn run(args: &Doctor, address: &str, app: &App) -> Result<(), Failure> {
    if args.rebuild {
        let (place, wanted) = (Place::address(address), FileOnly::Rebuild);
        return Err(LocationError::OnServer { place, wanted }.into());
    }
    let address: Address = address.parse().map_err(LocationError::from)?;
    let found = waiting("asking the server", || {
        examine(&address, Path::new("."), app)
    });
    let mut output = Output::new();
    if args.json {
        output.json(&found.json())?;
    } else {
        found.show(&mut output)?;
        match found.first() {
            Some(mend) => output.heading(&format!("first: {mend}"))?,
            None => output.added(&found.well())?,
        }
    }
    output.flush()?;
    match found.problems.len() as u64 {
        0 => Ok(()),
        problems => Err(Failure::Other(format!(
            "{} found in {}",
            count(problems, "problem"),
            found.place
        ))),
    }
}

/// Examines the server of the fleet that the settings name, if the log here was sent to it before. Otherwise the
/// settings may have come with the project.
pub(super) fn of_fleet(location: &Location, app: &App) -> Option<Examined> {
    let url = app.config(location.directory()).settings.fleet.url;
    let address: Address = url.parse().ok()?;
    let log = location.read().ok()?;
    let is_known = is_known(&log, &address).unwrap_or(false);
    is_known.then(|| examine(&address, location.directory(), app))
}

/// Examines a server, for a user who works in a directory. If the server can't be asked, that is the problem.
pub(super) fn examine(address: &Address, directory: &Path, app: &App) -> Examined {
    let place = Place::address(&address.to_string());
    let asked = opened::server(address, directory, app).and_then(|log| log.checkup());
    match asked {
        Ok(checkup) => Examined::of(place, checkup),
        Err(error) => Examined {
            problems: vec![unasked(&error, address)],
            advice: Vec::new(),
            checkup: None,
            place,
        },
    }
}

/// The problem if a server can't be examined.
fn unasked(error: &LogError, address: &Address) -> Finding {
    let log = address.log();
    let mend = match error {
        LogError::Missing { .. } => {
            format!(
                "make it, as who may create roles: {}",
                own::command(format_args!("fleet init --db ADDRESS"))
            )
        }
        LogError::Denied { .. } => {
            format!(
                "have the log's owner run `GRANT {log}_writer TO` this user, and see that the password (PGPASSWORD \
                 or HUD_PASSWORD_COMMAND) is right"
            )
        }
        LogError::ReadOnly { .. } => "name the server that takes writes, too: all that stand in for each other can \
                                      be in the address (n1,n2,n3)"
            .to_owned(),
        _ => "see that the server runs, that the address is right, and that this machine may reach it".to_owned(),
    };
    Finding::new(error.to_string(), mend)
}

impl Examined {
    /// Evaluates a checkup of a server.
    fn of(place: Place, checkup: Checkup) -> Self {
        let (mut problems, mut advice) = (Vec::new(), Vec::new());
        for setting in &checkup.unsafe_settings {
            problems.push(Finding::new(
                format!("`{setting}` is off: a crash of the server loses what was acknowledged, or the whole log"),
                format!("ALTER SYSTEM SET {setting} = on; SELECT pg_reload_conf()"),
            ));
        }
        problems.extend(of_standbys(&checkup));
        if checkup.waits_for.is_empty() {
            advice.push(Finding::new(
                "commits are on one machine: what was acknowledged is lost with its disk",
                "run two standbys, and set synchronous_standby_names = 'ANY 1 (n2, n3)'",
            ));
        }
        if checkup.schema != checkup.supported {
            let (found, supported) = (checkup.schema, checkup.supported);
            problems.push(Finding::new(
                format!("the log has schema {found}, and this program writes {supported}: nothing is sent"),
                match found < supported {
                    true => format!("as its owner: {}", own::command("fleet init --db ADDRESS")),
                    false => "install the version of hud that the others have".to_owned(),
                },
            ));
        }
        if checkup.major < OLDEST {
            problems.push(Finding::new(
                format!("PostgreSQL {} is older than {OLDEST}", checkup.version),
                format!("upgrade the server to {OLDEST} or newer"),
            ));
        }
        if !checkup.is_guarded {
            problems.push(Finding::new(
                "the triggers that keep events from being changed are off or gone",
                "find out who did that, then ALTER TABLE event ENABLE TRIGGER ALL in the log's schema",
            ));
        }
        for index in &checkup.invalid_indices {
            problems.push(Finding::new(
                format!("the index {index} is not valid, and not used"),
                format!("REINDEX INDEX CONCURRENTLY {index}, in the log's schema"),
            ));
        }
        if checkup.clock_ahead.unsigned_abs() > SKEW + checkup.clock_doubt {
            problems.push(Finding::new(
                format!(
                    "the clocks of the server and of this machine differ by {} s",
                    checkup.clock_ahead.unsigned_abs() / 1000
                ),
                "let both follow a time server (NTP)",
            ));
        }
        if checkup.oldest_transaction > LONG {
            problems.push(Finding::new(
                format!(
                    "a transaction has been open for {} min: old rows pile up, and appends become slow",
                    checkup.oldest_transaction.as_secs() / 60
                ),
                "see pg_stat_activity for whose it is, and end it",
            ));
        }
        Self {
            place,
            checkup: Some(checkup),
            problems,
            advice,
        }
    }

    /// The fix of the first problem.
    pub(super) fn first(&self) -> Option<&str> {
        self.problems.first().map(|problem| problem.mend.as_str())
    }

    /// The message if there is no problem.
    pub(super) fn well(&self) -> String {
        match self.advice.first() {
            Some(advice) => format!("all is well, but {}: {}", advice.what, advice.mend),
            None => "all is well".to_owned(),
        }
    }

    pub(super) fn show(&self, output: &mut Output) -> Result<(), Failure> {
        match &self.checkup {
            Some(found) => output.text(&format!(
                "{}: PostgreSQL {}, schema {}, {}",
                self.place,
                found.version,
                found.schema,
                count(found.events, "event")
            ))?,
            None => output.text(&self.place.to_string())?,
        }
        if let Some(found) = &self.checkup {
            if !found.waits_for.is_empty() {
                output.text(&format!(
                    "a commit waits for a standby: {}",
                    found.waits_for
                ))?;
            }
            for standby in &found.standbys {
                output.text(&told(standby))?;
            }
            output.text(&format!(
                "its clock is {} ms ahead of this machine's, give or take {}; {} for a lock",
                found.clock_ahead,
                found.clock_doubt,
                count(found.waiting, "connection")
                    + match found.waiting {
                        1 => " waits",
                        _ => " wait",
                    }
            ))?;
        }
        for problem in &self.problems {
            output.removed(&format!("problem: {}", problem.what))?;
            output.text(&format!("    {}", problem.mend))?;
        }
        for advice in &self.advice {
            output.text(&format!("note: {}", advice.what))?;
            output.text(&format!("    {}", advice.mend))?;
        }
        Ok(())
    }

    pub(super) fn json(&self) -> Json<'_> {
        let found = self.checkup.as_ref();
        Json {
            place: self.place.to_string(),
            version: found.map(|found| found.version.as_str()),
            schema: found.map(|found| found.schema),
            events: found.map(|found| found.events),
            waits_for: found.map(|found| found.waits_for.as_str()),
            standbys: found.map_or(0, |found| found.standbys.len()),
            clock_ahead_ms: found.map(|found| found.clock_ahead),
            problems: &self.problems,
            advice: &self.advice,
        }
    }
}

/// The problems with the standbys.
fn of_standbys(checkup: &Checkup) -> Vec<Finding> {
    let mut problems = Vec::new();
    if !checkup.waits_for.is_empty() && !checkup.standbys.iter().any(can_be_waited_for) {
        problems.push(Finding::new(
            format!(
                "commits wait for a standby ({}), and none of those is connected: no append is acknowledged",
                checkup.waits_for
            ),
            "start the standbys; see their logs for why they can't connect",
        ));
    }
    for standby in &checkup.standbys {
        let is_late = standby.lag.is_some_and(|lag| lag > LAG);
        if is_late || standby.behind.is_some_and(|behind| behind > BEHIND) {
            problems.push(Finding::new(
                format!("{}: it can't follow", told(standby)),
                "see its disk and its network; while it is behind, it can't take over without waiting",
            ));
        }
    }
    problems
}

/// True if commits may wait for a standby, as far as that is known.
fn can_be_waited_for(standby: &Standby) -> bool {
    standby.is_synchronous.unwrap_or(true)
}

/// A standby on one line.
fn told(standby: &Standby) -> String {
    let name = standby.name.as_deref().filter(|name| !name.is_empty());
    let mut told = format!("standby {}", name.unwrap_or("without a name"));
    let Some(behind) = standby.behind else {
        told.push_str(" (members of pg_monitor see more of it)");
        return told;
    };
    if standby.is_synchronous == Some(false) {
        told.push_str(", which no commit waits for");
    }
    told.push_str(&format!(", {} behind", size(behind)));
    if let Some(lag) = standby.lag {
        told.push_str(&format!(", {} ms late", lag.as_millis()));
    }
    told
}

/// A server in JSON.
#[derive(Serialize)]
pub(super) struct Json<'e> {
    place: String,
    version: Option<&'e str>,
    schema: Option<u32>,
    events: Option<u64>,
    /// The standbys that a commit waits for, as set on the server; empty if it waits for none.
    waits_for: Option<&'e str>,
    standbys: usize,
    clock_ahead_ms: Option<i64>,
    problems: &'e [Finding],
    advice: &'e [Finding],
}
