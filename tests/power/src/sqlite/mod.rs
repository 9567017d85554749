//! Disks as SQLite reaches them: a VFS that is the default of the process.

mod io;
mod vfs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::disk::Disk;

/// The disks that there are, by the name of their directory.
static DISKS: Mutex<BTreeMap<String, Disk>> = Mutex::new(BTreeMap::new());

fn disks() -> MutexGuard<'static, BTreeMap<String, Disk>> {
    DISKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The disk of a path, and the file's name on it.
fn resolve(path: &str) -> Option<(Disk, &str)> {
    let (directory, name) = path.rsplit_once('/')?;
    Some((disks().get(directory)?.clone(), name))
}

/// A disk that SQLite can reach, for as long as this value lives.
#[derive(Debug)]
pub struct Mounted {
    directory: String,
    disk: Disk,
}

impl Mounted {
    /// Mounts a disk under a directory of its own. There is none of that name on real disks, so
    /// that whoever looks there finds nothing.
    pub fn new(disk: Disk) -> Self {
        vfs::register();
        let mut disks = disks();
        let number = disks
            .last_key_value()
            .and_then(|(last, _)| last.rsplit('.').next()?.parse::<u64>().ok())
            .map_or(0, |last| last + 1);
        let directory = format!("hud-power-disk.{number:020}");
        disks.insert(directory.clone(), disk.clone());
        Self { directory, disk }
    }

    /// The disk.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Where the log is.
    pub fn path(&self) -> PathBuf {
        Path::new(&format!("{}/hud.db", self.directory)).to_owned()
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        disks().remove(&self.directory);
    }
}
