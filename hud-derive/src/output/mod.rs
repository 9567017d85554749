//! Results in the output of a run: the failed tests and problems, the passed tests, and their numbers.
//!
//! The output is read line by line, in the formats of many runners, compilers and linters. Only the beginning and the
//! end of a long output are read.

mod counts;
mod line;
mod place;
mod reader;

use std::collections::HashSet;

use hud_store::text::{beginning, ceil_char_boundary};

use self::reader::Reader;

/// The number of bytes that are read at the beginning of an output.
const BEGINNING: usize = 64 * 1024;

/// The number of bytes that are read at its end.
const END: usize = 16 * 1024;

/// The largest number of failures of a run that are reported by name.
const FOUND_CAP: usize = 40;

/// The number of bytes of a line that are read.
const LINE: usize = 600;

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A test, by its name.
    Test,
    /// A place in a file that a compiler or a linter names.
    Place,
    /// Anything else that stopped the run.
    Stop,
}

/// A failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub kind: Kind,
    /// The test, or the place.
    pub name: String,
    /// The reason of the failure. May be empty.
    pub detail: String,
}

impl Found {
    /// The failure on one line, beginning with its name.
    pub(super) fn message(&self) -> String {
        match (self.name.is_empty(), self.detail.is_empty()) {
            (_, true) if self.kind == Kind::Test => format!("{} failed", self.name),
            (_, true) => self.name.clone(),
            (true, _) => self.detail.clone(),
            (false, false) => format!("{}: {}", self.name, self.detail),
        }
    }
}

/// The results in an output.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    /// The failures, at most [`FOUND_CAP`].
    pub found: Vec<Found>,
    /// The names of the passed tests.
    pub passed: HashSet<String>,
    /// True if it reports that the whole run passed, false if that it failed.
    pub says: Option<bool>,
    /// True if it reports that tests failed or could not be built.
    pub fails_tests: bool,
    /// The summary of all tests.
    pub tests: Option<String>,
    /// The summary of all problems of a linter or a compiler.
    pub problems: Option<String>,
    /// The number of failures, if it reports one.
    pub count: Option<u64>,
    /// Its last line that is not empty.
    pub last: String,
    /// True if it contains only white space.
    pub is_empty: bool,
}

/// Reads the output of a command.
pub(super) fn read(output: &str) -> Output {
    Reader::default().read(output)
}

/// Reads the output of a run that a person pasted. Prose around it counts for nothing.
pub(super) fn read_pasted(text: &str) -> Output {
    Reader::of_pasted().read(text)
}

/// The beginning and the end of an output, cut at line ends.
fn bounded(output: &str) -> (&str, &str) {
    if output.len() <= BEGINNING + END {
        return (output, "");
    }
    let beginning = beginning(output, BEGINNING);
    let end = &output[ceil_char_boundary(output, output.len() - END)..];
    (beginning, end.split_once('\n').map_or(end, |(_, end)| end))
}

#[cfg(test)]
mod tests;
