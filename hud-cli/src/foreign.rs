//! `hud import` for memory of another program, in a file or in a folder with any number of files.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use hud_agent::foreign::{self, Foreign, ForeignError};
use hud_agent::tool::Numbering;
use hud_secret::mask;
use hud_store::event::{Actor, NewEvent, SessionId};
use hud_store::log::{LogError, append_with, state_of};
use hud_store::sqlite::{Durability, SqliteLog};

use crate::app::App;
use crate::args::Import;
use crate::opened::FileOnly;
use crate::output::{self, Failure, count};

/// The maximum size of a file in bytes.
const LONGEST: u64 = 16 * 1024 * 1024;

/// The maximum number of files that are read from a folder, and the maximum depth of its subfolders.
const MOST: usize = 10_000;
const DEPTH: usize = 6;

/// Returns the files to import if the path has memory of another program, or else `None`.
pub(crate) fn files(path: &Path) -> Result<Option<Vec<PathBuf>>, Failure> {
    let failed = |error| Failure::Other(format!("{}: {error}", path.display()));
    if fs::metadata(path).map_err(failed)?.is_dir() {
        let mut files = Vec::new();
        walk(path, 0, &mut files).map_err(failed)?;
        files.sort();
        return match files.is_empty() {
            true => Err(Failure::Other(format!(
                "{}: there is no .json file in it",
                path.display()
            ))),
            false => Ok(Some(files)),
        };
    }
    let is_json = path.extension().is_some_and(|end| end == "json");
    Ok((is_json && !is_lines(path)).then(|| vec![path.to_owned()]))
}

/// True if the first line of a file is a complete JSON value that is not memory. The file is then JSON Lines.
fn is_lines(path: &Path) -> bool {
    let Ok(text) = read(path) else { return false };
    let first = text.lines().next().unwrap_or_default();
    let is_value = serde_json::from_str::<serde_json::Value>(first).is_ok();
    is_value
        && matches!(
            foreign::read(&text),
            Err(ForeignError::Json(_) | ForeignError::Unknown)
        )
}

/// Collects the JSON files in a folder. Links are not followed, so all files are inside the folder.
fn walk(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        if kind.is_dir() && depth < DEPTH {
            walk(&path, depth + 1, files)?;
        } else if kind.is_file()
            && path.extension().is_some_and(|end| end == "json")
            && files.len() < MOST
        {
            files.push(path);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    let read = file.take(LONGEST + 1).read_to_end(&mut bytes);
    if read.map_err(|error| error.to_string())? as u64 > LONGEST {
        return Err(format!("it has more than {LONGEST} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| "it is no UTF-8".to_owned())
}

/// Imports the memory in files. A file that cannot be read does not stop the others from being imported.
pub(crate) fn run(args: &Import, files: &[PathBuf], app: &App) -> Result<(), Failure> {
    let (mut known, mut wrong) = (Vec::new(), 0);
    for path in files {
        let read =
            read(path).and_then(|text| foreign::read(&text).map_err(|error| error.to_string()));
        let named = read.and_then(|memory| Ok((session(args, path, &memory)?, memory)));
        match named {
            Ok((session, memory)) => known.push((path, session, memory)),
            Err(error) => {
                wrong += 1;
                output::problem(format_args!("{}: {error}", path.display()));
            }
        }
    }
    if !known.is_empty() {
        let location = args.db.file(FileOnly::Import, app)?;
        location.prepare()?;
        let mut log = location.write(Durability::Full)?;
        for (path, session, memory) in known {
            take_over(&mut log, path, &session, &memory)?;
        }
    }
    match wrong {
        0 => Ok(()),
        wrong => Err(Failure::Other(format!(
            "{} of {} not taken over; nothing that was recorded is lost",
            wrong,
            count(files.len() as u64, "file")
        ))),
    }
}

/// Returns the session of memory. It is the requested one, or else the one that the memory names, or else the
/// name of its file.
fn session(args: &Import, path: &Path, memory: &Foreign) -> Result<SessionId, String> {
    if let Some(session) = &args.session {
        return Ok(session.clone());
    }
    let stem = path
        .file_stem()
        .map(|stem| mask(&stem.to_string_lossy()).into_owned());
    let name = memory.session.clone().or(stem).unwrap_or_default();
    SessionId::new(&name).map_err(|error| format!("{error}: name one with --session"))
}

fn take_over(
    log: &mut SqliteLog,
    path: &Path,
    session: &SessionId,
    memory: &Foreign,
) -> Result<(), Failure> {
    let before = state_of(log, session)?;
    let mut added = 0;
    let (after, _) = append_with(log, session, |state| {
        let events = memory.events(state, &mut Numbering::of(state));
        added = events.len() as u64;
        let turn = state.turn;
        let events = events
            .into_iter()
            .map(|event| NewEvent::now(turn, Actor::Agent, event));
        Ok::<_, LogError>(events.collect())
    })?;
    output::note(format_args!(
        "{}: {} recorded in the session {session}",
        path.display(),
        count(added, "event")
    ));
    for lost in memory.lost(&before, &after) {
        output::warning(format_args!("{}: left out: {lost}", path.display()));
    }
    Ok(())
}
