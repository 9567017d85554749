//! The changes to a client's configuration, which are shown before they are made.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use similar::{ChangeTag, TextDiff};

use super::client::{Client, Wanted};
use super::command::Program;
use super::content::{Content, Extent};
use super::record::{Record, Records};
use super::stage::{self, Lock, Target, missing_folders, read, remove_empty};
use super::{BOM, failed, trust};
use crate::location::root_of;
use crate::output::{self, Failure, Output};

/// The changes to a client's configuration.
pub(super) struct Plan {
    client: &'static str,
    /// The project whose configuration is changed; `None` for the user's own configuration.
    project: Option<PathBuf>,
    program: Program,
    records: Records,
    changes: Vec<Change>,
}

/// The change to one file.
struct Change {
    /// The path of the file as the client names it.
    file: PathBuf,
    target: Target,
    /// A description of the file, shown in place of its content if the whole file is ours.
    what: Option<&'static str>,
    record: Option<Record>,
    /// The folders that are removed with the file if they are empty.
    folders: Vec<PathBuf>,
}

impl Change {
    fn is_any(&self) -> bool {
        self.target.before != self.target.after
    }
}

impl Plan {
    /// The changes that install or uninstall a client's configuration, and the notes on the steps that are left to
    /// the user.
    pub(super) fn of(
        client: Client,
        user: bool,
        is_install: bool,
        program: &Program,
        records: Records,
    ) -> Result<(Self, Vec<String>), Failure> {
        let mut wanted = Wanted::of(client, user, is_install, program, &records)?;
        let mut plan = Self {
            client: client.name(),
            project: project(user)?,
            program: program.clone(),
            records,
            changes: Vec::new(),
        };
        for (file, content) in &mut wanted.files {
            // Only the user's own hooks are trusted automatically. A project's hooks may be somebody else's.
            if let Content::Toml(toml) = content
                && user
            {
                toml.trusted = plan.trusted(is_install);
            }
            plan.add(file, content, is_install)?;
        }
        Ok((plan, wanted.notes))
    }

    /// True if anything would change.
    pub(super) fn is_any(&self) -> bool {
        self.changes.iter().any(Change::is_any)
    }

    /// Adds the change to a file.
    fn add(&mut self, file: &Path, content: &Content, is_install: bool) -> Result<(), Failure> {
        let (path, before) = read(file)?;
        // A repository may contain a link to a file of the user.
        if let Some(project) = &self.project
            && !path.starts_with(project)
        {
            let reason = format!(
                "a link in the project leads out of it, to {}: remove the link, or change that file where \
                 it belongs (your own with --user)",
                path.display()
            );
            return Err(failed(file, &reason));
        }
        // Two names may resolve to one file.
        if self.changes.iter().any(|change| change.target.path == path) {
            return Ok(());
        }
        let record = self.records.get(&path);
        let is_as_left = record
            .zip(before.as_deref())
            .is_some_and(|(record, bytes)| record.is_of(bytes));
        let text = match before.as_deref().map(std::str::from_utf8) {
            None => "",
            Some(Ok(text)) => text,
            Some(Err(_)) => return Err(failed(file, &"it is no UTF-8: save it as that first")),
        };
        let (bom, text) = match text.strip_prefix(BOM) {
            Some(text) => (BOM, text),
            None => ("", text),
        };
        let without = |extent| {
            let program = &self.program;
            content.without(text, program, record, is_as_left, extent)
        };
        let bytes = |text: &str| format!("{bom}{text}").into_bytes();
        let refused = |reason: String| failed(file, &reason);
        let mut folders = record.map_or_else(Vec::new, |record| record.folders.clone());
        let (after, record) = if !is_install {
            let after = match before {
                Some(_) => without(Extent::All).map_err(refused)?,
                None => None,
            };
            (after.as_deref().map(bytes), None)
        } else {
            let there = content.put(text, &self.program, record).map_err(refused)?;
            if before.is_some() && there.edit.text() == text {
                (before.clone(), record.cloned())
            } else {
                // Our entries are out of date: they are removed and inserted again.
                let base = without(Extent::ButServer).map_err(refused)?;
                let put = content
                    .put(base.as_deref().unwrap_or_default(), &self.program, None)
                    .map_err(refused)?;
                let mut made = put.made;
                if let Some(record) = record.filter(|_| !is_as_left) {
                    made.extend(record.made.iter().cloned());
                }
                if before.is_none() {
                    folders = missing_folders(&path);
                }
                let (after, edits) = put.edit.into_parts();
                let after = bytes(&after);
                let record = Record {
                    client: self.client.to_owned(),
                    digest: stage::digest(&after),
                    is_made: before.is_none() || record.is_some_and(|record| record.is_made),
                    folders: folders.clone(),
                    made,
                    edits,
                };
                (Some(after), Some(record))
            }
        };
        let target = Target {
            path,
            before,
            after,
            is_program: matches!(content, Content::Script(_)),
        };
        if target.before != target.after && is_read_only(&target.path) {
            let reason = "it is read-only: make it writable first (chmod u+w)";
            return Err(failed(file, &reason));
        }
        self.changes.push(Change {
            file: file.to_owned(),
            target,
            what: match content {
                Content::Whole { .. } => Some("the plugin for opencode"),
                _ => None,
            },
            record,
            folders,
        });
        Ok(())
    }

