//! Mistakes as people and agents read them: with the file, the line, the words that are wrong and the mend.

use std::fmt;

use serde_json::{Value, json};

use crate::expr::{Mistake, Span};

/// How many mistakes are reported at once.
pub const MOST: usize = 20;

/// How many characters of a line are shown.
const LINE: usize = 160;

/// A mistake with its place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The file, as it is called.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The line itself.
    pub text: String,
    /// How many characters of the line are wrong.
    pub width: usize,
    /// What is wrong.
    pub message: String,
    /// What mends it, unless the message says so.
    pub help: Option<String>,
}

impl Placed {
    /// A mistake at its place in a source.
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

    /// For a program: `line`, `column`, `message`, `help` and the line as `snippet`.
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

/// The line and the column of a byte, and the line itself.
pub(crate) fn place(source: &str, at: usize) -> (usize, usize, &str) {
    let mut at = at.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    let before = &source[..at];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    // A file may end in a line end of two characters that lacks the second.
    let text = source[start..].split('\n').next().unwrap_or_default();
    let text = text.strip_suffix('\r').unwrap_or(text);
    (line, source[start..at].chars().count() + 1, text)
}

/// The part of a long line that a column is in, and how many characters are before it.
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

/// All that is wrong with a layout: at least one mistake.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Mistakes {
    /// The mistakes, in the order of their places, [`MOST`] at most.
    pub list: Vec<Placed>,
    /// How many there are besides.
    pub more: usize,
}

impl Mistakes {
    /// The mistakes in a file.
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

    /// One mistake about a whole file.
    pub fn of_file(file: &str, message: impl Into<String>) -> Self {
        Self::new(file, "", vec![Mistake::new(Span::default(), message)])
    }

    /// These and those of another file.
    pub(crate) fn add(&mut self, other: Self) {
        self.more += other.more;
        self.list.extend(other.list);
        self.more += self.list.len().saturating_sub(MOST);
        self.list.truncate(MOST);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.list.len() + self.more
    }

    /// For a program: a list of objects.
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
