//! The memory of a hang. If the log's disk did not answer a hook in time, each later hook would wait as long again,
//! and so would the user in each turn. A mark outside of that disk makes later hooks return at once, until the log
//! is tried again.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::time::Duration;

use crate::args::Db;
use crate::location::is_ours;

/// The time after which a log that did not answer is tried again.
pub(super) const PAUSE: Duration = Duration::from_secs(30);

/// The mark of a log that did not answer.
#[derive(Clone, Debug)]
pub(super) struct Hang {
    mark: PathBuf,
}

impl Hang {
    /// The mark for hooks with these arguments in this directory. The path of the log is not used, because finding it
    /// may hang too.
    pub(super) fn of(db: &Db) -> Self {
        let directory = std::env::current_dir().ok();
        let place = format!("{:?} in {directory:?}", db.named());
        let key = blake3::hash(place.as_bytes()).to_hex();
        Self {
            mark: local().join(format!("hud-hang-{}", key.get(..16).unwrap_or(&key))),
        }
    }

    /// True if the log did not answer a short time ago.
    pub(super) fn is_recent(&self) -> bool {
        // Links are not followed, because others may write in the folder.
        let found = fs::symlink_metadata(&self.mark).ok();
        let found = found.filter(|mark| mark.is_file() && is_ours(mark));
        let age = found.and_then(|mark| mark.modified().ok()?.elapsed().ok());
        age.is_some_and(|age| age < PAUSE)
    }

    /// Notes that the log did not answer.
    pub(super) fn note(&self) {
        self.forget();
        // The file is always created, so that nobody else's file is written to. Without a mark the next hook
        // waits too.
        let _ = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&self.mark);
    }

    /// Notes that the log answers.
    pub(super) fn forget(&self) {
        // Nearly always there is no mark.
        let _ = fs::remove_file(&self.mark);
    }
}

/// The folder for files that last no longer than the user's session. It is on a disk of this machine.
fn local() -> PathBuf {
    let given = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let given = given.filter(|folder| folder.is_absolute() && folder.is_dir());
    given.unwrap_or_else(std::env::temp_dir)
}
