//! The file of an outbox, and the mark up to where it was written to the log.
//!
//! The mark is in a file of its own, with the hash of the last line that was written: a mark that does not fit the
//! outbox is none, so the two need not change in one step.
//!
//! There are two marks. The lines before the first are in the log for good. Those before the second are in the log
//! unless power failed since: it holds as long as the system runs, and outlives the end of any process. So the log is
//! flushed to the disk for many lines at once.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::thread;
use std::time::Duration;

use hud_store::event::SessionId;

use super::OutboxError;
use crate::deadline::Until;
use crate::location::Location;

/// The names of an outbox's files, after the log's.
#[derive(Debug)]
pub(super) struct Names {
    /// The reports, a line each.
    pub(super) lines: &'static str,
    /// The lock of the one process that writes them to the log.
    writer: &'static str,
    /// The mark.
    mark: &'static str,
}

/// The outboxes beside a log, in the order in which they are written to it: the first is the one that earlier
/// versions kept.
pub(super) const ALL: [Names; 2] = [
    Names {
        lines: ".spool.jsonl",
        writer: ".spool.lock",
        mark: ".spool.mark",
    },
    NEW,
];

/// The outbox that reports are added to.
pub(super) const NEW: Names = Names {
    lines: ".outbox.jsonl",
    writer: ".outbox.lock",
    mark: ".outbox.mark",
};

/// The number of bytes that are read at once, unless a line is longer.
const CHUNK: u64 = 256 * 1024;

/// The number of bytes that were written to the log and may stay in front of those that were not.
const STALE: u64 = 1024 * 1024;

/// The length of a mark's text, in bytes.
const MARK: usize = 20 + 1 + 20 + 1 + 64 + 1 + 36 + 1;

/// The run of the system that a mark holds in which always holds.
const ALWAYS: &str = "------------------------------------";

/// The end of what was written to the log.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// The beginning of the last line that was written.
    from: u64,
    /// The end of that line.
    to: u64,
    /// True if it holds only while the system runs.
    is_fleeting: bool,
}

/// An open outbox.
pub(super) struct Outbox<'l> {
    location: &'l Location,
    names: &'static Names,
    file: File,
}

/// Whole lines, from their place in the file on.
pub(super) struct Chunk {
    pub(super) at: u64,
    pub(super) text: Vec<u8>,
}

impl<'l> Outbox<'l> {
    /// The outbox of those names, if there is one.
    pub(super) fn opened(
        location: &'l Location,
        names: &'static Names,
    ) -> Result<Option<Self>, OutboxError> {
        // Each turn asks, and nearly always there is none.
        if location.has_nothing_beside(names.lines) {
            return Ok(None);
        }
        let file = location.changed_beside(names.lines, false)?;
        Ok(file.map(|file| Self {
            location,
            names,
            file,
        }))
    }

    /// The outbox that reports are added to; it is made if there is none.
    pub(super) fn made(location: &'l Location) -> Result<Self, OutboxError> {
        let file = location.changed_beside(NEW.lines, true)?;
        let file =
            file.ok_or_else(|| location.failed(NEW.lines, io::ErrorKind::NotFound.into()))?;
        Ok(Self {
            location,
            names: &NEW,
            file,
        })
    }

    /// True if the file has no lines at all.
    pub(super) fn is_empty(&self) -> bool {
        self.file.metadata().is_ok_and(|file| file.len() == 0)
    }

    /// The length of the file.
    pub(super) fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Becomes the one that writes this outbox to the log; `None` if another process or thread does, for as long as it
    /// is waited for. It is until the file is closed.
    pub(super) fn writer(&self, until: Option<Until>) -> Result<Option<File>, OutboxError> {
        let file = self.location.open_beside(self.names.writer)?;
        let until = until.unwrap_or(Until::after(Duration::ZERO));
        match lock(&file, until).map_err(|error| self.failed(error))? {
            true => Ok(Some(file)),
            false => Ok(None),
        }
    }

