//! Checks that secrets are masked wherever they enter a session, and that nothing else is.
//!
//! ```text
//! cargo run -p hud-eval --bin masking -- FILE...
//! ```
//!
//! A file is JSON Lines. Each line is one of these objects. Blank lines are skipped.
//!
//! ```json
//! {"form": "curl -u ada:8Kd0Qz7L https://x.example", "secret": "8Kd0Qz7L"}
//! {"keep": "let token = lexer.next();"}
//! ```
//!
//! - `form` is a text with a secret in it, and `secret` must not be found anywhere afterwards. `secret` is the
//!   usable secret, without the invisible characters in the form. The form is put into each of 14 places (a
//!   prompt, a command, an output, a note, ...; see `places.rs`) of a running session and of a replay. The
//!   secret is then searched in all texts of all events, in the stored outputs, in the HUD, in the state, and
//!   in the bytes of a database with all of them.
//! - `keep` is a text without a secret. It is a false positive if masking changes its record.
//!
//! Each leak and each false positive is a line of the output, followed by the totals. The exit code is 1 if
//! there is any, and 2 if a file can't be read.
#![allow(
    clippy::print_stdout,
    reason = "the figures are what the example is for"
)]

mod places;

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Deserialize;

use self::places::{Outcome, PLACES, changes, leaks};

/// A line of a file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Form { form: String, secret: String },
    Keep { keep: String },
}

#[derive(Default)]
struct Totals {
    forms: usize,
    leaking: usize,
    leaks: usize,
    kept: usize,
    changed: usize,
}

fn main() -> ExitCode {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if files.is_empty() {
        println!("usage: masking FILE...");
        return ExitCode::from(2);
    }
    let mut totals = Totals::default();
    for file in &files {
        if let Err(error) = totals.take(file) {
            println!("{}: {error}", file.display());
            return ExitCode::from(2);
        }
    }
    println!(
        "{} forms × {} places: {} leak, in {} places; {} texts to be kept: {} changed",
        totals.forms,
        PLACES.len(),
        totals.leaking,
        totals.leaks,
        totals.kept,
        totals.changed
    );
    match totals.leaking + totals.changed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

impl Totals {
    fn take(&mut self, file: &std::path::Path) -> Outcome<()> {
        let text = std::fs::read_to_string(file)?;
        let lines = text
            .lines()
            .zip(1..)
            .filter(|(line, _)| !line.trim().is_empty());
        for (line, nth) in lines {
            let line: Line =
                serde_json::from_str(line).map_err(|error| format!("line {nth}: {error}"))?;
            match line {
                Line::Form { form, secret } => {
                    let folder = tempfile::tempdir()?;
                    let found = leaks(&form, &secret, Some(&folder.path().join("hud.db")))?;
                    self.forms += 1;
                    self.leaking += usize::from(!found.is_empty());
                    self.leaks += found.len();
                    let places: Vec<String> = found
                        .iter()
                        .map(|leak| format!("{} ({})", leak.place, leak.found_in))
                        .collect();
                    if !places.is_empty() {
                        println!("leak, line {nth}: {form:?}: {}", places.join(", "));
                    }
                }
                Line::Keep { keep } => {
                    let found = changes(&keep)?;
                    self.kept += 1;
                    self.changed += usize::from(!found.is_empty());
                    if !found.is_empty() {
                        let masked = hud_secret::mask(&keep);
                        println!("changed, line {nth}: {keep:?}: {masked:?}");
                    }
                }
            }
        }
        Ok(())
    }
}