    /// The digests of our hooks in the last file that was added: after the change for an installation, before the
    /// change for a removal.
    fn trusted(&self, is_install: bool) -> BTreeMap<String, String> {
        let Some(change) = self.changes.last() else {
            return BTreeMap::new();
        };
        let bytes = match is_install {
            true => &change.target.after,
            false => &change.target.before,
        };
        let text = std::str::from_utf8(bytes.as_deref().unwrap_or_default()).unwrap_or_default();
        let text = text.strip_prefix(BOM).unwrap_or(text);
        trust::trusted(text, &change.file, &self.program)
    }

    pub(super) fn show(&self) -> io::Result<()> {
        let mut output = Output::new();
        for change in &self.changes {
            change.show(&mut output)?;
        }
        output.flush()
    }

    /// Makes the changes, either all of them or none.
    pub(super) fn make(self, lock: &Lock) -> Result<(), Failure> {
        let Self {
            mut records,
            changes,
            ..
        } = self;
        let mut targets = Vec::new();
        let (mut made, mut folders) = (Vec::new(), Vec::new());
        for change in changes {
            records.set(&change.target.path, change.record);
            if change.target.after.is_none() {
                folders.extend(change.folders);
            }
            if change.target.before == change.target.after {
                continue;
            }
            made.push(change.file);
            targets.push(change.target);
        }
        let records = records.into_target()?;
        if records.before != records.after {
            targets.push(records);
        }
        if targets.is_empty() {
            return Ok(());
        }
        lock.commit(&targets)?;
        folders.sort_by_key(|folder| folder.components().count());
        remove_empty(&folders);
        for file in made {
            output::note(format_args!("{}: changed", file.display()));
        }
        Ok(())
    }
}

fn is_read_only(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().readonly())
}

impl Change {
    fn show(&self, output: &mut Output) -> io::Result<()> {
        if !self.is_any() {
            output::note(format_args!("{}: nothing to change", self.file.display()));
            return Ok(());
        }
        let mut name = self.file.display().to_string();
        if std::fs::symlink_metadata(&self.file).is_ok_and(|file| file.is_symlink()) {
            name = format!("{name} -> {}", self.target.path.display());
        }
        if self.target.after.is_none() {
            name.push_str(" (is removed)");
        }
        output.divider(&name)?;
        match (self.what, &self.target.after) {
            (Some(what), Some(_)) => return output.added(&format!("+ {what}")),
            (Some(what), None) => return output.removed(&format!("- {what}")),
            (None, _) => {}
        }
        let text = |bytes: &Option<Vec<u8>>| {
            let bytes = bytes.as_deref().unwrap_or_default();
            String::from_utf8_lossy(bytes).into_owned()
        };
        show(
            output,
            &text(&self.target.before),
            &text(&self.target.after),
        )
    }
}

/// The root of the project whose configuration is changed, with links resolved; `None` for the user's own.
fn project(is_user: bool) -> Result<Option<PathBuf>, Failure> {
    if is_user {
        return Ok(None);
    }
    let directory = std::env::current_dir().and_then(std::fs::canonicalize);
    let directory = directory
        .map_err(|error| Failure::Other(format!("the working directory can't be read: {error}")))?;
    Ok(Some(root_of(&directory).to_owned()))
}

/// Prints the removed and the added lines, with some lines around them.
fn show(output: &mut Output, before: &str, after: &str) -> io::Result<()> {
    let diff = TextDiff::from_lines(before, after);
    for group in diff.grouped_ops(2) {
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = change.value().trim_end_matches(['\n', '\r']);
            match change.tag() {
                ChangeTag::Delete => output.removed(&format!("- {line}"))?,
                ChangeTag::Insert => output.added(&format!("+ {line}"))?,
                ChangeTag::Equal => output.text(&format!("  {line}"))?,
            }
        }
    }
    Ok(())
}
