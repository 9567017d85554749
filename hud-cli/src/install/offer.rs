//! `hud install` without a client: lists the clients on this machine, and asks about each if a terminal is
//! attached.

use std::io::{self, IsTerminal, Write};

use clap::ValueEnum as _;

use super::client::Client;
use super::found::{Connection, Found, found};
use super::{UNCHANGED, change};
use crate::args::Install;
use crate::output::{self, Failure, Output, count};
use crate::own;

pub(super) fn run(args: &Install, is_install: bool) -> Result<(), Failure> {
    let mut there = found()?;
    if !is_install {
        there.retain(|found| {
            matches!(
                found.connection(args.user),
                Connection::Whole | Connection::Stale
            )
        });
    }
    let verb = if is_install { "install" } else { "uninstall" };
    let Some(first) = there.first() else {
        return Err(Failure::Other(none(args.user, is_install)));
    };
    if args.all {
        return all(&there, args, is_install);
    }
    let mut output = Output::new();
    for found in &there {
        output.text(&format!(
            "{:<9} {}: {}",
            found.client.name(),
            found.client.title(),
            said(found.connection(args.user), args.user)
        ))?;
    }
    output.flush()?;
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        return ask(&there, args, is_install);
    }
    let user = if args.user { " --user" } else { "" };
    output::note(format_args!(
        "name one of them (`{}`), or take all: `{}`",
        own::command(format_args!("{verb} {}{user}", first.client.name())),
        own::command(format_args!("{verb} --all{user}")),
    ));
    Ok(())
}

/// The message that there is no client, with the step to take.
fn none(user: bool, is_install: bool) -> String {
    match (is_install, user) {
        (true, _) => format!(
            "no client was found on this machine: install one ({}), or name the one that you will have: {}",
            titles(),
            own::command("install opencode")
        ),
        (false, true) => {
            "no client shows the HUD in all projects: there is nothing to take out".to_owned()
        }
        (false, false) => format!(
            "no client shows the HUD by the configuration in this directory: go to the project, or take it \
             out of your own with `{}`",
            own::command("uninstall --user")
        ),
    }
}

/// The titles of the clients, as `a, b or c`.
fn titles() -> String {
    let titles: Vec<&str> = Client::value_variants()
        .iter()
        .map(|client| client.title())
        .collect();
    match titles.split_last() {
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn said(connection: &Connection, user: bool) -> String {
    let place = if user { "in all projects" } else { "here" };
    match connection {
        Connection::Nothing => format!("does not show the HUD {place} yet"),
        Connection::Whole => format!("shows the HUD {place}"),
        Connection::Stale => format!("is configured {place} by another version"),
        Connection::Unknown(why) => why.clone(),
    }
}

/// Changes the configuration of each client, or shows the changes.
fn all(there: &[Found], args: &Install, is_install: bool) -> Result<(), Failure> {
    let (mut is_left, mut failed) = (false, 0);
    for found in there {
        output::note(format_args!("{}:", found.client.title()));
        match change(found.client, args, is_install, args.yes, true) {
            Ok(left) => is_left |= left,
            Err(why) => {
                output::problem(why);
                failed += 1;
            }
        }
    }
    if is_left {
        output::note(UNCHANGED);
    }
    ended(failed)
}

/// Asks for each client whether it is to be changed. An empty answer means no.
fn ask(there: &[Found], args: &Install, is_install: bool) -> Result<(), Failure> {
    let mut failed = 0;
    for found in there {
        let changed = change(found.client, args, is_install, false, true).and_then(|is_left| {
            let is_wanted = is_left && is_yes(found.client.title())?;
            match is_wanted {
                true => change(found.client, args, is_install, true, false),
                false => Ok(false),
            }
        });
        if let Err(why) = changed {
            output::problem(why);
            failed += 1;
        }
    }
    ended(failed)
}

fn is_yes(title: &str) -> io::Result<bool> {
    let mut errors = anstream::stderr();
    write!(errors, "make this change for {title}? [y/N] ")?;
    errors.flush()?;
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer)?;
    if read == 0 {
        writeln!(errors)?;
    }
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn ended(failed: u64) -> Result<(), Failure> {
    match failed {
        0 => Ok(()),
        failed => Err(Failure::Other(format!(
            "{} left as it was: see above",
            count(failed, "configuration")
        ))),
    }
}
