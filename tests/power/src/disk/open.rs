//! What can be done with the files of a disk. Errors are SQLite's codes.

use std::sync::MutexGuard;
use std::sync::atomic::AtomicU64;

use rusqlite::ffi;

use super::fault::Op;
use super::locks::Holder;
use super::names::FileId;
use super::{Disk, File, State};

/// How a file is opened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct How {
    /// Make it if there is none.
    pub(crate) create: bool,
    /// The first flush makes the names safe too: SQLite does that for its logs and journals.
    pub(crate) sync_names: bool,
    /// It goes when it is closed.
    pub(crate) delete_on_close: bool,
}

impl Disk {
    /// Opens a file; one without a name is for scratch.
    pub(crate) fn open(&self, name: Option<&str>, how: How) -> Result<OpenFile, i32> {
        let mut state = self.state();
        state.meter.alive()?;
        state.opened += 1;
        let me = state.opened;
        let name = name.map_or_else(|| format!("scratch-{me}"), str::to_owned);
        let file = match state.names.get(&name) {
            Some(file) => file,
            None if how.create => {
                state.meter.pass(Op::Create)?;
                state.create(&name)
            }
            None => return Err(ffi::SQLITE_CANTOPEN),
        };
        Ok(OpenFile {
            disk: self.clone(),
            file,
            me,
            sync_names: how.sync_names,
            delete_on_close: how.delete_on_close.then_some(name),
        })
    }

    /// Whether there is such a file; as SQLite has it, not if it is empty.
    pub(crate) fn has(&self, name: &str) -> Result<bool, i32> {
        let state = self.state();
        state.meter.alive()?;
        let file = state.names.get(name);
        Ok(file.is_some_and(|file| state.files[file].bytes.len() > 0))
    }

    /// Takes a file's name away.
    pub(crate) fn delete(&self, name: &str, sync_names: bool) -> Result<(), i32> {
        let mut state = self.state();
        state.meter.alive()?;
        if state.names.get(name).is_none() {
            return Err(ffi::SQLITE_IOERR_DELETE_NOENT);
        }
        state.meter.pass(Op::Delete)?;
        state.names.set(name, None);
        if sync_names {
            state.meter.pass(Op::Sync)?;
            state.sync_names();
        }
        Ok(())
    }
}

impl State {
    fn sync_names(&mut self) {
        if !self.lies {
            self.names.sync();
        }
    }
}

/// An open file.
#[derive(Debug)]
pub(crate) struct OpenFile {
    disk: Disk,
    file: FileId,
    me: Holder,
    sync_names: bool,
    delete_on_close: Option<String>,
}

impl OpenFile {
    /// Fills the buffer; says whether the file had enough bytes, and pads with zeros if not.
    pub(crate) fn read(&self, into: &mut [u8], at: usize) -> Result<bool, i32> {
        let mut state = self.disk.state();
        state.meter.read()?;
        let count = state.files[self.file].bytes.read(into, at);
        Ok(count == into.len())
    }

    pub(crate) fn write(&self, bytes: &[u8], at: usize) -> Result<(), i32> {
        let mut state = self.disk.state();
        let outcome = state.meter.pass(Op::Write);
        let written = match outcome {
            Ok(()) => bytes,
            Err(_) if state.meter.is_off => &[],
            Err(_) => &bytes[..bytes.len() / 2],
        };
        if !written.is_empty() {
            state.files[self.file].bytes.write(at, written);
        }
        outcome
    }

    pub(crate) fn truncate(&self, size: usize) -> Result<(), i32> {
        let mut state = self.disk.state();
        state.meter.pass(Op::Truncate)?;
        state.files[self.file].bytes.truncate(size);
        Ok(())
    }

    pub(crate) fn sync(&mut self) -> Result<(), i32> {
        let mut state = self.disk.state();
        let outcome = state.meter.pass(Op::Sync);
        if outcome.is_err() && state.meter.forgets() {
            state.files[self.file].bytes.forget();
        }
        outcome?;
        if !state.lies {
            state.files[self.file].bytes.sync();
        }
        if std::mem::take(&mut self.sync_names) {
            state.sync_names();
        }
        Ok(())
    }

    pub(crate) fn size(&self) -> Result<usize, i32> {
        let state = self.disk.state();
        state.meter.alive()?;
        Ok(state.files[self.file].bytes.len())
    }

    pub(crate) fn lock(&self, level: i32) -> Result<(), i32> {
        let mut state = self.alive()?;
        self.of(&mut state).locks.lock(self.me, level)
    }

    pub(crate) fn unlock(&self, level: i32) {
        let mut state = self.disk.state();
        self.of(&mut state).locks.unlock(self.me, level);
    }

    pub(crate) fn is_reserved(&self) -> Result<bool, i32> {
        let state = self.alive()?;
        Ok(state.files[self.file].locks.is_reserved())
    }

    /// Maps a region of the shared memory. Null if there is none and none is to be made.
    pub(crate) fn map(
        &self,
        region: usize,
        size: usize,
        grow: bool,
    ) -> Result<*const AtomicU64, i32> {
        let mut state = self.alive()?;
        if grow && !self.of(&mut state).shared.has(region) {
            state.meter.pass(Op::Grow)?;
            self.of(&mut state).shared.grow(region, size);
        }
        Ok(self.of(&mut state).shared.map(self.me, region))
    }

    pub(crate) fn unmap(&self) {
        let mut state = self.disk.state();
        self.of(&mut state).shared.leave(self.me);
    }

    pub(crate) fn lock_shared(&self, mask: u8, exclusive: bool) -> Result<(), i32> {
        let mut state = self.alive()?;
        self.of(&mut state)
            .shared
            .locks
            .lock(self.me, mask, exclusive)
    }

    pub(crate) fn unlock_shared(&self, mask: u8) {
        let mut state = self.disk.state();
        self.of(&mut state).shared.locks.unlock(self.me, mask);
    }

    fn alive(&self) -> Result<MutexGuard<'_, State>, i32> {
        let state = self.disk.state();
        state.meter.alive()?;
        Ok(state)
    }

    fn of<'s>(&self, state: &'s mut State) -> &'s mut File {
        &mut state.files[self.file]
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        let mut state = self.disk.state();
        let file = self.of(&mut state);
        file.locks.unlock(self.me, ffi::SQLITE_LOCK_NONE);
        file.shared.leave(self.me);
        if let Some(name) = &self.delete_on_close
            && state.meter.alive().is_ok()
        {
            state.names.set(name, None);
        }
    }
}
