//! The maximum time that an agent's turn waits for this program, whatever happens to the log, the disk or the
//! client. It is one second, unless `--deadline`, `HUD_DEADLINE_MS` or the user's settings set another time.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use hud_agent::settings::{DEADLINES, Settings};

use crate::config::{Config, SetBy};

/// The environment variable that sets the deadline for all commands.
const VARIABLE: &str = "HUD_DEADLINE_MS";

/// The share of the deadline that is for the log, in percent. The rest is for the fallback if the log does not
/// answer in time.
const FOR_LOG: u32 = 60;

/// The time for which a result is polled before the thread blocks. Most jobs take less time than the system
/// needs to put a thread to sleep and to wake it up again.
const LOOKED_FOR: Duration = Duration::from_micros(100);

/// How long a turn waits.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Deadline {
    /// How long a turn of the agent waits for this at most, in milliseconds; by default
    /// $HUD_DEADLINE_MS, or else the setting `deadline`. What could not be written by then is kept, and
    /// written later
    #[arg(long = "deadline", value_name = "MS",
          value_parser = clap::value_parser!(u64).range(DEADLINES))]
    given: Option<u64>,
}

impl Deadline {
    /// Returns the deadline from the command line, the variable or else the user's own settings.
    pub(crate) fn of_user(self) -> Duration {
        let mut settings = Settings::default();
        match self.put_into(&mut settings) {
            Some(_) => whole(&settings),
            None => of_user(),
        }
    }

    /// Sets the deadline from the command line or the variable, and returns its source, if any.
    pub(crate) fn put_into(self, settings: &mut Settings) -> Option<SetBy> {
        let (millis, source) = said(self.given, std::env::var(VARIABLE).ok().as_deref())?;
        settings.deadline = millis;
        Some(source)
    }
}

/// Returns the deadline from the command line, or else from the variable if it is valid.
fn said(given: Option<u64>, variable: Option<&str>) -> Option<(u64, SetBy)> {
    let given = given.map(|given| (given, SetBy::Flag("--deadline")));
    given.or_else(|| {
        let millis: u64 = variable?.trim().parse().ok()?;
        let millis = millis.clamp(*DEADLINES.start(), *DEADLINES.end());
        Some((millis, SetBy::Variable(VARIABLE)))
    })
}

/// Returns the deadline from the user's own settings.
pub(crate) fn of_user() -> Duration {
    let default = Settings::default();
    // A home directory that hangs must not delay the turn.
    let read = Worker::new(()).start(|()| Config::of_user().settings);
    whole(&read.wait(whole(&default)).unwrap_or(default))
}

/// Returns the whole deadline.
pub(crate) fn whole(settings: &Settings) -> Duration {
    Duration::from_millis(settings.deadline)
}

/// Returns the part of the deadline that is for the log.
pub(crate) fn for_log(settings: &Settings) -> Duration {
    whole(settings) * FOR_LOG / 100
}

/// The moment by which something has to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until(Option<Instant>);

impl Until {
    /// Returns the moment that is a given time from now.
    pub(crate) fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// Returns the remaining time.
    pub(crate) fn left(self) -> Duration {
        let left = |until: Instant| until.saturating_duration_since(Instant::now());
        self.0.map_or(Duration::MAX, left)
    }
}

/// The error if something does not end in time.
#[derive(Debug, thiserror::Error)]
#[error("the log did not answer in time")]
pub(crate) struct Late;

type Job<T> = Box<dyn FnOnce(&mut T) + Send>;

/// A value with its own thread, which runs jobs on the value one after the other. A caller waits for a job only
/// as long as it chooses.
pub(crate) struct Worker<T> {
    jobs: Sender<Job<T>>,
}

impl<T> Clone for Worker<T> {
    fn clone(&self) -> Self {
        let jobs = self.jobs.clone();
        Self { jobs }
    }
}

impl<T: Send + 'static> Worker<T> {
    /// Starts the thread for a value.
    pub(crate) fn new(mut value: T) -> Self {
        let (jobs, todo) = mpsc::channel::<Job<T>>();
        thread::spawn(move || {
            for job in todo {
                job(&mut value);
            }
        });
        Self { jobs }
    }

    /// Starts a job after the jobs that were started before.
    pub(crate) fn start<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> Pending<R> {
        let (done, result) = mpsc::channel();
        let is_wanted = Arc::new(Mutex::new(true));
        let still = is_wanted.clone();
        let job = move |value: &mut T| {
            // A job that nobody waits for any more is skipped, because its work was kept in the outbox instead.
            let starts = *still.lock().unwrap_or_else(PoisonError::into_inner);
            if starts {
                let _ = done.send(job(value));
            }
        };
        // If the thread has ended, the job is dropped, and `Pending::wait` returns an error.
        let _ = self.jobs.send(Box::new(job));
        Pending { result, is_wanted }
    }
}

/// The pending result of a job.
pub(crate) struct Pending<R> {
    result: Receiver<R>,
    is_wanted: Arc<Mutex<bool>>,
}

impl<R> Pending<R> {
    /// Waits for the result, up to a maximum time.
    pub(crate) fn wait(self, time: Duration) -> Result<R, Late> {
        let began = Instant::now();
        while began.elapsed() < LOOKED_FOR.min(time) {
            if let Ok(result) = self.result.try_recv() {
                return Ok(result);
            }
            std::hint::spin_loop();
        }
        match self
            .result
            .recv_timeout(time.saturating_sub(began.elapsed()))
        {
            Ok(result) => Ok(result),
            Err(RecvTimeoutError::Timeout) => {
                *self
                    .is_wanted
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner) = false;
                // The result may have arrived at the last moment.
                self.result.try_recv().map_err(|_| Late)
            }
            Err(RecvTimeoutError::Disconnected) => Err(Late),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    #[test]
    fn nobody_waits_for_a_job_that_hangs_and_what_was_given_up_is_not_done() {
        let worker = Worker::new(Vec::new());
        let (go_on, hangs) = mpsc::channel::<()>();
        let hanging = worker.start(move |_: &mut Vec<u8>| hangs.recv().is_ok());
        let given_up = worker.start(|done: &mut Vec<u8>| done.push(1));
        assert!(given_up.wait(Duration::ZERO).is_err());
        let waiting = worker.start(|done: &mut Vec<u8>| done.clone());
        go_on.send(()).unwrap();
        assert!(hanging.wait(Duration::from_secs(60)).unwrap());
        assert!(waiting.wait(Duration::from_secs(60)).unwrap().is_empty());
    }

    #[test]
    fn the_command_line_says_how_long_or_else_the_variable() {
        let millis = |given, variable| said(given, variable).map(|(millis, _)| millis);
        assert_eq!(millis(Some(50), Some("70")), Some(50));
        assert_eq!(millis(None, Some(" 70 ")), Some(70));
        assert_eq!(millis(None, Some("0")), Some(*DEADLINES.start()));
        assert_eq!(millis(None, Some("soon")), None);
        assert_eq!(millis(None, None), None);
    }
}
