//! TOON as models write it: the public specification's, with fences and prose around it.

use hud_core::data::toon;
use serde_json::Value;

use super::DEEPEST;
use super::lenient::Read;

/// The value in a text. A list says how many it has, so none is read that was cut off.
pub(super) fn read(text: &str) -> Option<Read> {
    let read = |value: Value, mends: u32| Read {
        value,
        mends,
        is_cut: false,
    };
    if let Some(value) = value(text.trim()) {
        return Some(read(value, 0));
    }
    // From the first line that begins a response, up to a fence or a line that is no more of it.
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

/// The value that a text is. What reads TOON takes it apart by recursion, so how deep a line is comes first.
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
