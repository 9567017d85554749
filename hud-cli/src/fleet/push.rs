//! `hud push`: sends the events of the log to the log of the fleet.

use std::fs::{File, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use hud_postgres::{Address, PgLog, Pushed, SyncError, pull_sub_agents, push};
use hud_store::log::LogError;
use hud_store::sqlite::{Durability, Remote};

use super::args::Push;
#[cfg(feature = "telemetry")]
use super::status::{Found, here, there};
#[cfg(feature = "telemetry")]
use super::telemetry::Metrics;
use super::{address, is_known, machine, url};
use crate::app::App;
use crate::location::Location;
use crate::opened::{FileOnly, server};
use crate::output::{self, Failure, count};

/// The time between two rounds, while sending works.
const INTERVAL: Duration = Duration::from_secs(2);

/// The longest time until the next attempt.
const LONGEST: Duration = Duration::from_secs(300);

/// The end of the name of the file, beside the log, that the sending process locks.
const LOCK: &str = ".push";

pub(crate) fn run(args: &Push, app: &App) -> Result<(), Failure> {
    #[cfg(not(feature = "telemetry"))]
    if args.metrics.is_some() {
        return Err(super::unmeasured());
    }
    #[cfg(feature = "telemetry")]
    let _traces = super::telemetry::Traces::begin();
    let location = args.db.file(FileOnly::Sync, app)?;
    // A missing log is not created.
    drop(location.read()?);
    let log = location.write(Durability::Full)?;
    let address = match address(args.to.as_ref(), "--to", &log, &location, app) {
        Ok(address) => address,
        // In the background nobody reads the error.
        Err(_) if args.background => return Ok(()),
        Err(failure) => return Err(failure),
    };
    if args.all {
        let url = url(&address);
        let known = log.remote(&url)?;
        log.set_remote(&url, &Remote { seq: 0, ..known })?;
    }
    drop(log);
    if args.watch {
        return watch(args, &address, &location, app);
    }
    let Some(_lock) = lock(&location)? else {
        return Err(taken(&location));
    };
    let mut to = server(&address, location.directory(), app)
        .inspect_err(|error| note_trouble(&location, &address, error))?;
    let done = sending(|| {
        let log = location.write(Durability::Full)?;
        push(&log, &mut to, &machine()).map_err(failure)
    })?;
    report(&done, &address, true);
    Ok(())
}

/// Notes in the log why nothing was sent, for `hud fleet status`. Does nothing for an address that never answered.
fn note_trouble(location: &Location, address: &Address, error: &LogError) {
    let noted = || -> Result<(), Failure> {
        let log = location.write(Durability::Full)?;
        if is_known(&log, address)? {
            let url = url(address);
            let mut remote = log.remote(&url)?;
            remote.trouble = Some(error.to_string());
            log.set_remote(&url, &remote)?;
        }
        Ok(())
    };
    // The error is reported in any case.
    let _ = noted();
}

/// Sends events, and records the outcome in a span for a collector.
#[cfg(feature = "telemetry")]
fn sending(send: impl FnOnce() -> Result<Pushed, Failure>) -> Result<Pushed, Failure> {
    super::telemetry::push(send)
}

#[cfg(not(feature = "telemetry"))]
fn sending(send: impl FnOnce() -> Result<Pushed, Failure>) -> Result<Pushed, Failure> {
    send()
}

pub(super) fn failure(error: SyncError) -> Failure {
    match error {
        SyncError::Log(error) => error.into(),
        error => Failure::Other(error.to_string()),
    }
}

/// Reports the events that were sent. If there were none, reports that only if `is_asked` is true.
fn report(done: &Pushed, address: &Address, is_asked: bool) {
    if is_asked || done.events > 0 {
        output::note(format_args!(
            "{address}: {} sent{}",
            count(done.events, "event"),
            match done.duplicates {
                0 => String::new(),
                there => format!(", {there} there already"),
            }
        ));
    }
    for renamed in &done.renamed {
        let why = match &renamed.resumes {
            Some(former) => {
                format!("{former} goes on elsewhere: what was recorded here since is kept apart")
            }
            None => "that name is another machine's".to_owned(),
        };
        output::note(format_args!(
            "session {} is {} there, as {why}",
            renamed.session, renamed.name
        ));
    }
}

/// The lock of the process that sends a log; `None` while another process has it.
fn lock(location: &Location) -> Result<Option<File>, Failure> {
    let file = location.open_beside(LOCK)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(Failure::Output(error)),
    }
}

fn taken(location: &Location) -> Failure {
    Failure::Other(format!(
        "another process sends {} already: see `hud fleet status`",
        location.log().display()
    ))
}

