//! Writes files as a whole, and makes them executable.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Replaces the text of a file, or creates the file. The file always has either the old text or the new text. A
/// link stays a link, and the permissions stay the same.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    if let Some(directory) = path.parent().filter(|path| !path.as_os_str().is_empty()) {
        fs::create_dir_all(directory)?;
    }
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // Another process may write the same file, so each has its own temporary file.
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let written = || {
        let mut file = File::create(&part)?;
        if let Ok(old) = fs::metadata(&path) {
            file.set_permissions(old.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&part, &path)
    };
    written().inspect_err(|_| drop(fs::remove_file(&part)))
}

/// Allows everyone who can read a file to execute it, on systems with such permissions.
pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        let mode = fs::metadata(path)?.permissions().mode();
        let readers = mode & 0o444;
        fs::set_permissions(path, fs::Permissions::from_mode(mode | readers >> 2))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
