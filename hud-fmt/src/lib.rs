//! A formatter for the bodies of `rsx!`, which rustfmt does not format.
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
//! # Rules
//!
//! - Children are broken where their author broke them and where a line gets too long, because only the author knows
//!   which children are a sentence and which a list. A list of children with a line break has its tags, or the
//!   braces around it, on separate lines. If a parent has only elements as children and they do not fit on its line,
//!   each of them gets a line.
//! - Props are on one line if they fit, and otherwise on a line each.
//! - `match` has a line for each arm. If one branch of an `if` is broken, all are.
//! - At most one blank line is kept between children, and none before or after them.
//! - Comments stay where they are.
//! - The Rust code within braces keeps its text. Only its indentation changes with the line that it is on. `rsx!`
//!   within it is formatted.
//!
//! Code outside of `rsx!` is not changed. The same holds for strings, the inside of `macro_rules!`, items with
//! `#[rustfmt::skip]`, and code in doc comments. Only white space is changed: [`format()`] compares the tokens and
//! the comments before it returns.

mod layout;
mod parse;
mod source;

use source::Source;

/// The width and the indentation of lines, as in rustfmt's options of the same names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The maximum width of a line in columns, 100 by default.
    pub max_width: usize,
    /// The number of columns of an indentation level, 4 by default. It is at least 1.
    pub tab_spaces: usize,
    /// True if tabs are used for indentation, false by default.
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

/// The reason why a source was not formatted. Lines and columns count from 1, and columns count characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The source is not Rust: a bracket or a quote is not closed, or closes nothing.
    #[error(
        "{line}:{column}: this is not Rust: a bracket or a quote is not closed, or closes nothing"
    )]
    Rust {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// The body of an `rsx!` has a syntax error.
    #[error("{line}:{column}: {message}")]
    Body {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The error message.
        message: String,
    },
    /// The code is nested more deeply than the formatter allows.
    #[error("{line}:{column}: this is nested more than {limit} levels deep")]
    Depth {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The maximum number of levels.
        limit: usize,
    },
    /// The formatted source would not have the same tokens and comments. This is a bug in the formatter.
    #[error("formatting would change more than white space: please report this source")]
    Changed,
}

/// Formats the body of each `rsx!` in the source of a Rust file.
///
/// Formatting is idempotent. A source without `rsx!` is returned unchanged and is not parsed. Line ends stay `\r\n`
/// if all of them are.
///
/// # Errors
///
/// If the source is not Rust, if the body of an `rsx!` has a syntax error, or if code is nested more than 150 levels
/// deep. The error has the first such position.
pub fn format(source: &str, options: &Options) -> Result<String, Error> {
    if !source.contains("rsx") {
        return Ok(source.to_owned());
    }
    let unix = source.replace("\r\n", "\n");
    let returns = source.len() - unix.len();
    // With mixed line ends, the existing ones are kept and new ones are `\n`.
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
