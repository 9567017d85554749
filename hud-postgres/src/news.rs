//! The signal that a follower waits for after an append.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The number of notifications of appends from the server.
#[derive(Default)]
pub(crate) struct News {
    count: Mutex<u64>,
    came: Condvar,
}

impl News {
    pub(crate) fn tell(&self) {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        *count = count.wrapping_add(1);
        drop(count);
        self.came.notify_all();
    }

    pub(crate) fn count(&self) -> u64 {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the count changes, or until the timeout. Returns the count.
    pub(crate) fn wait(&self, known: u64, patience: Duration) -> u64 {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .came
            .wait_timeout_while(count, patience, |count| *count == known);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
