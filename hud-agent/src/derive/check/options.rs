//! What is behind a check: its targets, and options that narrow or change it.

use super::{Check, Kind};

/// Options with a value that narrow what is run.
const NARROW: &[&str] = &[
    "-E",
    "-F",
    "-R",
    "-e",
    "-k",
    "-m",
    "-p",
    "-run",
    "-skip",
    "-t",
    "-tags",
    "--bench",
    "--bin",
    "--example",
    "--exclude",
    "--features",
    "--filter",
    "--grep",
    "--only",
    "--package",
    "--project",
    "--run",
    "--skip",
    "--tags",
    "--test",
    "--testNamePattern",
    "--tests",
    "--workspace",
    "-C",
    "--directory",
    "--manifest-path",
    "--prefix",
    "-pl",
    "-w",
];

/// Options with a value that says nothing about what is run.
const VALUED: &[&str] = &[
    "-c",
    "-count",
    "-j",
    "-n",
    "-o",
    "-parallel",
    "-timeout",
    "-W",
    "-D",
    "--color",
    "--config",
    "--durations",
    "--format",
    "--jobs",
    "--log-level",
    "--max-warnings",
    "--maxfail",
    "--message-format",
    "--out-dir",
    "--output",
    "--profile",
    "--reporter",
    "--rootdir",
    "--target",
    "--tb",
    "--timeout",
    "--workers",
];

/// Options without a value that belong to what is run.
const SHOWN: &[&str] = &[
    "-race",
    "--all",
    "--all-features",
    "--all-targets",
    "--check",
    "--doc",
    "--ignored",
    "--include-ignored",
    "--lib",
    "--no-default-features",
    "--release",
    "--workspace",
];

/// Options that only change how a run is reported, or on which part it is.
const REPORTING: &[&str] = &[
    "--bins",
    "--color",
    "--doc",
    "--fix",
    "--lib",
    "--no-color",
    "--no-fail-fast",
    "--nocapture",
    "--quiet",
    "--silent",
    "--tests",
    "--verbose",
    "--if-present",
    "--coverage",
    "--write",
];

/// The check that a program makes of what it is asked to do and of the words behind that.
pub(super) fn check(kind: Kind, head: &[&str], rest: &[&str]) -> Check {
    let head = head.join(" ");
    let (mut targets, mut narrowing, mut options) = (Vec::new(), Vec::new(), Vec::new());
    let mut shown = Vec::new();
    let is_cargo = head.starts_with("cargo");
    let mut words = rest.iter().copied().peekable();
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) if word.starts_with('-') => (option, Some(value)),
            _ => (word, None),
        };
        // `-p` of pytest is a plugin, `-t` of others a flag; `--workspace` has a value for npm alone.
        let takes_value = NARROW.contains(&option)
            && !(option == "--workspace" && is_cargo)
            && !(option == "-p" && head.ends_with("pytest"))
            && (option != "-e" || head.starts_with("tox"))
            && (option != "-w" || head.starts_with(['n', 'p']));
        if word == "--" {
        } else if takes_value {
            let next = || words.next_if(|next| !next.starts_with('-'));
            if let Some(value) = value.or_else(next) {
                narrowing.push((option.to_owned(), value.to_owned()));
            }
        } else if word.starts_with('-') {
            if VALUED.contains(&option) && value.is_none() {
                words.next_if(|next| !next.starts_with('-'));
            }
            if SHOWN.contains(&option) {
                shown.push(option);
            }
            if option.starts_with("--") && !REPORTING.contains(&option) && !VALUED.contains(&option)
            {
                options.push(option.to_owned());
            }
        } else {
            targets.push(word.to_owned());
        }
    }
    let mut name = head.clone();
    let narrow = narrowing
        .iter()
        .flat_map(|(option, value)| [option.as_str(), value.as_str()]);
    let words = shown
        .into_iter()
        .chain(narrow)
        .chain(targets.iter().map(String::as_str));
    for word in words {
        let is_plain = word
            .chars()
            .all(|c| c.is_alphanumeric() || "-_./:@%+=,^~[]*".contains(c));
        name.push(' ');
        match is_plain {
            true => name.push_str(word),
            false => name.push_str(&format!("'{}'", word.replace('\'', ""))),
        }
    }
    Check {
        kind,
        name,
        head,
        targets,
        narrowing,
        options,
    }
}
