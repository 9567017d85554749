//! TOON as models write it: that of the public specification, with fences and prose around it.

use hud_core::data::toon;
use serde_json::Value;

use super::DEEPEST;
use super::lenient::Read;

/// Returns the value in a text. A TOON list has its length, so a list that is cut off is not read.
pub(super) fn read(text: &str) -> Option<Read> {
    let read = |value: Value, mends: u32| Read {
        value,
        mends,
        is_cut: false,
    };
    if let Some(value) = value(text.trim()) {
        return Some(read(value, 0));
    }
    // From the first line that begins a response, up to a fence or another line that does not belong to
    // it.
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &&str| {
        let line = line.trim_start();
        ["responses", "actions"].iter().any(|name| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with(['[', ':', '{']))
        })
    };
    let first = lines.iter().position(&begins)?;
    let indent = indent(lines.get(first)?);
    let belongs =
        |line: &&&str| line.trim().is_empty() || self::indent(line) > indent || begins(line);
    let body: Vec<&str> = lines
        .get(first..)?
        .iter()
        .take_while(belongs)
        .map(|line| line.get(indent..).unwrap_or(""))
        .filter(|line| !line.trim().is_empty())
        .collect();
    Some(read(value(&body.join("\n"))?, 1))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Parses a text as a value. The TOON parser is recursive, so the depth of each line is checked first.
fn value(text: &str) -> Option<Value> {
    let is_deep = |line: &str| {
        let marks = line
            .bytes()
            .take_while(|byte| matches!(byte, b' ' | b'-' | b'\t'))
            .count();
        marks > 2 * DEEPEST
    };
    if text.is_empty() || text.lines().any(is_deep) {
        return None;
    }
    serde_json::to_value(toon::from_str(text).ok()?).ok()
}
