//! The command line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgGroup, Args as ClapArgs, Parser, Subcommand};
use hud_agent::settings::Settings;
use hud_core::Density;
use hud_store::event::SessionId;
use hud_store::log::Moment;
use hud_store::sqlite::Durability;

use crate::app::App;
use crate::config::SetBy;
use crate::deadline::{self, Deadline};
use crate::event_name::EventName;
use crate::hub::Hub;
use crate::install::Client;
use crate::location::{Location, LocationError};
use crate::opened::{self, FileOnly, Opened};

/// A heads-up display for LLM agents.
#[derive(Debug, Parser)]
#[command(name = "hud", version, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the HUD of a recorded session, as its agent would have seen it
    Replay(Replay),
    /// Show the HUD of a session in a log
    Render(Render),
    /// Show how many tokens the HUD of a session takes in each format
    #[cfg(feature = "formats")]
    Formats(Formats),
    /// Show what the HUD costs of a provider's prompt cache, in recorded sessions
    Cost(Cost),
    /// Show the events of a session in a log
    Log(Log),
    /// Show the HUD of a session as it was at a moment
    At(At),
    /// Show what changed in a session between two moments
    Diff(Diff),
    /// Search what was said in the sessions of a log
    Search(Search),
    /// List the sessions of a log
    Sessions(Sessions),
    /// Take outputs out of a log that nothing asks for any more
    Sweep(Sweep),
    /// Begin a session with what it takes over from others
    Begin(Begin),
    /// Have the session that runs go on with the work of an earlier one
    Resume(Resume),
    /// Write events as JSON lines
    Export(Export),
    /// Take in events from JSON lines, or memory that another program kept; what the log has already is passed over
    Import(Import),
    /// Copy a log while it is in use
    Backup(Backup),
    /// Check the installation and the log, and say what to do
    Doctor(Doctor),
    /// Say where the log of this project is
    Where(Where),
    /// Show each setting, its value and where that comes from
    Config(Config),
    /// Take a log over as this project's
    Adopt(Adopt),
    /// Take out what an event said, for good
    Redact(Redact),
    /// Pack the events from before the last compaction
    Archive(Archive),
    /// Serve a client that speaks the Model Context Protocol, on standard input and output
    #[cfg(feature = "mcp")]
    Mcp(Mcp),
    /// Ask a model what user and agent said that matters, and record what they did say
    #[cfg(feature = "distill")]
    Distill(Distill),
    /// Show what an agent saw in each turn, and why, in a browser
    #[cfg(feature = "inspect")]
    Inspect(Inspect),
    /// Let agents talk in rooms, each with a HUD of its own
    #[cfg(feature = "rooms")]
    Rooms(crate::rooms::args::Rooms),
    /// Send what the log has to the log of the fleet, each event once
    #[cfg(feature = "postgres")]
    Push(crate::fleet::args::Push),
    /// Copy sessions from the log of the fleet, or take one over
    #[cfg(feature = "postgres")]
    Pull(crate::fleet::args::Pull),
    /// Make the log of a fleet, and see how it is doing
    #[cfg(feature = "postgres")]
    Fleet(crate::fleet::args::Fleet),
    /// Watch a session in the terminal: what its agent sees in each turn, why, and what happens
    #[cfg(feature = "watch")]
    Watch(Watch),
    /// Configure a client so that it shows the HUD
    Install(Install),
    /// Take that out of a client's configuration again
    Uninstall(Install),
    /// Take in an event that a client reports by running a hook, and answer it
    Hook(Hook),
    /// Serve a client's plugin: JSON-RPC on lines, on standard input and output
    Bridge(Bridge),
    /// Format the bodies of rsx! in Rust files, which rustfmt leaves alone
    Fmt(Fmt),
    /// Check the phrases of a language
    Lexicon(Lexicon),
    /// Check, show, write and trust layouts that are files
    Layout(Layout),
    /// Show the tags that layouts can use, with a picture of each
    Catalogue(Catalogue),
    /// Write the script by which a shell completes the command line
    Completions(Completions),
    /// Write the manual page of a command, or those of all
    Man(Man),
    /// Write the reference of commands, events, operations, settings and components, from the code itself
    Reference(Reference),
    /// Run the functions of a layout, for the process that started this one
    #[cfg(feature = "script")]
    #[command(hide = true)]
    RunFunctions,
}

