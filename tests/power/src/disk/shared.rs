//! The shared memory of a write-ahead log. It is gone when power is.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicU64;

use super::locks::{Holder, SharedLocks};

/// A piece of memory that several connections write. Atomics: for their alignment, and because
/// they may be written while they are shared.
type Region = Box<[AtomicU64]>;

/// The shared memory of one database.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) locks: SharedLocks,
    regions: Vec<Region>,
    users: BTreeSet<Holder>,
}

impl Shared {
    pub(super) fn has(&self, region: usize) -> bool {
        region < self.regions.len()
    }

    /// Adds regions, up to this one.
    pub(super) fn grow(&mut self, region: usize, size: usize) {
        while !self.has(region) {
            let words = size.div_ceil(size_of::<AtomicU64>());
            self.regions
                .push((0..words).map(|_| AtomicU64::new(0)).collect());
        }
    }

    /// Where a region is, for as long as `me` doesn't leave; null if there is none.
    pub(super) fn map(&mut self, me: Holder, region: usize) -> *const AtomicU64 {
        self.users.insert(me);
        self.regions
            .get(region)
            .map_or(std::ptr::null(), |region| region.as_ptr())
    }

    /// Ends the use. The memory goes with its last user, as the next would not trust it.
    pub(super) fn leave(&mut self, me: Holder) {
        self.locks.leave(me);
        if self.users.remove(&me) && self.users.is_empty() {
            self.regions.clear();
        }
    }
}
