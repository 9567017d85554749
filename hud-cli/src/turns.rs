//! A value that each thread works on directly, while a watchdog thread enforces a deadline. Unless the deadline
//! is missed, no work moves from thread to thread, and no thread has to be woken up.
//!
//! One of two threads serves, and works on the value itself. The other one is the [watchdog](Turns::watch). It
//! sleeps until work is late. It then handles the late work and serves from there on. The late thread notices this when it is done, and becomes the watchdog. Until then it holds the
//! value. A thread that wants to [hold](Turns::hold) the value waits no longer than its own deadline.

use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::deadline::{Late, Until};

/// A value and the current work on it. The thread that handles late work receives it as a `W`.
pub(crate) struct Turns<T, W> {
    value: Mutex<T>,
    inner: Mutex<Inner<T, W>>,
    /// Notifies the threads that wait for the value.
    freed: Condvar,
    /// Notifies the watchdog.
    watched: Condvar,
}

struct Inner<T, W> {
    is_held: bool,
    /// The number of threads that wait for the value.
    waiting: usize,
    work: Option<Work<W>>,
    /// The number of works that were begun, which is the number of the last one.
    begun: u64,
    /// The job for the value to run while no request is waiting.
    later: Option<fn(&mut T)>,
    /// True if the watchdog sleeps until there is work.
    sleeps: bool,
    /// The time until which the watchdog wakes up automatically, although there is no work. The next request
    /// often follows at once, and then it does not have to wake up the watchdog.
    lingers: Until,
    is_over: bool,
}

struct Work<W> {
    number: u64,
    what: W,
    until: Until,
}

/// The value while a thread holds it.
pub(crate) struct Held<'t, T, W> {
    value: MutexGuard<'t, T>,
    turns: &'t Turns<T, W>,
}

/// The number of a work that was begun.
pub(crate) struct Begun(u64);

