//! The file of a scored session.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use tempfile::TempDir;

use super::Outcome;

/// A recorded session on disk. If only a gzipped file exists, this holds a temporary plain copy.
pub(super) struct SessionFile {
    path: PathBuf,
    /// Removes the copy when dropped.
    _copy: Option<TempDir>,
}

impl SessionFile {
    /// Opens the session of that name in a directory, or of that name followed by `.gz`.
    pub(super) fn open(sessions: &Path, name: &str) -> Outcome<Self> {
        let path = sessions.join(name);
        let packed = sessions.join(format!("{name}.gz"));
        if path.exists() || !packed.exists() {
            return Ok(Self { path, _copy: None });
        }
        let failed = |error: io::Error| format!("{}: {error}", packed.display());
        let copy = tempfile::tempdir()?;
        // The name of a session comes from its file name.
        let path = copy
            .path()
            .join(path.file_name().ok_or("a session without a name")?);
        let mut reader = MultiGzDecoder::new(File::open(&packed).map_err(failed)?);
        io::copy(&mut reader, &mut fs::File::create(&path)?).map_err(failed)?;
        Ok(Self {
            path,
            _copy: Some(copy),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
