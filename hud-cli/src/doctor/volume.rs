//! The volume of the log. No log is safe on a network file system or in a synchronised folder.
//!
//! SQLite relies on locks that all processes with the open file see, and on memory that they share. A file system of
//! a network or of another machine may provide neither. A program that synchronises a folder copies files while they
//! change. In both cases writes may be lost and the file may be damaged, without an error at that time.

use std::fs;
use std::path::{Path, PathBuf};

use crate::own;

/// A place that is not safe for a log.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unsafe {
    /// The problem.
    pub(super) what: String,
    /// The fix.
    pub(super) mend: String,
}

/// The problems with the place of a log.
pub(super) fn examine(log: &Path) -> Vec<Unsafe> {
    let is_env = |name| std::env::var_os(name).map(PathBuf::from);
    let home = is_env("HOME").or_else(|| is_env("USERPROFILE"));
    let place = real(log);
    let found = [
        file_system(&place).map(|kind| {
            format!(
                "{} is on a file system of a network or another machine ({kind})",
                log.display()
            )
        }),
        synchronised(&place, home.as_deref()).map(|(folder, by)| {
            format!(
                "{} is in {}, which {by} synchronises",
                log.display(),
                folder.display()
            )
        }),
    ];
    let unsafe_at = |what| Unsafe {
        what: format!("{what}: events can be lost there, or the log damaged, without an error"),
        mend: format!(
            "move the log to a disk of this machine (`{}` copies it) and name it in HUD_DB, or set \
             XDG_STATE_HOME; for several machines there is `hud push`",
            own::command("backup")
        ),
    };
    found.into_iter().flatten().map(unsafe_at).collect()
}

/// The path of a log with links resolved, or that of its nearest folder that exists.
fn real(log: &Path) -> PathBuf {
    let found = log.ancestors().find_map(|path| fs::canonicalize(path).ok());
    found.unwrap_or_else(|| log.to_owned())
}

/// The name of the file system of a path, if it is not a disk of this machine.
#[cfg(target_os = "linux")]
fn file_system(path: &Path) -> Option<String> {
    match fs::read("/proc/self/mountinfo") {
        Ok(mounts) => mounted(&mounts, path).filter(|kind| is_remote(kind)),
        Err(_) => magic(path).map(str::to_owned),
    }
}

#[cfg(target_os = "macos")]
fn file_system(path: &Path) -> Option<String> {
    let found = rustix::fs::statfs(path).ok()?;
    let name = found.f_fstypename.iter().take_while(|byte| **byte != 0);
    let name: String = name
        .filter_map(|byte| u8::try_from(*byte).ok().map(char::from))
        .collect();
    is_remote(&name).then_some(name)
}

