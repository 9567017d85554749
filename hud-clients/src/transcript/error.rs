use std::path::PathBuf;

use crate::CLIENTS;

/// Why a session cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// The file cannot be opened.
    #[error("cannot open {}: {source}: check the path", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file cannot be read on.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is a directory.
    #[error("{} is a directory: name a session file in it", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// There is nothing in it.
    #[error("{} is empty: nothing was recorded in it", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// It is something else.
    #[error(
        "{} is no recorded session but {found}; recordings of these are read: {}", path.display(), clients()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it seems to be.
        found: &'static str,
    },
    /// It is a recording, of which nothing could be read.
    #[error(
        "nothing that was said or done could be read in {}, a recording of {client}: check that the file is whole",
        path.display()
    )]
    Unread {
        /// The file.
        path: PathBuf,
        /// The name of the client.
        client: &'static str,
    },
    /// It has fewer conversations.
    #[error("{} has {count} conversation{}: there is no {number}", path.display(), if *count == 1 { "" } else { "s" })]
    NoConversation {
        /// The file.
        path: PathBuf,
        /// The one that was asked for, from 1.
        number: u64,
        /// How many there are.
        count: u64,
    },
    /// A line is damaged.
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column, in bytes from 1.
        column: usize,
        /// What is wrong with it, and what mends it.
        reason: String,
    },
    /// The document is damaged.
    #[error("{}: {source}: the file is damaged or was cut short", path.display())]
    Document {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        source: serde_json::Error,
    },
}

/// The names of the clients.
fn clients() -> String {
    let mut names: Vec<&str> = CLIENTS.iter().map(|client| client.name()).collect();
    names.sort_unstable();
    names.join(", ")
}
