//! The files in the agent's recent context.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::{fitting, newest};
use super::{Bearing, Happened, Item, Pace, Relation, Section, Taking};
use crate::event::Clip;
use crate::state::Change;

/// How many files are kept.
pub const FILES_CAP: usize = 15;

/// How many of them may be removed ones.
pub const REMOVED_FILES_CAP: usize = 6;

/// How many names are kept of what was changed in a file.
pub const CHANGED_NAMES_CAP: usize = 4;

crate::events! {@built_in
    /// What happens to files.
    pub enum FileEvent {
        /// a file was read.
        "file.open" 1 Open(
            /// A file was read.
            FileOpen {
                /// As the client names it.
                path: String,
                /// The lines that were read, where it was not all of it.
                #[serde(skip_serializing_if = "Option::is_none")]
                lines: Option<Lines>,
            }
        ) item path,
        /// a file was written.
        "file.edit" 1 Edit(
            /// A file was written.
            FileEdit {
                /// As the client names it.
                path: String,
                /// What the new text names that the old one did not: functions, types, constants, keys.
                #[serde(default, skip_serializing_if = "Vec::is_empty")]
                names: Vec<String>,
                /// The lines that were changed, as they are counted afterwards.
                #[serde(skip_serializing_if = "Option::is_none")]
                lines: Option<Lines>,
                /// Whether there was no such file before.
                #[serde(default, skip_serializing_if = "std::ops::Not::not")]
                created: bool,
                /// The removed and the added lines, each after its `-` or `+`, as far as they are known and matter.
                #[serde(skip_serializing_if = "Option::is_none")]
                diff: Option<String>,
            }
        ) item path,
        /// a file has another name from then on.
        "file.move" 1 Move(
            /// A file was moved.
            FileMove {
                /// As it was called.
                path: String,
                /// As it is called from then on.
                to: String,
            }
        ) item path,
        /// a file was removed.
        "file.delete" 1 Delete(
            /// A file was removed.
            FileDelete {
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

impl FileEvent {
    /// Whether files are others than before.
    pub const fn is_change(&self) -> bool {
        matches!(self, Self::Edit(_) | Self::Move(_) | Self::Delete(_))
    }
}

impl FileOpen {
    /// That a file was read, and not which part of it.
    pub fn of(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            lines: None,
        }
    }
}

impl FileEdit {
    /// That a file was written, and not what was changed in it.
    pub fn of(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            names: Vec::new(),
            lines: None,
            created: false,
            diff: None,
        }
    }
}

/// Lines of a file, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lines {
    /// The first one.
    pub first: u64,
    /// The last one.
    pub last: u64,
}

impl Clip for Lines {}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first == self.last {
            true => write!(f, "{}", self.first),
            false => write!(f, "{}-{}", self.first, self.last),
        }
    }
}

/// A file in the agent's recent context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActiveFile {
    /// As the client names it.
    pub path: String,
    /// What the agent does with it.
    pub status: FileStatus,
    /// When it was last read or written.
    pub last_accessed: Timestamp,
    /// The turn of that access.
    pub turn: u64,
    /// What its new text names that the old one did not, newest first; at most [`CHANGED_NAMES_CAP`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The lines that were changed last, or read last where none were changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
    /// Whether the agent made it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub created: bool,
    /// Its name before it was moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

impl ActiveFile {
    /// A file of which no more is known than what the agent does with it, and since when.
    pub fn new(
        path: impl Into<String>,
        status: FileStatus,
        last_accessed: Timestamp,
        turn: u64,
    ) -> Self {
        Self {
            path: path.into(),
            status,
            last_accessed,
            turn,
            names: Vec::new(),
            lines: None,
            created: false,
            was: None,
        }
    }
}

/// What the agent does with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// Read in the turn of the latest file event.
    Reading,
    /// Written at least once since it became active.
    Editing,
    /// Read in an earlier turn.
    Referenced,
    /// Removed.
    Deleted,
}

impl FileStatus {
    /// The status in a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Editing => "editing",
            Self::Referenced => "referenced",
            Self::Deleted => "deleted",
        }
    }

    /// Whether the file is as it is because of the session.
    pub const fn is_change(self) -> bool {
        matches!(self, Self::Editing | Self::Deleted)
    }
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
                    file.lines = e.lines;
                }
                self.push(file);
            }
            FileEvent::Edit(e) => {
                let mut file = take(self, &e.path, when);
                file.created |= e.created && file.status != FileStatus::Deleted;
                file.status = FileStatus::Editing;
                file.lines = e.lines;
                let known = std::mem::take(&mut file.names);
                file.names = e.names.clone();
                file.names
                    .extend(known.into_iter().filter(|name| !e.names.contains(name)));
                file.names.truncate(CHANGED_NAMES_CAP);
                self.push(file);
            }
            FileEvent::Move(e) => {
                self.retain(|file| file.path != e.to);
                let mut file = take(self, &e.path, when);
                // What is moved away and back is where it was.
                let was = file.was.take().unwrap_or_else(|| e.path.clone());
                file.was = Some(was).filter(|was| *was != e.to && !file.created);
                file.path = e.to.clone();
                file.status = FileStatus::Editing;
                self.push(file);
            }
            FileEvent::Delete(e) => {
                let file = take(self, &e.path, when);
                let path = file.was.unwrap_or(file.path);
                self.push(ActiveFile::new(
                    path,
                    FileStatus::Deleted,
                    when.at,
                    when.turn,
                ));
                let deleted = |file: &ActiveFile| file.status == FileStatus::Deleted;
                if self.iter().filter(|file| deleted(file)).count() > REMOVED_FILES_CAP
                    && let Some(oldest) = self.iter().position(deleted)
                {
                    self.remove(oldest);
                }
            }
            FileEvent::Close(e) => {
                self.retain(|file| file.path != e.path);
                demote(self, when.turn);
            }
        }
    }

    fn items(&self) -> Vec<Item> {
        let said = |file: &ActiveFile| Item::named(&file.path, file.status.word());
        self.iter().map(said).collect()
    }

    fn bearings(&self) -> Vec<Bearing> {
        let each = self.iter().map(|file| file.turn);
        each.map(Bearing::holds).collect()
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
        let is_there = |file: &&ActiveFile| file.status != FileStatus::Deleted;
        let past: Vec<ActiveFile> = self.iter().filter(is_there).cloned().collect();
        let taken = fitting(&past, own, FILES_CAP, same);
        // The session's own were touched since.
        let own = own.iter().filter(|_| !taken.is_empty());
        let event = |file: &ActiveFile| match file.status {
            FileStatus::Deleted => FileDelete {
                path: file.path.clone(),
            }
            .into(),
            _ => FileOpen::of(&file.path).into(),
        };
        taken.iter().copied().chain(own).map(event).collect()
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
        let spare = files.iter().position(|file| !file.status.is_change());
        files.remove(spare.unwrap_or(0));
    }
    match known {
        Some(file) => ActiveFile {
            last_accessed: when.at,
            turn: when.turn,
            ..file
        },
        None => ActiveFile::new(path, FileStatus::Reading, when.at, when.turn),
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
