//! The record of each installation, which allows a removal to restore the files byte for byte.
//!
//! The record is in the user's own folder, outside of all projects. It contains only the text of our own edits,
//! and copies nothing else from a configuration.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::edit::Splice;
use super::stage::{Target, digest, read};
use crate::output::{self, Failure};

/// The record of the changes to one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The client that the file is for.
    pub(super) client: String,
    /// The digest of the file after our last change.
    pub(super) digest: String,
    /// True if we created the file.
    pub(super) is_made: bool,
    /// The folders that were created for it, outermost first.
    pub(super) folders: Vec<PathBuf>,
    /// The containers in it that were created for our entries, such as `hooks`, and the entries that others may
    /// have too, such as a permission.
    pub(super) made: Vec<String>,
    /// The edits, in order.
    pub(super) edits: Vec<Splice>,
}

impl Record {
    /// True if a file is unchanged since our last change.
    pub(super) fn is_of(&self, bytes: &[u8]) -> bool {
        self.digest == digest(bytes)
    }
}

/// All records, by file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Records {
    #[serde(skip)]
    path: PathBuf,
    #[serde(skip)]
    before: Option<Vec<u8>>,
    /// The folders that were created for the records themselves, outermost first.
    folders: Vec<PathBuf>,
    files: BTreeMap<PathBuf, Record>,
}

impl Records {
    /// Reads the records in a folder, which may have none. `made` lists the folders that were created for it.
    pub(super) fn read(folder: &Path, made: &[PathBuf]) -> Result<Self, Failure> {
        let (path, before) = read(&folder.join("installed.json"))?;
        let mut records = match before.as_deref().map(serde_json::from_slice::<Self>) {
            Some(Ok(records)) => records,
            Some(Err(error)) => {
                let reason = "what was there before can't be read from it, and is guessed";
                output::note(format_args!("{}: {error}: {reason}", path.display()));
                Self::default()
            }
            None => Self {
                folders: made.to_owned(),
                ..Self::default()
            },
        };
        (records.path, records.before) = (path, before);
        Ok(records)
    }

    /// The folders that were created for the records themselves, outermost first.
    pub(super) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    pub(super) fn get(&self, file: &Path) -> Option<&Record> {
        self.files.get(file)
    }

    /// The files of a client.
    pub(super) fn of<'r>(&'r self, client: &'r str) -> impl Iterator<Item = &'r Path> {
        let files = self.files.iter();
        files
            .filter(move |(_, record)| record.client == client)
            .map(|(file, _)| file.as_path())
    }

    pub(super) fn set(&mut self, file: &Path, record: Option<Record>) {
        match record {
            Some(record) => self.files.insert(file.to_owned(), record),
            None => self.files.remove(file),
        };
    }

    /// The change to the file that contains the records.
    pub(super) fn into_target(self) -> Result<Target, Failure> {
        let after = match self.files.is_empty() {
            true => None,
            false => Some(serde_json::to_vec_pretty(&self).map_err(std::io::Error::from)?),
        };
        Ok(Target {
            path: self.path,
            before: self.before,
            after,
            is_program: false,
        })
    }
}
