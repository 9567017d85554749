//! Changes to several files, of which either all are made or none.
//!
//! Every new content is first written to a file beside its target, and then all of them are renamed. A journal
//! records the change in progress. If the process is killed, the next one finishes or undoes the change.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::failed;
use crate::file::make_executable;
use crate::output::{self, Failure};

/// The largest size of a configuration, in bytes.
const LARGEST: u64 = 64 * 1024 * 1024;

/// A file, with its content before and after the change.
#[derive(Debug)]
pub(super) struct Target {
    /// The path of the file, with all links resolved.
    pub(super) path: PathBuf,
    /// The content before the change; `None` if the file does not exist.
    pub(super) before: Option<Vec<u8>>,
    /// The content after the change; `None` if the file is to be removed.
    pub(super) after: Option<Vec<u8>>,
    pub(super) is_program: bool,
}

/// The digest of a file's bytes, in hexadecimal.
pub(super) fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The path of a file with all links resolved, and its bytes if it exists.
pub(super) fn read(path: &Path) -> Result<(PathBuf, Option<Vec<u8>>), Failure> {
    let place = std::path::absolute(path).map_err(|error| failed(path, &error))?;
    let is_link = match fs::symlink_metadata(&place) {
        Ok(metadata) => metadata.is_symlink(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok((with_real_folder(&place), None));
        }
        Err(error) => return Err(failed(path, &error)),
    };
    let real = match fs::canonicalize(&place) {
        Ok(real) => real,
        Err(error) if is_link => {
            let to = fs::read_link(&place).unwrap_or_default();
            let reason = format!(
                "it is a link to {}, which can't be followed ({error}): make that file, or remove the link",
                to.display()
            );
            return Err(failed(path, &reason));
        }
        Err(error) => return Err(failed(path, &error)),
    };
    let is_file = fs::metadata(&real).is_ok_and(|metadata| metadata.is_file());
    if !is_file {
        return Err(failed(path, &"it is no file: move it away first"));
    }
    let mut bytes = Vec::new();
    let file = File::open(&real).map_err(|error| failed(path, &error))?;
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| failed(path, &error))?;
    if bytes.len() as u64 > LARGEST {
        let reason = format!("it has more than {}", output::size(LARGEST));
        return Err(failed(path, &reason));
    }
    Ok((real, Some(bytes)))
}

/// A path with the links in its existing folders resolved.
fn with_real_folder(path: &Path) -> PathBuf {
    let mut rest = Vec::new();
    let mut folder = path;
    while let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) {
        rest.push(name);
        if let Ok(real) = fs::canonicalize(parent) {
            return rest.iter().rev().fold(real, |path, name| path.join(name));
        }
        folder = parent;
    }
    path.to_owned()
}

/// The folders on the path of a file that do not exist yet, outermost first.
pub(super) fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let folders = path.ancestors().skip(1);
    let missing = folders.take_while(|folder| fs::symlink_metadata(folder).is_err());
    let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// The change in progress.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Journal {
    /// True once every new content is written and the renaming has begun.
    is_written: bool,
    moves: Vec<Move>,
    /// The folders that are created for the change, outermost first.
    made: Vec<PathBuf>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Move {
    to: PathBuf,
    /// The file that is renamed to `to`; `None` if the file is to be removed.
    part: Option<PathBuf>,
    /// The digest of the file before the change.
    before: Option<String>,
}

impl Move {
    fn is_as_before(&self) -> bool {
        let now = fs::read(&self.to).ok().map(|bytes| digest(&bytes));
        now == self.before
    }

    fn make(&self) -> io::Result<()> {
        match &self.part {
            Some(part) => fs::rename(part, &self.to),
            None => fs::remove_file(&self.to),
        }
    }
}

/// The lock on the folder for our own files. It keeps other processes from changing anything.
pub(super) struct Lock {
    folder: PathBuf,
    /// The folders that are removed with it once they are empty, outermost first.
    pub(super) made: Vec<PathBuf>,
    _file: File,
}

impl Lock {
    /// Waits for the processes that hold the lock, and finishes a change that one of them left incomplete.
    pub(super) fn take(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join("lock");
        let made = missing_folders(&path);
        let locked = || loop {
            fs::create_dir_all(folder)?;
            let file = OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(&path)?;
            file.lock()?;
            // The process that held the lock before may have removed the file.
            if is_same(&file, &path) {
                return Ok(file);
            }
        };
        let file = locked().map_err(|error: io::Error| failed(&path, &error))?;
        let lock = Self {
            folder: folder.to_owned(),
            made,
            _file: file,
        };
        lock.recover()?;
        Ok(lock)
    }

    fn journal(&self) -> PathBuf {
        self.folder.join("journal.json")
    }

    fn save(&self, journal: &Journal) -> io::Result<()> {
        let text = serde_json::to_vec(journal).map_err(io::Error::from)?;
        let part = self.folder.join("journal.part");
        write(&part, &text, None)?;
        fs::rename(part, self.journal())
    }

