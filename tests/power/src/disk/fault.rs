//! When the disk fails, and how.

use rusqlite::ffi;

/// What goes wrong. Operations that change the disk are counted from 1, reads apart from them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    #[default]
    None,
    /// Power fails at this operation: nothing works any more.
    PowerLoss(u64),
    /// This operation fails. A write leaves its first half.
    IoError(u64),
    /// As [`Fault::IoError`], and if it is a flush, what was to be flushed never will be, whatever
    /// later flushes say: some systems forget what they could not write.
    Forget(u64),
    /// This read fails.
    ReadError(u64),
    /// This operation finds no room.
    Full(u64),
    /// This operation and all after it find no room.
    FullFrom(u64),
}

/// What changes a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Create,
    Write,
    Truncate,
    Sync,
    Delete,
    /// More shared memory: a file too, on real disks.
    Grow,
}

impl Op {
    /// SQLite's code for its failure.
    fn error(self) -> i32 {
        match self {
            Self::Create => ffi::SQLITE_CANTOPEN,
            Self::Write => ffi::SQLITE_IOERR_WRITE,
            Self::Truncate => ffi::SQLITE_IOERR_TRUNCATE,
            Self::Sync => ffi::SQLITE_IOERR_FSYNC,
            Self::Delete => ffi::SQLITE_IOERR_DELETE,
            Self::Grow => ffi::SQLITE_IOERR_SHMSIZE,
        }
    }

    /// SQLite's code for a lack of room; `None` for what needs none.
    fn full(self) -> Option<i32> {
        match self {
            // A flush is when some file systems look for room.
            Self::Write | Self::Sync => Some(ffi::SQLITE_FULL),
            Self::Create | Self::Grow => Some(self.error()),
            Self::Truncate | Self::Delete => None,
        }
    }
}

/// Counts operations and lets them pass, or not.
#[derive(Debug, Default)]
pub(super) struct Meter {
    pub(super) fault: Fault,
    pub(super) ops: u64,
    pub(super) reads: u64,
    pub(super) is_off: bool,
}

impl Meter {
    /// Lets an operation pass that changes the disk.
    pub(super) fn pass(&mut self, op: Op) -> Result<(), i32> {
        self.alive()?;
        self.ops += 1;
        let error = match self.fault {
            Fault::PowerLoss(at) if at == self.ops => {
                self.is_off = true;
                Some(op.error())
            }
            Fault::IoError(at) | Fault::Forget(at) if at == self.ops => Some(op.error()),
            Fault::Full(at) if at == self.ops => op.full(),
            Fault::FullFrom(at) if at <= self.ops => op.full(),
            _ => None,
        };
        error.map_or(Ok(()), Err)
    }

    /// Whether a flush that fails now drops what it should have flushed.
    pub(super) fn forgets(&self) -> bool {
        self.fault == Fault::Forget(self.ops)
    }

    /// Lets a read pass.
    pub(super) fn read(&mut self) -> Result<(), i32> {
        self.alive()?;
        self.reads += 1;
        if self.fault == Fault::ReadError(self.reads) {
            return Err(ffi::SQLITE_IOERR_READ);
        }
        Ok(())
    }

    /// Lets pass what neither changes nor reads, while there is power.
    pub(super) fn alive(&self) -> Result<(), i32> {
        if self.is_off {
            return Err(ffi::SQLITE_IOERR);
        }
        Ok(())
    }
}