    /// Does something with the outbox while nobody else changes it.
    pub(super) fn locked<T>(
        &mut self,
        until: Until,
        act: impl FnOnce(&mut Self) -> io::Result<T>,
    ) -> Result<T, OutboxError> {
        if !lock(&self.file, until).map_err(|error| self.failed(error))? {
            return Err(OutboxError::Locked);
        }
        let done = act(self);
        let unlocked = self.file.unlock();
        done.and_then(|done| unlocked.map(|()| done))
            .map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> OutboxError {
        self.location.failed(self.names.lines, error).into()
    }

    /// Adds whole lines, unless more than `most` bytes would then wait. Gives whether that was done.
    pub(super) fn add(&mut self, text: &[u8], most: u64) -> io::Result<bool> {
        let length = self.file.seek(SeekFrom::End(0))?;
        let waiting = length.saturating_sub(self.done());
        if waiting.saturating_add(text.len() as u64) > most {
            return Ok(false);
        }
        let mut last = [b'\n'];
        if length > 0 {
            self.file.seek(SeekFrom::Start(length - 1))?;
            self.file.read_exact(&mut last)?;
        }
        if last != [b'\n'] {
            // A line was cut off when a process ended.
            self.file.write_all(b"\n")?;
        }
        self.file.write_all(text)?;
        self.file.sync_data()?;
        Ok(true)
    }

    /// The place up to which it was written to the log, as far as that is known.
    fn done(&mut self) -> u64 {
        self.mark().map_or(0, |mark| mark.to)
    }

    /// The mark that holds, if one does.
    fn mark(&mut self) -> Option<Mark> {
        if self.location.lacks_beside(self.names.mark) {
            return None;
        }
        let file = self.location.opened_beside(self.names.mark).ok()??;
        let mut text = String::new();
        file.take(2 * MARK as u64).read_to_string(&mut text).ok()?;
        let (lasting, fleeting) = text.split_at_checked(MARK)?;
        self.held(fleeting).or_else(|| self.held(lasting))
    }

    /// The mark of a text, if it holds and fits the lines.
    fn held(&mut self, text: &str) -> Option<Mark> {
        let mut words = text.split_ascii_whitespace();
        let (from, to) = (words.next()?, words.next()?);
        let (from, to): (u64, u64) = (from.parse().ok()?, to.parse().ok()?);
        let (hash, run) = (words.next()?, words.next()?);
        let is_fleeting = run != ALWAYS;
        if is_fleeting && run_of_system().as_deref() != Some(run) {
            return None;
        }
        if to > self.file.metadata().ok()?.len() {
            return None;
        }
        let mut line = Vec::new();
        self.file.seek(SeekFrom::Start(from)).ok()?;
        let length = to.checked_sub(from)?;
        (&self.file).take(length).read_to_end(&mut line).ok()?;
        let is_same = hash == blake3::hash(&line).to_hex().as_str();
        is_same.then_some(Mark {
            from,
            to,
            is_fleeting,
        })
    }

    /// True if the log has to be flushed to the disk before the lines that are in it may go.
    pub(super) fn is_fleeting(&mut self) -> bool {
        self.mark().is_some_and(|mark| mark.is_fleeting)
    }

    /// Opens the mark to be moved on.
    pub(super) fn marking(&self) -> Result<Marking, OutboxError> {
        let file = self.location.changed_beside(self.names.mark, true)?;
        let missing = || self.failed(io::ErrorKind::NotFound.into());
        Ok(Marking {
            file: file.ok_or_else(missing)?,
            run: run_of_system(),
        })
    }

    /// The next lines that were not written to the log; `None` if there are none, and the file is empty then.
    pub(super) fn next(&mut self, marking: &mut Marking) -> io::Result<Option<Chunk>> {
        let mark = self.mark().unwrap_or_default();
        let length = self.file.metadata()?.len();
        if length <= mark.to {
            self.file.set_len(0)?;
            marking.forget()?;
            return Ok(None);
        }
        let at = self.shorten(mark, length, marking)?;
        Ok(Some(Chunk {
            at,
            text: self.lines(at)?,
        }))
    }

    /// Moves what was not written to the log to the front, where much was: the file of an outbox that is never empty
    /// does not grow for ever. Gives the place of what was not written.
    ///
    /// A process that ends in between leaves an outbox in which some lines are twice, and their events are in the log
    /// once.
    fn shorten(&mut self, mark: Mark, length: u64, marking: &mut Marking) -> io::Result<u64> {
        let rest = length.saturating_sub(mark.to);
        // The line of the mark stays whole until the file is shortened.
        if mark.to < STALE || rest > mark.from {
            return Ok(mark.to);
        }
        let mut text = Vec::new();
        self.file.seek(SeekFrom::Start(mark.to))?;
        (&self.file).take(rest).read_to_end(&mut text)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&text)?;
        self.file.sync_data()?;
        self.file.set_len(text.len() as u64)?;
        marking.forget()?;
        self.file.sync_data()?;
        Ok(0)
    }

