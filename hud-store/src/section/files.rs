//! The files in the agent's recent context.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::{fitting, newest};
use super::{Happened, Item, Pace, Relation, Section, Taking};
use crate::state::Change;

/// How many files are kept.
pub const FILES_CAP: usize = 15;

crate::events! {@built_in
    /// What happens to files.
    pub enum FileEvent {
        /// a file was read.
        "file.open" 1 Open(
            /// A file was read.
            FileOpen {
                /// As the client names it.
                path: String,
            }
        ) item path,
        /// a file was written.
        "file.edit" 1 Edit(
            /// A file was written.
            FileEdit {
                /// As the client names it.
                path: String,
            }
        ) item path,
        /// a file fell out of the recent context.
        "file.close" 1 Close(
            /// A file is no longer of interest.
            FileClose {
                /// As the client names it.
                path: String,
            }
        ) item path,
    }
}

/// A file in the agent's recent context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActiveFile {
    /// As the client names it.
    pub path: String,
    /// What the agent does with it.
    pub status: FileStatus,
    /// When it was last read or written.
    pub last_accessed: Timestamp,
    /// The turn of that access.
    pub turn: u64,
}

/// What the agent does with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// Read in the turn of the latest file event.
    Reading,
    /// Written at least once since it became active.
    Editing,
    /// Read in an earlier turn.
    Referenced,
}

/// The section: files, least recently touched first; at most [`FILES_CAP`].
pub type ActiveFiles = Vec<ActiveFile>;

impl Section for ActiveFiles {
    const NAME: &'static str = "active_files";
    const ITEM: &'static str = "file";
    const PACE: Pace = Pace::Working;
    type Event = FileEvent;

    fn apply(&mut self, event: &FileEvent, when: &Happened<'_>) {
        match event {
            // One that is being edited stays so: reading it back is part of editing.
            FileEvent::Open(e) => {
                let mut file = take(self, &e.path, when);
                if file.status != FileStatus::Editing {
                    file.status = FileStatus::Reading;
                }
                self.push(file);
            }
            FileEvent::Edit(e) => {
                let mut file = take(self, &e.path, when);
                file.status = FileStatus::Editing;
                self.push(file);
            }
            FileEvent::Close(e) => {
                self.retain(|file| file.path != e.path);
                demote(self, when.turn);
            }
        }
    }

    fn items(&self) -> Vec<Item> {
        let said = |file: &ActiveFile| {
            let status = match file.status {
                FileStatus::Reading => "reading",
                FileStatus::Editing => "editing",
                FileStatus::Referenced => "referenced",
            };
            Item::named(&file.path, status)
        };
        self.iter().map(said).collect()
    }

    /// That a file which was shown is no longer read is no news.
    fn is_news(&self, change: &Change) -> bool {
        let file = self.iter().find(|file| file.path == change.id);
        let is_over = file.is_some_and(|file| file.status == FileStatus::Referenced);
        change.before.is_none() || !is_over
    }

    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<FileEvent> {
        if taking.relation() == Relation::Parent {
            return Vec::new();
        }
        let same = |one: &ActiveFile, other: &ActiveFile| one.path == other.path;
        let taken = fitting(self, own, FILES_CAP, same);
        // The session's own were touched since.
        let own = own.iter().filter(|_| !taken.is_empty());
        let open = |file: &ActiveFile| {
            let path = file.path.clone();
            FileOpen { path }.into()
        };
        taken.iter().copied().chain(own).map(open).collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(self, FILES_CAP);
    }
}

/// Takes the file out of the list, touched now, or makes it; leaves room to put it at the end.
fn take(files: &mut ActiveFiles, path: &str, when: &Happened<'_>) -> ActiveFile {
    demote(files, when.turn);
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
        status: known.map_or(FileStatus::Reading, |file| file.status),
        last_accessed: when.at,
        turn: when.turn,
    }
}

/// What was read in an earlier turn is no longer being read.
fn demote(files: &mut [ActiveFile], turn: u64) {
    for file in files {
        if file.status == FileStatus::Reading && file.turn < turn {
            file.status = FileStatus::Referenced;
        }
    }
}
