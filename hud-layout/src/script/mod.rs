//! Functions of layouts (the feature `script`): JavaScript with statements, in QuickJS, in a process
//! of its own.
//!
//! A layout's functions are what it exports: `export function rank(list) { .. }`. Expressions call
//! them, and give them to methods: `rank(state.files)`, `state.files.map(label)`.
//!
//! QuickJS is never in the process that answers a client, since some of its own functions cannot be
//! interrupted and some inputs make it abort. [`Process`] starts the same program again, as one that
//! does nothing but [`run`]: without an environment, with limits of memory and time that it sets
//! itself, and it is killed when its time is over. What goes in and out is JSON, a line each.
//!
//! A function is given copies of values. There is no clock, no randomness, no file and no network, and
//! what is built in is frozen. What it keeps between calls lives as long as the process, which is one
//! rendering.
//!
//! Whoever renders a layout must know that the user allowed its functions: they are code.

mod child;
mod process;

pub use child::run;
pub use process::Process;

use std::sync::Arc;

use crate::expr::{Mistake, Span, closing};

/// How many bytes a line to the process may have, and one from it.
const MAX_LINE: usize = 1024 * 1024;

/// The functions of a layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    source: Arc<str>,
    names: Vec<Arc<str>>,
}

impl Script {
    /// Reads the functions that stand at the starts of a file's lines, and says where.
    ///
    /// ```
    /// use hud_layout::script::Script;
    ///
    /// let file = "# Files\n\nexport function twice(n) {\n  return 2 * n;\n}\n\n{twice(2)}\n";
    /// let (script, spans) = Script::read(file).expect("functions");
    /// assert!(script.has("twice"));
    /// assert_eq!(&file[spans[0].end..], "\n\n{twice(2)}\n");
    /// ```
    ///
    /// # Errors
    ///
    /// The mistakes of functions that have no name, are not closed or are there twice.
    pub fn read(file: &str) -> Result<(Self, Vec<Span>), Vec<Mistake>> {
        let (mut source, mut names, mut spans) = (String::new(), Vec::new(), Vec::new());
        let mut mistakes = Vec::new();
        let mut at = 0;
        while let Some(start) = next_export(file, at) {
            match function_at(file, start) {
                Ok((name, end)) => {
                    if names.iter().any(|known: &Arc<str>| **known == *name) {
                        let message = format!("there are two functions `{name}`: remove one");
                        mistakes.push(Mistake::new(Span::new(start, end), message));
                    }
                    // Lines stay where they are in the file, so that errors tell them.
                    let lines = file[at..start].matches('\n').count();
                    source.push_str(&"\n".repeat(lines));
                    source.push_str(&file[start..end]);
                    names.push(name.into());
                    spans.push(Span::new(start, end));
                    at = end;
                }
                Err(mistake) => {
                    mistakes.push(mistake);
                    at = start + EXPORT.len();
                }
            }
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let source = source.into();
        Ok((Self { source, names }, spans))
    }

    /// The file with spaces in place of what is at these places: everything else stays where it is.
    pub(crate) fn without(file: &str, spans: &[Span]) -> String {
        let mut rest = String::with_capacity(file.len());
        let mut at = 0;
        for span in spans {
            rest.push_str(&file[at..span.start]);
            let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
            rest.extend(file[span.start..span.end].bytes().map(blank));
            at = span.end;
        }
        rest.push_str(&file[at..]);
        rest
    }

    /// Whether there is a function of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|own| **own == *name)
    }

    /// The names of the functions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The functions alone, which what a user allows is a hash of.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }
}

const EXPORT: &str = "export function";

/// Where the next function begins a line.
fn next_export(file: &str, from: usize) -> Option<usize> {
    let begins_line = |at: &usize| *at == 0 || file.as_bytes()[at - 1] == b'\n';
    file[from..]
        .match_indices(EXPORT)
        .map(|(at, _)| from + at)
        .filter(begins_line)
        .find(|at| !is_in_code(&file[..*at]))
}

/// Whether what is behind this is in fenced code.
fn is_in_code(before: &str) -> bool {
    let mut fence: Option<&str> = None;
    for line in before.lines() {
        let line = line.trim();
        match fence {
            Some(open) if line.starts_with(open) => fence = None,
            Some(_) => {}
            None => {
                fence = ["```", "~~~"]
                    .into_iter()
                    .find(|mark| line.starts_with(mark))
            }
        }
    }
    fence.is_some()
}

/// The name of the function at `start`, and the byte behind it.
fn function_at(file: &str, start: usize) -> Result<(&str, usize), Mistake> {
    let head = Span::new(start, start + EXPORT.len());
    let behind = &file[head.end..];
    let unspaced = behind.trim_start();
    let length = unspaced
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .unwrap_or(unspaced.len());
    let name = &unspaced[..length];
    let starts_well = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
    if unspaced.len() == behind.len()
        || !starts_well
        || !unspaced[length..].trim_start().starts_with('(')
    {
        return Err(Mistake::new(
            head,
            "a function has a name: write `export function name(..) { .. }`",
        ));
    }
    let mut at = file.len() - unspaced.len() + length;
    // What it is given can have braces of its own.
    let mut round = 0_usize;
    for (index, byte) in file.as_bytes()[at..].iter().enumerate() {
        match byte {
            b'(' => round += 1,
            b')' => round = round.saturating_sub(1),
            b'{' if round == 0 => {
                at += index;
                return closing(file, at).map(|end| (name, end + 1));
            }
            _ => {}
        }
    }
    Err(Mistake::new(
        head,
        "this function has no body: write `{ .. }`",
    ))
}
