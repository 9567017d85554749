//! The project that a directory is in, and the user's folders for state and configuration.

use std::fs;
use std::path::{Path, PathBuf};

use super::LocationError;

/// The folder that marks the root of a project without a repository. It may contain settings, but no state.
pub(crate) const MARK: &str = ".hud";

/// The root of the project that a directory is in: the nearest folder that is marked as one, or else the directory
/// itself. A folder in a project belongs to that project.
pub(crate) fn root_of(directory: &Path) -> &Path {
    let mut roots = directory.ancestors();
    roots.find(|folder| is_project(folder)).unwrap_or(directory)
}

/// True if a folder contains all projects of a user, even if it is marked.
pub(super) fn is_everything(folder: &Path) -> bool {
    let home = std::env::home_dir();
    folder.parent().is_none() || home.is_some_and(|home| canonical(&home) == folder)
}

/// A path with its links resolved, if that is possible.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// True if a folder is marked as the root of a project by its owner or by this user. In a folder that many may
/// write, others could otherwise join unrelated projects.
pub(super) fn is_project(folder: &Path) -> bool {
    if is_everything(folder) {
        return false;
    }
    [MARK, ".git"].into_iter().any(|mark| {
        let found = fs::symlink_metadata(folder.join(mark));
        found.is_ok_and(|found| (mark != MARK || found.is_dir()) && is_of_owner(&found, folder))
    })
}

/// True if the user that runs this program owns a file.
#[cfg(unix)]
pub(crate) fn is_ours(file: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    file.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
pub(crate) fn is_ours(_: &fs::Metadata) -> bool {
    true
}

#[cfg(unix)]
fn is_of_owner(mark: &fs::Metadata, folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    is_ours(mark) || fs::metadata(folder).is_ok_and(|folder| folder.uid() == mark.uid())
}

#[cfg(not(unix))]
fn is_of_owner(_: &fs::Metadata, _: &Path) -> bool {
    true
}

/// The name of a project's folder. It is readable and unique to the project.
pub(super) fn folder_name(root: &Path) -> String {
    /// The number of characters that are used of the project's own name.
    const LONG: usize = 40;
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name
        .trim_start_matches('.')
        .chars()
        .take(LONG)
        .map(|c| match c {
            c if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') => c,
            _ => '-',
        })
        .collect();
    let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
    let hash: String = hash.chars().take(16).collect();
    match name.is_empty() {
        true => hash,
        false => format!("{name}-{hash}"),
    }
}

/// The user's folder for state.
pub(super) fn state_home() -> Result<PathBuf, LocationError> {
    home_of("XDG_STATE_HOME", "LOCALAPPDATA", ".local/state").ok_or(LocationError::NoHome)
}

/// The user's folder for configuration, if there is a home directory.
pub(crate) fn config_home() -> Option<PathBuf> {
    home_of("XDG_CONFIG_HOME", "APPDATA", ".config")
}

/// The user's folder that an environment variable names, or else the system's default for it.
fn home_of(named: &str, windows: &str, folder: &str) -> Option<PathBuf> {
    let variable = |name| {
        let path = std::env::var_os(name).map(PathBuf::from);
        // A relative path does not identify a folder of the user.
        path.filter(|path| path.is_absolute())
    };
    if let Some(path) = variable(named) {
        return Some(path);
    }
    if cfg!(windows)
        && let Some(path) = variable(windows)
    {
        return Some(path);
    }
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    Some(home?.join(match cfg!(target_os = "macos") {
        true => "Library/Application Support",
        false => folder,
    }))
}
