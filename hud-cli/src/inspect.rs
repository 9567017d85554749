//! `hud inspect`: what an agent saw in each turn, and why, as a page in a browser.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use hud_inspect::server::{Act, ActError, Open, Server, Source, Which, exported};
use hud_store::event::{Actor, SessionId};
use hud_store::private;
use hud_store::sqlite::{Durability, SqliteLog};
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::app::App;
use crate::args::Inspect;
use crate::location::Location;
use crate::output::{self, Failure, Output};
use crate::replay;

/// How long a person waits at most for a log that others write to.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long the file lies that leads the browser to the page.
const LEADS: Duration = Duration::from_secs(20);

pub(crate) fn run(args: &Inspect, app: &App) -> Result<(), Failure> {
    let setup = app.setup(Path::new("."))?;
    let other = |error: &dyn std::fmt::Display| Failure::Other(error.to_string());
    let (open, which, act, name): (Box<Open>, Box<Which>, Option<Box<Act>>, String) = match &args
        .file
    {
        Some(file) => {
            // Read once to say what is wrong with it here, and not on the page.
            drop(replay::in_memory(file, args.conversation, &setup)?);
            let (setup, conversation, path) = (setup.clone(), args.conversation, file.clone());
            let open = move || {
                replay::in_memory(&path, conversation, &setup).map_err(|error| error.to_string())
            };
            let which = || String::new();
            (
                Box::new(open),
                Box::new(which),
                None,
                file.display().to_string(),
            )
        }
        None => {
            let location = args.db.location(app)?.serving(&setup);
            drop(location.read()?);
            let name = location.log().display().to_string();
            let (reader, file) = (location.clone(), location.clone());
            let which = move || format!("{:?}", file.file_id());
            let open = move || reader.read().map_err(|error| error.to_string());
            let act: Option<Box<Act>> = match args.read_only {
                true => None,
                false => Some(Box::new(move |session, made, seen| {
                    act(&location, session, made, seen)
                })),
            };
            (Box::new(open), Box::new(which), act, name)
        }
    };
    let source = Source {
        open,
        which,
        setup,
        act,
        is_live: args.file.is_none() && args.export.is_none(),
        name,
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

/// Carries out what a person asks for, in the log as it is now.
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

/// Writes the page to a file that only its owner can read: it has what was said in a session.
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

/// Opens the page in the browser. The arguments of a process can be read by everybody on the machine, so
/// it is led there by a file that only its owner can read.
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
        // The browser may have been quicker to make it useless than we to remove it.
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

/// A name as a part of an address.
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
