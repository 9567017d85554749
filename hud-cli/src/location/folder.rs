//! A folder that is opened once: its files are then reached by their names in it, and no link is
//! followed, wherever it leads.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

#[cfg(not(unix))]
use self::portable as system;
#[cfg(unix)]
use self::unix as system;

/// Why a file or a folder is not used.
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

/// What a name in a folder is, if it is a link not what it leads to.
#[derive(Clone, Copy, Debug)]
struct Found {
    kind: Kind,
    /// Whether its owner is the user that runs this program.
    is_ours: bool,
    /// Whether it belongs to the administrator.
    is_system: bool,
    /// Whether users without any part in it may write it.
    is_open: bool,
    /// Whether others may read it, or more.
    is_shared: bool,
    /// Whether only the owner of a file in it may rename or remove the file.
    is_sticky: bool,
    names: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
    Link,
    Other,
}

/// A folder, by its handle.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    handle: system::Handle,
}

impl Folder {
    /// Opens a folder that a user named: links on the way to it are the user's.
    pub(crate) fn named(path: &Path) -> Result<Self, Distrust> {
        let path = non_empty(path);
        let handle = system::open(&path).map_err(|source| io_error(&path, source))?;
        Ok(Self { path, handle })
    }

    /// Opens a folder below one that is known. Nothing on the way may be a link. What is missing is
    /// made, for nobody but its owner, if that is asked for.
    pub(crate) fn below(base: &Path, inner: &Path, make: bool) -> Result<Self, Distrust> {
        let mut folder = Self::named(base)?;
        for part in inner.components() {
            match part {
                Component::CurDir => {}
                Component::Normal(name) => folder = folder.inner(name, make)?,
                // Nothing else is left of a path below another one.
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

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that nobody else can change what is in it: it is ours or the administrator's, and not
    /// everybody's.
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

    /// Takes from others what they may do with the folder, which must be ours. Gives whether that was
    /// to be done, and could be: on a disk that is read-only it can't.
    pub(crate) fn narrow(&self) -> Result<bool, Distrust> {
        let found = system::itself(&self.handle).map_err(|source| io_error(&self.path, source))?;
        if !found.is_ours {
            return Err(Distrust::Foreign(self.path.clone()));
        }
        Ok(found.is_shared && system::narrow(&self.handle).is_ok())
    }

    /// Whether there is a file of that name that can be trusted: a regular one, ours, under one name,
    /// which not everybody may write.
    pub(crate) fn has(&self, name: &OsStr) -> Result<bool, Distrust> {
        let Some(found) = self.look(name)? else {
            return Ok(false);
        };
        let path = || self.path.join(name);
        match found.kind {
            Kind::File => {}
            Kind::Link => return Err(Distrust::Link(path())),
            Kind::Folder | Kind::Other => return Err(Distrust::NoFile(path())),
        }
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

    fn look(&self, name: &OsStr) -> Result<Option<Found>, Distrust> {
        match system::look(&self.handle, &self.path, name) {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(io_error(&self.path.join(name), error)),
        }
    }

    /// Reads a file of ours; `None` if there is none. One with more bytes than `most` is an error.
    pub(crate) fn read(&self, name: &OsStr, most: u64) -> Result<Option<Vec<u8>>, Distrust> {
        if !self.has(name)? {
            return Ok(None);
        }
        let error = |source| io_error(&self.path.join(name), source);
        let file = system::read(&self.handle, &self.path, name).map_err(error)?;
        let mut bytes = Vec::new();
        let read = file.take(most.saturating_add(1)).read_to_end(&mut bytes);
        if read.map_err(error)? as u64 > most {
            return Err(error(io::ErrorKind::FileTooLarge.into()));
        }
        Ok(Some(bytes))
    }

    /// Opens a file of ours that is read and appended to. If there is none, it is made, for nobody but
    /// its owner, or nothing is given.
    pub(crate) fn open(&self, name: &OsStr, make: bool) -> Result<Option<File>, Distrust> {
        if !self.has(name)? && !make {
            return Ok(None);
        }
        let file = system::append(&self.handle, &self.path, name)
            .map_err(|source| io_error(&self.path.join(name), source))?;
        Ok(Some(file))
    }

    /// Puts a text in the place of a file, which nobody but its owner may then read. Nobody sees half of
    /// it; what was a link is one no longer. It is not made sure that it survives the end of power: what
    /// is written so can be made anew.
    pub(crate) fn write(&self, name: &OsStr, text: &[u8]) -> Result<(), Distrust> {
        let mut part = name.to_owned();
        // Another process may be at it too.
        part.push(format!(".{}.part", std::process::id()));
        let (handle, path) = (&self.handle, &self.path);
        let fill = |mut file: File| {
            file.write_all(text)?;
            drop(file);
            system::rename(handle, path, &part, name)
        };
        // One that was left behind, or put there, is not written to.
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

/// A path that names a folder: of a file's path without one, the working directory.
fn non_empty(path: &Path) -> PathBuf {
    match path.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => path.to_owned(),
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::{
        AtFlags, CWD, FileType, Mode, OFlags, Stat, fchmod, fstat, mkdirat, openat, renameat,
        statat, unlinkat,
    };

    use super::{Found, Kind};

    pub(super) type Handle = OwnedFd;

    const FOLDER: OFlags = OFlags::RDONLY
        .union(OFlags::DIRECTORY)
        .union(OFlags::CLOEXEC);

    pub(super) fn open(path: &Path) -> io::Result<Handle> {
        Ok(openat(CWD, path, FOLDER, Mode::empty())?)
    }

    pub(super) fn open_in(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<Handle> {
        Ok(openat(
            handle,
            name,
            FOLDER | OFlags::NOFOLLOW,
            Mode::empty(),
        )?)
    }

    pub(super) fn make(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<()> {
        Ok(mkdirat(handle, name, Mode::RWXU)?)
    }

    pub(super) fn itself(handle: &Handle) -> io::Result<Found> {
        Ok(found(&fstat(handle)?))
    }

    pub(super) fn look(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<Found> {
        Ok(found(&statat(handle, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    #[allow(
        clippy::useless_conversion,
        reason = "the types of the fields differ from system to system"
    )]
    fn found(stat: &Stat) -> Found {
        let mode = Mode::from_raw_mode(stat.st_mode);
        Found {
            kind: match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => Kind::File,
                FileType::Directory => Kind::Folder,
                FileType::Symlink => Kind::Link,
                _ => Kind::Other,
            },
            is_ours: stat.st_uid == rustix::process::geteuid().as_raw(),
            is_system: stat.st_uid == 0,
            is_open: mode.contains(Mode::WOTH),
            is_shared: mode.intersects(Mode::RWXG | Mode::RWXO),
            is_sticky: mode.contains(Mode::SVTX),
            names: stat.st_nlink.into(),
        }
    }

    pub(super) fn narrow(handle: &Handle) -> io::Result<()> {
        Ok(fchmod(handle, Mode::RWXU)?)
    }

    pub(super) fn read(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<File> {
        // Not to wait for the other side of a pipe that was put there meanwhile.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(openat(handle, name, flags, Mode::empty())?.into())
    }

    pub(super) fn create(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        Ok(openat(handle, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    pub(super) fn append(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | OFlags::NOFOLLOW;
        let flags = flags | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(openat(handle, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    pub(super) fn rename(handle: &Handle, _: &Path, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(renameat(handle, from, handle, to)?)
    }

    pub(super) fn remove(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(handle, name, AtFlags::empty())?)
    }
}

/// Where the system has no handles of folders, nor owners that this program could ask for: links are
/// looked for by path.
#[cfg(not(unix))]
mod portable {
    use std::ffi::OsStr;
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::path::Path;

    use super::{Found, Kind};

    #[derive(Debug)]
    pub(super) struct Handle(Metadata);

    pub(super) fn open(path: &Path) -> io::Result<Handle> {
        let metadata = fs::metadata(path)?;
        match metadata.is_dir() {
            true => Ok(Handle(metadata)),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn open_in(_: &Handle, path: &Path, name: &OsStr) -> io::Result<Handle> {
        open(&path.join(name))
    }

    pub(super) fn make(_: &Handle, path: &Path, name: &OsStr) -> io::Result<()> {
        fs::create_dir(path.join(name))
    }

    pub(super) fn itself(handle: &Handle) -> io::Result<Found> {
        Ok(found(&handle.0))
    }

    pub(super) fn look(_: &Handle, path: &Path, name: &OsStr) -> io::Result<Found> {
        Ok(found(&fs::symlink_metadata(path.join(name))?))
    }

    fn found(metadata: &Metadata) -> Found {
        Found {
            kind: match metadata.file_type() {
                kind if kind.is_symlink() => Kind::Link,
                kind if kind.is_dir() => Kind::Folder,
                kind if kind.is_file() => Kind::File,
                _ => Kind::Other,
            },
            is_ours: true,
            is_system: false,
            is_open: false,
            is_shared: false,
            is_sticky: false,
            names: 1,
        }
    }

    pub(super) fn narrow(_: &Handle) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn read(_: &Handle, path: &Path, name: &OsStr) -> io::Result<File> {
        File::open(path.join(name))
    }

    pub(super) fn create(_: &Handle, path: &Path, name: &OsStr) -> io::Result<File> {
        File::create_new(path.join(name))
    }

    pub(super) fn append(_: &Handle, path: &Path, name: &OsStr) -> io::Result<File> {
        let mut options = File::options();
        options.read(true).append(true).create(true);
        options.open(path.join(name))
    }

    pub(super) fn rename(_: &Handle, path: &Path, from: &OsStr, to: &OsStr) -> io::Result<()> {
        fs::rename(path.join(from), path.join(to))
    }

    pub(super) fn remove(_: &Handle, path: &Path, name: &OsStr) -> io::Result<()> {
        fs::remove_file(path.join(name))
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
