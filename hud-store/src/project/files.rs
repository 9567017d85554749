//! The active files section.

use crate::state::{ActiveFile, FileStatus, Touch};

/// How many files are kept.
pub const FILES_CAP: usize = 15;

/// A file was read. One that is being edited stays so: reading it back is part of editing.
pub(super) fn open(files: &mut Vec<ActiveFile>, path: &str, now: Touch) -> bool {
    let mut file = take(files, path, now);
    if file.status != FileStatus::Editing {
        file.status = FileStatus::Reading;
    }
    files.push(file);
    true
}

/// A file was written.
pub(super) fn edit(files: &mut Vec<ActiveFile>, path: &str, now: Touch) -> bool {
    let mut file = take(files, path, now);
    file.status = FileStatus::Editing;
    file.edits = file.edits.saturating_add(1);
    files.push(file);
    true
}

/// A file is no longer of interest.
pub(super) fn close(files: &mut Vec<ActiveFile>, path: &str, now: Touch) -> bool {
    let before = files.len();
    files.retain(|file| file.path != path);
    demote(files, now.turn) || files.len() != before
}

/// Takes the file out of the list, touched now, or makes it; leaves room to put it at the end.
fn take(files: &mut Vec<ActiveFile>, path: &str, now: Touch) -> ActiveFile {
    demote(files, now.turn);
    let known = files.iter().position(|file| file.path == path);
    let known = known.map(|at| files.remove(at));
    while files.len() >= FILES_CAP {
        let spare = files
            .iter()
            .position(|file| file.status != FileStatus::Editing);
        files.remove(spare.unwrap_or(0));
    }
    ActiveFile {
        path: path.to_owned(),
        status: known
            .as_ref()
            .map_or(FileStatus::Reading, |file| file.status),
        last_accessed: now.at,
        turn: now.turn,
        edits: known.map_or(0, |file| file.edits),
    }
}

/// What was read in an earlier turn is no longer being read.
fn demote(files: &mut [ActiveFile], turn: u64) -> bool {
    let mut any = false;
    for file in files {
        if file.status == FileStatus::Reading && file.turn < turn {
            file.status = FileStatus::Referenced;
            any = true;
        }
    }
    any
}