impl<T, W> Turns<T, W> {
    pub(crate) fn new(value: T) -> Self {
        Self {
            value: Mutex::new(value),
            inner: Mutex::new(Inner {
                is_held: false,
                waiting: 0,
                work: None,
                begun: 0,
                later: None,
                sleeps: false,
                lingers: Until::after(Duration::ZERO),
                is_over: false,
            }),
            freed: Condvar::new(),
            watched: Condvar::new(),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner<T, W>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes up the watchdog if it sleeps. Most requests avoid this system call.
    fn wake(&self, inner: &mut Inner<T, W>) {
        if std::mem::take(&mut inner.sleeps) {
            self.watched.notify_one();
        }
    }

    /// Returns the value as soon as no other thread holds it. If a thread panics while it holds the value,
    /// nobody gets it again.
    pub(crate) fn hold(&self, until: Until) -> Result<Held<'_, T, W>, Late> {
        let mut inner = self.inner();
        while inner.is_held {
            let left = until.left();
            if left.is_zero() {
                return Err(Late);
            }
            inner.waiting += 1;
            let waited = self.freed.wait_timeout(inner, left);
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
            inner.waiting -= 1;
        }
        let value = self.value.lock().map_err(|_| Late)?;
        inner.is_held = true;
        Ok(Held { value, turns: self })
    }

    /// Watches until work is not done by its deadline, and returns this work. Returns `None` after the end.
    pub(crate) fn watch(&self) -> Option<W> {
        let mut inner = self.inner();
        loop {
            if inner.is_over {
                return None;
            }
            if let Some(later) = inner.later.take() {
                drop(inner);
                // If another thread holds the value again, the job is skipped.
                if let Ok(mut held) = self.hold(Until::after(Duration::ZERO)) {
                    later(&mut held);
                }
                inner = self.inner();
                continue;
            }
            let until = { inner.work.as_ref() }.map_or(inner.lingers, |work| work.until);
            let left = until.left();
            if left.is_zero() {
                if let Some(late) = inner.work.take() {
                    return Some(late.what);
                }
                inner.sleeps = true;
                inner = (self.watched.wait(inner)).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let waited = self.watched.wait_timeout(inner, left);
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Lets the watchdog run a job on the value, unless another thread holds the value at that time.
    pub(crate) fn later(&self, job: fn(&mut T)) {
        let mut inner = self.inner();
        inner.later = Some(job);
        inner.sleeps = false;
        // This also wakes up a watchdog that waits for a deadline.
        self.watched.notify_one();
    }

    /// Ends the watchdog.
    pub(crate) fn end(&self) {
        self.inner().is_over = true;
        self.watched.notify_all();
    }
}

impl<T, W> Held<'_, T, W> {
    /// Begins work that has to be done by a deadline.
    pub(crate) fn begin(&self, what: W, until: Until) -> Begun {
        let mut inner = self.turns.inner();
        inner.begun += 1;
        let number = inner.begun;
        inner.lingers = until;
        inner.work = Some(Work {
            number,
            what,
            until,
        });
        self.turns.wake(&mut inner);
        Begun(number)
    }

    /// Ends the work. Returns `None` if the watchdog has taken it over.
    pub(crate) fn done(&self, begun: &Begun) -> Option<W> {
        let mut inner = self.turns.inner();
        let own = inner.work.take_if(|work| work.number == begun.0);
        own.map(|work| work.what)
    }
}

impl<T, W> Deref for Held<'_, T, W> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T, W> DerefMut for Held<'_, T, W> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T, W> Drop for Held<'_, T, W> {
    fn drop(&mut self) {
        let mut inner = self.turns.inner();
        inner.is_held = false;
        if std::thread::panicking()
            && let Some(work) = &mut inner.work
        {
            // No thread ends the work any more.
            work.until = Until::after(Duration::ZERO);
            self.turns.watched.notify_all();
        }
        if inner.waiting > 0 {
            self.turns.freed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::panic,
        reason = "a test that cannot go on has failed, and one is of what panics"
    )]

    use std::sync::mpsc;
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(20);

    #[test]
    fn what_is_late_is_taken_over_and_the_value_comes_back() {
        let turns = Turns::new(Vec::new());
        let (go_on, hangs) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let (turns, until) = (&turns, Until::after(SHORT));
            let late = scope.spawn(move || {
                let mut held = turns.hold(until).unwrap();
                let begun = held.begin("first", until);
                hangs.recv().unwrap();
                held.push(1);
                held.done(&begun)
            });
            assert_eq!(turns.watch(), Some("first"));
            // The late thread still holds the value, and no thread waits for it forever.
            assert!(turns.hold(Until::after(SHORT)).is_err());
            go_on.send(()).unwrap();
            let mut held = turns.hold(Until::after(LONG)).unwrap();
            assert_eq!(late.join().unwrap(), None);
            let begun = held.begin("second", Until::after(LONG));
            held.push(2);
            assert_eq!(*held, [1, 2]);
            assert_eq!(held.done(&begun), Some("second"));
        });
    }

    #[test]
    fn what_is_done_in_time_is_not_taken_over() {
        let turns = Turns::new(0);
        let watched = thread::scope(|scope| {
            let watcher = scope.spawn(|| turns.watch());
            for n in 0..100 {
                let mut held = turns.hold(Until::after(LONG)).unwrap();
                let begun = held.begin(n, Until::after(LONG));
                *held += 1;
                assert_eq!(held.done(&begun), Some(n));
            }
            turns.end();
            watcher.join().unwrap()
        });
        assert_eq!((watched, *turns.value.lock().unwrap()), (None, 100));
    }

    #[test]
    fn what_can_wait_is_done_by_who_watches() {
        let turns = Turns::<_, ()>::new(0);
        thread::scope(|scope| {
            scope.spawn(|| turns.watch());
            let begun = std::time::Instant::now();
            // The job is skipped if another thread holds the value at that moment.
            let is_done = || {
                turns.later(|value| *value += 1);
                thread::yield_now();
                *turns.hold(Until::after(LONG)).unwrap() > 0
            };
            while !is_done() && begun.elapsed() < LONG {}
            turns.end();
        });
        assert_ne!(*turns.value.lock().unwrap(), 0);
    }

    #[test]
    fn what_panics_is_taken_over_at_once_and_nobody_waits_for_the_value() {
        let turns = Turns::new(());
        thread::scope(|scope| {
            let panics = scope.spawn(|| {
                let held = turns.hold(Until::after(LONG)).unwrap();
                let _begun = held.begin("it", Until::after(LONG));
                panic!("of this test");
            });
            assert_eq!(turns.watch(), Some("it"));
            assert!(panics.join().is_err());
            assert!(turns.hold(Until::after(LONG)).is_err());
        });
    }
}
