//! The file of an outbox, and the mark of the last line that was written to the log.
//!
//! The mark is in its own file, with the hash of the last line that was written. A mark that does not fit the
//! outbox is ignored, so the two files need not change in one step.
//!
//! There are two marks. The lines before the first one are durable in the log. Those before the second one are
//! in the log unless power failed since. The second mark is valid until the system restarts, and outlives the
//! end of any process. It allows the log to be flushed to the disk for many lines at once.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::thread;
use std::time::Duration;

use hud_store::event::SessionId;

use super::OutboxError;
use crate::deadline::Until;
use crate::location::Location;

/// The names of an outbox's files, after the log's name.
#[derive(Debug)]
pub(super) struct Names {
    /// The file with the reports, one on each line.
    pub(super) lines: &'static str,
    /// The lock of the process that writes the reports to the log.
    writer: &'static str,
    /// The file with the marks.
    mark: &'static str,
}

/// The outboxes beside a log, in the order in which they are written to it. The first one is that of earlier
/// versions.
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

/// The number of bytes that may stay at the front of the file after they were written to the log.
const STALE: u64 = 1024 * 1024;

/// The length of a mark's text, in bytes.
const MARK: usize = 20 + 1 + 20 + 1 + 64 + 1 + 36 + 1;

/// The run of the system in a mark that is always valid.
const ALWAYS: &str = "------------------------------------";

/// The end of the lines that were written to the log.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// The start of the last line that was written.
    from: u64,
    /// The end of that line.
    to: u64,
    /// True if the mark is valid only until the system restarts.
    is_fleeting: bool,
}

/// An open outbox.
pub(super) struct Outbox<'l> {
    location: &'l Location,
    names: &'static Names,
    file: File,
}

/// Whole lines, and their offset in the file.
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
        // Each turn calls this, and nearly always there is no outbox.
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

    /// The outbox that reports are added to. Creates it if there is none.
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

    /// Takes the lock of the process that writes this outbox to the log. It is held until the file is closed. Returns
    /// `None` if another process or thread still holds it at the deadline.
    pub(super) fn writer(&self, until: Option<Until>) -> Result<Option<File>, OutboxError> {
        let file = self.location.open_beside(self.names.writer)?;
        let until = until.unwrap_or(Until::after(Duration::ZERO));
        match lock(&file, until).map_err(|error| self.failed(error))? {
            true => Ok(Some(file)),
            false => Ok(None),
        }
    }

    /// Runs a function while nobody else can change the outbox.
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

    /// Adds whole lines, unless more than `most` bytes would then wait. Returns true if they were added.
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
            // The last line was cut off when a process ended.
            self.file.write_all(b"\n")?;
        }
        self.file.write_all(text)?;
        self.file.sync_data()?;
        Ok(true)
    }

    /// The offset up to which the lines were written to the log, as far as that is known.
    fn done(&mut self) -> u64 {
        self.mark().map_or(0, |mark| mark.to)
    }

    /// The valid mark, if there is one.
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

    /// The mark in a text, if it is valid and fits the lines.
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

    /// True if the log has to be flushed to the disk before the lines that are in it may be removed.
    pub(super) fn is_fleeting(&mut self) -> bool {
        self.mark().is_some_and(|mark| mark.is_fleeting)
    }

    /// Opens the file of the marks, to change them.
    pub(super) fn marking(&self) -> Result<Marking, OutboxError> {
        let file = self.location.changed_beside(self.names.mark, true)?;
        let missing = || self.failed(io::ErrorKind::NotFound.into());
        Ok(Marking {
            file: file.ok_or_else(missing)?,
            run: run_of_system(),
        })
    }

    /// The next lines that were not written to the log. If there are none, empties the file and returns `None`.
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

    /// Moves the lines that were not written to the log to the front, if many bytes before them were. The file
    /// of an outbox that is never empty therefore does not grow forever. Returns the offset of the lines that
    /// were not written.
    ///
    /// A process that ends in between leaves an outbox in which some lines occur twice. Their events are in the
    /// log once.
    fn shorten(&mut self, mark: Mark, length: u64, marking: &mut Marking) -> io::Result<u64> {
        let rest = length.saturating_sub(mark.to);
        // The line of the mark must stay unchanged until the file is shortened.
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

    /// The whole lines from an offset on. The last one may have been cut off.
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

    /// All lines that were not written to the log.
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
    /// The identifier of this run of the system, if it has one.
    run: Option<String>,
}

impl Marking {
    /// True if a mark can be valid until the system restarts. Otherwise the log is flushed for each line.
    pub(super) fn can_be_fleeting(&self) -> bool {
        self.run.is_some()
    }

    /// Notes that the line at an offset was written to the log.
    pub(super) fn set(&mut self, from: u64, line: &[u8]) -> io::Result<()> {
        let (place, run) = match &self.run {
            Some(run) => (MARK as u64, run.as_str()),
            None => (0, ALWAYS),
        };
        write_mark(&mut self.file, place, from, line, run)
    }

    /// Notes that the log was flushed after the line at an offset was written to it.
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
        // There is no first mark yet, so its place is filled with spaces.
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&[b' '; MARK])?;
    }
    file.seek(SeekFrom::Start(place))?;
    file.write_all(format!("{from:020} {to:020} {hash} {run}\n").as_bytes())
}

/// The identifier of the time between two starts of the system, if the system has one.
fn run_of_system() -> Option<String> {
    let run = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let run = run.trim();
    (run.len() == ALWAYS.len()).then(|| run.to_owned())
}

/// The text that identifies a line of a session. It can't occur inside a string, because quotation marks in strings
/// are escaped.
pub(super) fn of_session(session: &SessionId) -> Vec<u8> {
    format!("\"session\":{}", serde_json::Value::from(session.as_str())).into_bytes()
}

/// Locks a file. Returns true if that was done in time.
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