    /// Whole lines from a place on. The last one may have been cut off.
    fn lines(&mut self, from: u64) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        let mut read = 0;
        self.file.seek(SeekFrom::Start(from))?;
        loop {
            let more = (&self.file).take(CHUNK).read_to_end(&mut text)?;
            let new = text.get(read..).unwrap_or_default();
            if let Some(end) = new.iter().rposition(|byte| *byte == b'\n') {
                text.truncate(read + end + 1);
                return Ok(text);
            }
            if more == 0 {
                return Ok(text);
            }
            read = text.len();
        }
    }

    /// All that was not written to the log.
    pub(super) fn rest(&mut self) -> io::Result<Vec<u8>> {
        let from = self.done();
        let mut text = Vec::new();
        self.file.seek(SeekFrom::Start(from))?;
        (&self.file).read_to_end(&mut text)?;
        Ok(text)
    }
}

/// The file of the marks.
pub(super) struct Marking {
    file: File,
    /// The name of this run of the system, if it has one.
    run: Option<String>,
}

impl Marking {
    /// True if a mark can hold while the system runs; otherwise the log is flushed for each line.
    pub(super) fn can_be_fleeting(&self) -> bool {
        self.run.is_some()
    }

    /// Notes that a line at a place was written to the log.
    pub(super) fn set(&mut self, from: u64, line: &[u8]) -> io::Result<()> {
        let (place, run) = match &self.run {
            Some(run) => (MARK as u64, run.as_str()),
            None => (0, ALWAYS),
        };
        write_mark(&mut self.file, place, from, line, run)
    }

    /// Notes that the log was flushed after a line at a place was written to it.
    pub(super) fn set_lasting(&mut self, from: u64, line: &[u8]) -> io::Result<()> {
        write_mark(&mut self.file, 0, from, line, ALWAYS)?;
        self.file.sync_data()
    }

    fn forget(&mut self) -> io::Result<()> {
        self.file.set_len(0)
    }
}

fn write_mark(file: &mut File, place: u64, from: u64, line: &[u8], run: &str) -> io::Result<()> {
    let to = from.saturating_add(line.len() as u64);
    let hash = blake3::hash(line).to_hex();
    if file.metadata()?.len() < place {
        // The other mark is none yet.
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&[b' '; MARK])?;
    }
    file.seek(SeekFrom::Start(place))?;
    file.write_all(format!("{from:020} {to:020} {hash} {run}\n").as_bytes())
}

/// The name of the time from one start of the system to the next, where it has one.
fn run_of_system() -> Option<String> {
    let run = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let run = run.trim();
    (run.len() == ALWAYS.len()).then(|| run.to_owned())
}

/// The text by which a line of a session is found, as lines are written: in a string, its quotation marks are escaped.
pub(super) fn of_session(session: &SessionId) -> Vec<u8> {
    format!("\"session\":{}", serde_json::Value::from(session.as_str())).into_bytes()
}

/// Locks a file. Gives whether that was done in time.
fn lock(file: &File, until: Until) -> io::Result<bool> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if until.left().is_zero() => return Ok(false),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(2)),
        }
    }
}
