//! A formatter for the bodies of `rsx!`, which rustfmt leaves alone.
//!
//! ```
//! use hud_fmt::{Options, format};
//!
//! let source = r#"
//! fn hud(task: &Task) -> Element<'_> {
//!     rsx! { <Section title = "Task"  >
//!         { line(&task.description) }
//!     if task.done {" done"}
//!       </Section> }
//! }
//! "#;
//! let formatted = r#"
//! fn hud(task: &Task) -> Element<'_> {
//!     rsx! {
//!         <Section title="Task">
//!             {line(&task.description)}
//!             if task.done { " done" }
//!         </Section>
//!     }
//! }
//! "#;
//! assert_eq!(format(source, &Options::default())?, formatted);
//! # Ok::<(), hud_fmt::Error>(())
//! ```
//!
//! # What it does
//!
//! - What is between tags is broken where its author broke it, and where a line gets too long:
//!   only the author knows which children are a sentence and which a list. A list of children with
//!   a line break in it has its tags, or the braces around it, on lines of their own. Elements alone
//!   that do not fit on their parent's line have a line each.
//! - Props are on one line where they fit, and else on a line each.
//! - `match` has an arm on each line. If one branch of an `if` is broken, all are.
//! - At most one blank line is kept between children, none at their ends.
//! - Comments stay where they are.
//! - The Rust within braces keeps its text, but for its indentation, which moves with the line that
//!   it is on. `rsx!` within it is formatted.
//!
//! What is outside of `rsx!` keeps every byte, and so do strings, the inside of `macro_rules!`, what
//! `#[rustfmt::skip]` is written at, and code in doc comments. Nothing but white space is ever changed:
//! [`format()`] compares the tokens and the comments before it returns.

mod layout;
mod parse;
mod source;

use source::Source;

/// How wide lines are and what indents them: rustfmt's options of the same names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// How many columns a line has, 100 by default.
    pub max_width: usize,
    /// How many columns a level of indentation has, 4 by default. At least 1.
    pub tab_spaces: usize,
    /// Whether tabs indent, false by default.
    pub hard_tabs: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_width: 100,
            tab_spaces: 4,
            hard_tabs: false,
        }
    }
}

/// Why a source was not formatted. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It is not Rust: a bracket or a quote lacks its other half.
    #[error(
        "{line}:{column}: this is not Rust: a bracket or a quote is not closed, or closes nothing"
    )]
    Rust {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// The body of an `rsx!` is not what the macro takes.
    #[error("{line}:{column}: {message}")]
    Body {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// Something is nested deeper than the formatter follows.
    #[error("{line}:{column}: this is nested more than {limit} levels deep")]
    Depth {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// How many levels it follows.
        limit: usize,
    },
    /// The formatted source would not have had the same tokens and comments: a mistake of the
    /// formatter.
    #[error("formatting would change more than white space: please report this source")]
    Changed,
}

/// The source of a Rust file with the body of each `rsx!` formatted.
///
/// The result formatted again is the same. A source without `rsx!` comes back as it is, and is not
/// looked at any further. Line ends stay `\r\n` where all of them are.
///
/// # Errors
///
/// The source is not Rust, the body of an `rsx!` is not what the macro takes, or something is nested
/// more than 150 levels deep: the first such place.
pub fn format(source: &str, options: &Options) -> Result<String, Error> {
    if !source.contains("rsx") {
        return Ok(source.to_owned());
    }
    let unix = source.replace("\r\n", "\n");
    let returns = source.len() - unix.len();
    // Where line ends are mixed, those that are there stay, and new ones are `\n`.
    if returns > 0 && returns == unix.matches('\n').count() {
        return Ok(lines_formatted(&unix, options)?.replace('\n', "\r\n"));
    }
    lines_formatted(source, options)
}

fn lines_formatted(text: &str, options: &Options) -> Result<String, Error> {
    let source = Source::new(text)?;
    let formatted = layout::format(&source, options)?;
    let same = Source::new(&formatted).is_ok_and(|formatted| formatted.says_the_same(&source));
    if same {
        Ok(formatted)
    } else {
        Err(Error::Changed)
    }
}
