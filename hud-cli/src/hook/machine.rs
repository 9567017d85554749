//! The machine that a hook runs on, as clients' dialects see it.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use hud_agent::client::{Host, Source};

/// How much of a transcript is its beginning.
const BEGINNING: u64 = 1024 * 1024;

/// This machine.
#[derive(Debug)]
pub(super) struct Machine;

impl Host for Machine {
    fn open(&self, path: &Path) -> Option<Box<dyn Source>> {
        Some(Box::new(opened(path)?))
    }

    fn variable(&self, name: &str) -> Option<PathBuf> {
        let path = std::env::var_os(name).filter(|path| !path.is_empty());
        path.map(PathBuf::from)
    }

    fn home(&self) -> Option<PathBuf> {
        std::env::home_dir()
    }
}

/// The text at the beginning of a file; nothing if it cannot be read.
pub(super) fn beginning(path: &Path) -> String {
    let mut bytes = Vec::new();
    if let Some(file) = opened(path) {
        // What was read before a fault is a beginning as well.
        let _ = file.take(BEGINNING).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn opened(path: &Path) -> Option<File> {
    // Asked before the file is opened: a pipe would wait for somebody to write.
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    File::open(path).ok()
}
