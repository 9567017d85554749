//! The effects of calls and commands on active files.

use hud_observe::change::Change;
use hud_observe::path;
use hud_store::event::{FileClose, FileDelete, FileEdit, FileMove, FileOpen, HudEvent};
use hud_store::state::{ActiveFile, FileStatus, HudState, Lines};

use super::Deriver;
use super::printed::Printed;
use super::shell::{self, Effect};

/// The number of turns after which a file that was only read is closed.
const READ_TURNS: u64 = 40;

/// The number of turns after which a changed file is closed whose change was committed.
const COMMITTED_TURNS: u64 = 60;

/// The number of turns after which a changed file is closed whose change was not committed.
const UNCOMMITTED_TURNS: u64 = 200;

impl Deriver {
    /// Returns the events of a command's effects on files. Removed files are deleted, moved files get their new names,
    /// written files are edited, and files whose changes are undone are no longer edited.
    pub(super) fn changed(
        &self,
        command: &str,
        output: &Printed<'_>,
        state: &HudState,
    ) -> Vec<HudEvent> {
        let mut effects = shell::effects(command);
        if shell::is_said_by_git(command) {
            effects.extend(shell::said_by_git(output.text()));
        }
        let mut events = Vec::new();
        for effect in effects {
            match effect {
                Effect::Removed(path) => events.extend(self.removed(&path, state)),
                Effect::Moved { from, to, into } => {
                    events.extend(self.moved(&from, &to, into, state));
                }
                Effect::Written {
                    path,
                    change,
                    is_output,
                } => {
                    let known = self
                        .name(&path, state)
                        .filter(|path| is_active(state, path));
                    let other = || self.written_name(&path, state).filter(|_| !is_output);
                    events.extend(known.or_else(other).map(|path| edit(&path, change)));
                }
                Effect::Read { path, lines } => {
                    let path = self.written_name(&path, state);
                    events.extend(path.map(|path| open(&path, lines)));
                }
                Effect::TakenBack(path) => {
                    let changed = self.below(&path, state).map(|(file, _)| file);
                    let open = changed.filter(|file| is_uncommitted(file, state));
                    events.extend(open.map(|file| close(&file.path)));
                }
            }
        }
        events
    }

    /// Closes the files that were not touched for a long time. Files that were only read are closed first, and files
    /// with uncommitted changes last.
    pub(super) fn out_of_use(&self, state: &HudState) -> Vec<HudEvent> {
        let is_over = |file: &&ActiveFile| {
            let turns = match is_uncommitted(file, state) {
                true => UNCOMMITTED_TURNS,
                false if file.status.is_change() => COMMITTED_TURNS,
                false => READ_TURNS,
            };
            self.turn.saturating_sub(file.turn) > turns
        };
        let over = state.active_files.iter().filter(is_over);
        over.map(|file| close(&file.path)).collect()
    }

    /// The active files below a path are deleted, or the file that the path names.
    fn removed(&self, path: &str, state: &HudState) -> Vec<HudEvent> {
        let below: Vec<&str> = self
            .below(path, state)
            .map(|(file, _)| &*file.path)
            .collect();
        match below.is_empty() {
            false => below.into_iter().map(delete).collect(),
            true => {
                let named = self.written_name(path, state);
                named.map(|path| delete(&path)).into_iter().collect()
            }
        }
    }

    /// The session's name of a file in a command line. `None` if the path may not be a file. The name is absolute if
    /// names of active files are.
    pub(super) fn written_name(&self, path: &str, state: &HudState) -> Option<String> {
        // A path without a full stop has no file extension.
        if !path.contains('.') {
            return None;
        }
        let name = self.name(path, state).filter(|path| names_a_file(path))?;
        let is_absolute = |file: &ActiveFile| file.path.starts_with('/');
        Some(match state.active_files.iter().any(is_absolute) {
            true => path::absolute(&name, self.directory.as_deref()).into_owned(),
            false => name,
        })
    }

