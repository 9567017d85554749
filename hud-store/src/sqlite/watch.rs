//! Waiting for what others append.

use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use super::SqliteLog;
use super::read::Each;
use crate::event::{SessionId, StoredEvent};
use crate::log::{Log, LogError};

/// How long it takes at most until somebody else's event is seen. Looking is a read of one page in
/// memory that all processes share.
const INTERVAL: Duration = Duration::from_millis(20);

/// What is followed.
pub(super) enum Followed<'s> {
    Session(&'s SessionId),
    Log,
}

pub(super) fn follow(
    log: &SqliteLog,
    what: &Followed<'_>,
    mut from: u64,
    each: &mut Each<'_>,
    idle: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<(), LogError> {
    let changes = || {
        log.steps.renew();
        let version = log
            .conn
            .pragma_query_value(None, "data_version", |row| row.get::<_, i64>(0));
        log.named(version)
    };
    loop {
        // Asked for before reading: what comes while we read is read the next time.
        let seen = changes()?;
        let (start, mut is_over) = (from, false);
        let mut give = |event: StoredEvent| {
            from = match what {
                Followed::Session(_) => event.version + 1,
                Followed::Log => event.seq + 1,
            };
            let outcome = each(event);
            is_over = outcome.is_break();
            outcome
        };
        match what {
            Followed::Session(session) => log.read(session, start, &mut give)?,
            Followed::Log => log.read_all(start, &mut give)?,
        }
        if is_over {
            return Ok(());
        }
        loop {
            if idle().is_break() {
                return Ok(());
            }
            thread::sleep(INTERVAL);
            if changes()? != seen {
                break;
            }
        }
    }
}