#[cfg(feature = "inspect")]
#[derive(Debug, ClapArgs)]
pub(crate) struct Inspect {
    /// A recorded session of any client, as `hud replay` reads it; by default the sessions of a log
    #[arg(conflicts_with = "db")]
    pub(crate) file: Option<PathBuf>,
    /// Which conversation of a file that has several, from 1
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) conversation: u64,
    #[command(flatten)]
    pub(crate) db: Db,
    /// The session to begin with, or to write with --export; by default the one with the latest event
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) session: Option<SessionId>,
    /// The transcript of that session, with what was said in it; by default what Claude Code and Codex have under the
    /// session's name
    #[arg(long, value_name = "FILE", requires = "session", conflicts_with_all = ["file", "export"])]
    pub(crate) transcript: Option<PathBuf>,
    /// Let nothing be changed from the page
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Listen at this port of 127.0.0.1; by default at one that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,
    /// Write a page with a session in it that needs no server, without what looks like a key or a password
    #[arg(long, value_name = "HTML", conflicts_with_all = ["open", "port", "read_only"])]
    pub(crate) export: Option<PathBuf>,
}

#[cfg(feature = "watch")]
#[derive(Debug, ClapArgs)]
pub(crate) struct Watch {
    /// The session; by default the one with the latest event
    #[arg(value_name = "SESSION", value_parser = session)]
    pub(crate) session: Option<SessionId>,
    #[command(flatten)]
    pub(crate) db: Db,
}

/// Which log.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Db {
    /// The SQLite log; by default $HUD_DB, or else the one of the project in this directory (see `hud
    /// where`). Commands that look at sessions take the address of a log on a server, too
    /// (`postgres://USER@HOST/DATABASE?log=NAME`)
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
}

impl Db {
    /// Where the log of work in a directory is.
    pub(crate) fn location_in(
        &self,
        directory: &Path,
        app: &App,
    ) -> Result<Location, LocationError> {
        app.location(self.named().as_deref(), directory)
    }

    /// The log that is named, or else that of the project in the working directory, open for reading: a file, or
    /// a log on a server.
    pub(crate) fn open(&self, app: &App) -> Result<Opened, LocationError> {
        if let Some(opened) = self.on_server(app) {
            return opened;
        }
        let location = self.location(app)?;
        let place = location.log().into();
        let log = Box::new(location.read()?);
        Ok(Opened { log, place })
    }

    /// The log that is named, if it is one on a server.
    pub(crate) fn on_server(&self, app: &App) -> Option<Result<Opened, LocationError>> {
        let address = self.address()?;
        Some(opened::on_server(&address, Path::new("."), app))
    }

    /// The address that is named, if it is that of a log on a server.
    pub(crate) fn address(&self) -> Option<String> {
        let named = self.named()?;
        opened::address_of(named.as_os_str()).map(ToOwned::to_owned)
    }

    /// The log that the command line names, or else the environment.
    pub(crate) fn named(&self) -> Option<PathBuf> {
        let variable = std::env::var_os("HUD_DB").filter(|path| !path.is_empty());
        self.db.clone().or(variable.map(PathBuf::from))
    }

    /// Whether a log is named on the command line.
    pub(crate) fn is_named(&self) -> bool {
        self.db.is_some()
    }

    /// Where the log of work in the working directory is.
    pub(crate) fn location(&self, app: &App) -> Result<Location, LocationError> {
        self.location_in(Path::new("."), app)
    }

