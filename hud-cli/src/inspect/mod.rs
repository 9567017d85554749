//! `hud inspect`: a page in the browser that shows what an agent saw in each turn, and why.

mod transcripts;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use hud_agent::setup::Setup;
use hud_clients::transcript::Entry;
use hud_inspect::model::Conversation;
use hud_inspect::server::{Act, ActError, Redact, Said, Server, Source, exported};
use hud_store::event::{Actor, SessionId};
use hud_store::private;
use hud_store::sqlite::{Durability, SqliteLog};
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use self::transcripts::Transcripts;
use crate::app::App;
use crate::args::Inspect;
use crate::location::Location;
use crate::opened::FileOnly;
use crate::output::{self, Failure, Output};
use crate::replay;

/// The maximum time that a person waits for a log that others write to.
const PATIENCE: Duration = Duration::from_secs(3);

/// The lifetime of the file that redirects the browser to the page.
const LEADS: Duration = Duration::from_secs(20);

pub(crate) fn run(args: &Inspect, app: &App) -> Result<(), Failure> {
    let setup = app.setup(Path::new("."))?;
    let other = |error: &dyn std::fmt::Display| Failure::Other(error.to_string());
    let source = match &args.file {
        Some(file) => recorded(file, args, setup)?,
        None => of_log(args, app, setup)?,
    };
    if let Some(path) = &args.export {
        let page = exported(source, args.session.as_ref()).map_err(|error| other(&error))?;
        return export(path, &page);
    }
    let server = Server::bind(args.port, source).map_err(|error| other(&error))?;
    let mut url = server.url();
    if let Some(session) = &args.session {
        url.push_str("&s=");
        url.push_str(&percent_encoded(session.as_str()));
    }
    let mut output = Output::new();
    output.text(&url)?;
    output.flush()?;
    output::note("only this machine can open it, and only with the key in it; end it with Ctrl-C");
    if args.open {
        lead_to(&url).map_err(|error| other(&format!("no browser was opened: {error}")))?;
    }
    server.run().map_err(|error| other(&error))
}

/// Returns the source of a page about a recorded session. It is read-only and includes the conversation.
fn recorded(file: &Path, args: &Inspect, setup: Setup) -> Result<Source, Failure> {
    let mut conversation = Conversation::default();
    let see = &mut |entry: &Entry, calls: u64| conversation.take(entry, calls);
    // Errors in the recording are reported here and not on the page.
    drop(replay::in_memory(file, args.conversation, &setup, see)?);
    let (own, number, path) = (setup.clone(), args.conversation, file.to_owned());
    let open = move || {
        let log = replay::in_memory(&path, number, &own, &mut |_, _| {});
        log.map_err(|error| error.to_string())
    };
    Ok(Source {
        open: Box::new(open),
        which: Box::new(String::new),
        setup,
        act: None,
        redact: None,
        said: Some(Said::Recorded(Arc::new(conversation))),
        is_live: false,
        name: file.display().to_string(),
    })
}

/// Returns the source of a page about a log, to which other processes may write.
fn of_log(args: &Inspect, app: &App, setup: Setup) -> Result<Source, Failure> {
    let location = args.db.file(FileOnly::Page, app)?.serving(&setup);
    drop(location.read()?);
    let name = location.log().display().to_string();
    let (reader, file, redacted) = (location.clone(), location.clone(), location.clone());
    let which = move || format!("{:?}", file.file_id());
    let open = move || reader.read().map_err(|error| error.to_string());
    let named = args.session.clone().zip(args.transcript.clone());
    let transcripts = Transcripts::new(named, args.conversation);
    let said = move |session: &SessionId| transcripts.of(session);
    let (mut act, mut taken): (Option<Box<Act>>, Option<Box<Redact>>) = (None, None);
    if !args.read_only {
        act = Some(Box::new(move |session, made, seen| {
            self::act(&location, session, made, seen)
        }));
        taken = Some(Box::new(move |session, version| {
            redact(&redacted, session, version)
        }));
    }
    Ok(Source {
        open: Box::new(open),
        which: Box::new(which),
        setup,
        act,
        redact: taken,
        said: Some(Said::Transcripts(Box::new(said))),
        is_live: args.export.is_none(),
        name,
    })
}

