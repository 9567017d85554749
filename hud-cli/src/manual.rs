//! `hud completions` and `hud man`: the command line for shells and for `man`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man as Page;

use crate::args::{Args, Completions, Man};
use crate::examples::with_examples;
use crate::output::{self, Failure, Output, count};
use crate::own;

/// Returns the command line of this program under its current name, with each command's full name.
pub(crate) fn command() -> Command {
    let name = own::name();
    let mut command = with_examples(Args::command(), name).name(name);
    command.build();
    command
}

pub(crate) fn completions(args: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    let mut command = with_examples(Args::command(), own::name());
    clap_complete::generate(args.shell, &mut command, own::name(), &mut script);
    let mut output = Output::new();
    output.raw().write_all(&script)?;
    Ok(output.flush()?)
}

pub(crate) fn run(args: &Man) -> Result<(), Failure> {
    let command = command();
    if let Some(folder) = &args.dir {
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        let written = write_all(&command, folder)?;
        output::note(format_args!(
            "{} written to {}",
            count(written, "page"),
            folder.display()
        ));
        return Ok(());
    }
    let mut wanted = &command;
    for name in &args.command {
        wanted = wanted.find_subcommand(name).ok_or_else(|| {
            Failure::Other(format!(
                "there is no command `{} {name}`: `{}` lists them",
                wanted
                    .get_display_name()
                    .unwrap_or_else(|| wanted.get_name()),
                own::command("--help")
            ))
        })?;
    }
    let mut output = Output::new();
    page(wanted).render(output.raw())?;
    Ok(output.flush()?)
}

/// Returns the page of a command. Its title is the command's full name, as in `hud-render(1)`.
fn page(command: &Command) -> Page {
    let title = command
        .get_display_name()
        .unwrap_or_else(|| command.get_name());
    Page::new(command.clone()).title(title.to_uppercase())
}

/// Writes the pages of a command and its subcommands, and returns their number.
fn write_all(command: &Command, folder: &Path) -> Result<u64, Failure> {
    let name = command
        .get_display_name()
        .unwrap_or_else(|| command.get_name());
    let mut text = Vec::new();
    page(command).render(&mut text)?;
    let file = folder.join(format!("{name}.1"));
    fs::write(&file, text).map_err(|error| failed(&file, &error))?;
    let mut written = 1;
    for inner in command.get_subcommands() {
        if !inner.is_hide_set() && inner.get_name() != "help" {
            written += write_all(inner, folder)?;
        }
    }
    Ok(written)
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::Other(format!("{} can't be written: {error}", path.display()))
}
