//! `hud fmt`: formats the bodies of `rsx!` in Rust files.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use hud_fmt::Options;
use ignore::WalkBuilder;
use serde::Deserialize;
use similar::{ChangeTag, TextDiff};

use crate::args::Fmt;
use crate::file::replace;
use crate::output::{self, Failure, Output};
use crate::own;

/// The maximum size of a file in bytes.
const LONGEST: u64 = 64 * 1024 * 1024;

pub(crate) fn run(args: &Fmt) -> Result<(), Failure> {
    if args.paths == [Path::new("-")] {
        return standard_input(args.check);
    }
    let mut formatter = Formatter {
        out: Output::new(),
        check: args.check,
        options: BTreeMap::new(),
        changed: 0,
        failed: 0,
    };
    let mut files = 0_usize;
    for path in &args.paths {
        for entry in WalkBuilder::new(path).require_git(false).build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    match error.io_error() {
                        Some(cause) => formatter.fail(path, cause),
                        None => formatter.fail(path, &error),
                    }
                    continue;
                }
            };
            let path = entry.path();
            let kind = entry.file_type();
            // A link in a folder can lead out of the folder, so it is skipped.
            let is_wanted = match entry.depth() {
                0 => kind.is_some_and(|kind| !kind.is_dir()),
                _ => {
                    kind.is_some_and(|kind| kind.is_file())
                        && path.extension() == Some(OsStr::new("rs"))
                }
            };
            if is_wanted {
                files += 1;
                formatter.file(path)?;
            }
        }
    }
    formatter.out.flush()?;
    if files == 0 && formatter.failed == 0 {
        output::note("there are no Rust files here");
    }
    match (formatter.failed, formatter.changed) {
        (1.., _) => Err(Failure::Other(format!(
            "{} left as found, for what is said above",
            count(formatter.failed)
        ))),
        (0, changed @ 1..) if args.check => Err(Failure::Other(format!(
            "{} not formatted: run `{}`",
            count(changed),
            own::command("fmt")
        ))),
        (0, changed) => {
            if changed > 0 {
                output::note(format!("{} formatted", count(changed)));
            }
            Ok(())
        }
    }
}

fn count(files: usize) -> String {
    match files {
        1 => "1 file".to_owned(),
        files => format!("{files} files"),
    }
}

/// Reads text to its end, up to `LONGEST` bytes.
fn text(input: impl Read) -> io::Result<String> {
    let mut text = String::new();
    match input.take(LONGEST + 1).read_to_string(&mut text)? as u64 {
        0..=LONGEST => Ok(text),
        _ => Err(io::Error::other(format!(
            "it has more than {LONGEST} bytes"
        ))),
    }
}

/// Formats or checks standard input, for use in editors.
fn standard_input(check: bool) -> Result<(), Failure> {
    let source = text(io::stdin().lock())?;
    let options = options_near(Path::new(".")).map_err(Failure::Other)?;
    let formatted = hud_fmt::format(&source, &options)
        .map_err(|error| Failure::Other(format!("standard input:{error}")))?;
    if !check {
        io::stdout().write_all(formatted.as_bytes())?;
    } else if formatted != source {
        let mut out = Output::new();
        diff(&mut out, "standard input", &source, &formatted)?;
        out.flush()?;
        return Err(Failure::Other("standard input is not formatted".to_owned()));
    }
    Ok(())
}

struct Formatter {
    out: Output,
    check: bool,
    /// The options of the directories that were visited.
    options: BTreeMap<PathBuf, Options>,
    changed: usize,
    failed: usize,
}

impl Formatter {
    /// Formats a file. Errors are reported and do not stop other files from being formatted.
    fn file(&mut self, path: &Path) -> Result<(), Failure> {
        let source = match File::open(path).and_then(text) {
            Ok(source) => source,
            Err(error) => {
                self.fail(path, &error);
                return Ok(());
            }
        };
        let options = match self.options(path) {
            Ok(options) => options,
            Err(error) => {
                self.fail(path, &error);
                return Ok(());
            }
        };
        let formatted = match hud_fmt::format(&source, &options) {
            Ok(formatted) => formatted,
            Err(error) => {
                // The position directly follows the path, so that terminals make a link of it.
                output::problem(format!("{}:{error}", shown(path)));
                self.failed += 1;
                return Ok(());
            }
        };
        if formatted == source {
            return Ok(());
        }
        self.changed += 1;
        if self.check {
            diff(&mut self.out, &shown(path), &source, &formatted)?;
        } else if let Err(error) = replace(path, &formatted) {
            self.changed -= 1;
            self.fail(path, &error);
        }
        Ok(())
    }

    fn fail(&mut self, path: &Path, error: &dyn std::fmt::Display) {
        output::problem(format!("{}: {error}", shown(path)));
        self.failed += 1;
    }

    fn options(&mut self, file: &Path) -> Result<Options, String> {
        let directory = file.parent().unwrap_or(Path::new("."));
        if let Some(options) = self.options.get(directory) {
            return Ok(options.clone());
        }
        let options = options_near(directory)?;
        self.options.insert(directory.to_owned(), options.clone());
        Ok(options)
    }
}

fn shown(path: &Path) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    path.display().to_string()
}

/// The options of rustfmt that `hud fmt` uses.
#[derive(Deserialize)]
struct Rustfmt {
    max_width: Option<usize>,
    tab_spaces: Option<usize>,
    hard_tabs: Option<bool>,
}

/// Returns the options in the nearest `rustfmt.toml` or `.rustfmt.toml`, upwards from a directory.
fn options_near(directory: &Path) -> Result<Options, String> {
    let mut options = Options::default();
    let directory = if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    };
    let Ok(directory) = directory.canonicalize() else {
        return Ok(options);
    };
    let files = directory
        .ancestors()
        .flat_map(|directory| ["rustfmt.toml", ".rustfmt.toml"].map(|name| directory.join(name)));
    for path in files {
        // This skips named pipes, on which a read could block forever.
        if !path.is_file() {
            continue;
        }
        let Ok(options_of) = File::open(&path).and_then(text) else {
            continue;
        };
        let rustfmt: Rustfmt = toml::from_str(&options_of)
            .map_err(|error| format!("{}: {}", path.display(), error.to_string().trim_end()))?;
        options.max_width = rustfmt.max_width.unwrap_or(options.max_width);
        options.tab_spaces = rustfmt.tab_spaces.unwrap_or(options.tab_spaces).max(1);
        options.hard_tabs = rustfmt.hard_tabs.unwrap_or(options.hard_tabs);
        break;
    }
    Ok(options)
}

/// Writes a unified diff.
fn diff(out: &mut Output, name: &str, old: &str, new: &str) -> io::Result<()> {
    out.divider(name)?;
    let diff = TextDiff::from_lines(old, new);
    for hunk in diff.unified_diff().context_radius(2).iter_hunks() {
        out.text(&hunk.header().to_string())?;
        for change in hunk.iter_changes() {
            let line = change.value().trim_end_matches(['\r', '\n']);
            match change.tag() {
                ChangeTag::Equal => out.text(&format!(" {line}"))?,
                ChangeTag::Delete => out.removed(&format!("-{line}"))?,
                ChangeTag::Insert => out.added(&format!("+{line}"))?,
            }
        }
    }
    Ok(())
}
