//! The test of the installed clients. The commands that a client starts are run with a temporary log, to see whether
//! they answer.

use std::fs::DirBuilder;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Duration;

use hud_store::log::{Log as _, LogError};
use hud_store::sqlite::SqliteLog;
use serde::Serialize;

use super::conversations::{self, Conversation};
use crate::install::{self, Barred, Client, Connection, Found, Serves, Started};
use crate::location::{Location, LocationError, root_of};
use crate::outbox;
use crate::output::Failure;
use crate::own;
use crate::trial::{self, NoAnswer};

/// The time limit for a program's answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// The prompt that is sent to a hook.
const PROMPT: &str = "hud doctor asks whether its hooks are answered";

/// A client, and the results of its test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Examined {
    #[serde(serialize_with = "name")]
    pub(super) client: Client,
    /// The version that its program reports, if it has a program.
    pub(super) version: Option<String>,
    /// True if the client shows the HUD here.
    pub(super) connected: bool,
    /// True if everything is installed that the client needs to show the HUD.
    pub(super) installed: bool,
    /// True if the client had a session here since the installation, and no hook came.
    pub(super) is_silent: bool,
    /// The time that a hook took, in milliseconds.
    pub(super) hook_ms: Option<u64>,
    /// The time from the start of the server until it listed the `hud` tool, in milliseconds.
    pub(super) server_ms: Option<u64>,
    pub(super) problems: Vec<Problem>,
}

/// A problem and its fix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Problem {
    pub(super) what: String,
    pub(super) mend: String,
}

fn name<S: serde::Serializer>(client: &Client, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(client.name())
}

/// Examines the clients on this machine, and compares their conversations here with the log at a location.
pub(super) fn examine(location: &Location) -> Result<Vec<Examined>, Failure> {
    let found = install::found()?;
    let recorded = recorded(location);
    // A client takes a second or two to report its version.
    thread::scope(|scope| {
        let examined: Vec<_> = found
            .iter()
            .map(|found| scope.spawn(|| examined(found, recorded.as_deref())))
            .collect();
        let examined = examined.into_iter();
        let examined = examined.map(|thread| {
            let failed = |_| Failure::Other("a client could not be examined".to_owned());
            thread.join().map_err(failed)?
        });
        examined.collect()
    })
}

/// The names of the sessions with recorded events; `None` if that is not known, because the outbox may have reports
/// of other sessions.
fn recorded(location: &Location) -> Option<Vec<String>> {
    if !outbox::is_empty(location) {
        return None;
    }
    match location.read() {
        Ok(log) => {
            let sessions = log.sessions().ok()?.into_iter();
            Some(sessions.map(|session| session.id.to_string()).collect())
        }
        Err(LocationError::Log(LogError::Missing { .. })) => Some(Vec::new()),
        Err(_) => None,
    }
}

/// The client's newest conversation here, if it began after the installation and nothing of it is recorded.
fn unheard(found: &Found, recorded: &[String]) -> Result<Option<Conversation>, Failure> {
    let Some(installed) = found.installed()? else {
        return Ok(None);
    };
    let here = std::env::current_dir().and_then(std::fs::canonicalize);
    let here = here.unwrap_or_default();
    let directories = [here.clone(), root_of(&here).to_owned()];
    let newest = conversations::newest(found.client, &directories);
    Ok(newest.filter(|newest| {
        std::time::SystemTime::from(newest.began) > installed && !recorded.contains(&newest.session)
    }))
}

fn examined(found: &Found, recorded: Option<&[String]>) -> Result<Examined, Failure> {
    let mut examined = Examined {
        client: found.client,
        version: None,
        connected: found.is_connected(),
        installed: found.is_connected(),
        is_silent: false,
        hook_ms: None,
        server_ms: None,
        problems: Vec::new(),
    };
    let title = found.client.title();
    if let Some(program) = &found.program {
        match trial::version(program, PATIENCE) {
            Ok(version) => examined.version = Some(version),
            Err(why) => examined.problems.push(Problem {
                what: format!("{title} doesn't say its version: {why}"),
                mend: format!("see what `{} --version` does", program.display()),
            }),
        }
    }
    for (connection, user) in [(&found.here, ""), (&found.everywhere, " --user")] {
        let again = own::command(format_args!("install {}{user} --yes", found.client.name()));
        match connection {
            Connection::Stale => examined.problems.push(Problem {
                what: format!("the configuration of {title} is of another version, or was changed"),
                mend: format!("bring it up to date: {again}"),
            }),
            Connection::Unknown(why) => examined.problems.push(Problem {
                what: format!("the configuration of {title} can't be read: {why}"),
                mend: format!("mend that, then: {again}"),
            }),
            Connection::Nothing | Connection::Whole => {}
        }
    }
    if let Some(started) = found.started()? {
        let place = Place::new()?;
        if let Some(hook) = &started.hook {
            examined.take(
                hook_answers(found.client, hook, &place),
                title,
                "hook",
                |examined| &mut examined.hook_ms,
            );
        }
        if let Some(server) = Server::of(found.client) {
            let answer = server.answers(&started, &place);
            examined.take(answer, title, server.name, |examined| {
                &mut examined.server_ms
            });
        }
    }
    let barred = found.barred()?;
    let silent = recorded.map_or(Ok(None), |recorded| unheard(found, recorded))?;
    examined.connected &= barred.is_none() && silent.is_none();
    examined.is_silent = silent.is_some();
    let fix = barred.as_ref().map(|barred| barred.fix.clone());
    examined
        .problems
        .extend(barred.map(|Barred { what, fix }| Problem { what, mend: fix }));
    examined.problems.extend(silent.map(|Conversation { began, .. }| Problem {
        what: format!(
            "{title} had a session here, begun at {began:.0}, since `{}` was installed, and no hook came: \
             nothing of it is in the log",
            own::name()
        ),
        mend: fix.unwrap_or_else(|| {
            format!("start {title} here anew, and look at what it says of its hooks and servers")
        }),
    }));
    Ok(examined)
}

