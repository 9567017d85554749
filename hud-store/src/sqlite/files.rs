//! The files of a log: their types and permissions.

use std::ffi::OsStr;
use std::fs::{self, File, FileType};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::log::LogError;
use crate::private;

/// The suffixes of the files that SQLite keeps next to a log, while it is in use or after a crash.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The path with a suffix.
pub(super) fn beside(path: &Path, end: impl AsRef<OsStr>) -> PathBuf {
    let mut file = path.as_os_str().to_owned();
    file.push(end);
    file.into()
}

/// Refuses a path that is not a file, before anything opens it. Opening a pipe would wait for a writer, and a device
/// has no end. The files next to a log must not lead SQLite to other files.
pub(super) fn refuse_others(path: &Path) -> Result<(), LogError> {
    match fs::metadata(path) {
        Ok(file) if file.is_dir() => return Err(LogError::Directory { path: path.into() }),
        Ok(file) if !file.is_file() => {
            return Err(LogError::NotAFile {
                path: path.into(),
                what: name(file.file_type()),
            });
        }
        _ => {}
    }
    // SQLite keeps them next to the target of a link.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    for end in BESIDE {
        let path = beside(&place, end);
        let Ok(file) = fs::symlink_metadata(&path) else {
            continue;
        };
        if !file.is_file() {
            let what = name(file.file_type());
            return Err(LogError::Beside { path, what });
        }
        if end == "-journal" && names_another_file(&path).unwrap_or(false) {
            let what = "a journal that names another file";
            return Err(LogError::Beside { path, what });
        }
    }
    Ok(())
}

/// True if a rollback journal ends with the name of a file that SQLite would delete on a rollback. Only a transaction
/// over several databases has one, and ours never is.
fn names_another_file(journal: &Path) -> io::Result<bool> {
    const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    let mut end = [0; MAGIC.len()];
    let mut file = File::open(journal)?;
    if file.metadata()?.len() < end.len() as u64 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-(end.len() as i64)))?;
    file.read_exact(&mut end)?;
    Ok(end == MAGIC)
}

fn name(file: FileType) -> &'static str {
    if file.is_symlink() {
        return "a link";
    }
    if file.is_dir() {
        return "a directory";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;

        if file.is_fifo() {
            return "a pipe";
        }
        if file.is_socket() {
            return "a socket";
        }
        if file.is_char_device() || file.is_block_device() {
            return "a device";
        }
    }
    "no file"
}

/// Creates an empty file that only its owner can read, unless the path exists. If that fails, SQLite creates the file
/// or reports the error.
pub(super) fn make(path: &Path) {
    if fs::symlink_metadata(path).is_ok() {
        return;
    }
    // The file is linked after it is closed. On POSIX, closing a file drops the locks of every connection that this
    // process has to it, and another thread may have opened one already.
    let new = new_beside(path);
    if private::create_new(&new).is_ok() {
        let _ = fs::hard_link(&new, path);
        let _ = fs::remove_file(&new);
    }
}

/// A path next to another that nobody else uses.
pub(super) fn new_beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    beside(path, format!(".{}-{number}.part", std::process::id()))
}

/// The minimum age of a part file that counts as left by a killed process. A new one may not be locked yet.
const STALE: Duration = Duration::from_secs(60);

/// Removes the files that killed copies left in a folder, for a file of that name or for all files. Returns their
/// paths.
pub(super) fn sweep_parts(folder: &Path, name: Option<&OsStr>) -> Vec<PathBuf> {
    let mut removed = Vec::new();
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let Ok(entries) = fs::read_dir(folder) else {
        return removed;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_part = entry
            .file_name()
            .to_str()
            .is_some_and(|file| is_part(file, name));
        if is_part && is_stale(&path) {
            for end in ["-journal", "-wal", "-shm", ""] {
                let path = beside(&path, end);
                if fs::remove_file(&path).is_ok() {
                    removed.push(path);
                }
            }
        }
    }
    removed
}

/// True if a file has a name as [`new_beside`] makes it.
fn is_part(file: &str, name: Option<&OsStr>) -> bool {
    let Some((whole, part)) = file
        .strip_suffix(".part")
        .and_then(|file| file.rsplit_once('.'))
    else {
        return false;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Files that are written whole have the process id alone in their names.
    let is_ours = match part.split_once('-') {
        Some((process, number)) => is_number(process) && is_number(number),
        None => is_number(part),
    };
    is_ours && name.is_none_or(|name| name == whole)
}

fn is_stale(path: &Path) -> bool {
    let Ok(found) = fs::symlink_metadata(path) else {
        return false;
    };
    let age = found.modified().ok().and_then(|at| at.elapsed().ok());
    if !found.is_file() || age.is_none_or(|age| age < STALE) {
        return false;
    }
    // A running copy has the file locked.
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// Removes the permissions of group and others from the files of a log. Returns the files that had any.
pub(super) fn narrow(path: &Path) -> Result<Vec<PathBuf>, LogError> {
    let mut narrowed = Vec::new();
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    for end in ["", "-wal", "-shm"] {
        let path = beside(&place, end);
        match private::narrow(&path) {
            Ok(true) => narrowed.push(path),
            Ok(false) => {}
            // The last process to close a log removes these files.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                let source = error.into();
                return Err(LogError::CannotOpen { path, source });
            }
        }
    }
    Ok(narrowed)
}
