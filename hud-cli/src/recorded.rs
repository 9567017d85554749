//! The recordings of clients on this machine. `hud sessions --recorded` lists them, and `hud import --all`
//! imports those of a project.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_clients::transcript::{Beginning, Transcript, TranscriptError};
use hud_clients::{CLIENTS, Kept};
use hud_store::event::{EventId, SessionId};
use hud_store::log::{Log, leave_snapshots};
use hud_store::sqlite::{Durability, SqliteLog};
use jiff::Timestamp;
use serde::Serialize;

use crate::app::App;
use crate::args::{Import, Sessions};
use crate::hook::Machine;
use crate::location::{canonical, is_ours, root_of};
use crate::log::time;
use crate::opened::FileOnly;
use crate::output::{self, Failure, Output, count};
use crate::passed_over;
use crate::replay;

/// The maximum number of recordings.
const MOST: usize = 100_000;

/// A recording of a client.
struct Recording {
    client: &'static str,
    path: PathBuf,
    metadata: fs::Metadata,
}

impl Recording {
    /// The time of its last change.
    fn changed(&self) -> Option<Timestamp> {
        self.metadata.modified().ok()?.try_into().ok()
    }

    /// The size in bytes. For a folder, it is the size of its files.
    fn bytes(&self) -> u64 {
        if !self.metadata.is_dir() {
            return self.metadata.len();
        }
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let sizes = entries.filter_map(|entry| Some(entry.metadata().ok()?.len()));
        sizes.sum()
    }
}

/// A recording in the JSON output.
#[derive(Serialize)]
struct JsonRecording<'r> {
    client: &'r str,
    session: Option<&'r str>,
    directory: Option<&'r Path>,
    changed: Option<String>,
    bytes: u64,
    path: &'r Path,
}

/// Lists the recordings by client. The newest recording of a client is the last.
pub(crate) fn list(args: &Sessions) -> Result<(), Failure> {
    let project = current_project();
    let mut output = Output::new();
    let mut client = "";
    for recording in recordings(&project) {
        let beginning = beginning(&recording.path, 1).ok();
        let directory = beginning
            .as_ref()
            .and_then(|found| found.directory.as_deref());
        let changed = recording.changed();
        if args.json {
            output.json(&JsonRecording {
                client: recording.client,
                session: beginning.as_ref().map(|found| &*found.session),
                directory,
                changed: changed.map(|changed| changed.to_string()),
                bytes: recording.bytes(),
                path: &recording.path,
            })?;
            continue;
        }
        if std::mem::replace(&mut client, recording.client) != recording.client {
            output.text(client)?;
        }
        output.text(&format!(
            "  {}  {:>9}  {}  {}",
            changed.map_or_else(|| "-".to_owned(), time),
            output::size(recording.bytes()),
            directory.map_or_else(|| "-".to_owned(), |path| path.display().to_string()),
            recording.path.display()
        ))?;
    }
    if client.is_empty() && !args.json {
        output::note("no client has a recording on this machine");
    }
    Ok(output.flush()?)
}

/// Imports the recordings of the project into its log.
pub(crate) fn import(args: &Import, app: &App) -> Result<(), Failure> {
    let project = current_project();
    let setup = app.setup(Path::new("."))?;
    let mut found = Vec::new();
    for recording in recordings(&project) {
        for conversation in 1.. {
            match beginning(&recording.path, conversation) {
                Ok(beginning) if is_of(&project, &recording, &beginning) => found.push(Found {
                    path: recording.path.clone(),
                    conversation,
                    session: beginning.session,
                }),
                Ok(_) => {}
                Err(TranscriptError::NoConversation { .. }) if conversation > 1 => break,
                // Nothing was said in this one; others may follow.
                Err(error @ TranscriptError::Unread { .. }) => skip(&error),
                // A recording that cannot be read does not stop the others from being imported.
                Err(error) => {
                    skip(&error);
                    break;
                }
            }
        }
    }
    if found.is_empty() {
        output::note(format_args!(
            "{}: no client has a recording of this project; list all with `hud sessions --recorded`",
            project.display()
        ));
        return Ok(());
    }
    let location = args.db.file(FileOnly::Import, app)?;
    location.prepare()?;
    let mut log = location.write(Durability::Full)?;
    let mut sum = Imported::default();
    for found in &found {
        sum.take(&mut log, &setup, found)?;
    }
    if sum.events > 0 {
        // A log that cannot be folded yet reports it when it is shown.
        let _ = leave_snapshots(&log);
    }
    output::note(format_args!(
        "{}: {} imported with {}, {} there already",
        location.log().display(),
        count(sum.added, "session"),
        count(sum.events, "new event"),
        count(sum.known, "session"),
    ));
    match sum.failed {
        0 => Ok(()),
        failed => Err(Failure::Other(format!(
            "{} could not be imported: see above",
            count(failed, "recording")
        ))),
    }
}

