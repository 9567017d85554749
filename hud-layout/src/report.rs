//! Error reports for users and agents, with the file, the line, the wrong code and the fix.

use std::fmt;

use serde_json::{Value, json};

use crate::expr::{Mistake, Span};

/// The maximum number of errors in a report.
pub const MOST: usize = 20;

/// The maximum number of characters of a line that are shown.
const LINE: usize = 160;

/// An error with its position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The name of the file.
    pub file: String,
    /// The line number, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The text of the line.
    pub text: String,
    /// The number of wrong characters in the line.
    pub width: usize,
    /// The error message.
    pub message: String,
    /// The suggested fix, unless the message contains it.
    pub help: Option<String>,
}

impl Placed {
    /// Locates an error in a source.
    pub fn new(file: &str, source: &str, mistake: &Mistake) -> Self {
        let (line, column, text) = place(source, mistake.span.start);
        let width = source
            .get(mistake.span.start..mistake.span.end.min(source.len()))
            .map_or(1, |wrong| {
                wrong.lines().next().unwrap_or_default().chars().count()
            });
        Self {
            file: file.to_owned(),
            line,
            column,
            text: text.to_owned(),
            width: width.max(1),
            message: mistake.message.clone(),
            help: mistake.help.clone(),
        }
    }

    /// Returns JSON with `line`, `column`, `message`, `help`, and the text of the line as `snippet`.
    pub fn to_json(&self) -> Value {
        let mut value = json!({
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "message": self.message,
            "snippet": cut(&self.text, self.column).0,
        });
        if let (Some(help), Some(object)) = (&self.help, value.as_object_mut()) {
            object.insert("help".to_owned(), json!(help));
        }
        value
    }
}

/// The line and the column of a byte offset, and the text of the line.
pub(crate) fn place(source: &str, at: usize) -> (usize, usize, &str) {
    let at = hud_store::text::floor_char_boundary(source, at);
    let before = &source[..at];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    // The last line may end in `\r` without `\n`.
    let text = source[start..].split('\n').next().unwrap_or_default();
    let text = text.strip_suffix('\r').unwrap_or(text);
    (line, source[start..at].chars().count() + 1, text)
}

/// The part of a long line around a column, and the number of characters before it.
fn cut(text: &str, column: usize) -> (String, usize) {
    let skipped = match column.saturating_sub(1) {
        before if before < LINE / 2 => 0,
        before => before - LINE / 4,
    };
    let shown: String = text.chars().skip(skipped).take(LINE).collect();
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    (shown.chars().map(visible).collect(), skipped)
}

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, skipped) = cut(&self.text, self.column);
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        let before = " ".repeat(self.column - 1 - skipped.min(self.column - 1));
        let room = shown.chars().count().saturating_sub(before.len()).max(1);
        let carets = "^".repeat(self.width.min(room));
        writeln!(
            f,
            "{}:{}:{}: {}",
            self.file, self.line, self.column, self.message
        )?;
        writeln!(f, "{number} | {shown}")?;
        write!(f, "{margin} | {before}{carets}")?;
        if let Some(help) = &self.help {
            write!(f, " {help}")?;
        }
        writeln!(f)
    }
}

/// The errors of a layout: at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Mistakes {
    /// The errors, in the order of their positions: at most [`MOST`].
    pub list: Vec<Placed>,
    /// The number of further errors.
    pub more: usize,
}

impl Mistakes {
    /// Collects the errors in a file.
    pub fn new(file: &str, source: &str, mut mistakes: Vec<Mistake>) -> Self {
        mistakes.sort_by_key(|mistake| mistake.span);
        mistakes.dedup();
        let more = mistakes.len().saturating_sub(MOST);
        let list = mistakes.iter().take(MOST);
        Self {
            list: list
                .map(|mistake| Placed::new(file, source, mistake))
                .collect(),
            more,
        }
    }

    /// Returns one error about a whole file.
    pub fn of_file(file: &str, message: impl Into<String>) -> Self {
        Self::new(file, "", vec![Mistake::new(Span::default(), message)])
    }

    /// Adds the errors of another file.
    pub(crate) fn add(&mut self, other: Self) {
        self.more += other.more;
        self.list.extend(other.list);
        self.more += self.list.len().saturating_sub(MOST);
        self.list.truncate(MOST);
    }

    /// The number of all errors.
    pub fn count(&self) -> usize {
        self.list.len() + self.more
    }

    /// Returns a JSON list of the errors.
    pub fn to_json(&self) -> Value {
        self.list.iter().map(Placed::to_json).collect()
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mistake) in self.list.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            mistake.fmt(f)?;
        }
        match self.more {
            0 => Ok(()),
            more => writeln!(f, "\nand {more} more"),
        }
    }
}
