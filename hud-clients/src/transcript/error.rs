use std::path::PathBuf;

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
        "{} is no recorded session but {found}; sessions are Claude Code's and goose's .jsonl, SWE-agent's \
         .traj and messages of a chat as JSON", path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it seems to be.
        found: &'static str,
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
