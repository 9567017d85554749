//! Our entries in a TOML configuration.
//!
//! Only the bytes of the entries are inserted and removed. Our table is appended, and is removed from its header
//! to its last entry.

use std::ops::Range;

use toml_edit::{Document, DocumentMut, InlineTable, Item, Key, Table, Value};

use super::edit::Edit;
use super::json::newline;

/// Entries that are wanted in one table.
#[derive(Debug)]
pub(super) struct Entries<'e> {
    /// The names of the tables around the table, and its own name.
    pub(super) way: Vec<&'e str>,
    pub(super) entries: Vec<(&'e str, Value)>,
}

fn parse(text: &str) -> Result<Document<&str>, String> {
    Document::parse(text).map_err(|error| {
        let error = error.to_string();
        format!("{}: mend it first", error.trim_end())
    })
}

/// The item at a path of names.
fn at<'i>(mut item: &'i Item, way: &[&str]) -> Option<&'i Item> {
    for name in way {
        item = item.as_table_like()?.get(name)?;
    }
    Some(item)
}

/// Passes the item at a path of names to `look`.
pub(super) fn look<T>(
    text: &str,
    way: &[&str],
    look: impl FnOnce(&Item) -> T,
) -> Result<Option<T>, String> {
    Ok(at(parse(text)?.as_item(), way).map(look))
}

/// Adds a table that does not exist yet.
pub(super) fn put(edit: &mut Edit, wanted: &Entries<'_>) -> Result<(), String> {
    let way = &wanted.way;
    let found = {
        let document = parse(edit.text())?;
        // All content of an inline table is within its braces.
        let mut found = None;
        for length in 1..way.len() {
            let Some(item) = at(document.as_item(), &way[..length]) else {
                break;
            };
            if let Some(table) = item.as_inline_table() {
                found = Some((length, inline_end(edit.text(), table)));
                break;
            }
            if !item.is_table() {
                let name = way[..length].join(".");
                return Err(format!("`{name}` is no table: mend it first"));
            }
        }
        found
    };
    match found {
        Some((length, Some((place, is_empty)))) => {
            let key = keys(&way[length..]);
            let entries = wanted.entries.iter();
            let entries: Vec<String> = entries
                .map(|(name, value)| format!("{} = {}", keys(&[name]), text_of(value)))
                .collect();
            let comma = if is_empty { "" } else { "," };
            edit.insert(
                place,
                &format!("{comma} {key} = {{ {} }}", entries.join(", ")),
            );
        }
        Some((length, None)) => {
            let name = way[..length].join(".");
            return Err(format!("`{name}` can't be added to: write it as a table"));
        }
        None => append(edit, wanted),
    }
    parse(edit.text()).map(drop)
}

/// The offset where an entry can be added to an inline table, and whether the table is empty.
fn inline_end(text: &str, table: &InlineTable) -> Option<(usize, bool)> {
    let span = table.span()?;
    let inside = text.get(span.start + 1..span.end.checked_sub(1)?)?;
    let kept = inside.trim_end();
    // A comment or a comma at the end is not supported.
    if kept.ends_with(',') || kept.contains('#') {
        return None;
    }
    Some((span.start + 1 + kept.len(), table.is_empty()))
}

fn append(edit: &mut Edit, wanted: &Entries<'_>) {
    let text = edit.text();
    let newline = newline(text);
    // The text ends with a newline only if it did before.
    let (before, after) = match text {
        "" => ("", newline),
        _ if text.ends_with('\n') => (newline, newline),
        _ => (&*newline.repeat(2), ""),
    };
    let mut lines = vec![format!("[{}]", keys(&wanted.way))];
    for (name, value) in &wanted.entries {
        lines.push(format!("{} = {}", keys(&[name]), text_of(value)));
    }
    let new = format!("{before}{}{after}", lines.join(newline));
    edit.insert(text.len(), &new);
}