    /// Finishes the change of a process that was killed. Undoes it if not everything was written.
    fn recover(&self) -> Result<(), Failure> {
        // A journal that was not saved counts as not begun.
        let _ = fs::remove_file(self.folder.join("journal.part"));
        let text = match fs::read(self.journal()) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(&self.journal(), &error)),
        };
        let journal: Journal = serde_json::from_slice(&text).map_err(|error| {
            let reason = format!("{error}: look at what it names, then remove it");
            failed(&self.journal(), &reason)
        })?;
        let mut is_whole = true;
        for step in &journal.moves {
            let is_there = step.part.as_ref().is_none_or(|part| part.exists());
            if journal.is_written && is_there && step.is_as_before() {
                if step.part.is_some() || step.before.is_some() {
                    step.make().map_err(|error| failed(&step.to, &error))?;
                }
            } else if let Some(part) = &step.part
                && fs::remove_file(part).is_ok()
                && journal.is_written
            {
                is_whole = false;
                let reason = "it was changed since a change was interrupted, and is left so";
                output::note(format_args!("{}: {reason}", step.to.display()));
            }
        }
        remove_empty(&journal.made);
        if journal.is_written && is_whole {
            output::note("a change that was interrupted is finished now");
        }
        fs::remove_file(self.journal()).map_err(|error| failed(&self.journal(), &error))
    }

    /// Makes either all changes or none.
    pub(super) fn commit(&self, targets: &[Target]) -> Result<(), Failure> {
        let mut journal = Journal::default();
        for target in targets {
            if target.after.is_some() {
                let folders = missing_folders(&target.path);
                journal.made.extend(
                    folders
                        .into_iter()
                        .filter(|folder| !journal.made.contains(folder))
                        .collect::<Vec<_>>(),
                );
            }
            journal.moves.push(Move {
                to: target.path.clone(),
                part: target.after.is_some().then(|| part(&target.path)),
                before: target.before.as_deref().map(digest),
            });
        }
        let outcome = self.carry_out(&mut journal, targets);
        if outcome.is_err() {
            for part in journal.moves.iter().filter_map(|step| step.part.as_ref()) {
                let _ = fs::remove_file(part);
            }
            remove_empty(&journal.made);
        }
        // Without its journal, an interrupted change counts as not begun.
        let _ = fs::remove_file(self.journal());
        outcome
    }

    fn carry_out(&self, journal: &mut Journal, targets: &[Target]) -> Result<(), Failure> {
        let saved = |journal: &Journal| {
            self.save(journal)
                .map_err(|error| failed(&self.journal(), &error))
        };
        saved(journal)?;
        for (target, step) in targets.iter().zip(&journal.moves) {
            if let (Some(after), Some(part)) = (&target.after, &step.part) {
                stage(target, after, part).map_err(|error| failed(&target.path, &error))?;
            }
        }
        for step in &journal.moves {
            if !step.is_as_before() {
                let reason = "it was changed meanwhile: nothing is done, try again";
                return Err(failed(&step.to, &reason));
            }
        }
        journal.is_written = true;
        saved(journal)?;
        rename(&journal.moves, targets)
    }
}

/// Renames every file to its target. Restores the files if that fails.
fn rename(moves: &[Move], targets: &[Target]) -> Result<(), Failure> {
    for (done, step) in moves.iter().enumerate() {
        let Err(error) = step.make() else { continue };
        for target in targets.iter().take(done) {
            let back = match &target.before {
                Some(before) => {
                    let part = part(&target.path);
                    stage(target, before, &part).and_then(|()| fs::rename(part, &target.path))
                }
                None => fs::remove_file(&target.path),
            };
            if let Err(error) = back {
                output::problem(failed(&target.path, &error));
            }
        }
        return Err(failed(&step.to, &error));
    }
    Ok(())
}

impl Drop for Lock {
    fn drop(&mut self) {
        // If nothing is installed, none of our files are left.
        let mut others = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        if cfg!(unix) && others.all(|other| other.file_name() == "lock") {
            let _ = fs::remove_file(self.folder.join("lock"));
            let _ = fs::remove_dir(&self.folder);
            remove_empty(&self.made);
        }
    }
}

#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    match (file.metadata(), fs::metadata(path)) {
        (Ok(file), Ok(there)) => (file.dev(), file.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Always true: a lock file that is held is never removed here.
#[cfg(not(unix))]
fn is_same(_: &File, _: &Path) -> bool {
    true
}

/// Removes the folders that are empty, innermost first.
pub(super) fn remove_empty(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // The call fails for a folder that is not empty, and the folder stays.
        let _ = fs::remove_dir(folder);
    }
}

fn part(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    part.into()
}

