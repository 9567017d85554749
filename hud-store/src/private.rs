//! Files and directories that only their owner can read.
//!
//! The actions of agents and the outputs of their tools are private on a shared machine. The files that this crate
//! creates are open to their owner only, whatever the umask. On a file system without permissions nothing is changed.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates a new file that only its owner can read and write (mode 0600).
///
/// # Errors
/// Like [`File::create_new`]: [`io::ErrorKind::AlreadyExists`] if the path exists, also if it is a dangling link.
pub fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Creates a directory that only its owner can enter (mode 0700), and its missing parents in the same way. An
/// existing directory is not changed.
///
/// # Errors
/// Like [`fs::create_dir_all`].
pub fn create_dir_all(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Removes the permissions of group and others from a file or a directory, and returns true if there were any. The
/// owner's permissions stay. A file that belongs to another user is not changed.
///
/// # Errors
/// If the path does not exist, or its permissions can't be read.
pub fn narrow(path: &Path) -> io::Result<bool> {
    narrow_by(&fs::metadata(path)?, |permissions| {
        fs::set_permissions(path, permissions)
    })
}

/// Does the same as [`narrow`] to an open file, such as one that a shell created for our output.
///
/// # Errors
/// If its permissions can't be read.
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
            // Another user's file is shared on purpose, and only its owner decides on its permissions.
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

/// True if group or others have any permission on a file or a directory.
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
