//! A folder that is opened once. Its files are then accessed by their names in it, and no link is followed.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use super::system::{self, Found, Kind};

/// The reason why a file or a folder is not used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Distrust {
    #[error("{} is a link, and links are not followed here: move it away, or give the path that it \
             leads to", .0.display())]
    Link(PathBuf),
    #[error("{} is no regular file: move it away, or give another path", .0.display())]
    NoFile(PathBuf),
    #[error("{} is no folder: move it away, or give another path", .0.display())]
    NoFolder(PathBuf),
    #[error("{} belongs to another user, who could change it: use a copy, or another path", .0.display())]
    Foreign(PathBuf),
    #[error("{} can be written by everybody: take that away (chmod o-w) if all that is in it is yours",
            .0.display())]
    Open(PathBuf),
    #[error("{} has a second name (it is a hard link): use a copy", .0.display())]
    TwoNames(PathBuf),
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// A folder, by its handle.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    handle: system::Handle,
}

impl Folder {
    /// Opens a folder that a user named. Links in its path are followed, because they are the user's.
    pub(crate) fn named(path: &Path) -> Result<Self, Distrust> {
        let path = non_empty(path);
        let handle = system::open(&path).map_err(|source| io_error(&path, source))?;
        Ok(Self { path, handle })
    }

    /// Opens a folder below another one. No part of the inner path may be a link. Missing folders are created
    /// if `make` is true, accessible to their owner only.
    pub(crate) fn below(base: &Path, inner: &Path, make: bool) -> Result<Self, Distrust> {
        let mut folder = Self::named(base)?;
        for part in inner.components() {
            match part {
                Component::CurDir => {}
                Component::Normal(name) => folder = folder.inner(name, make)?,
                // A path below another one has no other parts.
                _ => return Err(Distrust::NoFolder(folder.path.join(part))),
            }
        }
        Ok(folder)
    }