    /// The same, for what only a log in a file can be asked for.
    pub(crate) fn file(&self, wanted: FileOnly, app: &App) -> Result<Location, LocationError> {
        self.location(app).map_err(|error| match error {
            LocationError::OnServer { place, .. } => LocationError::OnServer { place, wanted },
            error => error,
        })
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Replay {
    /// The recorded session of a client (see docs/recordings.md): a file, or the folder in which the client keeps it
    pub(crate) file: PathBuf,
    /// Which conversation of a file that has several, from 1
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) conversation: u64,
    /// Show the HUD before this call of the model, instead of the one at the end
    #[arg(long, value_name = "N", conflicts_with = "every")]
    pub(crate) turn: Option<u64>,
    /// Show the HUD of every turn, or of every K-th, and the one at the end
    #[arg(long, value_name = "K", num_args = 0..=1, default_missing_value = "1",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: Option<u64>,
    /// Keep the events in this SQLite log
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
    /// The name of the session in the log, instead of the recorded one
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) session: Option<SessionId>,
    #[command(flatten)]
    pub(crate) shown: Shown,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Cost {
    /// Recorded sessions of clients (see docs/recordings.md)
    #[arg(required_unless_present = "db", conflicts_with = "db")]
    pub(crate) files: Vec<PathBuf>,
    /// Show instead what the sessions of a log read from the cache, as their providers counted it: of this SQLite
    /// log, or by default $HUD_DB, or else the one of the project in this directory
    #[arg(long, value_name = "FILE")]
    db: Option<Option<PathBuf>>,
    /// Only this session of the log, call by call
    #[arg(long, value_name = "ID", value_parser = session, requires = "db")]
    pub(crate) session: Option<SessionId>,
    /// Only at this provider, by the name of its profile; may be given several times
    #[arg(long = "profile", value_name = "NAME")]
    pub(crate) profiles: Vec<String>,
    /// Fail where the placement of the settings costs more than this many times what the sessions cost
    /// without the HUD, in the middle
    #[arg(long, value_name = "TIMES", value_parser = times)]
    pub(crate) median: Option<f64>,
    /// The same for the session that it costs most in
    #[arg(long, value_name = "TIMES", value_parser = times)]
    pub(crate) worst: Option<f64>,
    /// Write a JSON object on a line for each session
    #[arg(long)]
    pub(crate) json: bool,
}

impl Cost {
    /// The log that is asked for, if one is.
    pub(crate) fn db(&self) -> Option<Db> {
        self.db.clone().map(|db| Db { db })
    }
}

#[cfg(feature = "formats")]
#[derive(Debug, ClapArgs)]
pub(crate) struct Formats {
    /// A recorded session; by default the latest one in the log
    #[arg(conflicts_with_all = ["db", "session"])]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: Source,
    /// full, compact or minimal; by default the use of the context decides
    #[arg(long)]
    pub(crate) density: Option<Density>,
    /// Write a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Show the HUD before this call of the model, instead of the last one
    #[arg(long, value_name = "N")]
    pub(crate) turn: Option<u64>,
    #[command(flatten)]
    pub(crate) shown: Shown,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Log {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The events of all sessions, in the order of the log
    #[arg(long, conflicts_with = "session")]
    pub(crate) all: bool,
    /// Only events of this kind, such as `file.edit`, or of this family, such as `file`
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Only events about this section of the state, such as `decisions`
    #[arg(long, value_name = "NAME")]
    pub(crate) section: Option<String>,
    /// Only events about this item of the section: its id, or a file's path
    #[arg(long, value_name = "ID", requires = "section")]
    pub(crate) item: Option<String>,
    /// Only events that followed from this message or call of a tool, by the client's name of it
    #[arg(long, value_name = "NAME")]
    pub(crate) cause: Option<String>,
    /// Go on with the events that others append, until interrupted
    #[arg(long, short)]
    pub(crate) follow: bool,
    /// Write a JSON object on a line for each event
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct At {
    #[command(flatten)]
    pub(crate) source: Source,
    /// turn:N, version:N, or a time such as 2026-11-20T12:00:00Z
    #[arg(value_parser = moment)]
    pub(crate) moment: Moment,
    #[command(flatten)]
    pub(crate) shown: Shown,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Diff {
    #[command(flatten)]
    pub(crate) source: Source,
    /// turn:N, version:N, or a time such as 2026-11-20T12:00:00Z
    #[arg(value_parser = moment)]
    pub(crate) from: Moment,
    /// The same; by default now
    #[arg(value_parser = moment)]
    pub(crate) to: Option<Moment>,
    /// Show the events in between as well
    #[arg(long)]
    pub(crate) events: bool,
    /// Write a JSON object on a line for each change, and for each event
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Search {
    #[command(flatten)]
    pub(crate) db: Db,
    /// Words that must all be there; the last may be the beginning of one
    #[arg(required = true)]
    pub(crate) text: Vec<String>,
    /// Only in this session
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) session: Option<SessionId>,
    /// Only in events of this kind, such as `note.add`, or of this family, such as `note`
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// How many hits at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Write the event of each hit as a JSON object on a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Sessions {
    #[command(flatten)]
    pub(crate) db: Db,
    /// Write a JSON object on a line for each session
    #[arg(long, conflicts_with = "delete")]
    pub(crate) json: bool,
    /// List the recordings of clients on this machine, instead of the sessions of the log
    #[arg(long, conflicts_with_all = ["delete", "db"])]
    pub(crate) recorded: bool,
    /// Take this session out of the log, with what only it keeps
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) delete: Option<SessionId>,
    /// Delete it; without, the session is shown and nothing is changed
    #[arg(long, requires = "delete")]
    pub(crate) yes: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Sweep {
    #[command(flatten)]
    pub(crate) db: Db,
    /// Show what would be taken out and why, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write a JSON object on a line for each output, and one for the sum
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Begin {
    #[command(flatten)]
    pub(crate) db: Db,
    /// The new session
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) session: SessionId,
    /// Go on with the task of this session
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) resumes: Option<SessionId>,
    /// Be a sub-agent of this session: see its task and its decisions
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) parent: Option<SessionId>,
    /// Begin with the notes, decisions and files of this session, which holds the project's
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) project: Option<SessionId>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Resume {
    /// The earlier session; by default the one that left work unfinished, or else the latest
    #[arg(value_name = "EARLIER", value_parser = session)]
    pub(crate) earlier: Option<SessionId>,
    #[command(flatten)]
    pub(crate) db: Db,
    /// The session that goes on; by default the one that a client runs in this project
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) session: Option<SessionId>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) db: Db,
    /// Only this session
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) session: Option<SessionId>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Import {
    #[command(flatten)]
    pub(crate) db: Db,
    /// The JSON lines, `-` for standard input; or memory that another program kept: a .json file, or a folder
    #[arg(default_value = "-")]
    pub(crate) file: PathBuf,
    /// The session that memory of another program is taken over into, else the one that it names
    #[arg(long)]
    pub(crate) session: Option<SessionId>,
    /// Import the recordings of the project in this directory, of all clients, instead of a file; each is imported once
    #[arg(long, conflicts_with_all = ["file", "session"])]
    pub(crate) all: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Backup {
    #[command(flatten)]
    pub(crate) db: Db,
    /// Where the copy goes: a path where nothing is
    pub(crate) to: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) db: Db,
    /// Make anew all that is derived from the events, first
    #[arg(long)]
    pub(crate) rebuild: bool,
    /// Write what was found as a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Redact {
    #[command(flatten)]
    pub(crate) db: Db,
    /// The event: SESSION:VERSION, or its seq, which is its place in this log; `hud log --json` has both
    #[arg(value_name = "EVENT")]
    pub(crate) event: EventName,
    /// Why, for the record
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    /// Take it out; without, the event is shown and nothing is changed
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Archive {
    #[command(flatten)]
    pub(crate) db: Db,
    /// Only this session
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) session: Option<SessionId>,
    /// Pack what is before this version, instead of before the last compaction
    #[arg(long, value_name = "N", requires = "session")]
    pub(crate) before: Option<u64>,
    /// Give the room back to the disk
    #[arg(long)]
    pub(crate) vacuum: bool,
}

