//! The system calls that access files by the handle of their folder.

#[cfg(not(unix))]
pub(super) use self::portable::*;
#[cfg(unix)]
pub(super) use self::unix::*;

/// The properties of a name in a folder. For a link they are those of the link itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) kind: Kind,
    /// True if the owner is the user that runs this program.
    pub(super) is_ours: bool,
    /// True if the owner is the administrator.
    pub(super) is_system: bool,
    /// True if everybody may write it.
    pub(super) is_open: bool,
    /// True if users other than the owner have any access.
    pub(super) is_shared: bool,
    /// True if only the owner of a file in the folder may rename or remove the file.
    pub(super) is_sticky: bool,
    pub(super) names: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    Link,
    Other,
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

    pub(in super::super) type Handle = OwnedFd;

    const FOLDER: OFlags = OFlags::RDONLY
        .union(OFlags::DIRECTORY)
        .union(OFlags::CLOEXEC);

    pub(in super::super) fn open(path: &Path) -> io::Result<Handle> {
        Ok(openat(CWD, path, FOLDER, Mode::empty())?)
    }

    pub(in super::super) fn open_in(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<Handle> {
        Ok(openat(
            handle,
            name,
            FOLDER | OFlags::NOFOLLOW,
            Mode::empty(),
        )?)
    }

    pub(in super::super) fn make(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<()> {
        Ok(mkdirat(handle, name, Mode::RWXU)?)
    }

    pub(in super::super) fn itself(handle: &Handle) -> io::Result<Found> {
        Ok(found(&fstat(handle)?))
    }

    pub(in super::super) fn look(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<Found> {
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

    pub(in super::super) fn narrow(handle: &Handle) -> io::Result<()> {
        Ok(fchmod(handle, Mode::RWXU)?)
    }

    pub(in super::super) fn read(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<File> {
        // Opening must not wait for the other end of a pipe that was put there meanwhile.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(openat(handle, name, flags, Mode::empty())?.into())
    }

    pub(in super::super) fn create(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        Ok(openat(handle, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    pub(in super::super) fn append(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | OFlags::NOFOLLOW;
        let flags = flags | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(openat(handle, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    pub(in super::super) fn change(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW;
        let flags = flags | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(openat(handle, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    pub(in super::super) fn rename(
        handle: &Handle,
        _: &Path,
        from: &OsStr,
        to: &OsStr,
    ) -> io::Result<()> {
        Ok(renameat(handle, from, handle, to)?)
    }

    pub(in super::super) fn remove(handle: &Handle, _: &Path, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(handle, name, AtFlags::empty())?)
    }
}

/// The version for systems without handles of folders and without owners. Links are detected by path.
#[cfg(not(unix))]
mod portable {
    use std::ffi::OsStr;
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::path::Path;

    use super::{Found, Kind};

    #[derive(Debug)]
    pub(in super::super) struct Handle(Metadata);

    pub(in super::super) fn open(path: &Path) -> io::Result<Handle> {
        let metadata = fs::metadata(path)?;
        match metadata.is_dir() {
            true => Ok(Handle(metadata)),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(in super::super) fn open_in(_: &Handle, path: &Path, name: &OsStr) -> io::Result<Handle> {
        open(&path.join(name))
    }

    pub(in super::super) fn make(_: &Handle, path: &Path, name: &OsStr) -> io::Result<()> {
        fs::create_dir(path.join(name))
    }

    pub(in super::super) fn itself(handle: &Handle) -> io::Result<Found> {
        Ok(found(&handle.0))
    }

    pub(in super::super) fn look(_: &Handle, path: &Path, name: &OsStr) -> io::Result<Found> {
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

    pub(in super::super) fn narrow(_: &Handle) -> io::Result<()> {
        Ok(())
    }

    pub(in super::super) fn read(_: &Handle, path: &Path, name: &OsStr) -> io::Result<File> {
        File::open(path.join(name))
    }

    pub(in super::super) fn create(_: &Handle, path: &Path, name: &OsStr) -> io::Result<File> {
        File::create_new(path.join(name))
    }

    pub(in super::super) fn append(_: &Handle, path: &Path, name: &OsStr) -> io::Result<File> {
        let mut options = File::options();
        options.read(true).append(true).create(true);
        options.open(path.join(name))
    }

    pub(in super::super) fn change(_: &Handle, path: &Path, name: &OsStr) -> io::Result<File> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        options.open(path.join(name))
    }

    pub(in super::super) fn rename(
        _: &Handle,
        path: &Path,
        from: &OsStr,
        to: &OsStr,
    ) -> io::Result<()> {
        fs::rename(path.join(from), path.join(to))
    }

    pub(in super::super) fn remove(_: &Handle, path: &Path, name: &OsStr) -> io::Result<()> {
        fs::remove_file(path.join(name))
    }
}
