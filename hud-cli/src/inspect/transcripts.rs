//! What was said in the sessions of a log: it is in the transcripts that clients write, which are found by the session's
//! name, or named by the user.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use hud_clients::transcript::{Transcript, TranscriptError};
use hud_inspect::model::Conversation;
use hud_store::event::SessionId;

use crate::install::Client;

/// The clients whose names of sessions are those of the log, with where their transcripts are: the folder, how many folders
/// there are down from it, and what a file's name begins with.
const CLIENTS: [(Client, &str, usize, &str); 2] = [
    (Client::Claude, "projects", 1, ""),
    (Client::Codex, "sessions", 3, "rollout-"),
];

/// The transcripts at hand, and the one that was read last.
pub(super) struct Transcripts {
    /// The one that the user named, with its session.
    named: Option<(SessionId, PathBuf)>,
    /// Which conversation of it.
    number: u64,
    last: Mutex<Option<Last>>,
}

struct Last {
    file: PathBuf,
    state: State,
    conversation: Arc<Conversation>,
}

/// How much was written to a file, and when.
type State = (u64, Option<SystemTime>);

impl Transcripts {
    pub(super) const fn new(named: Option<(SessionId, PathBuf)>, number: u64) -> Self {
        Self {
            named,
            number,
            last: Mutex::new(None),
        }
    }

    /// What was said in a session, as far as its client has written it; nothing where no transcript is found.
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

/// The transcript of a session where its client has those.
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

/// A file by its name, some folders down.
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
