//! Finds the functions of a layout in its text. A function is exported at the start of a line.

use std::collections::BTreeSet;

use crate::expr::{Mistake, Span, closing};
use crate::file::MAX_BYTES;

/// A function of a layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function<'f> {
    /// The name of the function.
    pub(crate) name: &'f str,
    /// The span from `export` to the last brace.
    pub(crate) span: Span,
}

/// The number of errors after which the search stops.
const ENOUGH: usize = 20;

/// Returns the functions of a file in their order, or the errors in them. It finds none in a file that is too large
/// to be read.
pub(crate) fn find(file: &str) -> Result<Vec<Function<'_>>, Vec<Mistake>> {
    let mut found: Vec<Function<'_>> = Vec::new();
    let mut names = BTreeSet::new();
    let mut mistakes = Vec::new();
    let mut fence = None;
    let mut at = if file.len() > MAX_BYTES {
        file.len()
    } else {
        0
    };
    while mistakes.len() < ENOUGH
        && let Some(line) = file[at..].split_inclusive('\n').next()
    {
        let begins_line = at == 0 || file.as_bytes()[at - 1] == b'\n';
        if fence.is_none() && begins_line && line.starts_with(EXPORT) {
            match function_at(file, at) {
                Ok((name, end)) => {
                    let span = Span::new(at, end);
                    if !names.insert(name) {
                        let message = format!("there are two functions `{name}`: remove one");
                        mistakes.push(Mistake::new(span, message));
                    }
                    found.push(Function { name, span });
                    at = end;
                    continue;
                }
                Err(mistake) => mistakes.push(mistake),
            }
        }
        fence = fence_behind(fence, line.trim());
        at += line.len();
    }
    match mistakes.is_empty() {
        true => Ok(found),
        false => Err(mistakes),
    }
}

/// The mark of the fenced code that is open after a line.
fn fence_behind(open: Option<&'static str>, line: &str) -> Option<&'static str> {
    match open {
        Some(mark) => (!line.starts_with(mark)).then_some(mark),
        None => { ["```", "~~~"].into_iter() }.find(|mark| line.starts_with(mark)),
    }
}

/// The error for a function in a program that can't run functions.
#[cfg(not(feature = "script"))]
pub(crate) fn not_run(function: &Function<'_>) -> Mistake {
    let head = Span::new(function.span.start, function.span.start + EXPORT.len());
    Mistake::new(
        head,
        "this program runs no functions: it was built without the feature `script`",
    )
    .with_help(
        "build it with `cargo install --path hud-cli --features script`, or write an expression",
    )
}

/// Replaces these spans of the file with spaces. The offsets of everything else stay the same.
pub(crate) fn without(file: &str, spans: impl IntoIterator<Item = Span>) -> String {
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

const EXPORT: &str = "export function";

/// The name of the function at `start`, and the offset of the byte after it.
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
    // The parameters can contain braces.
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