fn skip(error: &TranscriptError) {
    output::note(format_args!("{error}: skipped"));
}

/// A conversation of a recording that is to be imported.
struct Found {
    path: PathBuf,
    conversation: u64,
    session: String,
}

impl Found {
    fn open(&self) -> Result<Transcript, TranscriptError> {
        Ok(Transcript::open(&self.path)?.conversation(self.conversation))
    }

    /// Returns the first event of the conversation.
    fn first_event(&self, session: &SessionId, setup: &Setup) -> Option<EventId> {
        let mut replay = Replay::new(session.clone()).with(setup);
        let mut first = None;
        let read = self.open().ok()?.read(&mut |entry| {
            first = replay
                .observe(entry)
                .into_iter()
                .next()
                .map(|event| event.id);
            match first {
                // Only the first one matters.
                Some(_) => Err(None),
                None => Ok(()),
            }
        });
        let _: Result<_, Option<TranscriptError>> = read;
        first
    }
}

/// The numbers of sessions and events of an import.
#[derive(Default)]
struct Imported {
    added: u64,
    known: u64,
    failed: u64,
    events: u64,
}

impl Imported {
    fn take(&mut self, log: &mut SqliteLog, setup: &Setup, found: &Found) -> Result<(), Failure> {
        let session = match SessionId::new(found.session.clone()) {
            Ok(session) => session,
            Err(error) => {
                let path = found.path.display();
                let reason = format!("{path}: the name of the session {error}");
                self.fail(&Failure::Other(reason));
                return Ok(());
            }
        };
        if let Some(first) = first_event(log, &session)?
            && Some(first) != found.first_event(&session, setup)
        {
            // The events of this session were recorded while it ran.
            self.known += 1;
            return Ok(());
        }
        let imported = found.open().map_err(Failure::from).and_then(|transcript| {
            replay::append(log, &session, setup, transcript, &mut |_, _| {})
        });
        match imported {
            Ok((appended, figures)) => {
                let new = figures.events.saturating_sub(appended.duplicates);
                match new {
                    0 => self.known += 1,
                    _ => self.added += 1,
                }
                self.events += new;
                passed_over::note(&found.path, &figures.read);
            }
            Err(error) => self.fail(&error),
        }
        Ok(())
    }

    fn fail(&mut self, error: &Failure) {
        self.failed += 1;
        output::problem(error);
    }
}

/// The first event of a session in a log.
fn first_event(log: &SqliteLog, session: &SessionId) -> Result<Option<EventId>, Failure> {
    let mut first = None;
    log.read(session, 1, &mut |event| {
        first = Some(event.id);
        ControlFlow::Break(())
    })?;
    Ok(first)
}

/// True if a recording belongs to a project. Its directory is in the project, or it is in the project's root
/// folder.
fn is_of(project: &Path, recording: &Recording, beginning: &Beginning) -> bool {
    match &beginning.directory {
        Some(directory) => root_of(&canonical(directory)) == project,
        None => recording.path.parent() == Some(project),
    }
}

/// Returns the root of the project in the working directory, or else that directory.
fn current_project() -> PathBuf {
    root_of(&canonical(Path::new("."))).to_owned()
}

fn beginning(path: &Path, conversation: u64) -> Result<Beginning, TranscriptError> {
    Transcript::open(path)?
        .conversation(conversation)
        .into_beginning()
}

/// Returns the recordings by client. Those of a client are in the order of their last change.
fn recordings(project: &Path) -> Vec<Recording> {
    let mut recordings = Vec::new();
    for client in CLIENTS {
        let mut of_client = Vec::new();
        for Kept { folder, names } in client.kept(&Machine, project) {
            walk(&folder, names, &mut |path, metadata| {
                if recordings.len() + of_client.len() < MOST {
                    of_client.push(Recording {
                        client: client.name(),
                        path,
                        metadata,
                    });
                }
            });
        }
        of_client.sort_by_cached_key(|found| (found.changed(), found.path.clone()));
        recordings.append(&mut of_client);
    }
    recordings
}

/// Calls `each` with the files and folders below a folder whose names match. Files of other users are skipped,
/// and links are not followed.
fn walk(folder: &Path, names: &[&str], each: &mut dyn FnMut(PathBuf, fs::Metadata)) {
    let Some((name, rest)) = names.split_first() else {
        return;
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let is_named = entry
            .file_name()
            .to_str()
            .is_some_and(|found| Kept::is_name(name, found));
        // This is the metadata of the entry, and not of the target of a link.
        let metadata = entry.metadata().ok().filter(|_| is_named);
        match metadata.filter(is_ours) {
            Some(metadata) if metadata.is_symlink() => {}
            Some(metadata) if rest.is_empty() => each(entry.path(), metadata),
            Some(metadata) if metadata.is_dir() => walk(&entry.path(), rest, each),
            _ => {}
        }
    }
}
