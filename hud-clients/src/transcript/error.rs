use std::path::PathBuf;

use crate::CLIENTS;

/// The reason why a session cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// The file cannot be opened.
    #[error("cannot open {}: {source}: check the path", path.display())]
    Open {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// Reading the file failed.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The path is a directory.
    #[error("{} is a directory: name a session file in it", path.display())]
    Directory {
        /// The path of the directory.
        path: PathBuf,
    },
    /// The file is empty.
    #[error("{} is empty: nothing was recorded in it", path.display())]
    Empty {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error(
        "{} is no recorded session but {found}; recordings of these are read: {}", path.display(), clients()
    )]
    Foreign {
        /// The path of the file.
        path: PathBuf,
        /// The probable type of the file.
        found: &'static str,
    },
    /// The file is a recording of which nothing could be read.
    #[error(
        "nothing that was said or done could be read in {}, a recording of {client}: check that the file is whole",
        path.display()
    )]
    Unread {
        /// The path of the file.
        path: PathBuf,
        /// The name of the client.
        client: &'static str,
    },
    /// The file has fewer conversations.
    #[error("{} has {count} conversation{}: there is no {number}", path.display(), if *count == 1 { "" } else { "s" })]
    NoConversation {
        /// The path of the file.
        path: PathBuf,
        /// The number of the requested conversation, counted from 1.
        number: u64,
        /// The number of conversations in the file.
        count: u64,
    },
    /// A line is damaged.
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Line {
        /// The path of the file.
        path: PathBuf,
        /// The number of the line, counted from 1.
        line: u64,
        /// The column in bytes, counted from 1.
        column: usize,
        /// The error and its fix.
        reason: String,
    },
    /// The document is damaged.
    #[error("{}: {source}: the file is damaged or was cut short", path.display())]
    Document {
        /// The path of the file.
        path: PathBuf,
        /// The error with its line and column.
        source: serde_json::Error,
    },
}

/// The names of the clients.
fn clients() -> String {
    let mut names: Vec<&str> = CLIENTS.iter().map(|client| client.name()).collect();
    names.sort_unstable();
    names.join(", ")
}
