//! The conversations of a log's sessions. They are in the transcripts of clients, which are found by the name
//! of the session or named by the user.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use hud_clients::transcript::{Transcript, TranscriptError};
use hud_inspect::model::Conversation;
use hud_store::event::SessionId;

use crate::install::Client;

/// The clients that have the same session names as the log. Each entry has the folder of the transcripts, the
/// number of folder levels below it, and the prefix of the file names.
const CLIENTS: [(Client, &str, usize, &str); 2] = [
    (Client::Claude, "projects", 1, ""),
    (Client::Codex, "sessions", 3, "rollout-"),
];

/// The available transcripts, and the one that was read last.
pub(super) struct Transcripts {
    /// The transcript that the user named, with its session.
    named: Option<(SessionId, PathBuf)>,
    /// The number of the conversation in that transcript.
    number: u64,
    last: Mutex<Option<Last>>,
}

struct Last {
    file: PathBuf,
    state: State,
    conversation: Arc<Conversation>,
}

/// The length of a file and the time of its last change.
type State = (u64, Option<SystemTime>);

impl Transcripts {
    pub(super) const fn new(named: Option<(SessionId, PathBuf)>, number: u64) -> Self {
        Self {
            named,
            number,
            last: Mutex::new(None),
        }
    }

    /// Returns the conversation of a session so far, or `None` if no transcript is found.
    pub(super) fn of(&self, session: &SessionId) -> Result<Option<Arc<Conversation>>, String> {
        let named = self.named.as_ref().filter(|(of, _)| of == session);
        let (file, number) = match named {
            Some((_, file)) => (file.clone(), self.number),
            None => match found(session.as_str()) {
                Some(file) => (file, 1),
                None => return Ok(None),
            },
        };
        let about = fs::metadata(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let state = (about.len(), about.modified().ok());
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |last: &&Last| last.file == file && last.state == state;
        if let Some(last) = last.as_ref().filter(is_same) {
            return Ok(Some(Arc::clone(&last.conversation)));
        }
        let read = read(&file, number).map_err(|error| error.to_string())?;
        let conversation = Arc::new(read);
        *last = Some(Last {
            file,
            state,
            conversation: Arc::clone(&conversation),
        });
        Ok(Some(conversation))
    }
}

fn read(file: &Path, number: u64) -> Result<Conversation, TranscriptError> {
    let mut conversation = Conversation::default();
    let transcript = Transcript::open(file)?.conversation(number);
    transcript.read(&mut |entry| {
        conversation.take(&entry, 0);
        Ok::<(), TranscriptError>(())
    })?;
    Ok(conversation)
}

/// Returns the transcript of a session in the folder of its client.
fn found(session: &str) -> Option<PathBuf> {
    CLIENTS.iter().find_map(|(client, folder, depth, begins)| {
        let root = client.home().ok()?.join(folder);
        let is_it = |name: &str| {
            let name = name.strip_suffix(".jsonl");
            let before = name.and_then(|name| name.strip_suffix(session));
            before.is_some_and(|before| match *begins {
                "" => before.is_empty(),
                begins => before.starts_with(begins) && before.ends_with('-'),
            })
        };
        within(&root, *depth, &is_it)
    })
}

/// Returns a file by its name, at a depth below a folder.
fn within(folder: &Path, depth: usize, is_it: &dyn Fn(&str) -> bool) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let mut paths = entries.map(|entry| entry.path());
    match depth.checked_sub(1) {
        Some(depth) => paths.find_map(|path| within(&path, depth, is_it)),
        None => paths.find(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(is_it) && path.is_file()
        }),
    }
}