#[derive(Debug, ClapArgs)]
#[command(group = ArgGroup::new("which").args(["client", "all"]))]
pub(crate) struct Install {
    /// Which client; without, those that are on this machine are listed, and offered where you can be asked
    pub(crate) client: Option<Client>,
    /// All clients that are on this machine
    #[arg(long)]
    pub(crate) all: bool,
    /// For all projects, instead of the one in this directory
    #[arg(long)]
    pub(crate) user: bool,
    /// Make the change; without, it is only shown
    #[arg(long, requires = "which")]
    pub(crate) yes: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Man {
    /// The command, such as `render` or `layout check`; without, the program itself
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    pub(crate) command: Vec<String>,
    /// Write the pages of all commands into this folder, instead of one to standard output
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Reference {
    /// The page
    #[arg(required_unless_present = "dir", conflicts_with = "dir")]
    pub(crate) page: Option<Page>,
    /// Write all pages into this folder, instead of one to standard output
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
}

/// A page of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Page {
    /// Each command with its arguments
    Commands,
    /// Each kind of event with its fields
    Events,
    /// Each operation of the `hud` tool with its schema
    Operations,
    /// Each setting with its type and default
    Settings,
    /// Each tag of layouts with a picture of each density
    Components,
    /// Each mistake in a layout with what is said of it
    Mistakes,
}

#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Hook {
    #[command(flatten)]
    pub(crate) db: Db,
    #[command(flatten)]
    pub(crate) written: Written,
    #[command(flatten)]
    pub(crate) deadline: Deadline,
}