fn keys(names: &[&str]) -> String {
    let keys = names
        .iter()
        .map(|name| Key::new(*name).display_repr().into_owned());
    keys.collect::<Vec<_>>().join(".")
}

fn text_of(value: &Value) -> String {
    value.to_string().trim().to_owned()
}

/// Replaces an existing value.
pub(super) fn replace(edit: &mut Edit, way: &[&str], new: &Value) -> Result<(), String> {
    let span = look(edit.text(), way, Item::span)?.flatten();
    if let Some(span) = span {
        edit.splice(span, &text_of(new));
    }
    Ok(())
}

/// Removes a table, and the tables around it that are then empty.
pub(super) fn remove(edit: &mut Edit, way: &[&str]) -> Result<(), String> {
    let cut = {
        let document = parse(edit.text())?;
        let Some(item) = at(document.as_item(), way) else {
            return Ok(());
        };
        let mut ranges = Vec::new();
        item.as_table()
            .is_some_and(|table| blocks(edit.text(), table, &mut ranges))
            .then_some(ranges)
    };
    if let Some(mut ranges) = cut {
        ranges.sort_by_key(|range| std::cmp::Reverse(range.start));
        let mut tried = Edit::of(edit.text().to_owned());
        for range in ranges {
            tried.delete(range);
        }
        let is_gone = look(tried.text(), way, |_| ()).is_ok_and(|there| there.is_none());
        if is_gone {
            let after = tried.into_parts().0;
            edit.splice(0..edit.text().len(), &after);
            return Ok(());
        }
    }
    // The table has a form that we never write.
    let mut document: DocumentMut = edit
        .text()
        .parse()
        .map_err(|error: toml_edit::TomlError| error.to_string())?;
    let mut way = way;
    while let Some((last, before)) = way.split_last() {
        let mut around: Option<&mut dyn toml_edit::TableLike> = Some(document.as_table_mut());
        for name in before {
            around = around.and_then(|table| table.get_mut(name)?.as_table_like_mut());
        }
        let Some(table) = around else { break };
        table.remove(last);
        if !table.is_empty() {
            break;
        }
        way = before;
    }
    let mut after = document.to_string();
    // The line endings stay the same.
    if newline(edit.text()) == "\r\n" {
        after = after.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    edit.splice(0..edit.text().len(), &after);
    Ok(())
}

/// Collects the lines of a table and of the tables in it. Returns false unless each of them has its own header.
fn blocks(text: &str, table: &Table, ranges: &mut Vec<Range<usize>>) -> bool {
    if table.is_dotted() {
        return false;
    }
    if !table.is_implicit() {
        let Some(header) = table.span() else {
            return false;
        };
        let mut end = header.end;
        for (_, item) in table.iter() {
            match item {
                Item::Value(value) => match value.span() {
                    Some(span) => end = end.max(span.end),
                    None => return false,
                },
                Item::Table(_) | Item::None => {}
                Item::ArrayOfTables(_) => return false,
            }
        }
        ranges.push(lines(text, header.start..end));
    }
    table.iter().all(|(_, item)| match item {
        Item::Table(table) => blocks(text, table, ranges),
        _ => true,
    })
}

/// The whole lines of a range, with the empty line before them. If the text does not end with a newline, the
/// range is chosen so that the rest does not end with one either.
fn lines(text: &str, range: Range<usize>) -> Range<usize> {
    let before = text.get(..range.start).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let end = match text.get(range.end..).and_then(|rest| rest.find('\n')) {
        Some(length) => range.end + length + 1,
        None => text.len(),
    };
    let without_end = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let shorter = before.strip_suffix('\n').unwrap_or(before);
        shorter.strip_suffix('\r').unwrap_or(shorter).len()
    };
    let line_before = without_end(start);
    let is_blank = line_before < start && text[..line_before].ends_with('\n');
    let start = match (is_blank, text[..end].ends_with('\n')) {
        (true, true) => line_before,
        (true, false) => without_end(line_before),
        (false, false) => line_before,
        (false, true) => start,
    };
    start..end
}
