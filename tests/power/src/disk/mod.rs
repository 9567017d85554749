//! A disk in memory, with one directory.

mod bytes;
mod fault;
mod locks;
mod names;
mod open;
mod shared;

pub use fault::Fault;
pub(crate) use open::{How, OpenFile};

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use fault::Meter;
use locks::{FileLocks, Holder};
use names::{FileId, Names};
use shared::Shared;

use crate::rng::Rng;

/// A file, under whatever name.
#[derive(Debug, Default)]
struct File {
    bytes: Bytes,
    locks: FileLocks,
    shared: Shared,
}

/// All that is on a disk, and how it fares.
#[derive(Debug, Default)]
struct State {
    names: Names,
    /// Files stay when their name goes: power may fail before that is safe.
    files: Vec<File>,
    meter: Meter,
    opened: Holder,
    lies: bool,
}

/// A disk. Clones are the same disk.
#[derive(Debug, Clone, Default)]
pub struct Disk(Arc<Mutex<State>>);

impl Disk {
    /// An empty disk with nothing wrong.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, but a flush does nothing and says that it did.
    pub fn lying(self) -> Self {
        self.state().lies = true;
        self
    }

    /// Makes the disk fail in that way. Operations are counted anew.
    pub fn set_fault(&self, fault: Fault) {
        self.state().meter = Meter {
            fault,
            ..Meter::default()
        };
    }

    /// Nothing fails from now on.
    pub fn heal(&self) {
        self.state().meter.fault = Fault::None;
    }

    /// How many operations changed it, or tried to.
    pub fn ops(&self) -> u64 {
        self.state().meter.ops
    }

    /// How many reads there were.
    pub fn reads(&self) -> u64 {
        self.state().meter.reads
    }

    /// The disk when power is back. Of what wasn't flushed, each sector and each name is kept this
    /// many times in a hundred.
    pub fn after_power_loss(&self, keep: u64, rng: &mut Rng) -> Self {
        let state = self.state();
        let left = State {
            names: state.names.after_power_loss(keep, rng),
            files: state
                .files
                .iter()
                .map(|file| File {
                    bytes: file.bytes.after_power_loss(keep, rng),
                    ..File::default()
                })
                .collect(),
            ..State::default()
        };
        Self(Arc::new(Mutex::new(left)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn create(&mut self, name: &str) -> FileId {
        self.files.push(File::default());
        let file = self.files.len() - 1;
        self.names.set(name, Some(file));
        file
    }
}
