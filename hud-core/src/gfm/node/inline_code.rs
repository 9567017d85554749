//! `` `code` ``

use markdown::mdast::InlineCode;

use super::super::character::{is_eol, one_line};
use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::options::SerializeOptions;
use super::super::safe::Info;
use super::super::unsafe_patterns::{UNSAFE, Unsafe};

pub(super) fn write(context: &Context<'_>, code: &InlineCode) -> String {
    let value = fence(context, &code.value, '`');
    if context.constructs.has(Constructs::TABLE_CELL) {
        escape_pipes(&value)
    } else {
        value
    }
}

/// Puts the shortest possible fence of `marker` around a value. Pads the value if the fence or the
/// parser would remove something.
///
/// Two adjacent fences would be one, and open a span that ends at the next such fence. So, if
/// strict, an empty value is written as a space.
pub(in super::super) fn fence(context: &Context<'_>, value: &str, marker: char) -> String {
    let value = if value.is_empty() && context.options.strict {
        " "
    } else {
        value
    };
    let size = match value.contains(marker) {
        true => unused_run(value, marker),
        false => 1,
    };
    let is_edge = |c| matches!(c, '\n' | '\r' | ' ');
    let loses_edges = value.starts_with(is_edge) && value.ends_with(is_edge);
    let touches_fence = value.starts_with(marker) || value.ends_with(marker);
    let padding = if value.contains(|c| !is_edge(c)) && (loses_edges || touches_fence) {
        " "
    } else {
        ""
    };
    let mut out = String::with_capacity(value.len() + 2 * (padding.len() + size));
    let sequence = std::iter::repeat_n(marker, size);
    out.extend(sequence.clone());
    if context.options.strict {
        out.push_str(padding);
        out.push_str(&one_line(value));
        out.push_str(padding);
    } else {
        let padded = format!("{padding}{value}{padding}");
        out.push_str(&soften_eols(padded, context.options));
    }
    out.extend(sequence);
    out
}

/// The length of the shortest run of a marker that a value does not contain.
fn unused_run(value: &str, marker: char) -> usize {
    let mut runs: Vec<usize> = value.split(|c| c != marker).map(str::len).collect();
    runs.sort_unstable();
    runs.into_iter()
        .fold(1, |size, run| size + usize::from(run == size))
}

/// Replaces line endings before text that would start a block with spaces. All line endings in code
/// are parsed as spaces.
fn soften_eols(value: String, options: &SerializeOptions) -> String {
    if !value.contains(is_eol) {
        return value;
    }
    UNSAFE
        .iter()
        .filter(|pattern| pattern.is_at_break() && pattern.is_read(options))
        .fold(value, soften_eols_before)
}

fn soften_eols_before(value: String, pattern: &Unsafe) -> String {
    let alone = Info {
        before: None,
        after: None,
    };
    let mut out = String::with_capacity(value.len());
    let mut written = 0;
    let mut resume = 0;
    for (at, _) in value.match_indices(|character| pattern.has(character)) {
        let matched = pattern.at(&value, at, alone);
        if let Some(matched) = matched.filter(|matched| matched.start >= resume) {
            // The match starts at one ASCII character, the line ending. Its offset is that of the
            // text after it.
            let head = &value[written..matched.start - 1];
            out.push_str(head.strip_suffix('\r').unwrap_or(head));
            out.push(' ');
            written = matched.start;
            resume = matched.end;
        }
    }
    out.push_str(&value[written..]);
    out
}

/// Puts a backslash before each pipe without one. Cells remove it again.
fn escape_pipes(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut is_escaped = false;
    for character in value.chars() {
        if character == '|' && !is_escaped {
            out.push('\\');
        }
        is_escaped = character == '\\' && !is_escaped;
        out.push(character);
    }
    out
}