    fn inner(self, name: &OsStr, make: bool) -> Result<Self, Distrust> {
        let path = self.path.join(name);
        if make {
            match system::make(&self.handle, &self.path, name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(io_error(&path, error));
                }
                _ => {}
            }
        }
        match self.look(name)?.map(|found| found.kind) {
            Some(Kind::Folder) | None => {}
            Some(Kind::Link) => return Err(Distrust::Link(path)),
            Some(_) => return Err(Distrust::NoFolder(path)),
        }
        let handle = system::open_in(&self.handle, &self.path, name)
            .map_err(|source| io_error(&path, source))?;
        Ok(Self { path, handle })
    }

    /// The path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns an error if another user can change the content of the folder. It must belong to this user or to the
    /// administrator, and must not be writable by everybody.
    pub(crate) fn trusted(self) -> Result<Self, Distrust> {
        let found = system::itself(&self.handle).map_err(|source| io_error(&self.path, source))?;
        if !found.is_ours && !found.is_system {
            return Err(Distrust::Foreign(self.path));
        }
        if found.is_open && !found.is_sticky {
            return Err(Distrust::Open(self.path));
        }
        Ok(self)
    }

    /// Removes the access of other users to the folder, which must be ours. Returns true if they had access and
    /// it was removed. On a read-only disk it can't be.
    pub(crate) fn narrow(&self) -> Result<bool, Distrust> {
        let found = system::itself(&self.handle).map_err(|source| io_error(&self.path, source))?;
        if !found.is_ours {
            return Err(Distrust::Foreign(self.path.clone()));
        }
        Ok(found.is_shared && system::narrow(&self.handle).is_ok())
    }

    /// True if there is a file of that name. Returns an error unless it is a regular file of ours with one name
    /// that is not writable by everybody.
    pub(crate) fn has(&self, name: &OsStr) -> Result<bool, Distrust> {
        let Some(found) = self.regular(name)? else {
            return Ok(false);
        };
        let path = || self.path.join(name);
        if !found.is_ours {
            return Err(Distrust::Foreign(path()));
        }
        if found.is_open {
            return Err(Distrust::Open(path()));
        }
        if found.names > 1 {
            return Err(Distrust::TwoNames(path()));
        }
        Ok(true)
    }

    /// The regular file of that name; `None` if there is nothing of that name.
    fn regular(&self, name: &OsStr) -> Result<Option<Found>, Distrust> {
        let found = self.look(name)?;
        match found.map(|found| found.kind) {
            None | Some(Kind::File) => Ok(found),
            Some(Kind::Link) => Err(Distrust::Link(self.path.join(name))),
            Some(Kind::Folder | Kind::Other) => Err(Distrust::NoFile(self.path.join(name))),
        }
    }

    fn look(&self, name: &OsStr) -> Result<Option<Found>, Distrust> {
        match system::look(&self.handle, &self.path, name) {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(io_error(&self.path.join(name), error)),
        }
    }

    /// Reads a file of ours; `None` if there is none. A file with more bytes than `most` is an error.
    pub(crate) fn read(&self, name: &OsStr, most: u64) -> Result<Option<Vec<u8>>, Distrust> {
        match self.has(name)? {
            true => self.contents(name, most).map(Some),
            false => Ok(None),
        }
    }

    /// Reads a regular file of any owner; `None` if there is none. A file with more bytes than `most` is an error.
    pub(crate) fn read_data(&self, name: &OsStr, most: u64) -> Result<Option<Vec<u8>>, Distrust> {
        match self.regular(name)? {
            Some(_) => self.contents(name, most).map(Some),
            None => Ok(None),
        }
    }

    fn contents(&self, name: &OsStr, most: u64) -> Result<Vec<u8>, Distrust> {
        let error = |source| io_error(&self.path.join(name), source);
        let file = system::read(&self.handle, &self.path, name).map_err(error)?;
        let mut bytes = Vec::new();
        let read = file.take(most.saturating_add(1)).read_to_end(&mut bytes);
        if read.map_err(error)? as u64 > most {
            return Err(error(io::ErrorKind::FileTooLarge.into()));
        }
        Ok(bytes)
    }

    /// Opens a file of ours for reading and appending. If there is none, creates it for its owner only if `make` is
    /// true, or else returns `None`.
    pub(crate) fn open(&self, name: &OsStr, make: bool) -> Result<Option<File>, Distrust> {
        if !self.has(name)? && !make {
            return Ok(None);
        }
        let file = system::append(&self.handle, &self.path, name)
            .map_err(|source| io_error(&self.path.join(name), source))?;
        Ok(Some(file))
    }

    /// Opens a file of ours for reading and for changes anywhere in it. If there is none, creates it for its
    /// owner only if `make` is true, or else returns `None`.
    pub(crate) fn change(&self, name: &OsStr, make: bool) -> Result<Option<File>, Distrust> {
        if !self.has(name)? && !make {
            return Ok(None);
        }
        let file = system::change(&self.handle, &self.path, name)
            .map_err(|source| io_error(&self.path.join(name), source))?;
        Ok(Some(file))
    }

    /// Removes a file of ours. Returns true if there was one.
    pub(crate) fn remove(&self, name: &OsStr) -> Result<bool, Distrust> {
        if !self.has(name)? {
            return Ok(false);
        }
        system::remove(&self.handle, &self.path, name)
            .map(|()| true)
            .map_err(|source| io_error(&self.path.join(name), source))
    }

    /// Replaces a file with a text that only its owner may read. Nobody sees a partial text, and a link is
    /// replaced by the file. A power failure may lose the text, so it is only for texts that can be created
    /// again.
    pub(crate) fn write(&self, name: &OsStr, text: &[u8]) -> Result<(), Distrust> {
        let mut part = name.to_owned();
        // Another process may write the same file.
        part.push(format!(".{}.part", std::process::id()));
        let (handle, path) = (&self.handle, &self.path);
        let fill = |mut file: File| {
            file.write_all(text)?;
            drop(file);
            system::rename(handle, path, &part, name)
        };
        // A file that is there already is removed and not written to.
        let made = match system::create(handle, path, &part) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                system::remove(handle, path, &part)
                    .and_then(|()| system::create(handle, path, &part))
            }
            made => made,
        };
        made.and_then(|file| fill(file).inspect_err(|_| drop(system::remove(handle, path, &part))))
            .map_err(|source| io_error(&path.join(name), source))
    }
}

fn io_error(path: &Path, source: io::Error) -> Distrust {
    let path = path.to_owned();
    Distrust::Io { path, source }
}

/// The path of a folder, which is the working directory if the path is empty.
fn non_empty(path: &Path) -> PathBuf {
    match path.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => path.to_owned(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn what_was_put_where_a_file_is_prepared_is_not_written_to() {
        let directory = tempfile::tempdir().unwrap();
        let other = directory.path().join("other");
        fs::write(&other, "mine").unwrap();
        let part = format!("HUD.md.{}.part", std::process::id());
        symlink(&other, directory.path().join(&part)).unwrap();
        let folder = Folder::named(directory.path()).unwrap();
        folder.write(OsStr::new("HUD.md"), b"the HUD").unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
        assert!(!directory.path().join(&part).exists());
        let file = directory.path().join("HUD.md");
        assert_eq!(fs::read_to_string(&file).unwrap(), "the HUD");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_folder_is_opened_by_no_link() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path();
        fs::create_dir_all(base.join("a/b")).unwrap();
        symlink("a", base.join("link")).unwrap();
        for (inner, is_opened) in [
            ("a/b", true),
            ("link/b", false),
            ("link", false),
            ("a/../link", false),
            ("none", false),
        ] {
            let opened = Folder::below(base, Path::new(inner), false);
            assert_eq!(opened.is_ok(), is_opened, "{inner}");
        }
        Folder::below(base, Path::new("new/one"), true).unwrap();
        let mode = fs::metadata(base.join("new")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
