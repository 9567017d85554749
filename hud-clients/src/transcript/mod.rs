//! Recorded sessions: the observations of an agent and its user, read from a client's own files.
//!
//! [`Transcript::open`] recognises the [client](Client) by the file's content. [`Transcript::read`]
//! returns the recorded [`Observation`]s, ordered by time. Readers stream: a session needs only the
//! memory of its longest line or message.
//!
//! Everything that can be read is read. The rest is passed over and counted in the [`Summary`]: unknown
//! types of lines, lines of sub-agents, a last line that is still being written, records that are cut
//! off. A file of which nothing can be read is an error. An error can also follow entries; the caller
//! undoes these if they are useless without the rest.
//!
//! ```no_run
//! use hud_observe::observation::Observation;
//! use hud_clients::transcript::{Transcript, TranscriptError};
//!
//! let transcript = Transcript::open("session.jsonl")?;
//! let mut calls = 0;
//! let summary = transcript.read(&mut |entry| {
//!     calls += u64::from(matches!(entry.observation, Observation::ToolCall { .. }));
//!     Ok::<_, TranscriptError>(())
//! })?;
//! println!("{calls} tool calls on {} lines", summary.lines);
//! # Ok::<(), TranscriptError>(())
//! ```

pub(crate) mod content;
mod entry;
mod error;
pub(crate) mod whole;

use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub use entry::name_of;
pub use entry::{Entry, Summary};
pub use error::TranscriptError;
use hud_observe::observation::Observation;
use hud_secret::mask;

use crate::{CLIENTS, Client};

/// A recorded session, opened and recognised.
pub struct Transcript {
    path: PathBuf,
    client: &'static dyn Client,
    file: BufReader<Box<dyn Read>>,
    bytes: u64,
    conversation: u64,
}

/// The number of bytes that are examined to recognise the client. It is the size of the reader's buffer,
/// so that nothing is read twice.
const LOOKED_AT: usize = 64 * 1024;

/// U+FEFF in UTF-8.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The maximum length of a line or message in bytes. No session has longer ones, and reading them would
/// only use memory.
pub(crate) const LONGEST: u64 = 64 * 1024 * 1024;

impl fmt::Debug for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transcript")
            .field("path", &self.path)
            .field("client", &self.client)
            .finish_non_exhaustive()
    }
}

impl Transcript {
    /// Opens a session file, or the folder in which a client stores a session, and recognises the
    /// client. A file is recognised by its first bytes.
    ///
    /// # Errors
    ///
    /// [`TranscriptError::Open`] if it cannot be read, [`TranscriptError::Directory`],
    /// [`TranscriptError::Empty`], and [`TranscriptError::Foreign`] if it is not a session.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TranscriptError> {
        let path = path.as_ref().to_owned();
        let open = |source| TranscriptError::Open {
            path: path.clone(),
            source,
        };
        // Checked before the file is opened, because opening a pipe would block.
        let metadata = fs::metadata(&path).map_err(open)?;
        if metadata.is_dir() {
            return Self::open_folder(path);
        }
        if !metadata.is_file() {
            let found = "a device or a pipe: save it in a file first";
            return Err(TranscriptError::Foreign { path, found });
        }
        let file: Box<dyn Read> = Box::new(File::open(&path).map_err(open)?);
        let mut file = BufReader::with_capacity(LOOKED_AT, file);
        // Some editors put a byte order mark at the beginning of a file.
        if file.fill_buf().map_err(open)?.starts_with(BYTE_ORDER_MARK) {
            file.consume(BYTE_ORDER_MARK.len());
        }
        let client = client_of(file.fill_buf().map_err(open)?).map_err(|found| match found {
            None => TranscriptError::Empty { path: path.clone() },
            Some(found) => TranscriptError::Foreign {
                path: path.clone(),
                found,
            },
        })?;
        Ok(Self {
            path,
            client,
            file,
            bytes: metadata.len(),
            conversation: 1,
        })
    }

    /// Opens the folder in which a client stores a session.
    fn open_folder(path: PathBuf) -> Result<Self, TranscriptError> {
        let mut opened = CLIENTS
            .iter()
            .filter_map(|client| Some((*client, client.open_folder(&path)?)));
        let Some((client, file)) = opened.next() else {
            return Err(TranscriptError::Directory { path });
        };
        match file {
            Ok(file) => Ok(Self {
                path,
                client,
                file: BufReader::with_capacity(LOOKED_AT, file),
                bytes: 0,
                conversation: 1,
            }),
            Err(source) => Err(TranscriptError::Open { path, source }),
        }
    }

    /// Selects another conversation of a file that has several, given its number, counted from 1. The
    /// default is the first. [`read`](Self::read) fails if the file has no such conversation.
    #[must_use]
    pub fn conversation(self, number: u64) -> Self {
        Self {
            conversation: number,
            ..self
        }
    }

    /// Returns the client that recorded the session.
    pub const fn client(&self) -> &'static dyn Client {
        self.client
    }

    /// Returns the file's size in bytes, of which [`Entry::bytes`] are read. 0 for a folder.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the file's name without its extension.
    fn name(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// Returns the session's own name, or else the file's name. Reads only as much of the file as is
    /// needed.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open) and [`read`](Self::read).
    pub fn session_name(path: impl AsRef<Path>) -> Result<String, TranscriptError> {
        Self::open(path)?.into_session_name()
    }

    /// Returns the same name of an open session.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn into_session_name(self) -> Result<String, TranscriptError> {
        Ok(self.read_beginning(false)?.session)
    }

    /// Returns the name and the directory of the session. Reads only as much of the file as is needed.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn into_beginning(self) -> Result<Beginning, TranscriptError> {
        self.read_beginning(true)
    }

    fn read_beginning(self, has_directory: bool) -> Result<Beginning, TranscriptError> {
        let name = self.name();
        let (mut named, mut directory) = (None, None);
        self.read_while(&mut |entry| match entry.observation {
            Observation::Session { name } => {
                named.get_or_insert(name);
                is_enough(directory.is_some() || !has_directory)
            }
            Observation::Directory { path } => {
                directory.get_or_insert(PathBuf::from(path));
                is_enough(named.is_some())
            }
            // Both are known before the first tool call.
            Observation::ToolCall { .. } => is_enough(has_directory),
            _ => is_enough(false),
        })?;
        Ok(Beginning {
            // The name is recorded with each event.
            session: mask(&named.unwrap_or(name)).into_owned(),
            directory,
        })
    }

    /// Passes each entry to `sink`, ordered by time, until `sink` fails.
    ///
    /// A last line that has no line ending and is not JSON is skipped and reported, because an active
    /// session may end so. Lines of unknown types are skipped and reported too.
    ///
    /// # Errors
    ///
    /// The error of `sink`; [`TranscriptError::Read`] if reading the file fails,
    /// [`TranscriptError::Foreign`] if it is not a session after all, and [`TranscriptError::Line`] or
    /// [`TranscriptError::Document`] if a part of it is damaged.
    pub fn read<E: From<TranscriptError>>(
        self,
        sink: &mut dyn FnMut(Entry) -> Result<(), E>,
    ) -> Result<Summary, E> {
        let mut outcome = Ok(());
        let read = self.read_while(&mut |entry| match sink(entry) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                outcome = Err(error);
                ControlFlow::Break(())
            }
        });
        outcome?;
        Ok(read?)
    }

    /// Passes each entry to `sink`, until `sink` breaks.
    fn read_while(
        mut self,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        self.client
            .read_conversation(self.conversation, &self.path, &mut self.file, sink)
    }
}

