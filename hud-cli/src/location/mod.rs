//! The location of agents' state. It is outside of the project that they work in, so that no file of the project can
//! be taken for it.
//!
//! Each project has a folder in `agent-hud` in the user's folder for state: `$XDG_STATE_HOME`, or else
//! `~/.local/state` (on macOS `~/Library/Application Support`, on Windows `%LOCALAPPDATA%`). The folder's name
//! consists of the name of the project's root and a hash of its path. Only its owner can access it. It contains the
//! log, the version that each model saw last, and the HUD as a file for clients that read one.
//!
//! A user may name another log. A log is used only if nobody else can have put it there or can change it, see
//! [`Distrust`].

mod folder;
mod project;
mod system;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hud_agent::session::Session;
use hud_agent::settings::Settings;
use hud_agent::setup::Setup;
use hud_agent::tool::Operations;
use hud_store::event::SessionId;
use hud_store::log::{LogError, Place};
use hud_store::section::Sections;
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::HudState;
use jiff::Timestamp;

pub(crate) use self::folder::Distrust;
use self::folder::Folder;
pub(crate) use self::project::{MARK, canonical, config_home, is_ours, root_of};
use self::project::{folder_name, is_everything, is_project, state_home};
use crate::app::App;
use crate::args::Where;
use crate::deadline::Until;
use crate::opened::{FileOnly, address_of};
use crate::outbox::{self, Backlog, Pace};
use crate::output::{self, Failure, Output};
use crate::own;
use crate::tie::Ties;

/// The name of the folder of all state.
const STATE: &str = "agent-hud";

/// The file name of a project's log.
const LOG: &str = "hud.db";

/// The name of the file with the HUD.
const FRAME: &str = "HUD.md";

/// The largest size of a file beside a log, in bytes.
const LONGEST: u64 = 1024 * 1024;