/// A share, recognised by its name `\\server\share`. A drive letter that is mapped to a share is not detected.
#[cfg(windows)]
fn file_system(path: &Path) -> Option<String> {
    use std::path::{Component, Prefix};
    match path.components().next() {
        Some(Component::Prefix(prefix)) => match prefix.kind() {
            Prefix::UNC(..) | Prefix::VerbatimUNC(..) => Some("a share".to_owned()),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
fn file_system(_: &Path) -> Option<String> {
    None
}

/// True if the processes that open a file on such a file system may be on several machines, or on a host and its
/// guest.
#[cfg(any(target_os = "linux", target_os = "macos", test))]
fn is_remote(kind: &str) -> bool {
    const REMOTE: [&str; 31] = [
        "nfs",
        "nfs4",
        "cifs",
        "smb",
        "smb2",
        "smb3",
        "smbfs",
        "ncpfs",
        "ncp",
        "afs",
        "afpfs",
        "coda",
        "9p",
        "virtiofs",
        "vboxsf",
        "vmhgfs",
        "prl_fs",
        "drvfs",
        "ceph",
        "glusterfs",
        "lustre",
        "gpfs",
        "beegfs",
        "orangefs",
        "pvfs2",
        "acfs",
        "webdav",
        "davfs",
        "ftp",
        "sshfs",
        "fuse",
    ];
    // These are local in spite of their names: layers of a container, a disk.
    const LOCAL: [&str; 3] = ["fuse.fuse-overlayfs", "fuse.mergerfs", "fuse.lxcfs"];
    let is_fuse = kind.starts_with("fuse.") || matches!(kind, "macfuse" | "osxfuse");
    REMOTE.contains(&kind) || is_fuse && !LOCAL.contains(&kind)
}

/// The kind of the file system that a path is on, from the list of mounts.
#[cfg(any(target_os = "linux", test))]
fn mounted(mounts: &[u8], path: &Path) -> Option<String> {
    let mounts = String::from_utf8_lossy(mounts);
    let mut found: Option<(usize, String)> = None;
    for line in mounts.lines() {
        let Some((mount, file_system)) = line.split_once(" - ") else {
            continue;
        };
        let (Some(at), Some(kind)) = (mount.split(' ').nth(4), file_system.split(' ').next())
        else {
            continue;
        };
        let at = unescaped(at);
        let length = at.len();
        // A later mount hides an earlier one at the same place.
        if path.starts_with(&at) && found.as_ref().is_none_or(|(longest, _)| length >= *longest) {
            found = Some((length, kind.to_owned()));
        }
    }
    found.map(|(_, kind)| kind)
}

/// Decodes a path from the list of mounts, where a space is written as `\040`.
#[cfg(any(target_os = "linux", test))]
fn unescaped(written: &str) -> String {
    let mut parts = written.split('\\');
    let mut path = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part
            .get(..3)
            .and_then(|code| u8::from_str_radix(code, 8).ok());
        match code {
            Some(code) if code.is_ascii() => {
                path.push(char::from(code));
                path.push_str(&part[3..]);
            }
            _ => {
                path.push('\\');
                path.push_str(part);
            }
        }
    }
    path
}

/// The kind of the file system by its magic number, for systems where the list of mounts can't be read.
#[cfg(target_os = "linux")]
fn magic(path: &Path) -> Option<&'static str> {
    const KINDS: [(u32, &str); 14] = [
        (0x6969, "nfs"),
        (0x517B, "smb"),
        (0xFF53_4D42, "cifs"),
        (0xFE53_4D42, "smb2"),
        (0x564C, "ncp"),
        (0x5346_414F, "afs"),
        (0x7375_7245, "coda"),
        (0x0102_1997, "9p"),
        (0x6573_5546, "fuse"),
        (0x786F_4256, "vboxsf"),
        (0xBACB_ACBC, "vmhgfs"),
        (0x00C3_6400, "ceph"),
        (0x0BD0_0BD0, "lustre"),
        (0x4750_4653, "gpfs"),
    ];
    let found = rustix::fs::statfs(path).ok()?;
    // The number is signed on some machines.
    let number = u32::try_from(found.f_type & 0xFFFF_FFFF).ok()?;
    let known = KINDS.iter().find(|(known, _)| *known == number);
    known.map(|(_, kind)| *kind)
}

/// The synchronised folder that contains a path, and the program that synchronises it.
fn synchronised(path: &Path, home: Option<&Path>) -> Option<(PathBuf, &'static str)> {
    let home = home.map(|home| fs::canonicalize(home).unwrap_or_else(|_| home.to_owned()));
    let mut folders: Vec<&Path> = path.ancestors().collect();
    folders.reverse();
    folders.into_iter().find_map(|folder| {
        let by_name = folder.file_name().and_then(|name| {
            named(
                &name.to_string_lossy(),
                is_beside_own(folder, home.as_deref()),
            )
        });
        by_name
            .or_else(|| marked(folder))
            .map(|by| (folder.to_owned(), by))
    })
}

/// True if a folder is directly in a user's home, where such programs create their folders.
fn is_beside_own(folder: &Path, home: Option<&Path>) -> bool {
    let Some(parent) = folder.parent() else {
        return false;
    };
    let of_all = parent.parent().and_then(Path::file_name);
    home == Some(parent) || of_all.is_some_and(|name| name == "home" || name == "Users")
}

/// The program that creates folders of such a name. Some names count only in a home, because elsewhere they are
/// ambiguous.
fn named(name: &str, is_in_home: bool) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let begins = |with: &str| {
        lower == with
            || lower.starts_with(&format!("{with} "))
            || lower.starts_with(&format!("{with}-"))
    };
    match lower.as_str() {
        "mobile documents" | "com~apple~clouddocs" | "icloud drive" | "iclouddrive" => {
            return Some("iCloud");
        }
        "cloudstorage" => return Some("a cloud drive"),
        _ if lower.starts_with("onedrive - ") => return Some("OneDrive"),
        _ if lower.starts_with("googledrive-") => return Some("Google Drive"),
        _ if !is_in_home => return None,
        _ => {}
    }
    const OF_HOMES: [(&str, &str); 14] = [
        ("dropbox", "Dropbox"),
        ("onedrive", "OneDrive"),
        ("google drive", "Google Drive"),
        ("googledrive", "Google Drive"),
        ("my drive", "Google Drive"),
        ("nextcloud", "Nextcloud"),
        ("owncloud", "ownCloud"),
        ("syncthing", "Syncthing"),
        ("pclouddrive", "pCloud"),
        ("pcloud drive", "pCloud"),
        ("mega", "MEGA"),
        ("megasync", "MEGA"),
        ("box sync", "Box"),
        ("resilio sync", "Resilio Sync"),
    ];
    OF_HOMES
        .iter()
        .find(|(known, _)| begins(known))
        .map(|(_, by)| *by)
}