/// Sends new events until this process ends, or in the background until the process that started it ends.
fn watch(args: &Push, address: &Address, location: &Location, app: &App) -> Result<(), Failure> {
    let is_over = match args.background {
        true => ended(),
        false => Arc::default(),
    };
    let mut lock = lock(location)?;
    if lock.is_none() && !args.background {
        return Err(taken(location));
    }
    #[cfg(feature = "telemetry")]
    let metrics = match args.metrics {
        Some(at) => {
            let metrics = Metrics::served(at).map_err(|error| {
                Failure::Other(format!("metrics can't be served at {at}: {error}"))
            })?;
            output::note(format_args!(
                "metrics: http://{}/metrics",
                metrics.address()
            ));
            Some(metrics)
        }
        None => None,
    };
    let (mut to, mut failed, mut seen) = (None, 0_u32, 0);
    loop {
        // The events that were recorded up to here are still sent.
        let is_last = is_over.load(Ordering::Relaxed);
        if lock.is_none() {
            lock = self::lock(location)?;
        }
        let mut pause = INTERVAL;
        if lock.is_some() {
            #[cfg(feature = "telemetry")]
            let begun = Instant::now();
            let outcome = sending(|| round(&mut to, &mut seen, address, location, app));
            if outcome.is_err() {
                to = None;
            }
            #[cfg(feature = "telemetry")]
            if let Some(metrics) = &metrics {
                let took = begun.elapsed();
                let found = found(address, location, to.as_ref());
                metrics.round(&outcome, took, found.ok().as_ref());
            }
            match outcome {
                Ok(done) => {
                    if failed > 0 && !args.background {
                        output::note(format_args!("{address}: it answers again"));
                    }
                    failed = 0;
                    if !args.background {
                        report(&done, address, false);
                    }
                }
                Err(failure) => {
                    pause = backoff(failed);
                    failed = failed.saturating_add(1);
                    if !args.background {
                        output::problem(&failure);
                        output::note(format_args!("it is tried again in {} s", pause.as_secs()));
                    }
                }
            }
        }
        if is_last {
            return Ok(());
        }
        wait(pause, &is_over);
    }
}

/// Sends the new events. Copies the sessions of sub-agents on other machines, from the position `seen` in the fleet's
/// log on.
fn round(
    to: &mut Option<PgLog>,
    seen: &mut u64,
    address: &Address,
    location: &Location,
    app: &App,
) -> Result<Pushed, Failure> {
    let centre = match to {
        Some(centre) => centre,
        None => {
            let opened = server(address, location.directory(), app)
                .inspect_err(|error| note_trouble(location, address, error))?;
            to.insert(opened)
        }
    };
    let mut log = location.write(Durability::Full)?;
    let done = push(&log, centre, &machine()).map_err(failure)?;
    pull_sub_agents(&mut log, centre, seen, &mut |pulled| {
        if let Err(error) = pulled {
            output::problem(error);
        }
    })
    .map_err(failure)?;
    Ok(done)
}

/// The state of the fleet after a round.
#[cfg(feature = "telemetry")]
fn found(address: &Address, location: &Location, to: Option<&PgLog>) -> Result<Found, Failure> {
    let log = location.write(Durability::Full)?;
    let id = log.id()?;
    let mut found = here(&log, id, &url(address))?;
    found.server = to.and_then(|to| there(to, id).ok());
    Ok(found)
}

/// The pause before the next attempt. It doubles with each failure. A random part keeps machines from trying at the
/// same time.
fn backoff(failed: u32) -> Duration {
    let longest = longest(failed);
    // Between half and all of the longest pause. A new hasher has random keys.
    let random = RandomState::new().hash_one(failed) % 512;
    longest / 2 + longest / 1024 * u32::try_from(random).unwrap_or(0)
}

fn longest(failed: u32) -> Duration {
    INTERVAL
        .saturating_mul(2_u32.saturating_pow(failed.min(16)))
        .min(LONGEST)
}

fn wait(pause: Duration, is_over: &AtomicBool) {
    let begun = Instant::now();
    while begun.elapsed() < pause && !is_over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(100).min(pause));
    }
}

/// A flag that becomes true when standard input ends, because the process at its other end ended.
fn ended() -> Arc<AtomicBool> {
    let is_over = Arc::<AtomicBool>::default();
    let flag = Arc::clone(&is_over);
    thread::spawn(move || {
        let mut byte = [0];
        while matches!(std::io::stdin().read(&mut byte), Ok(1)) {}
        flag.store(true, Ordering::Relaxed);
    });
    is_over
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_tried_again_later_and_later_but_never_much_later_than_five_minutes() {
        for failed in [0, 1, 5, 10, 100, u32::MAX] {
            let pause = backoff(failed);
            let whole = INTERVAL
                .saturating_mul(2_u32.saturating_pow(failed.min(16)))
                .min(LONGEST);
            assert!(pause >= whole / 2 && pause <= whole, "{failed}: {pause:?}");
        }
    }
}
