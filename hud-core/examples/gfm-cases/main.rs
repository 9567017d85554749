//! The serialiser against the reference, over files of cases.
//!
//! ```text
//! cargo run --release --example gfm-cases -- [--show K] [--round-trip | --lift] FILE.jsonl...
//! ```
//!
//! A line of a file is a case: an object with `id`, `tree`, `options`, `gfmOptions` and `expected`.
//! Files may be compressed with gzip. It fails if a case differs.
//!
//! `--round-trip` judges by parsing instead: whether what is read from the text comes back from what
//! is written for that. `--lift` judges the way through elements: whether what is read, lifted and
//! lowered again, is the same text, but for characters that nobody sees and for blanks at the ends of marks.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example shows something"
)]

mod case;
mod lift;
mod outline;
mod round_trip;

use std::fs;
use std::io::{self, Read};
use std::process::ExitCode;

use case::Case;
use hud_core::gfm::to_string;
use similar::{ChangeTag, TextDiff};

const USAGE: &str = "usage: gfm-cases [--show K] [--round-trip | --lift] FILE.jsonl[.gz]...";

struct Arguments {
    files: Vec<String>,
    /// How many differing cases are shown of each file.
    show: usize,
    /// What is expected of a case, and what there is.
    judge: fn(&Case) -> (String, String),
}

fn main() -> ExitCode {
    let arguments = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("error: {error}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let (mut exact, mut all, mut failed) = (0, 0, false);
    for file in &arguments.files {
        match run(file, &arguments) {
            Ok((file_exact, file_all)) => {
                println!("{file}: exact {file_exact} of {file_all}");
                exact += file_exact;
                all += file_all;
            }
            Err(error) => {
                eprintln!("error: {file}: {error}");
                failed = true;
            }
        }
    }
    println!("total: exact {exact} of {all}");
    ExitCode::from(u8::from(failed || exact < all))
}

fn arguments(mut given: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        files: Vec::new(),
        show: 0,
        judge: by_bytes,
    };
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--round-trip" => arguments.judge = round_trip::judge,
            "--lift" => arguments.judge = lift::judge,
            "--show" => {
                let number = given.next().and_then(|number| number.parse().ok());
                arguments.show = number.ok_or("`--show` needs a number")?;
            }
            option if option.starts_with("--") => return Err(format!("there is no `{option}`")),
            _ => arguments.files.push(argument),
        }
    }
    if arguments.files.is_empty() {
        return Err("no file is given".to_owned());
    }
    Ok(arguments)
}

/// How many cases of a file are exact, and how many there are.
fn run(file: &str, arguments: &Arguments) -> Result<(usize, usize), String> {
    let text = read(file).map_err(|error| error.to_string())?;
    let (mut exact, mut all) = (0, 0);
    for (number, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        all += 1;
        let case = Case::read(line).map_err(|error| format!("line {}: {error}", number + 1))?;
        let (expected, actual) = (arguments.judge)(&case);
        if expected == actual {
            exact += 1;
        } else if all - exact <= arguments.show {
            show(&case.id, &expected, &actual);
        }
    }
    Ok((exact, all))
}

/// The judgement by bytes: what the reference writes, and what we do.
fn by_bytes(case: &Case) -> (String, String) {
    let actual = match &case.tree {
        Ok(tree) => to_string(tree, &case.options),
        Err(error) => format!("no tree: {error}"),
    };
    (case.expected.clone(), actual)
}

fn read(file: &str) -> io::Result<String> {
    let bytes = fs::read(file)?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
    } else {
        bytes.as_slice().read_to_string(&mut text)?;
    }
    Ok(text)
}

fn show(id: &str, expected: &str, actual: &str) {
    println!("--- {id} expected\n+++ {id} actual");
    for change in TextDiff::from_lines(expected, actual).iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => ' ',
        };
        // Escaped, since most differences are of characters that no terminal shows.
        println!("{sign}{}", change.value().escape_debug());
    }
}