/// The program that leaves its marks in the folders that it synchronises.
fn marked(folder: &Path) -> Option<&'static str> {
    const MARKS: [(&str, &str); 12] = [
        (".stfolder", "Syncthing"),
        (".stversions", "Syncthing"),
        (".dropbox", "Dropbox"),
        (".dropbox.cache", "Dropbox"),
        (".nextcloudsync.log", "Nextcloud"),
        (".owncloudsync.log", "ownCloud"),
        (".tmp.drivedownload", "Google Drive"),
        (".tmp.driveupload", "Google Drive"),
        (".849C9593-D756-4E56-8D6E-42412F2A707B", "OneDrive"),
        (".seafile-data", "Seafile"),
        (".megaignore", "MEGA"),
        (".sync/root_acl_entry", "Resilio Sync"),
    ];
    let is_there = |mark: &str| match mark {
        // In a home, a folder of this name has Dropbox's own settings.
        ".dropbox" => folder.join(mark).is_file(),
        _ => folder.join(mark).exists(),
    };
    let mark = MARKS.iter().find(|(mark, _)| is_there(mark));
    mark.map(|(_, by)| *by)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &[u8] = b"27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n\
        40 27 0:40 / /home rw shared:1 - nfs4 srv:/home rw,vers=4.2\n\
        41 40 0:41 / /home/ada/local rw - xfs /dev/vdb rw\n\
        42 27 0:42 / /mnt/my\\040share rw master:2 - cifs //srv/x rw\n\
        43 27 0:43 / /workspace rw - virtiofs ws rw\n\
        44 27 0:44 / /mnt/c rw - 9p drvfs rw\n\
        45 27 0:45 / /mnt/ssh rw - fuse.sshfs ada@srv:/ rw\n\
        46 27 0:46 / /over rw - nfs srv:/o rw\n\
        47 46 0:47 / /over rw - tmpfs tmpfs rw\n\
        48 27 0:48 / /layers rw - fuse.fuse-overlayfs x rw\n\
        49 27 8:1 / /disk rw - fuseblk /dev/sda1 rw\n\
        torn line\n";

    fn remote(path: &str) -> Option<String> {
        mounted(MOUNTS, Path::new(path)).filter(|kind| is_remote(kind))
    }

    #[test]
    fn a_log_on_a_network_file_system_is_found() {
        for (path, kind) in [
            ("/home/ada/.local/state/hud/hud.db", "nfs4"),
            ("/mnt/my share/hud.db", "cifs"),
            ("/workspace/.hud", "virtiofs"),
            ("/mnt/c/Users/ada/hud.db", "9p"),
            ("/mnt/ssh/hud.db", "fuse.sshfs"),
        ] {
            assert_eq!(remote(path).as_deref(), Some(kind), "{path}");
        }
        for path in [
            "/var/hud.db",
            "/home/ada/local/hud.db",
            "/homestead/hud.db",
            "/over/hud.db",
            "/layers/hud.db",
            "/disk/hud.db",
        ] {
            assert_eq!(remote(path), None, "{path}");
        }
    }

    #[test]
    fn a_log_in_a_synchronised_folder_is_found_by_the_folder_s_name() {
        let home = Path::new("/srv/ada");
        for (path, by) in [
            ("/srv/ada/Dropbox/notes/hud.db", "Dropbox"),
            ("/Users/ada/Dropbox (Work)/hud.db", "Dropbox"),
            ("/Users/ada/OneDrive - Acme/hud.db", "OneDrive"),
            ("/mnt/c/Users/ada/OneDrive/hud.db", "OneDrive"),
            (
                "/Users/ada/Library/Mobile Documents/com~apple~CloudDocs/hud.db",
                "iCloud",
            ),
            (
                "/Users/ada/Library/CloudStorage/GoogleDrive-ada@x.example/My Drive/hud.db",
                "a cloud drive",
            ),
            ("/home/ada/Nextcloud/hud.db", "Nextcloud"),
            ("/home/ada/Syncthing/hud.db", "Syncthing"),
        ] {
            let found = synchronised(Path::new(path), Some(home));
            assert_eq!(found.map(|(_, by)| by), Some(by), "{path}");
        }
        for path in [
            "/srv/ada/src/dropbox/hud.db",
            "/srv/ada/.local/state/hud/hud.db",
            "/home/ada/megaphone/hud.db",
            "/data/onedrive/hud.db",
        ] {
            assert_eq!(synchronised(Path::new(path), Some(home)), None, "{path}");
        }
    }

    #[test]
    fn a_synchronised_folder_is_found_by_the_marks_in_it() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let below = folder.path().join("a/b");
        fs::create_dir_all(&below)?;
        assert_eq!(synchronised(&real(&below), None), None);
        for (mark, by) in [(".stfolder", "Syncthing"), (".dropbox.cache", "Dropbox")] {
            let mark = folder.path().join(mark);
            fs::create_dir(&mark)?;
            let found = examine(&below.join("not/there/hud.db"));
            assert!(found[0].what.contains(by), "{found:?}");
            assert!(found[0].mend.contains("HUD_DB"), "{found:?}");
            fs::remove_dir(&mark)?;
        }
        Ok(())
    }
}