/// The log of a process that serves a client.
#[derive(Debug, ClapArgs)]
pub(crate) struct Served {
    #[command(flatten)]
    pub(crate) db: Db,
    #[command(flatten)]
    given: Given,
}

/// Settings that are given on the command line.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Given {
    /// Let a power failure take the newest events, never others: several times as fast
    #[arg(long)]
    pub(crate) fast: bool,
    #[command(flatten)]
    pub(crate) deadline: Deadline,
}

impl Served {
    /// The sessions of the log, and how long a turn waits for what is asked of them.
    pub(crate) fn hub(&self, app: &App) -> Result<(Hub, Duration), LocationError> {
        let location = self.db.location(app)?;
        let mut setup = app.serving(location.directory());
        self.given.put_into(&mut setup.settings);
        let time = deadline::whole(&setup.settings);
        Ok((Hub::new(setup.into(), location), time))
    }
}

impl Given {
    /// Sets what is given, and returns which settings those are and where each comes from.
    pub(crate) fn put_into(self, settings: &mut Settings) -> Vec<(&'static str, SetBy)> {
        let deadline = self.deadline.put_into(settings);
        settings.fast |= self.fast;
        let fast = self.fast.then_some(SetBy::Flag("--fast"));
        let given = [("deadline", deadline), ("fast", fast)].into_iter();
        given
            .filter_map(|(key, source)| Some((key, source?)))
            .collect()
    }
}

/// How durable the log is.
pub(crate) fn durability(settings: &Settings) -> Durability {
    match settings.fast {
        true => Durability::Fast,
        false => Durability::Full,
    }
}

/// Whether the HUD is a file as well.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Written {
    /// Keep the HUD in a file as well, for clients that read one before each turn; by default the one
    /// that `hud where --frame` names
    #[arg(long, value_name = "FILE")]
    write: Option<Option<PathBuf>>,
}