/// Writes the new content of a target to a file beside it, with the owner and the permissions of the target.
fn stage(target: &Target, text: &[u8], part: &Path) -> io::Result<()> {
    if let Some(folder) = part.parent() {
        fs::create_dir_all(folder)?;
    }
    let old = fs::metadata(&target.path).ok();
    let staged = write(part, text, old.as_ref()).and_then(|()| match (target.is_program, old) {
        (true, None) => make_executable(part),
        _ => Ok(()),
    });
    staged.inspect_err(|_| drop(fs::remove_file(part)))
}

/// Writes a file and syncs it to disk, with the owner and the permissions of another file.
fn write(path: &Path, text: &[u8], like: Option<&fs::Metadata>) -> io::Result<()> {
    let _ = fs::remove_file(path);
    let mut file = OpenOptions::new().create_new(true).write(true).open(path)?;
    if let Some(like) = like {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, chown};

            // Only an administrator can change the owner, and only then can the file be another user's.
            let _ = chown(path, Some(like.uid()), Some(like.gid()));
        }
        file.set_permissions(like.permissions())?;
    }
    file.write_all(text)?;
    file.sync_all()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;

    struct Place {
        folder: tempfile::TempDir,
    }

    impl Place {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("old"), "before").unwrap();
            fs::write(folder.path().join("gone"), "before").unwrap();
            Self { folder }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn lock(&self) -> Lock {
            Lock::take(&self.path("data")).unwrap()
        }

        /// Three targets: one file is changed, one is removed and one is created.
        fn targets(&self) -> Vec<Target> {
            let target = |name: &str, before: Option<&str>, after: Option<&str>| Target {
                path: self.path(name),
                before: before.map(Into::into),
                after: after.map(Into::into),
                is_program: false,
            };
            vec![
                target("old", Some("before"), Some("after")),
                target("gone", Some("before"), None),
                target("folder/new", None, Some("after")),
            ]
        }

        fn texts(&self) -> Vec<Option<String>> {
            let names = ["old", "gone", "folder/new"];
            names
                .map(|name| fs::read_to_string(self.path(name)).ok())
                .into()
        }

        fn names(&self) -> Vec<String> {
            let files = fs::read_dir(self.folder.path()).unwrap();
            let mut names: Vec<String> = files
                .map(|file| file.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        }
    }

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn all_is_done_and_nothing_else_is_left() {
        let place = Place::new();
        place.lock().commit(&place.targets()).unwrap();
        assert_eq!(place.texts(), [text("after"), None, text("after")]);
        assert_eq!(place.names(), ["folder", "old"]);
    }

    #[test]
    fn what_fails_in_the_middle_is_undone() {
        let place = Place::new();
        let mut targets = place.targets();
        // A file can't replace a folder that is not empty.
        targets[2].path = place.path("full");
        fs::create_dir_all(place.path("full/folder")).unwrap();
        place.lock().commit(&targets).unwrap_err();
        assert_eq!(place.texts(), [text("before"), text("before"), None]);
        assert_eq!(place.names(), ["full", "gone", "old"]);
    }

    #[test]
    fn what_another_process_changed_meanwhile_is_left_alone() {
        let place = Place::new();
        fs::write(place.path("gone"), "another's").unwrap();
        let error = place.lock().commit(&place.targets()).unwrap_err();
        assert!(error.to_string().contains("changed meanwhile"), "{error}");
        assert_eq!(place.texts(), [text("before"), text("another's"), None]);
    }

    /// The place after a process was killed once it had made `steps` moves, and after the next process recovered.
    fn killed(is_written: bool, steps: usize) -> Place {
        let place = Place::new();
        let lock = place.lock();
        let targets = place.targets();
        let moves: Vec<Move> = targets
            .iter()
            .map(|target| Move {
                to: target.path.clone(),
                part: target.after.as_ref().map(|_| part(&target.path)),
                before: target.before.as_deref().map(digest),
            })
            .collect();
        let made = vec![place.path("folder")];
        let journal = Journal {
            is_written,
            moves,
            made,
        };
        lock.save(&journal).unwrap();
        for (target, step) in targets.iter().zip(&journal.moves) {
            if let (Some(after), Some(part)) = (&target.after, &step.part) {
                stage(target, after, part).unwrap();
            }
        }
        for step in journal.moves.iter().take(steps) {
            step.make().unwrap();
        }
        // The process releases the lock when it ends.
        drop(lock);
        drop(place.lock());
        place
    }

    #[test]
    fn a_process_that_is_killed_leaves_all_or_nothing() {
        assert_eq!(
            killed(false, 0).texts(),
            [text("before"), text("before"), None]
        );
        assert_eq!(killed(false, 0).names(), ["gone", "old"]);
        for steps in 0..=3 {
            let place = killed(true, steps);
            assert_eq!(place.texts(), [text("after"), None, text("after")]);
            assert_eq!(place.names(), ["folder", "old"]);
        }
    }
}
