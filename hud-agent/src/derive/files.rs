//! What is done to files, and what a command does to those that are active.

use hud_store::event::{FileClose, FileEdit, FileOpen, HudEvent};
use hud_store::state::{ActiveFile, FileStatus, HudState};

use super::Deriver;
use super::command::{self, Change};
use crate::path;

impl Deriver {
    /// What a command does to the active files: those that it removes or moves leave, and what was
    /// moved is active under its new name.
    pub(super) fn changed(&self, command: &str, state: &HudState) -> Vec<HudEvent> {
        let mut events = Vec::new();
        for change in command::changes(command) {
            let from = match &change {
                Change::Removed(from) | Change::Moved { from, .. } => from,
            };
            for (file, rest) in self.below(from, state) {
                events.push(close(&file.path));
                let Change::Moved { to, into, .. } = &change else {
                    continue;
                };
                // In a folder that exists it keeps its name.
                let base = from.trim_end_matches('/').rsplit('/').next();
                let base = base
                    .filter(|_| *into || self.below(to, state).any(|(_, rest)| !rest.is_empty()));
                let to = [
                    Some(to.as_str()),
                    base,
                    Some(rest).filter(|rest| !rest.is_empty()),
                ];
                let to = to.into_iter().flatten().collect::<Vec<_>>().join("/");
                // It keeps the kind of name that it had.
                let to = match file.path.starts_with('/') {
                    true => path::absolute(&to, self.directory.as_deref()),
                    false => to,
                };
                let Some(path) = self.name(&to, state) else {
                    continue;
                };
                events.push(match file.status {
                    FileStatus::Editing => edit(&path),
                    FileStatus::Reading | FileStatus::Referenced => open(&path),
                });
            }
        }
        events
    }

    /// The active files that a path names, or that are in the folder that it names, with the rest of
    /// their paths in it.
    fn below<'s>(
        &self,
        path: &str,
        state: &'s HudState,
    ) -> impl Iterator<Item = (&'s ActiveFile, &'s str)> + use<'s> {
        let directory = self.directory.clone();
        let place = path::absolute(path, directory.as_deref());
        state.active_files.iter().filter_map(move |file| {
            let whole = path::absolute(&file.path, directory.as_deref());
            let found = match whole.strip_prefix(&place) {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => Some(rest.len()),
                // Where a relative path begins is not known: it may be the end of the file's.
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

pub(super) fn open(path: &str) -> HudEvent {
    FileOpen {
        path: path.to_owned(),
    }
    .into()
}

pub(super) fn edit(path: &str) -> HudEvent {
    FileEdit {
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

pub(super) fn is_active(state: &HudState, path: &str) -> bool {
    state.active_files.iter().any(|file| file.path == path)
}