impl Examined {
    fn take(
        &mut self,
        answer: Result<Duration, String>,
        title: &str,
        what: &str,
        place: impl FnOnce(&mut Self) -> &mut Option<u64>,
    ) {
        match answer {
            Ok(time) => *place(self) = Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            Err(why) => self.problems.push(Problem {
                what: format!("the {what} of {title} isn't answered: {why}"),
                mend: format!(
                    "have `{}` on the PATH that {title} is started with, and work when it is run there",
                    own::name()
                ),
            }),
        }
    }
}

/// Tests if a hook records its event. Returns the time that it takes once there is a log.
fn hook_answers(client: Client, hook: &str, place: &Place) -> Result<Duration, String> {
    let directory = std::env::current_dir().unwrap_or_default();
    let event = client.prompt("hud-doctor", &directory, PROMPT).to_string();
    let run = || {
        let mut command = Command::new("sh");
        command.args(["-c", hook]);
        trial::run(place.set(command), &event, None, PATIENCE)
    };
    let first = run().map_err(|why| why.to_string())?;
    let log = SqliteLog::open_read_only(place.log());
    let sessions = log.and_then(|log| log.sessions()).unwrap_or_default();
    if sessions.is_empty() {
        return Err(first
            .error
            .unwrap_or_else(|| "it recorded nothing".to_owned()));
    }
    run()
        .map(|answer| answer.time)
        .map_err(|why| why.to_string())
}

/// The server that a client starts.
struct Server {
    name: &'static str,
    command: &'static str,
    input: &'static str,
    /// A text in the last line of its answer.
    last: &'static str,
}

impl Server {
    /// The server that a client starts; `None` if the user adds the server by hand.
    fn of(client: Client) -> Option<Self> {
        match client.serves()? {
            Serves::Bridge => Some(Self {
                name: "bridge",
                command: "bridge",
                input: concat!(r#"{"id":1,"method":"hello","params":{"protocol":1}}"#, "\n"),
                last: r#""id":1"#,
            }),
            Serves::Mcp => cfg!(feature = "mcp")
                .then_some(Self {
                    name: "server",
                    command: "mcp",
                    input: concat!(
                        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
                        r#""capabilities":{},"clientInfo":{"name":"hud doctor","version":"1"}}}"#,
                        "\n",
                        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
                        "\n",
                        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
                        "\n",
                    ),
                    last: r#""id":2"#,
                }),
        }
    }

    /// The time from the start of the server until it listed its tools.
    fn answers(&self, started: &Started, place: &Place) -> Result<Duration, String> {
        let mut command = Command::new(&started.program);
        command.arg(self.command);
        let answer = trial::run(place.set(command), self.input, Some(self.last), PATIENCE);
        let answer = answer.map_err(|why| match why {
            NoAnswer::Start(error) if error.kind() == io::ErrorKind::NotFound => {
                format!("`{}` is not on the PATH", started.program)
            }
            why => why.to_string(),
        })?;
        match answer.text.contains(r#""name":"hud""#) {
            true => Ok(answer.time),
            false => Err(answer
                .error
                .unwrap_or_else(|| "it doesn't say that it has the `hud` tool".to_owned())),
        }
    }
}

/// A temporary folder with a log.
struct Place(PathBuf);

impl Place {
    fn new() -> Result<Self, Failure> {
        let folder = std::env::temp_dir().join(format!("hud-doctor-{}", uuid::Uuid::now_v7()));
        #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has a mode"))]
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder).map_err(|error| {
            Failure::Other(format!("{} can't be made: {error}", folder.display()))
        })?;
        Ok(Self(folder))
    }

    fn log(&self) -> PathBuf {
        self.0.join("hud.db")
    }

    /// Makes a command use the log.
    fn set(&self, mut command: Command) -> Command {
        command
            .env("HUD_DB", self.log())
            .env("XDG_STATE_HOME", &self.0);
        command
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // If this fails, the folder stays in the system's folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
