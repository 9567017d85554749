//! Erases data permanently, for `hud redact` and `hud sessions --delete`. The outbox is written to the log
//! first, so that its data can be erased there. Afterwards the files are searched for remains.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hud_store::event::SessionId;
use hud_store::sqlite::{Remains, SqliteLog, Words};

use crate::deadline::Until;
use crate::hook;
use crate::location::Location;
use crate::outbox::{self, Pace};
use crate::output::{self, Failure, count};
use crate::tie::Ties;

/// The time limit for writing the outbox to the log.
const PATIENCE: Duration = Duration::from_secs(30);

/// Writes the outbox to the log, and removes leftover files of programs that were killed.
pub(crate) fn prepare(location: &Location) {
    match outbox::write_out(location, Until::after(PATIENCE), Pace::Patient) {
        Ok(written) if written.is_all => {}
        Ok(_) => output::note(
            "some reports wait in the outbox still: what is erased here may be in them, and is looked for below",
        ),
        Err(error) => output::problem(error),
    }
    for path in SqliteLog::sweep_parts(&folder(location), None) {
        output::note(format_args!(
            "{}: removed, a program that was killed had left it",
            path.display()
        ));
    }
}

/// Removes a deleted session from the data that hooks and servers keep next to the log.
pub(crate) fn forget(location: &Location, session: &SessionId) {
    hook::forget(location, session);
    if let Err(error) = Ties::forget(location, session) {
        output::problem(error);
    }
}

/// Removes the file of the HUD next to the log, searches all files there for the words, and reports the result.
/// The log must not be open.
pub(crate) fn finish(location: &Location, words: &Words, lingers: bool) -> Result<(), Failure> {
    match location.remove_frame() {
        Ok(true) => output::note(format_args!(
            "{}: removed, the next turn writes it again",
            location.frame().display()
        )),
        Ok(false) => {}
        Err(error) => output::problem(error),
    }
    let files = files(location);
    let remains = words.in_files(&files)?;
    if remains.is_empty() {
        output::note(format_args!(
            "nothing of it is left in the log or in the {} beside it",
            count(files.len().saturating_sub(1) as u64, "file")
        ));
        return Ok(());
    }
    for Remains { path, at, count } in &remains {
        output::note(format_args!(
            "{}: has words of it still, in {}{count} places, the first at byte {at}",
            path.display(),
            if *count >= 1000 { "at least " } else { "" },
        ));
    }
    let is_of_log = remains
        .iter()
        .any(|remains| is_log(location, &remains.path));
    Err(Failure::Other(match is_of_log {
        true if lingers => "old pages are in the files of the log still, as somebody reads or writes it, or there is \
                            no room to write it anew: do the same again when nobody does"
            .to_owned(),
        _ => "the files above have words of it still: remove those that are copies, and do the same again".to_owned(),
    }))
}

/// True if a file is the log, or one of the files that SQLite keeps next to it.
fn is_log(location: &Location, path: &Path) -> bool {
    let log = location.log().as_os_str().as_encoded_bytes();
    let path = path.as_os_str().as_encoded_bytes();
    let end = path.strip_prefix(log);
    end.is_some_and(|end| [&b""[..], b"-wal", b"-shm", b"-journal"].contains(&end))
}

/// The folder of the log.
fn folder(location: &Location) -> PathBuf {
    match location.log().parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Returns the log, all files next to it whose names begin with its name, and the file of the HUD.
fn files(location: &Location) -> Vec<PathBuf> {
    let mut files = vec![location.log().to_owned()];
    let log = location.log().file_name().map(OsString::from);
    let log = log.unwrap_or_default();
    let frame = location.frame();
    let Ok(entries) = fs::read_dir(folder(location)) else {
        return files;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_beside = name != log
            && (name.as_encoded_bytes().starts_with(log.as_encoded_bytes())
                || Some(name.as_os_str()) == frame.file_name());
        if is_beside && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            files.push(entry.path());
        }
    }
    files
}
