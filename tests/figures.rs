//! The table of what the HUD costs and keeps in each of the real clients:
//!
//! ```sh
//! OPENCODE=.. CLAUDE=.. CODEX=.. GEMINI=.. CLINE=.. cargo run -p hud-tests --example figures
//! ```
//!
//! runs the tests that measure, which takes about half an hour, and prints the table. With a file that
//! `HUD_FIGURES=FILE cargo test ..` wrote, as an argument, it prints the table of that, and runs nothing.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the table is what the example is for"
)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use serde_json::Value;

/// The tests that measure.
const TESTS: [&str; 3] = ["cost", "agents", "faults"];

/// The clients, by what the tests call them and by their names.
const CLIENTS: [(&str, &str); 5] = [
    ("opencode", "opencode"),
    ("claude", "Claude Code"),
    ("codex", "Codex"),
    ("gemini", "Gemini CLI"),
    ("cline", "Cline"),
];

fn main() -> ExitCode {
    let given = env::args_os().nth(1).map(PathBuf::from);
    let table = match given {
        Some(file) => read(&file).map(|figures| table(&figures)),
        None => measure(),
    };
    match table {
        Ok(table) => {
            print!("{table}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the tests, one after the other, and makes the table of what they wrote.
fn measure() -> Result<String, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("figures.jsonl");
    fs::write(&file, "")?;
    cargo(Command::new("cargo").args(["build", "-p", "hud-cli"]))?;
    for test in TESTS {
        let mut command = Command::new("cargo");
        command
            .args(["test", "-p", "hud-tests", "--test", test])
            .args(["--", "--nocapture", "--test-threads", "1"])
            .env("HUD_FIGURES", &file)
            .env("HUD_TURNS", "60")
            .env("HUD_AGENTS", "8");
        // The table shows what went wrong.
        if let Err(error) = cargo(&mut command) {
            eprintln!("{error}");
        }
    }
    Ok(table(&read(&file)?))
}

/// Runs cargo, with all that it says on standard error.
fn cargo(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command.stdout(std::io::stderr()).status()?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{command:?}: {status}").into()),
    }
}

fn read(file: &Path) -> Result<Vec<Value>, Box<dyn Error>> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let lines = text.lines().map(serde_json::from_str);
    Ok(lines.collect::<Result<_, _>>()?)
}

/// What a client's figures of one kind come to; none were written if there is nothing.
type Cell = fn(&[&Value]) -> Option<String>;

/// The table, in markdown. Of figures that were measured again the newer are shown.
fn table(figures: &[Value]) -> String {
    let rows: [(&str, Cell); 6] = [
        (
            "of a request as in the one before, with the HUD (without)",
            |own| {
                both(own, "shared", |with, without| {
                    format!("{with:.1} % ({without:.1} %)")
                })
            },
        ),
        (
            "characters that no cache has, with the HUD (without)",
            |own| {
                both(own, "anew", |with, without| {
                    format!("{with} ({without}): {:.2} times", with / without)
                })
            },
        ),
        ("time that a turn takes longer, in the middle", |own| {
            both(own, "turn_ms", |with, without| {
                format!("{:.0} ms ({with:.0}, {without:.0})", with - without)
            })
        }),
        ("notes in the right session", |own| {
            let figure = newest(own, |figure| figure["agents"].is_u64())?;
            let (right, notes) = (&figure["right"], &figure["notes"]);
            Some(format!("{right} of {notes}, {} agents", figure["agents"]))
        }),
        ("faults with which all turns are finished", |own| {
            let all = faults(own);
            let whole = all.iter().filter(|fault| fault["finished"] == fault["of"]);
            (!all.is_empty()).then(|| format!("{} of {}", whole.count(), all.len()))
        }),
        ("the longest turn among them", |own| {
            let all = faults(own);
            let seconds = |fault: &Value| fault["longest"].as_f64().unwrap_or_default();
            let longest = all
                .into_iter()
                .max_by(|one, other| seconds(one).total_cmp(&seconds(other)))?;
            let name = longest["fault"].as_str().unwrap_or_default();
            Some(format!("{:.1} s ({name})", seconds(longest)))
        }),
    ];
    let own: Vec<Vec<&Value>> = CLIENTS
        .iter()
        .map(|(client, _)| {
            let own = figures.iter().filter(|figure| figure["client"] == *client);
            own.collect()
        })
        .collect();
    let line = |title: &str, cells: Vec<String>| format!("| {title} | {} |\n", cells.join(" | "));
    let cell = |cell: Option<String>| cell.unwrap_or_else(|| "not measured".to_owned());
    let names = CLIENTS.iter().map(|(_, name)| (*name).to_owned());
    let mut table = line("", names.collect());
    table.push_str(&line("---", vec!["---".to_owned(); CLIENTS.len()]));
    for (title, of) in rows {
        let cells = own.iter().map(|own| cell(of(own)));
        table.push_str(&line(title, cells.collect()));
    }
    for name in fault_names(figures) {
        let cells = own.iter().map(|own| {
            let fault = newest(own, |figure| figure["fault"] == name)?;
            let seconds = fault["seconds"].as_f64()?;
            let (finished, of) = (&fault["finished"], &fault["of"]);
            Some(format!("{finished} of {of} turns, {seconds:.1} s"))
        });
        let title = match name {
            "none" => "a story without a fault".to_owned(),
            name => format!("with `hud` {name}").replace("`hud` a ", "a "),
        };
        table.push_str(&line(&title, cells.map(cell).collect()));
    }
    table
}

fn newest<'v>(own: &[&'v Value], is_one: impl Fn(&Value) -> bool) -> Option<&'v Value> {
    own.iter().rev().find(|figure| is_one(figure)).copied()
}

/// A figure with the HUD and the same without.
fn both(own: &[&Value], name: &str, show: fn(f64, f64) -> String) -> Option<String> {
    let figure = newest(own, |figure| figure["with"].is_object())?;
    let of = |side: &str| figure[side][name].as_f64();
    Some(show(of("with")?, of("without")?))
}

/// The faults that there are figures of, in the order in which they were first tried.
fn fault_names(figures: &[Value]) -> Vec<&str> {
    let mut names = Vec::new();
    for name in figures.iter().filter_map(|figure| figure["fault"].as_str()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The newest of a client's figures with each fault.
fn faults<'v>(own: &[&'v Value]) -> Vec<&'v Value> {
    let names = own.iter().filter_map(|figure| figure["fault"].as_str());
    let mut names: Vec<&str> = names.filter(|name| *name != "none").collect();
    names.sort_unstable();
    names.dedup();
    let of = |name: &&str| newest(own, |figure| figure["fault"] == **name);
    names.iter().filter_map(of).collect()
}