/// Redacts an event with `hud redact` and returns its report. `hud redact` reads the files of the log
/// afterwards. A process that has the log open, as this one does, must not read them.
fn redact(location: &Location, session: &SessionId, version: u64) -> Result<String, ActError> {
    let refused = |error: &dyn std::fmt::Display| ActError::Refused(error.to_string());
    let program = std::env::current_exe().map_err(|error| refused(&error))?;
    let mut command = Command::new(program);
    command
        .args(["redact", "--yes", "--db"])
        .arg(location.log());
    command.arg("--").arg(format!("{session}:{version}"));
    let done = command.stdin(Stdio::null()).output();
    let done = done.map_err(|error| refused(&error))?;
    let said = String::from_utf8_lossy(&done.stderr);
    let without_label = |line: &str| {
        let labels = ["note: ", "warning: ", "error: "];
        let text = labels.iter().find_map(|label| line.strip_prefix(label));
        text.unwrap_or(line).trim().to_owned()
    };
    let said: Vec<String> = said.lines().map(without_label).collect();
    let said = said.join("\n");
    match done.status.success() {
        true => Ok(said),
        false => Err(ActError::Refused(said)),
    }
}

/// Carries out an action of a person in the current log.
fn act(
    location: &Location,
    session: &SessionId,
    made: &Value,
    seen: u64,
) -> Result<Value, ActError> {
    let refused = |error: &dyn std::fmt::Display| ActError::Refused(error.to_string());
    let log = location.write_within(Durability::Full, PATIENCE);
    let log: SqliteLog = log.map_err(|error| refused(&error))?;
    let session = location.session(log, session);
    let mut session = session.map_err(|error| refused(&error))?;
    Ok(session.call_seen(&Actor::User, made, Timestamp::now(), seen)?)
}

/// Writes the page to a file that only its owner can read, because the page contains a conversation.
fn export(path: &Path, page: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Other(format!("{}: {error}", path.display()));
    if path.exists() {
        let path = path.display();
        return Err(Failure::Other(format!(
            "{path} is there already: remove it, or name another file"
        )));
    }
    let mut file = private::create_new(path).map_err(failed)?;
    file.write_all(page.as_bytes()).map_err(failed)?;
    output::note(format_args!(
        "{}: {}",
        path.display(),
        output::size(page.len() as u64)
    ));
    Ok(())
}

/// Opens the page in the browser. Everybody on the machine can read the arguments of a process, so the browser
/// is redirected by a file that only its owner can read.
fn lead_to(url: &str) -> std::io::Result<()> {
    let path = std::env::temp_dir().join(format!("hud-inspect-{}.html", Uuid::now_v7()));
    let mut file = private::create_new(&path)?;
    let url = url.replace('&', "&amp;").replace('"', "&quot;");
    write!(
        file,
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">\
         <meta http-equiv=\"refresh\" content=\"0;url={url}\"><title>Agent HUD</title>\
         <a href=\"{url}\">Open the page</a>"
    )?;
    drop(file);
    let opened = opener(&path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let remove = move |after: Duration| {
        thread::sleep(after);
        // An error is ignored, because the file may already be removed.
        let _ = std::fs::remove_file(&path);
    };
    match opened {
        Ok(mut child) => {
            thread::spawn(move || {
                let _ = child.wait();
                remove(LEADS);
            });
            Ok(())
        }
        Err(error) => {
            remove(Duration::ZERO);
            Err(error)
        }
    }
}

fn opener(path: &PathBuf) -> Command {
    let (program, words): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(words).arg(path);
    command
}

/// Percent-encodes a name for a URL.
fn percent_encoded(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
                encoded.push(char::from(byte));
            }
            byte => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_not_end_its_place_in_an_address() {
        assert_eq!(percent_encoded("ses_01.a-B"), "ses_01.a-B");
        assert_eq!(percent_encoded("a&key=#/é"), "a%26key%3D%23%2F%C3%A9");
    }
}