/// The reason why there is no place for state, or none that can be trusted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LocationError {
    #[error(
        "there is no home directory to keep state in: set HOME or XDG_STATE_HOME, or name a log with \
         --db"
    )]
    NoHome,
    #[error(
        "state can't be kept in {} ({source}): let it be written, set XDG_STATE_HOME to a folder that \
         can be, or name a log with --db", path.display()
    )]
    NoState { path: PathBuf, source: io::Error },
    #[error(
        "state can't be kept in {}, which is in the project itself, as what came with the project could \
         be taken for it: set XDG_STATE_HOME to a folder outside of {}", home.display(), root.display()
    )]
    InProject { home: PathBuf, root: PathBuf },
    #[error("the directory {} can't be found: {source}", path.display())]
    NoProject { path: PathBuf, source: io::Error },
    #[error("{} names no file", .0.display())]
    NoFile(PathBuf),
    #[error("{place} is a log on a server, and {wanted}")]
    OnServer { place: Place, wanted: FileOnly },
    #[cfg(not(feature = "postgres"))]
    #[error(
        "{place} is a log on a server, and this program was built without those: build it with \
         `--features postgres`"
    )]
    NoServers { place: Place },
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Address(#[from] hud_postgres::AddressError),
    #[error(transparent)]
    Distrust(#[from] Distrust),
    #[error(transparent)]
    Log(#[from] LogError),
}

/// The location of one log and of the files that belong to it.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    /// The working directory.
    directory: PathBuf,
    /// The root of its project.
    root: PathBuf,
    log: PathBuf,
    /// The folder of the log, if no user named the log.
    kept: Option<Kept>,
    /// The sections that logs are opened with.
    sections: Sections,
    /// The operations that the agents of sessions can call.
    operations: Operations,
    /// The settings of sessions.
    settings: Arc<Settings>,
}

/// A project's folder, in the folder of all state.
#[derive(Clone, Debug)]
struct Kept {
    home: PathBuf,
    name: String,
}

impl Location {
    /// The location of the log that a user named, or else of the log of the project that a directory is in.
    pub(crate) fn of(named: Option<&Path>, directory: &Path) -> Result<Self, LocationError> {
        let directory = match directory.as_os_str().is_empty() {
            true => Path::new("."),
            false => directory,
        };
        let found = fs::canonicalize(directory);
        if let Some(address) = named.and_then(|named| address_of(named.as_os_str())) {
            return Err(LocationError::OnServer {
                place: Place::address(address),
                wanted: FileOnly::Agents,
            });
        }
        if let Some(log) = named {
            let directory = found.unwrap_or_else(|_| directory.to_owned());
            return Ok(Self {
                root: root_of(&directory).to_owned(),
                directory,
                log: log.to_owned(),
                kept: None,
                sections: Sections::new(),
                operations: Operations::built_in(),
                settings: Arc::default(),
            });
        }
        let directory = found.map_err(|source| LocationError::NoProject {
            path: directory.to_owned(),
            source,
        })?;
        let root = root_of(&directory).to_owned();
        let (home, name) = (state_home()?, folder_name(&root));
        if is_project(&root) && canonical(&home).starts_with(&root) {
            return Err(LocationError::InProject { home, root });
        }
        Ok(Self {
            log: home.join(STATE).join(&name).join(LOG),
            kept: Some(Kept { home, name }),
            root,
            directory,
            sections: Sections::new(),
            operations: Operations::built_in(),
            settings: Arc::default(),
        })
    }

    /// The same location, with the sections, operations and settings of a program.
    pub(crate) fn serving(self, setup: &Setup) -> Self {
        Self {
            sections: setup.sections.clone(),
            operations: setup.operations.clone(),
            settings: Arc::new(setup.settings.clone()),
            ..self
        }
    }

    /// The log with the sections of the program.
    fn known(&self, log: SqliteLog) -> SqliteLog {
        log.with_sections(self.sections.clone())
    }

    /// The session with the operations, the settings and the working directory.
    fn ready(&self, session: Session<SqliteLog>) -> Session<SqliteLog> {
        let session = session.with_operations(self.operations.clone());
        let mut session = session.with_settings(self.settings.clone());
        session.work_in(&self.directory.to_string_lossy());
        session
    }

    /// Opens a session in the log, for an agent that works in this directory.
    pub(crate) fn session(
        &self,
        log: SqliteLog,
        id: &SessionId,
    ) -> Result<Session<SqliteLog>, LogError> {
        Ok(self.ready(Session::open(log, id.clone())?))
    }

    /// Like [`session`](Self::session), and also returns the state at an earlier version, if the log has it without
    /// reading all events.
    pub(crate) fn session_with_past(
        &self,
        log: SqliteLog,
        id: &SessionId,
        version: Option<u64>,
    ) -> Result<(Session<SqliteLog>, Option<HudState>), LogError> {
        let (session, past) = match version {
            Some(version) => Session::open_with_past(log, id.clone(), version)?,
            None => (Session::open(log, id.clone())?, None),
        };
        Ok((self.ready(session), past))
    }

    /// Begins a session with the state that it inherits from earlier sessions of the project, unless it has
    /// events. Nothing is inherited in a folder that contains all projects, nor from a log that a user named,
    /// because that may contain several projects.
    pub(crate) fn begin(&self, session: &mut Session<SqliteLog>) -> Result<(), LogError> {
        if session.state().version > 0 || self.kept.is_none() || is_everything(&self.root) {
            return Ok(());
        }
        // Without the session bindings, sessions that wrote a while ago count as ended.
        let ties = Ties::of(self).ok();
        session.begin_after(Timestamp::now(), |earlier| ties.as_ref()?.runs(earlier))
    }

    /// The working directory.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The path of the log, whether it exists or not.
    pub(crate) fn log(&self) -> &Path {
        &self.log
    }

    /// The path of the file with the HUD, for clients that read one.
    pub(crate) fn frame(&self) -> PathBuf {
        self.log.with_file_name(FRAME)
    }

    /// The path of a log in the project itself, if there is one. It is not used, because it may have come with the
    /// project.
    pub(crate) fn unused(&self) -> Option<PathBuf> {
        let path = self.root.join(MARK).join(LOG);
        let is_there = self.kept.is_some() && fs::symlink_metadata(&path).is_ok();
        is_there.then_some(path)
    }

    /// Opens the log for reading, after writing the outbox to it.
    pub(crate) fn read(&self) -> Result<SqliteLog, LocationError> {
        self.write_out();
        match self.checked(false)? {
            true => Ok(self.known(SqliteLog::open_read_only(&self.log)?)),
            false => {
                self.mention_unused();
                let place = self.log.as_path().into();
                Err(LogError::Missing { place }.into())
            }
        }
    }

    /// Opens the log for writing, after writing the outbox to it. Creates it if there is none.
    pub(crate) fn write(&self, durability: Durability) -> Result<SqliteLog, LocationError> {
        self.write_out();
        if !self.checked(true)? {
            self.mention_unused();
        }
        Ok(self.known(SqliteLog::open_with(&self.log, durability)?))
    }

    /// Opens the log for writing, or else for reading, with the reason. A HUD can be shown even if the log can't be
    /// written. No lock of another process is waited for longer than `patience`.
    pub(crate) fn open_within(
        &self,
        durability: Durability,
        patience: Duration,
    ) -> Result<(SqliteLog, Option<LocationError>), LocationError> {
        let until = Until::after(patience);
        let error = match self.write_within(durability, patience) {
            Ok(log) => return Ok((log, None)),
            Err(error) => error,
        };
        match self.checked(false) {
            Ok(true) => match SqliteLog::open_read_only_within(&self.log, until.left()) {
                Ok(log) => Ok((self.known(log), Some(error))),
                Err(_) => Err(error),
            },
            _ => Err(error),
        }
    }

    /// The identity of the log's file, if there is one. Another file may take its name.
    pub(crate) fn file_id(&self) -> Option<FileId> {
        FileId::of(&self.log)
    }

    /// Opens the log for writing, and restores its protection against changes if another program changed that.
    pub(crate) fn mend(&self) -> Result<SqliteLog, LocationError> {
        self.checked(false)?;
        Ok(self.known(SqliteLog::open_to_mend(&self.log)?))
    }

    /// Opens the log for writing, and creates it if there is none. No lock of another process is waited for
    /// longer than `patience`.
    pub(crate) fn write_within(
        &self,
        durability: Durability,
        patience: Duration,
    ) -> Result<SqliteLog, LocationError> {
        if !self.checked(true)? {
            self.mention_unused();
        }
        Ok(self.known(SqliteLog::open_within(&self.log, durability, patience)?))
    }

    /// Writes the outbox to the log, and reports what is still waiting.
    fn write_out(&self) {
        /// The time limit for commands that read a log.
        const PATIENCE: Duration = Duration::from_secs(2);
        let until = Until::after(PATIENCE);
        let outcome = outbox::write_out(self, until, Pace::Patient).and_then(|written| {
            Ok(match written.is_all {
                true => Backlog::default(),
                false => outbox::backlog(self, Until::after(PATIENCE))?,
            })
        });
        match outcome {
            Ok(Backlog { reports: 0, .. }) => {}
            Ok(backlog) => output::note(format_args!(
                "{backlog} wait in the outbox of {}, and are not in what follows: `{}` writes them to the log",
                self.log.display(),
                own::command("doctor")
            )),
            Err(error) => output::problem(error),
        }
    }

    /// Creates the folder of the log. Returns true if there is a log.
    pub(crate) fn prepare(&self) -> Result<bool, LocationError> {
        self.checked(true)
    }

    /// True if there is a log. Anything else in its place that can't be trusted is an error.
    fn checked(&self, make: bool) -> Result<bool, LocationError> {
        let folder = match self.folder(make) {
            Err(LocationError::Distrust(Distrust::Io { source, .. }))
                if source.kind() == io::ErrorKind::NotFound =>
            {
                return Ok(false);
            }
            folder => folder?,
        };
        let log = self.name("")?;
        for end in ["-wal", "-shm", "-journal"] {
            folder.has(&self.name(end)?)?;
        }
        Ok(folder.has(&log)?)
    }

    /// The file name of the log, or of a file beside it.
    fn name(&self, end: &str) -> Result<OsString, LocationError> {
        let name = self.log.file_name();
        let mut name = name
            .ok_or_else(|| LocationError::NoFile(self.log.clone()))?
            .to_owned();
        name.push(end);
        Ok(name)
    }

    /// The folder of the log, if it can be trusted.
    fn folder(&self, make: bool) -> Result<Folder, LocationError> {
        let Some(Kept { home, name }) = &self.kept else {
            let (base, inner) = self.resolved(self.log.parent().unwrap_or(Path::new("")))?;
            let is_mark = inner.file_name() == Some(OsStr::new(MARK));
            let is_new = is_mark && !base.join(&inner).exists();
            let folder = Folder::below(&base, &inner, make && is_mark)?;
            if is_mark {
                narrow(&folder)?;
            }
            if is_new {
                // Keeps the folder out of the project's history.
                folder.write(OsStr::new(".gitignore"), b"*\n")?;
            }
            return Ok(folder.trusted()?);
        };
        if make {
            make_home(home).map_err(|source| LocationError::NoState {
                path: home.clone(),
                source,
            })?;
        }
        let all = Folder::below(home, Path::new(STATE), make);
        let all = all.map_err(no_state)?;
        narrow(&all)?;
        let inner = Path::new(name);
        let folder = Folder::below(all.trusted()?.path(), inner, make).map_err(no_state)?;
        narrow(&folder)?;
        let root = OsStr::new("root");
        if make && !folder.has(root)? {
            // Shows people which project the folder is for.
            folder.write(root, self.root.as_os_str().as_encoded_bytes())?;
        }
        Ok(folder.trusted()?)
    }

    /// Splits a folder's path into a part in which links may be followed, and a part in which none may be,
    /// because links in a project came with it.
    fn resolved(&self, folder: &Path) -> Result<(PathBuf, PathBuf), LocationError> {
        let error = |source| {
            let path = folder.to_owned();
            LocationError::NoProject { path, source }
        };
        let folder = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        let (mut base, mut inner) = (PathBuf::new(), PathBuf::new());
        for part in std::path::absolute(folder).map_err(error)?.components() {
            match part {
                Component::Normal(name) => {
                    let is_ours = inner.as_os_str().is_empty() && !self.is_in_project(&base);
                    match fs::canonicalize(base.join(name)) {
                        Ok(next) if is_ours => base = next,
                        _ => inner.push(name),
                    }
                }
                // No link is followed in the removed part.
                Component::ParentDir => {
                    if !inner.pop() {
                        base.pop();
                    }
                }
                Component::CurDir => {}
                Component::RootDir | Component::Prefix(_) => base.push(part),
            }
        }
        Ok((base, inner))
    }

    /// True if the content of a folder may have come with a project. That may be the current project, marked or
    /// not, or any other one.
    fn is_in_project(&self, folder: &Path) -> bool {
        let mut roots = folder.ancestors();
        roots.any(|root| is_project(root) || root == self.root && !is_everything(root))
    }

    /// The content of a file beside the log; `None` if there is no such file.
    pub(crate) fn read_beside(&self, end: &str) -> Result<Option<Vec<u8>>, LocationError> {
        match self.folder(false) {
            // On a machine where nothing was recorded yet, the folders are missing too.
            Err(LocationError::Distrust(Distrust::Io { source, .. }))
                if source.kind() == io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            folder => Ok(folder?.read(&self.name(end)?, LONGEST)?),
        }
    }

    /// Writes a file beside the log.
    pub(crate) fn write_beside(&self, end: &str, text: &[u8]) -> Result<(), LocationError> {
        Ok(self.folder(true)?.write(&self.name(end)?, text)?)
    }

    /// Opens a file beside the log for reading and appending; `None` if there is none.
    pub(crate) fn opened_beside(&self, end: &str) -> Result<Option<File>, LocationError> {
        match self.folder(false) {
            Err(LocationError::Distrust(Distrust::Io { source, .. }))
                if source.kind() == io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            folder => Ok(folder?.open(&self.name(end)?, false)?),
        }
    }

    /// Opens a file beside the log for reading and appending. Creates it if there is none.
    pub(crate) fn open_beside(&self, end: &str) -> Result<File, LocationError> {
        let made = self.folder(true)?.open(&self.name(end)?, true)?;
        made.ok_or_else(|| self.failed(end, io::ErrorKind::NotFound.into()))
    }

    /// Opens a file beside the log for reading and for changes anywhere in it. If there is none, creates it if
    /// `make` is true, or else returns `None`.
    pub(crate) fn changed_beside(
        &self,
        end: &str,
        make: bool,
    ) -> Result<Option<File>, LocationError> {
        match self.folder(make) {
            Err(LocationError::Distrust(Distrust::Io { source, .. }))
                if !make && source.kind() == io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            folder => Ok(folder?.change(&self.name(end)?, make)?),
        }
    }

    /// True if there is no file of that name beside the log. This is faster than a search that trusts no link,
    /// and may miss that there is none.
    pub(crate) fn lacks_beside(&self, end: &str) -> bool {
        self.glance_beside(end).is_some_and(|found| found.is_none())
    }

    /// True if there is no file of that name beside the log, or an empty one. It may miss either.
    pub(crate) fn has_nothing_beside(&self, end: &str) -> bool {
        let is_empty = |file: fs::Metadata| file.is_file() && file.len() == 0;
        self.glance_beside(end)
            .is_some_and(|found| found.is_none_or(is_empty))
    }

    /// The file of that name beside the log, if there is one; `None` if a quick look can't determine that.
    fn glance_beside(&self, end: &str) -> Option<Option<fs::Metadata>> {
        // After a link, `..` is another folder for the system than it is in the path.
        let mut parts = self.log.components();
        if parts.any(|part| part == Component::ParentDir) {
            return None;
        }
        match fs::symlink_metadata(self.beside(end)) {
            Ok(found) => Some(Some(found)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(None),
            Err(_) => None,
        }
    }

    /// The error for a file beside the log.
    pub(crate) fn failed(&self, end: &str, source: io::Error) -> LocationError {
        let path = self.beside(end);
        Distrust::Io { path, source }.into()
    }

    /// The path of a file beside the log.
    fn beside(&self, end: &str) -> PathBuf {
        let mut path = self.log.as_os_str().to_owned();
        path.push(end);
        path.into()
    }

    /// Writes the HUD to a file that a user named, or else to the one beside the log.
    pub(crate) fn write_frame(&self, file: Option<&Path>, hud: &str) -> Result<(), LocationError> {
        let (folder, name) = match file {
            None => (self.folder(true)?, OsString::from(FRAME)),
            Some(file) => {
                let name = file.file_name();
                let name = name.ok_or_else(|| LocationError::NoFile(file.to_owned()))?;
                let (base, inner) = self.resolved(file.parent().unwrap_or(Path::new("")))?;
                let folder = Folder::below(&base, &inner, true)?;
                (folder.trusted()?, name.to_owned())
            }
        };
        Ok(folder.write(&name, hud.as_bytes())?)
    }

    /// Removes the HUD that was written beside the log. Returns true if there was one.
    pub(crate) fn remove_frame(&self) -> Result<bool, LocationError> {
        Ok(self.folder(false)?.remove(OsStr::new(FRAME))?)
    }

    /// Reports that there is a log in the project, which a user might look for.
    fn mention_unused(&self) {
        if let Some(path) = self.unused() {
            output::note(format_args!(
                "{} is not used: it may have come with the project; if it is yours, run \
                 `{}` in {}",
                path.display(),
                own::command(format_args!("adopt {MARK}/{LOG}")),
                self.root.display()
            ));
        }
    }
}

/// The root of the project that a directory is in, if it is in one.
pub(crate) fn project_root(directory: &Path) -> Option<PathBuf> {
    let directory = fs::canonicalize(directory).ok()?;
    let root = root_of(&directory);
    is_project(root).then(|| root.to_owned())
}

/// Reads a file of any owner in a folder of a project, as data; `None` if there is none. No link is followed. A file
/// with more bytes than `most` is an error.
pub(crate) fn read_data(
    root: &Path,
    inner: &Path,
    name: &OsStr,
    most: u64,
) -> Result<Option<Vec<u8>>, Distrust> {
    match Folder::below(root, inner, false) {
        Err(Distrust::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        folder => folder?.read_data(name, most),
    }
}

/// The identity of a file, independent of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileId(u64, u64);

impl FileId {
    #[cfg(unix)]
    fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;

        let file = fs::metadata(path).ok()?;
        Some(Self(file.dev(), file.ino()))
    }

    /// Always `None`: an open file can't be removed here, so its identity is not needed.
    #[cfg(not(unix))]
    fn of(_: &Path) -> Option<Self> {
        None
    }
}

/// Restricts a folder to its owner.
fn narrow(folder: &Folder) -> Result<(), Distrust> {
    if folder.narrow()? {
        output::note(format_args!(
            "{}: others could look into it; only its owner can now",
            folder.path().display()
        ));
    }
    Ok(())
}

fn no_state(error: Distrust) -> LocationError {
    match error {
        Distrust::Io { path, source } if source.kind() != io::ErrorKind::NotFound => {
            LocationError::NoState { path, source }
        }
        error => error.into(),
    }
}

/// Creates the user's folder for state, accessible to nobody else.
fn make_home(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// `hud where`: the path of the log, for people and for scripts.
pub(crate) fn show(args: &Where, app: &App) -> Result<(), Failure> {
    let location = args.db.file(FileOnly::Path, app)?;
    let path = match args.frame {
        true => location.frame(),
        false => location.log().to_owned(),
    };
    let mut output = Output::new();
    let out = output.raw();
    // A path need not be valid UTF-8.
    out.write_all(path.as_os_str().as_encoded_bytes())?;
    out.write_all(b"\n")?;
    Ok(output.flush()?)
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_beside_the_log_is_never_missed_by_the_quick_look_for_it() {
        let (project, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let root = fs::canonicalize(project.path()).unwrap();
        fs::create_dir(root.join(".git")).unwrap();
        fs::create_dir(other.path().join("folder")).unwrap();
        symlink(other.path().join("folder"), root.join("link")).unwrap();
        // For the system, the second path is in `other`.
        for log in [root.join("hud.db"), root.join("link/../hud.db")] {
            let location = Location::of(Some(&log), &root).unwrap();
            location.open_beside(".outbox").unwrap();
            assert!(location.opened_beside(".outbox").unwrap().is_some());
            assert!(!location.lacks_beside(".outbox"));
            fs::remove_file(root.join("hud.db.outbox")).unwrap();
        }
        let log = root.join("hud.db");
        let location = Location::of(Some(&log), &root).unwrap();
        assert!(location.lacks_beside(".outbox"));
    }
}
