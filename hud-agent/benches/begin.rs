//! The time in which a session begins in a log with 20 sessions, and in one with 20,000, with what it inherits from the
//! latest of them: `cargo bench -p hud-agent --bench begin`.
//!
//! The two logs take turns, and the median of each counts. With `--test` there are 200 sessions in the larger one.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark that fails has no figures, and its figures go to the terminal"
)]

use std::time::{Duration, Instant};

use hud_agent::session::Session;
use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
use hud_store::log::{Expected, Log};
use hud_store::sqlite::{Durability, SqliteLog};
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

/// The number of sessions that are begun in each log.
const ROUNDS: usize = 101;

/// The sessions that one inherits from.
const INHERITED: usize = 8;

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (many, rounds) = if is_test { (200, 2) } else { (20_000, ROUNDS) };
    let logs = [20, many].map(Project::with);
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..rounds {
        for (project, times) in logs.iter().zip(&mut times) {
            times.push(project.begin(round));
        }
    }
    let [few, most] = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    });
    let ratio = most.as_secs_f64() / few.as_secs_f64();
    println!(
        "a session begins in {few:.1?} with 20 others, in {most:.1?} with {many}: {ratio:.2} times"
    );
}

/// The log of a project.
struct Project {
    folder: TempDir,
    latest: Timestamp,
}

impl Project {
    /// One with so many sessions, each of which has a note.
    fn with(sessions: usize) -> Self {
        let project = Self {
            folder: tempfile::tempdir().unwrap(),
            latest: Timestamp::now() - SignedDuration::from_hours(24),
        };
        let mut log = project.log();
        for n in 0..sessions {
            let note = NoteAdd {
                id: "n1".to_owned(),
                content: format!("note {n}"),
            };
            let age = i64::try_from(sessions - n).unwrap();
            let note = NewEvent {
                at: project.latest - SignedDuration::from_secs(age),
                ..NewEvent::now(1, Actor::Agent, note)
            };
            let session = SessionId::new(format!("session {n}")).unwrap();
            log.append(&session, Expected::Any, &[note]).unwrap();
        }
        project
    }

    fn log(&self) -> SqliteLog {
        let log = SqliteLog::open(self.folder.path().join("hud.db")).unwrap();
        log.set_durability(Durability::Fast).unwrap();
        log
    }

    /// The time in which another session begins, with the notes of others.
    fn begin(&self, round: usize) -> Duration {
        let id = SessionId::new(format!("new {round}")).unwrap();
        let start = Instant::now();
        let mut session = Session::open(self.log(), id).unwrap();
        session.begin_after(self.latest, |_| Some(false)).unwrap();
        let time = start.elapsed();
        assert_eq!(session.state().notes.len(), INHERITED);
        time
    }
}