    /// The active files below a path are moved.
    fn moved(&self, from: &str, to: &str, into: bool, state: &HudState) -> Vec<HudEvent> {
        let mut events = Vec::new();
        if self.below(from, state).next().is_none() {
            let base = from.rsplit('/').next().filter(|_| into).unwrap_or_default();
            let to = format!("{}/{base}", to.trim_end_matches('/'));
            let (from, to) = (
                self.written_name(from, state),
                self.written_name(&to, state),
            );
            events.extend(from.zip(to).map(|(from, to)| rename(&from, &to)));
        }
        for (file, rest) in self.below(from, state) {
            // In an existing folder it keeps its name.
            let base = from.trim_end_matches('/').rsplit('/').next();
            let base =
                base.filter(|_| into || self.below(to, state).any(|(_, rest)| !rest.is_empty()));
            let to = [Some(to), base, Some(rest).filter(|rest| !rest.is_empty())];
            let to = to.into_iter().flatten().collect::<Vec<_>>().join("/");
            // Absolute names stay absolute.
            let to = match file.path.starts_with('/') {
                true => path::absolute(&to, self.directory.as_deref()).into_owned(),
                false => to,
            };
            events.extend(self.name(&to, state).map(|to| rename(&file.path, &to)));
        }
        events
    }

    /// The active files that a path names, or that are in the folder that it names. Each comes with the rest of its
    /// path in that folder.
    fn below<'s>(
        &self,
        path: &str,
        state: &'s HudState,
    ) -> impl Iterator<Item = (&'s ActiveFile, &'s str)> + use<'s> {
        let directory = self.directory.clone();
        let place = path::absolute(path, directory.as_deref()).into_owned();
        state.active_files.iter().filter_map(move |file| {
            let whole = path::absolute(&file.path, directory.as_deref());
            let found = match whole.strip_prefix(&*place) {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => Some(rest.len()),
                // The start of a relative path is not known, so it may be the end of the file's path.
                _ if directory.is_none() && !place.starts_with('/') => {
                    whole.ends_with(&format!("/{place}")).then_some(0)
                }
                _ => None,
            };
            let rest = &file.path[file.path.len() - found?.min(file.path.len())..];
            Some((file, rest.trim_start_matches('/')))
        })
    }
}

pub(super) fn open(path: &str, lines: Option<Lines>) -> HudEvent {
    FileOpen {
        path: path.to_owned(),
        lines,
    }
    .into()
}

pub(super) fn edit(path: &str, change: Change) -> HudEvent {
    FileEdit {
        path: path.to_owned(),
        names: change.names,
        lines: change.lines,
        created: change.created,
        diff: Some(change.diff).filter(|diff| !diff.is_empty()),
    }
    .into()
}

pub(super) fn rename(from: &str, to: &str) -> HudEvent {
    FileMove {
        path: from.to_owned(),
        to: to.to_owned(),
    }
    .into()
}

pub(super) fn delete(path: &str) -> HudEvent {
    FileDelete {
        path: path.to_owned(),
    }
    .into()
}

pub(super) fn close(path: &str) -> HudEvent {
    FileClose {
        path: path.to_owned(),
    }
    .into()
}

/// True if a path names a file with an extension. False for patterns, folders, and paths in temporary or system
/// folders.
fn names_a_file(path: &str) -> bool {
    const PASSING: &[&str] = &["/tmp/", "/var/", "/private/var/", "/dev/", "/proc/"];
    let name = path.rsplit('/').next().unwrap_or(path);
    let has_end = name
        .rsplit_once('.')
        .is_some_and(|(_, end)| !end.is_empty());
    let is_exact = !path.contains(['*', '?', '[', '{', '$', '`', '(', '~', '<', '>', '\n']);
    has_end && is_exact && !PASSING.iter().any(|passing| path.starts_with(passing))
}

/// True if a file was changed after the last commit.
fn is_uncommitted(file: &ActiveFile, state: &HudState) -> bool {
    let committed = state.repository.commits.last().map(|commit| commit.turn);
    file.status.is_change() && committed.is_none_or(|turn| turn < file.turn)
}

/// True if a file is active and not deleted.
pub(super) fn is_active(state: &HudState, path: &str) -> bool {
    let mut files = state.active_files.iter();
    files.any(|file| file.path == path && file.status != FileStatus::Deleted)
}
