//! `hud` without a command: reports the state of the current directory, and the next steps.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use hud_components::text::line;
use hud_store::log::{Log, LogError, state_of};

use crate::app::App;
use crate::install::{self, Barred, Client, Connection, Found};
use crate::location::{LocationError, project_root};
use crate::output::{Failure, Output, count};
use crate::own;

/// The maximum number of characters of a task in the output.
const TASK: usize = 60;

/// The findings about the current directory and the machine.
#[derive(Debug)]
struct Findings {
    /// The name of this program.
    program: String,
    /// The root of the current project, if there is one.
    project: Option<PathBuf>,
    log: FoundLog,
    /// The clients on this machine.
    clients: Vec<Found>,
    /// The conditions that keep clients from showing the HUD, though it is installed.
    barred: Vec<(Client, Barred)>,
    /// A session that Claude Code recorded here.
    recorded: Option<PathBuf>,
}

#[derive(Debug)]
enum FoundLog {
    None,
    /// A log that cannot be read, with the reason.
    Unreadable(String),
    Sessions {
        count: u64,
        /// The task of the session with the latest event, if it has one.
        task: Option<String>,
    },
}

pub(crate) fn run(app: &App) -> Result<(), Failure> {
    let directory = Path::new(".");
    let clients = install::found()?;
    let mut barred = Vec::new();
    for found in &clients {
        barred.extend(found.barred()?.map(|barred| (found.client, barred)));
    }
    let findings = Findings {
        program: own::name().to_owned(),
        project: project_root(directory),
        log: log(app, directory),
        clients,
        barred,
        recorded: recorded(directory),
    };
    let mut output = Output::new();
    for text in findings.text().lines() {
        output.text(text)?;
    }
    Ok(output.flush()?)
}

/// Returns the log of the project.
fn log(app: &App, directory: &Path) -> FoundLog {
    let named = std::env::var_os("HUD_DB").filter(|path| !path.is_empty());
    let named = named.map(PathBuf::from);
    match sessions(app, named.as_deref(), directory) {
        Ok(found) => found,
        Err(Failure::Location(LocationError::Log(LogError::Missing { .. }))) => FoundLog::None,
        Err(why) => FoundLog::Unreadable(why.to_string()),
    }
}

fn sessions(app: &App, named: Option<&Path>, directory: &Path) -> Result<FoundLog, Failure> {
    let log = app.location(named, directory)?.read()?;
    let sessions = log.sessions()?;
    let Some(latest) = sessions.iter().max_by_key(|info| info.last_at) else {
        return Ok(FoundLog::None);
    };
    let task = state_of(&log, &latest.id)?.task;
    Ok(FoundLog::Sessions {
        count: sessions.len() as u64,
        task: task.map(|task| line(&task.description, TASK).into_owned()),
    })
}

/// Returns the newest session that Claude Code recorded in a directory.
fn recorded(directory: &Path) -> Option<PathBuf> {
    let directory = fs::canonicalize(directory).ok()?;
    let folder: String = directory
        .to_str()?
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let folder = Client::Claude.home().ok()?.join("projects").join(folder);
    let files = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    files.max_by_key(|path| fs::metadata(path).and_then(|found| found.modified()).ok())
}

impl Findings {
    /// Returns the text, which depends on nothing but these findings.
    fn text(&self) -> String {
        let mut text = String::from(
            "Agent HUD keeps what an agent is at (task, rules, decisions, plan, errors) in a log, and shows it in \
             each turn.\n\n",
        );
        for said in [self.of_project(), self.of_clients()] {
            text.push_str(&said);
        }
        text.push_str("\nNext:\n");
        let next = self.next();
        let width = next
            .iter()
            .map(|(command, _)| command.chars().count())
            .max();
        let width = width.unwrap_or_default();
        for (command, why) in next {
            // Writing to a string does not fail.
            let _ = writeln!(text, "  {command:width$}  {why}");
        }
        text
    }

    fn of_project(&self) -> String {
        let place = match &self.project {
            Some(root) => {
                let name = root.file_name().unwrap_or_default().to_string_lossy();
                format!("The project `{}`", line(&name, TASK))
            }
            None => "This directory".to_owned(),
        };
        match &self.log {
            FoundLog::None => {
                format!("{place} has no log yet: the first turn of an agent makes it.\n")
            }
            FoundLog::Unreadable(why) => format!("{place} has a log that can't be read: {why}\n"),
            FoundLog::Sessions {
                count: number,
                task,
            } => {
                let task = task
                    .as_ref()
                    .map_or(String::new(), |task| format!(", the latest on: {task}"));
                format!("{place} has a log of {}{task}\n", count(*number, "session"))
            }
        }
    }

    fn of_clients(&self) -> String {
        let named = |is_wanted: &dyn Fn(&Found) -> bool| {
            let clients = self.clients.iter().filter(|found| is_wanted(found));
            clients
                .map(|found| found.client.title())
                .collect::<Vec<_>>()
        };
        let mut text = String::new();
        if self.clients.is_empty() {
            text.push_str("No client that it knows was found on this machine.\n");
        }
        for (clients, one, many) in [
            (named(&|found| self.shows(found)), "shows", "show"),
            (
                named(&is_stale),
                "is configured by another version, and",
                "are configured by another version, and",
            ),
            (
                named(&|found| !found.is_connected() && !is_stale(found)),
                "doesn't show",
                "don't show",
            ),
        ] {
            let said = match (clients.len(), one) {
                (0, _) => continue,
                (1, _) => one,
                _ => many,
            };
            let end = match said.ends_with("and") {
                true => "may not work.",
                false => "the HUD here.",
            };
            let _ = writeln!(text, "{} {said} {end}", listed(&clients));
        }
        for (client, Barred { what, fix }) in &self.barred {
            let title = client.title();
            let _ = writeln!(
                text,
                "{title} is configured, but shows no HUD here. {what}. To change that, {fix}."
            );
        }
        text
    }

