//! The machine that a hook runs on, as the dialects of clients access it.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use hud_clients::{Host, Source};

/// The size of the beginning of a transcript, in bytes.
const BEGINNING: u64 = 1024 * 1024;

/// This machine.
#[derive(Debug)]
pub(crate) struct Machine;

impl Host for Machine {
    fn open(&self, path: &Path) -> Option<Box<dyn Source>> {
        Some(Box::new(opened(path)?))
    }

    fn open_below(&self, folder: &Path, names: &[&str]) -> Option<Box<dyn Source>> {
        let mut path = folder.to_owned();
        for name in names {
            path.push(name);
            if fs::symlink_metadata(&path).ok()?.is_symlink() {
                return None;
            }
        }
        self.open(&path)
    }

    fn variable(&self, name: &str) -> Option<PathBuf> {
        let path = std::env::var_os(name).filter(|path| !path.is_empty());
        path.map(PathBuf::from)
    }

    fn home(&self) -> Option<PathBuf> {
        std::env::home_dir()
    }
}

/// The text at the beginning of a file; empty if the file can't be read.
pub(super) fn beginning(path: &Path) -> String {
    let mut bytes = Vec::new();
    if let Some(file) = opened(path) {
        // The text that was read before an error is a beginning too.
        let _ = file.take(BEGINNING).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn opened(path: &Path) -> Option<File> {
    // The check comes before the file is opened, because opening a pipe would wait for a writer.
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    File::open(path).ok()
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_below_a_folder_is_opened_and_no_link_out_of_it() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("root");
        fs::create_dir_all(root.join("a")).unwrap();
        fs::create_dir(place.path().join("out")).unwrap();
        for file in ["root/a/kept", "out/secret"] {
            fs::write(place.path().join(file), "x").unwrap();
        }
        symlink(place.path().join("out"), root.join("b")).unwrap();
        symlink(place.path().join("out/secret"), root.join("a/secret")).unwrap();
        let opens = |names: &[&str]| Machine.open_below(&root, names).is_some();
        assert!(opens(&["a", "kept"]));
        for names in [["b", "secret"], ["a", "secret"], ["a", "none"]] {
            assert!(!opens(&names), "{names:?}");
        }
        assert!(!opens(&["a"]), "a folder is no file");
    }
}
