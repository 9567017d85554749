//! What the output of a run says: what failed, what passed, and how many.
//!
//! It is read line by line with what many runners, compilers and linters write. What is read is bounded:
//! the beginning of a long output and its end.

mod counts;
mod line;
mod place;
mod reader;

use std::collections::HashSet;

use hud_store::text::beginning;

use self::reader::Reader;

/// How much of the beginning of an output is read, in bytes.
const BEGINNING: usize = 64 * 1024;

/// How much of its end.
const END: usize = 16 * 1024;

/// How many failures of a run are reported by name.
const FOUND_CAP: usize = 40;

/// How much of a line is read, in bytes.
const LINE: usize = 600;

/// What kind of thing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A test, by its name.
    Test,
    /// A place in a file, that a compiler or a linter names.
    Place,
    /// Anything else that stopped the run.
    Stop,
}

/// One thing that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub kind: Kind,
    /// The test, or the place.
    pub name: String,
    /// How it failed; may be nothing.
    pub detail: String,
}

impl Found {
    /// The failure on one line, its name first.
    pub(super) fn message(&self) -> String {
        match (self.name.is_empty(), self.detail.is_empty()) {
            (_, true) if self.kind == Kind::Test => format!("{} failed", self.name),
            (_, true) => self.name.clone(),
            (true, _) => self.detail.clone(),
            (false, false) => format!("{}: {}", self.name, self.detail),
        }
    }
}

/// What an output says.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    /// What failed; at most [`FOUND_CAP`].
    pub found: Vec<Found>,
    /// The tests that it names as passed.
    pub passed: HashSet<String>,
    /// Whether it says of the whole that it passed.
    pub says: Option<bool>,
    /// Whether it says that tests failed, or could not be built.
    pub fails_tests: bool,
    /// What it says of all tests.
    pub tests: Option<String>,
    /// What it says of all problems of a linter or a compiler.
    pub problems: Option<String>,
    /// How many failed, if it says so.
    pub count: Option<u64>,
    /// Its last line that is not empty.
    pub last: String,
    /// Whether there is anything in it.
    pub is_empty: bool,
}

/// Reads what a command printed.
pub(super) fn read(output: &str) -> Output {
    Reader::default().read(output)
}

/// The beginning and the end of an output, cut where lines end.
fn bounded(output: &str) -> (&str, &str) {
    if output.len() <= BEGINNING + END {
        return (output, "");
    }
    let beginning = beginning(output, BEGINNING);
    let mut from = output.len() - END;
    while !output.is_char_boundary(from) {
        from += 1;
    }
    let end = &output[from..];
    (beginning, end.split_once('\n').map_or(end, |(_, end)| end))
}

#[cfg(test)]
mod tests;