const fn is_enough(is: bool) -> ControlFlow<()> {
    match is {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

/// The name and directory of a recorded session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// Its own name, or else the name of the file.
    pub session: String,
    /// The directory that the agent works in, if the client recorded it.
    pub directory: Option<PathBuf>,
}

/// Returns the client whose transcripts begin with these bytes. The error has the probable type of the
/// file, or `None` if the file is empty.
fn client_of(start: &[u8]) -> Result<&'static dyn Client, Option<&'static str>> {
    let text = start.trim_ascii_start();
    if text.is_empty() {
        return Err(None);
    }
    if start.starts_with(b"SQLite format 3\0") {
        let of_client = CLIENTS.iter().find_map(|client| client.database(start));
        let log = "an SQLite database: show a log with `render --db`";
        return Err(Some(of_client.unwrap_or(log)));
    }
    if start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF") {
        return Err(Some("text in UTF-16: save it as UTF-8"));
    }
    // A session may contain zeros later, where a crash left a hole. That is a damaged line.
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or(text);
    if first.contains(&0) {
        return Err(Some("a binary file"));
    }
    let mut known = CLIENTS.iter().copied();
    known
        .find(|client| client.recognises(start))
        .ok_or(Some("text of another kind"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_of_the_client_whose_keys_it_has() {
        for (start, name) in [
            (
                r#"{"sessionId":"s","projectHash":"h","messages":[{"type":"user"}]}"#,
                "gemini",
            ),
            (r#"[{"role":"user","parts":[{"text":"x"}]}]"#, "gemini"),
            (
                r#"{"info":{"id":"ses_1"},"messages":[{"info":{"role":"user"},"parts":[]}]}"#,
                "opencode",
            ),
            (
                r#"{"info":{"exit_status":"Submitted"},"messages":[{"role":"user","content":"x"}]}"#,
                "mini-swe-agent",
            ),
            (
                r#"{"timestamp":"x","type":"session_meta","payload":{}}"#,
                "codex",
            ),
            (
                r#"{"type":"x.y","data":{},"id":"i","timestamp":"x","parentId":null}"#,
                "copilot",
            ),
            (
                r#"{"type":"session","id":"i","timestamp":"x","cwd":"/p"}"#,
                "pi",
            ),
            (r#"{"sessionId":"s","agent":"lead","messages":[]}"#, "cline"),
            (r#"{"values":{"messages":[]},"next":[]}"#, "chat"),
            (r#"[{"type":"function_call","call_id":"c"}]"#, "chat"),
        ] {
            assert_eq!(
                client_of(start.as_bytes()).map(Client::name),
                Ok(name),
                "{start}"
            );
        }
        assert!(
            client_of(b"\xFF\xFE{\0")
                .err()
                .flatten()
                .is_some_and(|found| found.contains("UTF-16"))
        );
    }

    #[test]
    fn the_client_is_recognised_by_the_first_key() {
        let name = |start: &[u8]| client_of(start).map(Client::name);
        assert_eq!(name(b"{\"type\":\"user\"}"), Ok("claude-code"));
        assert_eq!(name(b" {\n  \"history\": ["), Ok("swe-agent"));
        assert_eq!(name(b"\n \n"), Err(None));
        assert_eq!(name(b"[{\"role\": \"user\", \"content\": \""), Ok("chat"));
        assert!(name(b"# Notes").is_err());
        assert!(name(b"\x7fELF\0").is_err());
    }
}