    /// True if a client shows the HUD here.
    fn shows(&self, found: &Found) -> bool {
        let mut barred = self.barred.iter();
        found.is_connected() && !barred.any(|(client, _)| *client == found.client)
    }

    /// Returns the next commands and their purposes.
    fn next(&self) -> Vec<(String, &'static str)> {
        let mut next = Vec::new();
        let mut add = |words: &str, why| next.push((format!("{} {words}", self.program), why));
        let has_log = matches!(self.log, FoundLog::Sessions { .. });
        if matches!(self.log, FoundLog::Unreadable(_)) {
            add("doctor", "what is wrong with the log, and what to do");
        }
        if let Some(stale) = self.clients.iter().find(|found| is_stale(found)) {
            let user = if stale.here == Connection::Stale {
                ""
            } else {
                " --user"
            };
            let words = format!("install {}{user} --yes", stale.client.name());
            add(&words, "bring its configuration up to date");
        }
        if has_log {
            add("render", "the HUD of the latest session");
            add("sessions", "who worked on what");
        }
        let connected = { self.clients.iter() }
            .find(|found| self.shows(found))
            .or_else(|| self.clients.iter().find(|found| found.is_connected()));
        let is_any_stale = self.clients.iter().any(is_stale);
        match connected {
            None if is_any_stale => {}
            None if self.clients.is_empty() => add("install opencode", "show the HUD in a client"),
            None => add("install", "choose a client that is to show the HUD"),
            Some(_) => add("doctor", "whether all of it works"),
        }
        if !has_log {
            match &self.recorded {
                Some(file) => {
                    let words = format!("replay {}", install::word(&file.display().to_string()));
                    add(&words, "the HUD of a session that was recorded here");
                }
                None => add(
                    "replay SESSION.jsonl",
                    "the HUD of a session that a client recorded",
                ),
            }
        }
        if let (false, Some(found)) = (has_log, connected) {
            next.insert(
                0,
                (
                    found.client.name().to_owned(),
                    "start it, and give it a task",
                ),
            );
        }
        next.push((format!("{} --help", self.program), "all commands"));
        // Two purposes can have the same command.
        let mut seen = Vec::new();
        next.retain(|(command, _)| {
            let is_new = !seen.contains(command);
            seen.push(command.clone());
            is_new
        });
        next
    }
}

fn is_stale(found: &Found) -> bool {
    !found.is_connected() && [&found.here, &found.everywhere].contains(&&Connection::Stale)
}

/// Joins names for a sentence.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(client: Client, here: Connection) -> Found {
        Found {
            client,
            program: Some(PathBuf::from("/usr/bin").join(client.name())),
            here,
            everywhere: Connection::Nothing,
        }
    }

    fn findings(log: FoundLog, clients: Vec<Found>) -> Findings {
        Findings {
            program: "hud".to_owned(),
            project: Some("/home/me/harbor".into()),
            log,
            clients,
            barred: Vec::new(),
            recorded: None,
        }
    }

    #[test]
    fn a_client_that_does_not_trust_the_project_is_not_said_to_show_the_hud() {
        let clients =
            [Client::Claude, Client::Opencode].map(|name| client(name, Connection::Whole));
        let mut findings = findings(FoundLog::None, clients.into());
        let barred = Barred {
            what: "Claude Code has not been told that you trust this project".to_owned(),
            fix: "start `claude` here once, and say that you trust the project".to_owned(),
        };
        findings.barred.push((Client::Claude, barred));
        insta::assert_snapshot!(findings.text());
    }

    #[test]
    fn a_machine_without_a_client_is_told_how_to_begin() {
        let mut findings = findings(FoundLog::None, Vec::new());
        findings.project = None;
        insta::assert_snapshot!(findings.text());
    }

    #[test]
    fn clients_that_are_there_are_offered_with_what_they_recorded() {
        let clients = [Client::Claude, Client::Codex].map(|name| client(name, Connection::Nothing));
        let mut findings = findings(FoundLog::None, clients.into());
        findings.recorded = Some("/home/me/.claude/projects/-home-me-harbor/a b.jsonl".into());
        insta::assert_snapshot!(findings.text());
    }

    #[test]
    fn who_is_connected_is_told_to_begin_a_session() {
        let clients = vec![
            client(Client::Claude, Connection::Whole),
            client(Client::Goose, Connection::Nothing),
        ];
        insta::assert_snapshot!(findings(FoundLog::None, clients).text());
    }

    #[test]
    fn who_has_sessions_is_led_to_them() {
        let log = FoundLog::Sessions {
            count: 3,
            task: Some("Add rate limits per tenant".to_owned()),
        };
        let clients = vec![client(Client::Opencode, Connection::Whole)];
        insta::assert_snapshot!(findings(log, clients).text());
    }

    #[test]
    fn what_is_wrong_comes_first() {
        let log = FoundLog::Unreadable("hud.db is not a log of agent-hud".to_owned());
        let clients = vec![client(Client::Gemini, Connection::Stale)];
        insta::assert_snapshot!(findings(log, clients).text());
    }
}
