//! The settings of a user, in TOML. They are in the user's own file for all projects
//! (`$XDG_CONFIG_HOME/agent-hud/config.toml`), and in a file in a project (`.hud/config.toml`).
//!
//! A project's file came with a repository. It is only data. It runs nothing and names no file. It must not set the
//! keys that [`USERS_OWN`](hud_agent::settings::USERS_OWN) lists, and no link is followed to it.
//!
//! A setting with an error is ignored, and the others apply. A command for people is refused until the file is fixed,
//! but an agent's turn is not. A setting of a section that this program does not have is not an error, unless its
//! name is similar to that of another section, because programs with other sections may share the file. It is
//! reported and ignored.

mod file;
mod show;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use hud_agent::settings::{Settings, USERS_OWN, UsersOwn};
use serde::Deserialize;
use toml::{Table, Value};

pub(crate) use self::show::run;
use crate::location::{Distrust, MARK, config_home, project_root, read_data};
use crate::output;

/// The name of the user's folder, in the folder of all configuration.
const FOLDER: &str = "agent-hud";

/// The name of both files.
const FILE: &str = "config.toml";

/// The largest size of a file, in bytes.
const LONGEST: u64 = 1024 * 1024;

/// The key of a setting, with the names of the tables around it first.
type Key = Vec<String>;

/// An error in a file of settings.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("{}:{line}:{column}: {said}", path.display())]
    Wrong {
        path: PathBuf,
        line: usize,
        column: usize,
        said: String,
    },
    #[error(transparent)]
    Distrust(#[from] Distrust),
    #[error("{} {said}", path.display())]
    Unreadable { path: PathBuf, said: String },
}

/// All errors in the files of settings.
#[derive(Debug, Default, thiserror::Error)]
#[error("there is something wrong with the settings")]
pub(crate) struct ConfigErrors(Vec<ConfigError>);

impl ConfigErrors {
    /// Reports each error on standard error.
    pub(crate) fn report(&self) {
        self.0.iter().for_each(output::problem);
    }

    /// The text of each error.
    pub(crate) fn said(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }
}

/// The settings in the files that only other programs know.
#[derive(Debug, Default)]
pub(crate) struct OfOthers(Vec<ConfigError>);

impl OfOthers {
    /// Reports each setting on standard error.
    pub(crate) fn report(&self) {
        self.0.iter().for_each(output::warning);
    }
}

