//! Recorded sessions: what an agent and its user did, read from a client's own files.
//!
//! [`Transcript::open`] recognises the [client](Client) by the file's content, and [`Transcript::read`] gives
//! what it wrote down as [`Observation`]s, in the order of time. Readers stream: a session takes the memory of its longest
//! line (Claude Code) or of its longest message (SWE-agent, goose, chats), whatever its length.
//!
//! Whatever can be read is read, and the rest is passed over and counted in the [`Summary`]: types of lines
//! that are not known, lines of sub-agents, a last line that is still being written, records that are cut off. A file
//! of which nothing can be read is an error. An error can come after entries: take them back if they are of no
//! use without the rest.
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

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub use entry::name_of;
pub use entry::{Entry, Summary};
pub use error::TranscriptError;
use hud_observe::observation::Observation;
use hud_secret::mask;

use crate::{CLIENTS, Client, first_keys};

/// A recorded session, opened and recognised.
#[derive(Debug)]
pub struct Transcript {
    path: PathBuf,
    client: &'static dyn Client,
    file: BufReader<File>,
    bytes: u64,
    conversation: u64,
}

/// How much of a file is looked at to recognise whose it is. The buffer of the reader, so that
/// nothing is read twice.
const LOOKED_AT: usize = 64 * 1024;

/// U+FEFF in UTF-8.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// No session has longer lines or messages: reading on would only take memory.
pub(crate) const LONGEST: u64 = 64 * 1024 * 1024;

impl Transcript {
    /// Opens a file and recognises whose it is by its first bytes.
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

    /// Takes another conversation of a file that has several, by its number from 1 on; without, it is the
    /// first. That there is none is known once it is read.
    #[must_use]
    pub fn conversation(self, number: u64) -> Self {
        Self {
            conversation: number,
            ..self
        }
    }

    /// The client that recorded the session.
    pub const fn client(&self) -> &'static dyn Client {
        self.client
    }

    /// The file's size in bytes: [`Entry::bytes`] of it are read.
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
        Self::open(path)?.into_session_name()
    }

    /// The same of a session that is open.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn into_session_name(self) -> Result<String, TranscriptError> {
        let name = self.name();
        let mut named = None;
        self.read_while(&mut |entry| match entry.observation {
            Observation::Session { name } => {
                named = Some(name);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        })?;
        // It is recorded with each event.
        Ok(mask(&named.unwrap_or(name)).into_owned())
    }

    /// Gives each entry to `sink`, in the order of time, until it fails.
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

    /// Gives each entry to `sink`, until it breaks.
    fn read_while(
        mut self,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        self.client
            .read_conversation(self.conversation, &self.path, &mut self.file, sink)
    }
}

/// The client whose transcripts begin with these bytes, or what the file seems to be instead; nothing
/// where it is empty.
fn client_of(start: &[u8]) -> Result<&'static dyn Client, Option<&'static str>> {
    let text = start.trim_ascii_start();
    if text.is_empty() {
        return Err(None);
    }
    if start.starts_with(b"SQLite format 3\0") {
        return Err(Some("an SQLite database: show a log with `render --db`"));
    }
    if start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF") {
        return Err(Some("text in UTF-16: save it as UTF-8"));
    }
    // A session may have zeros further on, where a crash left a hole: that is a damaged line.
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or(text);
    if first.contains(&0) {
        return Err(Some("a binary file"));
    }
    if let Some(found) = unread(start) {
        return Err(Some(found));
    }
    let mut known = CLIENTS.iter().copied();
    known
        .find(|client| client.recognises(start))
        .ok_or(Some("text of another kind"))
}

/// The record of a client or of an agent that is known and not read. Of some, an object with `messages` would be taken
/// for a chat in which nobody says anything, or in which programs do.
fn unread(start: &[u8]) -> Option<&'static str> {
    let keys = first_keys(start);
    let has = |name: &str| keys.iter().any(|key| key == name);
    let says = |text: &str| memchr::memmem::find(start, text.as_bytes()).is_some();
    if has("projectHash") || (has("$set") && says("\"messages\"")) {
        return Some("a chat of Gemini CLI, which is not read yet");
    }
    if has("payload") && has("timestamp") && has("type") {
        return Some("a rollout of Codex, which is not read yet");
    }
    if has("info") && !has("history") && !has("trajectory") {
        let is_mini = [
            "\"exit_status\"",
            "\"mini_version\"",
            "\"model_stats\"",
            "mini-swe-agent",
        ];
        return match has("messages") || has("trajectory_format") {
            _ if is_mini.into_iter().any(says) => {
                Some("a trajectory of mini-swe-agent, which is not read yet")
            }
            true if says("\"parts\"") => Some("an export of opencode, which is not read yet"),
            _ => None,
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_and_not_read_is_refused_by_its_name() {
        for (start, name) in [
            (
                r#"{"sessionId":"s","projectHash":"h","messages":[{"type":"user"}]}"#,
                "Gemini CLI",
            ),
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
                "Codex",
            ),
        ] {
            let found = client_of(start.as_bytes())
                .err()
                .flatten()
                .unwrap_or_default();
            assert!(found.contains(name), "{start}: {found}");
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
