//! Records: lines with their fields in the list after them.

use super::cue::{Said, changes};
use super::name::is_name;
use super::statement::without_dangling;
use super::{LONGEST, Statement, clip};
use crate::lexicon::Intent;
use crate::prose::{self, Block, Kind};

/// The weight of a record, which is that of a sentence with a few names.
const WEIGHT: u8 = 4;

/// The largest number of words of a value without numbers.
const VALUE: usize = 6;

/// Returns the statement of a line with the fields after it (`Departure: 07:00`), and the number of their blocks. The
/// fields have no meaning without the line. `None` for a list of anything else.
pub(super) fn record(line: &str, behind: &[Block<'_>]) -> Option<(Statement, usize)> {
    let is_of_list = |block: &&Block<'_>| matches!(block.kind, Kind::Item { .. } | Kind::Gap);
    let list: Vec<&Block<'_>> = behind.iter().take_while(is_of_list).collect();
    let mut outer = None;
    let mut fields: Vec<(String, Vec<String>)> = Vec::new();
    for block in &list {
        let Kind::Item {
            indent, checked, ..
        } = block.kind
        else {
            continue;
        };
        if checked.is_some() {
            return None;
        }
        let text = prose::plain(block.text);
        match fields.last_mut() {
            Some((_, inner)) if indent > *outer.get_or_insert(indent) => inner.push(text),
            _ => {
                outer.get_or_insert(indent);
                fields.push((text, Vec::new()));
            }
        }
    }
    let fields: Option<Vec<String>> = fields
        .iter()
        .map(|(field, inner)| written(field, inner))
        .collect();
    let fields = fields.filter(|fields| fields.len() > 1)?;
    let text = format!("{}: {}", subject(line), fields.join("; "));
    let record = Statement {
        text: clip(&text, LONGEST),
        weight: WEIGHT,
    };
    Some((record, list.len()))
}

/// The subject of a line that ends in a colon. It is the last sentence, or the one before it if the last one only
/// introduces the fields.
fn subject(line: &str) -> String {
    let line = prose::plain(line);
    let mut said = prose::sentences(&line)
        .collect::<Vec<_>>()
        .into_iter()
        .rev();
    let last = said.next().unwrap_or_default();
    let lower = last.to_lowercase();
    let only_follows = Intent::Lead.begins(&lower) && last.split_whitespace().nth(6).is_none();
    let subject = said.next().filter(|_| only_follows).unwrap_or(last);
    let subject = subject.trim_end_matches([':', '：', '.']);
    without_dangling(subject).to_owned()
}

/// A field in the form of a record, with the list below it. `None` for a sentence or the outcome of a check.
fn written(field: &str, inner: &[String]) -> Option<String> {
    // Skips the colon of a time: `08:04`.
    let is_digit = |c: char| c.is_ascii_digit();
    let is_of_time =
        |at: usize| field[..at].ends_with(is_digit) && field[at + 1..].starts_with(is_digit);
    let mut colons = field.match_indices(':').map(|(at, _)| at);
    let colon = colons.find(|at| !is_of_time(*at))?;
    let (label, value) = (field[..colon].trim(), field[colon + 1..].trim());
    let lower = label.to_lowercase();
    let is_label = !label.is_empty()
        && label.split_whitespace().nth(3).is_none()
        && !label.split_whitespace().any(is_name)
        && !lower
            .split_whitespace()
            .any(|word| Intent::Outcome.is(word));
    let numbers = value
        .split_whitespace()
        .filter(|word| word.contains(|c: char| c.is_ascii_digit()));
    let is_value = value.split_whitespace().nth(VALUE).is_none() || numbers.take(2).count() == 2;
    let lowered = value.to_lowercase();
    let said = Said::of(&lowered);
    let says_more = said.finds || said.chooses || said.contrasts || changes(&lowered);
    if !is_label || !is_value || says_more || (value.is_empty() && inner.is_empty()) {
        return None;
    }
    let inner = inner.join(", ");
    Some(match (value, &*inner) {
        (value, "") => format!("{label}: {value}"),
        ("", inner) => format!("{label}: {inner}"),
        (value, inner) => format!("{label}: {value} ({inner})"),
    })
}
