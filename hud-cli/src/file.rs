//! Files that are written as a whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Puts a text in the place of a file, which may be new: whatever happens, it is the old one or the
/// new one. A link stays a link, and what may be done with the file stays as it is.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    if let Some(directory) = path.parent().filter(|path| !path.as_os_str().is_empty()) {
        fs::create_dir_all(directory)?;
    }
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // Another process may write the same file.
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

/// Lets whoever may read a file run it, where that is something that a file says.
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
