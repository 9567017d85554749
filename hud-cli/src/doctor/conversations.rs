//! The conversations that clients keep in their own files. If one in this project began after `hud` was installed
//! and the log has nothing of it, no hook came.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use serde_json::Value;

use crate::install::Client;

/// The number of a client's newest files that are read.
const MOST: usize = 256;

/// The largest number of bytes that are read at the beginning of a file.
const BEGINNING: u64 = 1024 * 1024;

/// A conversation in a client's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conversation {
    /// The client's name of the session.
    pub(super) session: String,
    /// The time at which the conversation began.
    pub(super) began: Timestamp,
}

/// The newest conversation of a client in one of the directories in which its model was called; `None` if there is
/// none, or if the client's files are not known.
pub(super) fn newest(client: Client, directories: &[PathBuf]) -> Option<Conversation> {
    let home = client.home().ok()?;
    let is_here = |directory: &str| directories.iter().any(|here| here == Path::new(directory));
    let found: Vec<Conversation> = match client {
        Client::Claude => {
            let folders = directories
                .iter()
                .map(|here| home.join("projects").join(folder_of(here)));
            let files = folders.flat_map(|folder| files(&folder, 0));
            newest_of(files)
                .iter()
                .filter_map(|file| claude(file))
                .collect()
        }
        Client::Codex => newest_of(files(&home.join("sessions"), 3))
            .iter()
            .filter_map(|file| codex(file, is_here))
            .collect(),
        Client::Gemini => {
            let folders = entries(&home.join("tmp")).filter(|folder| {
                let root = fs::read_to_string(folder.join(".project_root"));
                root.is_ok_and(|root| is_here(root.trim()))
            });
            let files = folders.flat_map(|folder| files(&folder.join("chats"), 0));
            newest_of(files)
                .iter()
                .filter_map(|file| gemini(file))
                .collect()
        }
        Client::Opencode | Client::Cline | Client::Goose => Vec::new(),
    };
    found.into_iter().max_by_key(|found| found.began)
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path()))
}

/// The files of JSON Lines in a folder, and in its subfolders down to the level `below`.
fn files(folder: &Path, below: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.extension().is_some_and(|end| end == "jsonl") {
            found.push(path);
        } else if below > 0 {
            found.extend(files(&path, below - 1));
        }
    }
    found
}

fn newest_of(files: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let changed = |file: PathBuf| {
        let metadata = fs::metadata(&file).ok().filter(fs::Metadata::is_file)?;
        Some((metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), file))
    };
    let mut files: Vec<_> = files.into_iter().filter_map(changed).collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    files.truncate(MOST);
    files.into_iter().map(|(_, file)| file).collect()
}

/// The lines at the beginning of a file that are valid JSON.
fn lines(file: &Path) -> impl Iterator<Item = Value> + use<> {
    let file = File::open(file).ok();
    let reader = file.map(|file| BufReader::new(file.take(BEGINNING)));
    let lines = reader
        .into_iter()
        .flat_map(|reader| reader.split(b'\n').map_while(Result::ok));
    lines.filter_map(|line| serde_json::from_slice(&line).ok())
}

fn time(value: &Value) -> Option<Timestamp> {
    value.as_str()?.parse().ok()
}

/// The name of the folder where Claude Code keeps the conversations of a directory.
fn folder_of(directory: &Path) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    directory.to_string_lossy().chars().map(plain).collect()
}

fn claude(file: &Path) -> Option<Conversation> {
    let mut began = None;
    let is_called = lines(file).any(|line| {
        began = began.or_else(|| time(&line["timestamp"]));
        line["type"] == "assistant"
    });
    Some(Conversation {
        session: file.file_stem()?.to_str().filter(|_| is_called)?.to_owned(),
        began: began?,
    })
}

fn codex(file: &Path, is_here: impl Fn(&str) -> bool) -> Option<Conversation> {
    let mut lines = lines(file);
    let first = lines.find(|line| line["type"] == "session_meta")?;
    let begun = &first["payload"];
    // The source of a sub-agent's session is not a string, because it contains the parent.
    let is_of_user = begun["source"].is_string() && is_here(begun["cwd"].as_str()?);
    Some(Conversation {
        session: begun["id"].as_str().filter(|_| is_of_user)?.to_owned(),
        began: time(&begun["timestamp"])?,
    })
}

fn gemini(file: &Path) -> Option<Conversation> {
    let mut lines = lines(file);
    let first = lines.next()?;
    let is_called = first["kind"] != "subagent" && lines.any(|line| line["type"] == "gemini");
    Some(Conversation {
        session: first["sessionId"]
            .as_str()
            .filter(|_| is_called)?
            .to_owned(),
        began: time(&first["startTime"])?,
    })
}
