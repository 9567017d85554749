//! The examination of the outbox. It is written to the log first, and a backlog that stays is a problem.

use std::time::Duration;

use hud_components::text::line;

use crate::deadline::Until;
use crate::location::{Location, LocationError};
use crate::log::time;
use crate::outbox::{self, Backlog, OutboxError, Pace, Written};
use crate::own;
use crate::progress::waiting;

/// The time for which the outbox is written to the log before the progress is checked.
const SLICE: Duration = Duration::from_secs(5);

/// The outbox before and after it was written to the log.
#[derive(Debug, Default)]
pub(super) struct Examined {
    /// The reports that waited before.
    found: Backlog,
    /// The reports that still wait.
    left: Backlog,
    /// The reason for that, if it is known.
    why: Option<String>,
}

/// Writes the outbox to the log, for as long as the log accepts reports.
pub(super) fn examine(location: &Location) -> Result<Examined, LocationError> {
    if outbox::is_empty(location) {
        return Ok(Examined::default());
    }
    waiting("writing the outbox to the log", || drain(location)).or_else(|error| match error {
        OutboxError::Location(error) => Err(error),
        error => Ok(Examined {
            why: Some(error.to_string()),
            ..Examined::default()
        }),
    })
}

fn drain(location: &Location) -> Result<Examined, OutboxError> {
    let found = outbox::backlog(location, Until::after(SLICE))?;
    let mut examined = Examined {
        found,
        ..Examined::default()
    };
    loop {
        match outbox::write_out(location, Until::after(SLICE), Pace::Patient) {
            Ok(Written { is_all: true, .. }) => return Ok(examined),
            Ok(Written { reports: 1.., .. }) => {}
            stuck => {
                examined.why = stuck.err().map(|error| error.to_string());
                examined.left = outbox::backlog(location, Until::after(SLICE))?;
                return Ok(examined);
            }
        }
    }
}

impl Examined {
    /// A line for people on the reports that were written.
    pub(super) fn told(&self) -> Option<String> {
        let since = self.found.since?;
        let reports = self.found.reports.saturating_sub(self.left.reports);
        (reports > 0).then(|| {
            format!(
                "the outbox had {}, the first of {}: {reports} written to the log",
                self.found,
                time(since)
            )
        })
    }

    /// The problem with the outbox and its fix, if there is one.
    pub(super) fn problem(&self) -> Option<(String, String)> {
        if self.left.reports == 0 && self.why.is_none() {
            return None;
        }
        let why = match &self.why {
            Some(why) => line(why, 200),
            None => "the log takes nothing of it now".into(),
        };
        let what = format!(
            "{} wait in the outbox, and are not in the log: {why}",
            self.left
        );
        let fix = format!(
            "end what keeps the log from being written (another program, a full disk), then `{}` again",
            own::command("doctor")
        );
        Some((what, fix))
    }
}
