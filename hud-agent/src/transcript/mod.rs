//! Recorded sessions: what an agent and its user did, read from a client's own files.
//!
//! [`Transcript::open`] tells the format by the file's content, and [`Transcript::read`] gives
//! its [`Record`]s in the order of time. Readers stream: a session takes the memory of its longest
//! line (Claude Code) or of its longest message (SWE-agent), whatever its length.
//!
//! What a client may write is passed over and counted in the [`Summary`]: types of lines that are
//! not known, lines of sub-agents, a last line that is still being written. What no client writes
//! is an error that names its place. An error can come after records: take them back if they are
//! of no use without the rest.
//!
//! ```no_run
//! use hud_agent::transcript::{Record, Transcript, TranscriptError};
//!
//! let transcript = Transcript::open("session.jsonl")?;
//! let mut calls = 0;
//! let summary = transcript.read(&mut |entry| {
//!     calls += u64::from(matches!(entry.record, Record::ToolCall(_)));
//!     Ok::<_, TranscriptError>(())
//! })?;
//! println!("{calls} tool calls on {} lines", summary.lines);
//! # Ok::<(), TranscriptError>(())
//! ```

mod claude_code;
mod content;
mod error;
mod record;
mod swe_agent;

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

pub use error::TranscriptError;
pub use record::{Entry, Record, Summary};

/// How a session was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Claude Code's log: a JSON object on each line.
    ClaudeCode,
    /// A SWE-agent trajectory: one JSON document.
    SweAgent,
}

/// A recorded session, opened and recognised.
#[derive(Debug)]
pub struct Transcript {
    path: PathBuf,
    format: Format,
    file: BufReader<File>,
    bytes: u64,
}

/// How much of a file is looked at to tell its format. The buffer of the reader, so that
/// nothing is read twice.
const LOOKED_AT: usize = 64 * 1024;

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// No session has longer lines or messages: reading on would only take memory.
const LONGEST: u64 = 64 * 1024 * 1024;

impl Transcript {
    /// Opens a file and tells its format by its first bytes.
    ///
    /// # Errors
    ///
    /// [`TranscriptError::Open`] if it cannot be read, [`TranscriptError::Directory`],
    /// [`TranscriptError::Empty`], and [`TranscriptError::Foreign`] if it is no session.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TranscriptError> {
        let path = path.as_ref().to_owned();
        let open = |source| TranscriptError::Open {
            path: path.clone(),
            source,
        };
        // Asked before the file is opened: a pipe would wait for somebody to write.
        let metadata = fs::metadata(&path).map_err(open)?;
        if metadata.is_dir() {
            return Err(TranscriptError::Directory { path });
        }
        if !metadata.is_file() {
            let found = "a device or a pipe: save it in a file first";
            return Err(TranscriptError::Foreign { path, found });
        }
        let file = File::open(&path).map_err(open)?;
        let mut file = BufReader::with_capacity(LOOKED_AT, file);
        // Editors of some systems put a byte order mark before what they save.
        if file.fill_buf().map_err(open)?.starts_with(BYTE_ORDER_MARK) {
            file.consume(BYTE_ORDER_MARK.len());
        }
        let format = format_of(file.fill_buf().map_err(open)?).map_err(|found| match found {
            None => TranscriptError::Empty { path: path.clone() },
            Some(found) => TranscriptError::Foreign {
                path: path.clone(),
                found,
            },
        })?;
        Ok(Self {
            path,
            format,
            file,
            bytes: metadata.len(),
        })
    }

    /// How the session was recorded.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The file's size in bytes, against which [`Entry::bytes`] tells the progress.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The file's name without its extension.
    fn name(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// The session's own name, read from as much of the file as it takes; else the file's name.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open) and [`read`](Self::read).
    pub fn session_name(path: impl AsRef<Path>) -> Result<String, TranscriptError> {
        let transcript = Self::open(path)?;
        let name = transcript.name();
        match transcript.read(&mut |entry| match entry.record {
            Record::Session { id } => Err(Named::Found(id)),
            _ => Ok(()),
        }) {
            Err(Named::Found(id)) => Ok(id),
            Err(Named::Failed(error)) => Err(error),
            Ok(_) => Ok(name),
        }
    }

    /// The records at the end of Claude Code's log, which may still be written to: those of the whole
    /// lines in its last `longest` bytes. Lines that cannot be read are passed over. Other formats have
    /// no end before they are whole.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and [`TranscriptError::Read`] if the file cannot be read on.
    pub fn end(path: impl AsRef<Path>, longest: u64) -> Result<Vec<Entry>, TranscriptError> {
        let Self {
            path,
            format,
            file,
            bytes,
        } = Self::open(path)?;
        match format {
            Format::ClaudeCode => claude_code::end(&path, file, bytes.saturating_sub(longest)),
            Format::SweAgent => Ok(Vec::new()),
        }
    }

    /// Gives each record to `sink`, in the order of time, until it fails.
    ///
    /// A last line without a line ending that is no JSON is skipped and reported, since a session
    /// that is still going on looks like that; so are lines of a type that is not known.
    ///
    /// # Errors
    ///
    /// What `sink` returns; [`TranscriptError::Read`] if the file cannot be read on,
    /// [`TranscriptError::Foreign`] if it is no session after all, and [`TranscriptError::Line`]
    /// or [`TranscriptError::Document`] if a part of it is damaged.
    pub fn read<E: From<TranscriptError>>(
        self,
        sink: &mut dyn FnMut(Entry) -> Result<(), E>,
    ) -> Result<Summary, E> {
        match self.format {
            Format::ClaudeCode => claude_code::read(&self.path, self.file, sink),
            Format::SweAgent => swe_agent::read(&self.path, self.file, sink),
        }
    }
}

/// Why the search for a session's name ends early.
enum Named {
    Found(String),
    Failed(TranscriptError),
}

impl From<TranscriptError> for Named {
    fn from(error: TranscriptError) -> Self {
        Self::Failed(error)
    }
}

/// The format of a file that begins with these bytes, or what it seems to be instead; nothing
/// where there is nothing.
fn format_of(start: &[u8]) -> Result<Format, Option<&'static str>> {
    let text = start.trim_ascii_start();
    if text.is_empty() {
        return Err(None);
    }
    if start.starts_with(b"SQLite format 3\0") {
        return Err(Some(
            "an SQLite database: show a log with `hud render --db`",
        ));
    }
    // A session may have zeros further on, where a crash left a hole: that is a damaged line.
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or(text);
    if first.contains(&0) {
        return Err(Some("a binary file"));
    }
    let Some(object) = text.strip_prefix(b"{") else {
        return Err(Some("text of another kind"));
    };
    let key = object
        .trim_ascii_start()
        .strip_prefix(b"\"")
        .unwrap_or_default();
    let is_swe_agent = swe_agent::KEYS.iter().any(|known| {
        key.strip_prefix(known.as_bytes())
            .is_some_and(|rest| rest.starts_with(b"\""))
    });
    Ok(if is_swe_agent {
        Format::SweAgent
    } else {
        Format::ClaudeCode
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_told_by_the_first_key() {
        assert_eq!(format_of(b"{\"type\":\"user\"}"), Ok(Format::ClaudeCode));
        assert_eq!(format_of(b" {\n  \"history\": ["), Ok(Format::SweAgent));
        assert_eq!(format_of(b"\n \n"), Err(None));
        assert!(format_of(b"# Notes").is_err());
        assert!(format_of(b"\x7fELF\0").is_err());
    }
}
