//! Waiting for new events.

use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use super::SqliteLog;
use super::read::Each;
use crate::log::LogError;
use crate::log::follow::Followed;

/// The maximum delay until an event of another process is seen. A check reads one page of shared memory.
const INTERVAL: Duration = Duration::from_millis(20);

pub(super) fn follow(
    log: &SqliteLog,
    what: Followed<'_>,
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
        // The version is read before the events, so that a change during the read is seen the next time.
        let seen = changes()?;
        if what.read_on(log, &mut from, each)?.is_break() {
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
