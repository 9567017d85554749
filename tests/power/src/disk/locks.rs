//! SQLite's locks, among the connections of this process.

use std::collections::BTreeMap;

use rusqlite::ffi;

/// Who holds a lock: an open file.
pub(super) type Holder = u64;

/// The locks of a database file: none, shared, reserved, pending, exclusive.
#[derive(Debug, Default)]
pub(super) struct FileLocks(BTreeMap<Holder, i32>);

impl FileLocks {
    /// Raises the holder's lock.
    pub(super) fn lock(&mut self, me: Holder, level: i32) -> Result<(), i32> {
        let held = self.0.get(&me).copied().unwrap_or(ffi::SQLITE_LOCK_NONE);
        if held >= level {
            return Ok(());
        }
        let others = self.highest(me);
        let is_free = match level {
            ffi::SQLITE_LOCK_SHARED => others < ffi::SQLITE_LOCK_PENDING,
            _ => others < ffi::SQLITE_LOCK_RESERVED,
        };
        if !is_free {
            return Err(ffi::SQLITE_BUSY);
        }
        if level == ffi::SQLITE_LOCK_EXCLUSIVE && others >= ffi::SQLITE_LOCK_SHARED {
            // No new readers; those that are there must leave first.
            self.0.insert(me, ffi::SQLITE_LOCK_PENDING);
            return Err(ffi::SQLITE_BUSY);
        }
        self.0.insert(me, level);
        Ok(())
    }

    /// Lowers the holder's lock.
    pub(super) fn unlock(&mut self, me: Holder, level: i32) {
        if level == ffi::SQLITE_LOCK_NONE {
            self.0.remove(&me);
        } else if self.0.get(&me).is_some_and(|held| *held > level) {
            self.0.insert(me, level);
        }
    }

    /// Whether anyone means to write.
    pub(super) fn is_reserved(&self) -> bool {
        self.0
            .values()
            .any(|level| *level >= ffi::SQLITE_LOCK_RESERVED)
    }

    /// The highest lock that others hold.
    fn highest(&self, me: Holder) -> i32 {
        let others = self.0.iter().filter(|(holder, _)| **holder != me);
        others
            .map(|(_, level)| *level)
            .max()
            .unwrap_or(ffi::SQLITE_LOCK_NONE)
    }
}

/// Which of the eight locks of the shared memory a connection holds, as bits.
#[derive(Debug, Default, Clone, Copy)]
struct Held {
    shared: u8,
    exclusive: u8,
}

/// The locks of the shared memory of a write-ahead log.
#[derive(Debug, Default)]
pub(super) struct SharedLocks(BTreeMap<Holder, Held>);

impl SharedLocks {
    /// Takes the locks of `mask` together, or none.
    pub(super) fn lock(&mut self, me: Holder, mask: u8, exclusive: bool) -> Result<(), i32> {
        let is_taken = self.0.iter().any(|(holder, held)| {
            let barring = if exclusive {
                held.shared | held.exclusive
            } else {
                held.exclusive
            };
            *holder != me && barring & mask != 0
        });
        if is_taken {
            return Err(ffi::SQLITE_BUSY);
        }
        let held = self.0.entry(me).or_default();
        if exclusive {
            held.exclusive |= mask;
        } else {
            held.shared |= mask;
        }
        Ok(())
    }

    /// Gives the locks of `mask` back.
    pub(super) fn unlock(&mut self, me: Holder, mask: u8) {
        if let Some(held) = self.0.get_mut(&me) {
            held.shared &= !mask;
            held.exclusive &= !mask;
        }
    }

    /// Gives all locks back.
    pub(super) fn leave(&mut self, me: Holder) {
        self.0.remove(&me);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_writes_and_readers_keep_it_waiting() {
        let mut locks = FileLocks::default();
        locks.lock(1, ffi::SQLITE_LOCK_SHARED).unwrap();
        locks.lock(2, ffi::SQLITE_LOCK_SHARED).unwrap();
        locks.lock(1, ffi::SQLITE_LOCK_RESERVED).unwrap();
        assert_eq!(
            locks.lock(2, ffi::SQLITE_LOCK_RESERVED),
            Err(ffi::SQLITE_BUSY)
        );
        assert_eq!(
            locks.lock(1, ffi::SQLITE_LOCK_EXCLUSIVE),
            Err(ffi::SQLITE_BUSY)
        );
        assert_eq!(
            locks.lock(3, ffi::SQLITE_LOCK_SHARED),
            Err(ffi::SQLITE_BUSY)
        );
        locks.unlock(2, ffi::SQLITE_LOCK_NONE);
        locks.lock(1, ffi::SQLITE_LOCK_EXCLUSIVE).unwrap();
        locks.unlock(1, ffi::SQLITE_LOCK_SHARED);
        assert!(!locks.is_reserved());
        locks.lock(3, ffi::SQLITE_LOCK_SHARED).unwrap();
    }

    #[test]
    fn shared_memory_has_locks_for_one_and_for_many() {
        let mut locks = SharedLocks::default();
        locks.lock(1, 0b1000, false).unwrap();
        locks.lock(2, 0b1000, false).unwrap();
        assert_eq!(locks.lock(1, 0b1100, true), Err(ffi::SQLITE_BUSY));
        locks.leave(2);
        locks.lock(1, 0b1100, true).unwrap();
        assert_eq!(locks.lock(2, 0b0100, false), Err(ffi::SQLITE_BUSY));
        locks.unlock(1, 0b0100);
        locks.lock(2, 0b0100, false).unwrap();
    }
}