/// The source of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SetBy {
    /// A line of a file.
    File {
        path: PathBuf,
        line: usize,
        is_users: bool,
    },
    /// An environment variable.
    Variable(&'static str),
    /// A flag of the command line.
    Flag(&'static str),
}

/// The settings that apply, and the errors in the files that they were read from.
#[derive(Debug, Default)]
pub(crate) struct Config {
    pub(crate) settings: Settings,
    /// The source of each setting that is not the default.
    sources: BTreeMap<Key, SetBy>,
    pub(crate) errors: ConfigErrors,
    pub(crate) of_others: OfOthers,
    /// The names of the sections of this program.
    sections: Vec<String>,
}

impl Config {
    /// The settings in the user's own file only, except those of sections.
    pub(crate) fn of_user() -> Self {
        let mut config = Self::default();
        let mut merged = DEFAULTS.clone();
        config.take_users(&mut merged);
        config.settle(merged);
        config
    }

    /// The settings for a working directory. `sections` are the names of the sections of this program.
    pub(crate) fn of(directory: &Path, sections: Vec<String>) -> Self {
        let mut config = Self {
            sections,
            ..Self::default()
        };
        let mut merged = DEFAULTS.clone();
        config.take_users(&mut merged);
        if let Some(root) = project_root(directory) {
            let path = root.join(MARK).join(FILE);
            match read_data(&root, Path::new(MARK), FILE.as_ref(), LONGEST) {
                Ok(Some(bytes)) => config.take(&path, &bytes, false, &mut merged),
                Ok(None) => {}
                Err(error) => config.errors.0.push(error.into()),
            }
        }
        config.settle(merged);
        config
    }

    /// The settings, or the errors if there are any. Reports the settings that are ignored.
    pub(crate) fn sound(self) -> Result<Self, ConfigErrors> {
        self.of_others.report();
        match self.errors.0.is_empty() {
            true => Ok(self),
            false => Err(self.errors),
        }
    }

    /// Notes the source of a setting that is not from a file.
    pub(crate) fn comes_from(&mut self, name: &str, source: SetBy) {
        self.sources.insert(vec![name.to_owned()], source);
    }

    fn take_users(&mut self, merged: &mut Table) {
        let Some(path) = users_file() else {
            return;
        };
        match read(&path) {
            Ok(Some(bytes)) => self.take(&path, &bytes, true, merged),
            Ok(None) => {}
            Err(error) => self.errors.0.push(ConfigError::Unreadable {
                said: format!("can't be read: {error}"),
                path,
            }),
        }
    }

    /// Adds the settings of a file.
    fn take(&mut self, path: &Path, bytes: &[u8], is_users: bool, merged: &mut Table) {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
            Err(_) => {
                let (path, said) = (path.to_owned(), "is no UTF-8: save it as that".to_owned());
                return self.errors.0.push(ConfigError::Unreadable { path, said });
            }
        };
        let (settings, mut mistakes) = file::read(text, &DEFAULTS, &self.sections);
        for file::Setting { key, value, at } in settings {
            let is_own = |own: &&UsersOwn| key.first().is_some_and(|first| first == own.key);
            let own = USERS_OWN.iter().find(is_own).filter(|_| !is_users);
            if let Some(UsersOwn { why, .. }) = own {
                let users = users_file().unwrap_or_else(|| FILE.into());
                let said = format!(
                    "`{}` is not for a project's file, as {why}: set it in {}",
                    file::written(&key),
                    users.display(),
                );
                mistakes.push(file::Mistake::new(at, said));
                continue;
            }
            let source = SetBy::File {
                path: path.to_owned(),
                line: place(text, at).0,
                is_users,
            };
            put(merged, &key, value);
            self.sources.insert(key, source);
        }
        mistakes.sort_by_key(|mistake| mistake.at);
        for file::Mistake {
            at,
            said,
            is_of_others,
        } in mistakes
        {
            let (line, column) = place(text, at);
            let path = path.to_owned();
            let found = match is_of_others {
                true => &mut self.of_others.0,
                false => &mut self.errors.0,
            };
            found.push(ConfigError::Wrong {
                path,
                line,
                column,
                said,
            });
        }
    }

    /// Creates the settings from the merged table. A table that fails the check is reported and reset to its defaults.
    fn settle(&mut self, mut merged: Table) {
        self.settings = settings(&merged);
        while let Err(wrong) = self.settings.check() {
            let key = [wrong.table, wrong.key].map(str::to_owned);
            let mut sources = self.sources.iter();
            let source = self.sources.get(key.as_slice()).or_else(|| {
                sources.find_map(|(key, source)| (key.first()? == wrong.table).then_some(source))
            });
            if let Some(SetBy::File { path, line, .. }) = source {
                let (path, line, said) = (path.clone(), *line, wrong.to_string());
                self.errors.0.push(ConfigError::Wrong {
                    path,
                    line,
                    column: 1,
                    said,
                });
            }
            self.sources
                .retain(|key, _| key.first().is_none_or(|first| first != wrong.table));
            let default = DEFAULTS.get(wrong.table).cloned();
            merged.extend(default.map(|table| (wrong.table.to_owned(), table)));
            self.settings = settings(&merged);
        }
    }
}

/// The default settings in TOML.
static DEFAULTS: LazyLock<Table> =
    LazyLock::new(|| Table::try_from(Settings::default()).unwrap_or_default());

/// The settings in a table that was merged from single settings.
fn settings(merged: &Table) -> Settings {
    Settings::deserialize(merged.clone()).unwrap_or_default()
}

/// Sets a value in a table of tables.
fn put(table: &mut Table, key: &[String], value: Value) {
    let Some((first, rest)) = key.split_first() else {
        return;
    };
    if rest.is_empty() {
        table.insert(first.clone(), value);
        return;
    }
    let inner = table.entry(first).or_insert_with(|| Table::new().into());
    if let Value::Table(inner) = inner {
        put(inner, rest, value);
    }
}

/// The path of the user's own file, whether it exists or not.
fn users_file() -> Option<PathBuf> {
    Some(config_home()?.join(FOLDER).join(FILE))
}

/// Reads a file of the user's own. Links are followed.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return Err(io::Error::other("it is no regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    let mut bytes = Vec::new();
    let read = File::open(path)?
        .take(LONGEST + 1)
        .read_to_end(&mut bytes)?;
    match read as u64 > LONGEST {
        true => Err(io::ErrorKind::FileTooLarge.into()),
        false => Ok(Some(bytes)),
    }
}

/// The line and the column of a byte offset, both from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}
