//! Files and directories that only their owner can read.
//!
//! What agents do, and what their tools said, is private on a shared machine. What
//! this crate makes has no more permissions than that, whatever the umask; where permissions are
//! not something that a file system has, nothing is changed.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a new file that only its owner can read and write (mode 0600).
///
/// # Errors
/// As [`File::create_new`]: [`io::ErrorKind::AlreadyExists`] when there is something at the path,
/// also a link that leads nowhere.
pub fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a directory that only its owner can enter (mode 0700), and those above it that are missing
/// in the same way. One that exists is left as it is.
///
/// # Errors
/// As [`fs::create_dir_all`].
pub fn create_dir_all(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Takes from a file or a directory what others than its owner may do with it, and says whether that
/// was anything. What its owner may do stays as it is, and so does what is not the owner's to change.
///
/// # Errors
/// When there is nothing at the path, or its permissions can't be read.
pub fn narrow(path: &Path) -> io::Result<bool> {
    narrow_by(&fs::metadata(path)?, |permissions| {
        fs::set_permissions(path, permissions)
    })
}

/// As [`narrow`], of a file that is open: one that a shell made for our output.
///
/// # Errors
/// When its permissions can't be read.
pub fn narrow_open(file: &File) -> io::Result<bool> {
    narrow_by(&file.metadata()?, |permissions| {
        file.set_permissions(permissions)
    })
}

fn narrow_by(
    metadata: &fs::Metadata,
    set: impl FnOnce(fs::Permissions) -> io::Result<()>,
) -> io::Result<bool> {
    if !is_open(metadata) {
        return Ok(false);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        let mode = metadata.permissions().mode();
        match set(fs::Permissions::from_mode(mode & 0o7700)) {
            Ok(()) => Ok(true),
            // Another's file, shared on purpose: it is for its owner to decide.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(false),
            Err(error) => Err(error),
        }
    }
    #[cfg(not(unix))]
    {
        let _ = set;
        Ok(false)
    }
}

/// Whether others than its owner may do anything with a file or a directory.
pub fn is_open(metadata: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        metadata.permissions().mode() & 0o077 != 0
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}