impl Written {
    /// Where the HUD is to be written; inside, `None` is for the file beside the log.
    pub(crate) fn file(&self) -> Option<Option<&Path>> {
        self.write.as_ref().map(Option::as_deref)
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Where {
    #[command(flatten)]
    pub(crate) db: Db,
    /// The file with the HUD that `--write` keeps, instead of the log
    #[arg(long)]
    pub(crate) frame: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Config {
    /// Only this setting, or those of this table: `budget`, `profiles.openai`. Without, all of them but for the
    /// profiles that are built in and that the last session in the log has no use for
    #[arg(value_name = "KEY", conflicts_with = "schema")]
    pub(crate) key: Option<String>,
    /// Write the JSON Schema of the files with settings
    #[arg(long, conflicts_with = "json")]
    pub(crate) schema: bool,
    /// Write a JSON object on a line for each setting
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) given: Given,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Adopt {
    /// The log: of an older version in the project, or of the project before it was moved
    pub(crate) log: PathBuf,
    /// Take it over; without, the command says what it would do and changes nothing
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Bridge {
    #[command(flatten)]
    pub(crate) served: Served,
}

#[cfg(feature = "mcp")]
#[derive(Debug, ClapArgs)]
pub(crate) struct Mcp {
    #[command(flatten)]
    pub(crate) served: Served,
    /// The session; by default the one that the client or the agent names with a call, else the one
    /// that runs in the client's process, as its hooks say, else, where no hooks run, `main`
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) session: Option<SessionId>,
    /// Serve a component as a tool, too: `hud_show_TAG` takes its props and answers with what it shows; may be given
    /// several times (`hud layout tags` lists them)
    #[arg(long, value_name = "TAG")]
    pub(crate) show: Vec<String>,
    #[command(flatten)]
    pub(crate) written: Written,
}

#[cfg(feature = "distill")]
#[derive(Debug, ClapArgs)]
pub(crate) struct Distill {
    /// The client's recording of the session (see docs/recordings.md)
    pub(crate) file: PathBuf,
    /// The file has reports as `hud bridge` takes them, a JSON object on a line; `-` for standard input
    #[arg(long, requires = "session")]
    pub(crate) reports: bool,
    #[command(flatten)]
    pub(crate) db: Db,
    /// The session in the log, if it has another name there than in the recording
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) session: Option<SessionId>,
    /// Where chat completions are: an address such as https://api.openai.com/v1
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint: Option<String>,
    /// The model
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) terms: Terms,
    /// How many tokens this run may use, sent and written together [default: 100000]
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// How many tokens of them an answer may have [default: 2000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_answer: Option<u64>,
    /// How many tokens of the conversation are sent at once [default: 8000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) batch: Option<u64>,
    /// Read the whole conversation, not just what was said since the last time
    #[arg(long)]
    pub(crate) all: bool,
    /// Show what would be sent, and what would be recorded of the answers that are known; send and record
    /// nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// On which terms a model is asked.
#[cfg(any(feature = "distill", feature = "rooms"))]
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Terms {
    /// The environment variable that holds the key [default: OPENAI_API_KEY, if it is set]
    #[arg(long, value_name = "NAME")]
    pub(crate) key_env: Option<String>,
    /// How many dollars this run may cost; needs the prices
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    pub(crate) budget: Option<f64>,
    /// What a million tokens cost that are sent, in dollars
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    pub(crate) price_in: Option<f64>,
    /// What a million tokens cost that the model writes, in dollars
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    pub(crate) price_out: Option<f64>,
    /// How long an answer may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120,
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) timeout: u64,
    /// Send over plain http to another machine as well: whoever is in between reads all of it
    #[arg(long)]
    pub(crate) insecure: bool,
}

/// An amount of money.
#[cfg(any(feature = "distill", feature = "rooms"))]
fn dollars(text: &str) -> Result<f64, String> {
    let amount: f64 = text
        .parse()
        .map_err(|_| "write a number such as 0.25".to_owned())?;
    match amount.is_finite() && amount >= 0.0 {
        true => Ok(amount),
        false => Err("write a number from 0 on".to_owned()),
    }
}

/// An action on the phrases of a language.
#[derive(Debug, ClapArgs)]
pub(crate) struct Lexicon {
    #[command(subcommand)]
    pub(crate) action: LexiconAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LexiconAction {
    /// Report the faults of a file of phrases, and the intents that it has no phrases for
    Check {
        /// The file: the code of a language, with `.toml`
        file: PathBuf,
    },
}

/// What is done with a layout that is a file.
#[derive(Debug, ClapArgs)]
pub(crate) struct Layout {
    #[command(subcommand)]
    pub(crate) action: LayoutAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LayoutAction {
    /// Say all that is wrong with a layout
    Check {
        /// The file; by default the one that this project's agents are shown by
        file: Option<PathBuf>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a layout of the session with the latest event, or of an example
    Show {
        /// The file; by default the one that this project's agents are shown by
        file: Option<PathBuf>,
        /// full, compact or minimal
        #[arg(long, default_value = "full")]
        density: Density,
        #[command(flatten)]
        source: Source,
    },
    /// Write the built-in layout as a file, to change it
    Eject {
        /// The file; `-` for standard output
        #[arg(default_value = ".hud/layout.mdx")]
        file: PathBuf,
        /// Overwrite a file that is there
        #[arg(long)]
        force: bool,
    },
    /// List the tags that a layout can use, or tell one of them
    Tags {
        /// The tag
        name: Option<String>,
    },
    /// Write the JSON schema of a tag's props
    Schema {
        /// The tag; without it, that of the state
        name: Option<String>,
    },
    /// Let agents be shown by this project's layout as it is now: what is in it are words to your agent
    Trust {
        /// And by what it will be: for a project where nobody but you writes
        #[arg(long)]
        always: bool,
        /// No longer
        #[arg(long, conflicts_with = "always")]
        revoke: bool,
    },
    /// Allow the layout that an agent proposes for its session (`agent_layout = "ask"`), or see it first
    Allow {
        /// Its hash; without it the layout is shown, and nothing changes
        hash: Option<String>,
        #[command(flatten)]
        source: Source,
    },
    /// Refuse the layout that an agent proposes for its session
    Refuse {
        #[command(flatten)]
        source: Source,
    },
}

/// What layouts can use.
#[derive(Debug, ClapArgs)]
pub(crate) struct Catalogue {
    /// How it is written
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: CatalogueFormat,
}

/// How a catalogue is written.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub(crate) enum CatalogueFormat {
    /// For people, and for models
    #[default]
    Markdown,
    /// Fragments of HTML, with the pictures as a browser shows them
    Html,
    /// For programs: with the schema of each tag, and each picture in all three
    Json,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Fmt {
    /// Rust files, and directories to look for them in; `-` for standard input
    #[arg(default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Show what would change, change nothing, and fail if something would
    #[arg(long)]
    pub(crate) check: bool,
}

/// Which session of which log.
#[derive(Debug, ClapArgs)]
pub(crate) struct Source {
    #[command(flatten)]
    pub(crate) db: Db,
    /// The session; by default the one with the latest event
    #[arg(long, value_name = "ID", value_parser = session)]
    pub(crate) session: Option<SessionId>,
}

/// How a HUD is shown.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Shown {
    /// full, compact or minimal; by default the use of the context decides
    #[arg(long)]
    pub(crate) density: Option<Density>,
    /// No more than this many tokens of the session's model: as much as fits; by default as `budget.tokens`
    /// of the settings says
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<u64>,
    /// markdown, mdx, json, pretty-json, compact-json, toon, xml, html, terminal, dot, mermaid or graphml; a budget
    /// counts markdown (see `hud formats`)
    #[cfg(feature = "formats")]
    #[arg(long, default_value_t, conflicts_with_all = ["budget", "explain", "handoff", "json"])]
    pub(crate) format: hud_agent::format::Format,
    /// How wide `--format terminal` writes; by default as wide as the terminal is
    #[cfg(feature = "formats")]
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) width: Option<usize>,
    /// Show the handoff instead: what an agent must know of the conversation, as it would be right after a compaction;
    /// without a budget, as large as `handoff` of the settings says
    #[arg(long, conflicts_with_all = ["density", "json"])]
    pub(crate) handoff: bool,
    /// Say of each part how it is shown, what it takes, and why it is not more
    #[arg(long)]
    pub(crate) explain: bool,
    /// Write a JSON object on a line for each HUD, with the state it shows
    #[arg(long)]
    pub(crate) json: bool,
}

/// How many times what something else costs.
fn times(text: &str) -> Result<f64, String> {
    let times: f64 = text
        .parse()
        .map_err(|_| "write a number such as 1.05".to_owned())?;
    match times.is_finite() && times >= 0.0 {
        true => Ok(times),
        false => Err("write a number from 0 on".to_owned()),
    }
}

fn moment(text: &str) -> Result<Moment, String> {
    let number = |number: &str| {
        number
            .parse()
            .map_err(|_| format!("`{number}` is no number"))
    };
    match text.split_once(':') {
        Some(("turn", turn)) => number(turn).map(Moment::Turn),
        Some(("version", version)) => number(version).map(Moment::Version),
        _ => text.parse().map(Moment::Time).map_err(|_| {
            "write turn:7, version:40 or a time such as 2026-11-20T12:00:00Z".to_owned()
        }),
    }
}

pub(crate) fn session(name: &str) -> Result<SessionId, String> {
    SessionId::new(name).map_err(|error| error.to_string())
}
