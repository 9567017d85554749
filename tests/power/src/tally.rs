//! Counting outcomes.

use std::fmt;

/// How many failures are described.
const EXAMPLES: usize = 5;

/// What became of the logs of many disks.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// What the disks have in common.
    pub label: String,
    /// How many disks were tried.
    pub states: u64,
    /// Logs that don't open.
    pub unopenable: u64,
    /// Logs that can't be read, or that SQLite finds damaged.
    pub corrupt: u64,
    /// Logs in which an event is missing while a later one is there, or is another.
    pub gaps: u64,
    /// Logs that end amid a batch.
    pub torn: u64,
    /// Logs without an event that was acknowledged.
    pub losing: u64,
    /// The most acknowledged events that one log lost.
    pub most_lost: u64,
    /// Logs that don't take, and keep, the events again.
    pub stuck: u64,
    /// Descriptions of the first failures.
    pub examples: Vec<String>,
}

impl Tally {
    /// A count that begins.
    pub fn new(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            ..Self::default()
        }
    }

    /// How many logs are worse than one that lost its newest events.
    pub fn broken(&self) -> u64 {
        self.unopenable + self.corrupt + self.gaps + self.torn + self.stuck
    }

    /// Describes a failure, unless there are enough descriptions.
    pub fn describe(&mut self, example: impl FnOnce() -> String) {
        if self.examples.len() < EXAMPLES {
            self.examples.push(example());
        }
    }

    /// The line above the lines of a table.
    pub fn head() -> String {
        format!(
            "{:34} {:>7} {:>10} {:>7} {:>5} {:>5} {:>6} {:>9} {:>6}",
            "", "states", "unopenable", "corrupt", "gaps", "torn", "losing", "most lost", "stuck"
        )
    }
}

/// A line of a table.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:34} {:>7} {:>10} {:>7} {:>5} {:>5} {:>6} {:>9} {:>6}",
            self.label,
            self.states,
            self.unopenable,
            self.corrupt,
            self.gaps,
            self.torn,
            self.losing,
            self.most_lost,
            self.stuck
        )
    }
}
