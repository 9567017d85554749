//! Our entries in a JSON configuration, with or without comments.
//!
//! Only the bytes of the entries are inserted and removed. The syntax tree gives the positions, and the text is
//! edited there. Inserted text follows the layout of the text around it.

use std::ops::Range;

use jsonc_parser::ast::{self, ObjectProp};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

use super::edit::Edit;

/// A value that is wanted in a configuration. Objects keep their order.
#[derive(Clone, Debug)]
pub(super) enum Json {
    Leaf(Value),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Json {
    pub(super) fn leaf(value: impl Into<Value>) -> Self {
        Self::Leaf(value.into())
    }

    pub(super) fn list(elements: impl IntoIterator<Item = Self>) -> Self {
        Self::List(elements.into_iter().collect())
    }

    pub(super) fn object<K: Into<String>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value));
        Self::Object(entries.collect())
    }

    /// The leaf at a path of keys.
    pub(super) fn at(&self, way: &[&str]) -> Option<&Value> {
        match (self, way.split_first()) {
            (Self::Leaf(value), None) => Some(value),
            (Self::Object(entries), Some((first, rest))) => {
                let mut entries = entries.iter();
                entries.find(|(key, _)| key == first)?.1.at(rest)
            }
            _ => None,
        }
    }

    pub(super) fn value(&self) -> Value {
        match self {
            Self::Leaf(value) => value.clone(),
            Self::List(elements) => elements.iter().map(Self::value).collect(),
            Self::Object(entries) => entries
                .iter()
                .map(|(key, value)| (key.clone(), value.value()))
                .collect(),
        }
    }

    /// The text of the value. Its lines after the first are indented by `indentation`.
    fn text(&self, layout: &Layout, indentation: &str) -> String {
        let inner = format!("{indentation}{}", layout.unit);
        let (open, parts, close) = match self {
            Self::Leaf(value) => return value.to_string(),
            Self::List(elements) => {
                let is_plain = elements.iter().all(|one| matches!(one, Self::Leaf(_)));
                let plain = Layout {
                    is_wide: layout.is_wide && !is_plain,
                    ..layout.clone()
                };
                let parts: Vec<_> = elements
                    .iter()
                    .map(|one| one.text(layout, &inner))
                    .collect();
                return plain.joined('[', &parts, ']', indentation);
            }
            Self::Object(entries) => {
                let entry =
                    |(key, value): &(String, Self)| layout.entry(key, &value.text(layout, &inner));
                ('{', entries.iter().map(entry).collect::<Vec<_>>(), '}')
            }
        };
        layout.joined(open, &parts, close, indentation)
    }
}

/// The layout of a text.
#[derive(Clone, Debug)]
struct Layout {
    newline: &'static str,
    /// The indentation of one level.
    unit: String,
    /// True if each entry is on its own line.
    is_wide: bool,
    /// True if there are no spaces between the parts of a line.
    is_tight: bool,
}

impl Layout {
    fn of(text: &str, root: &ast::Object<'_>) -> Self {
        let first = root.properties.first();
        let lead = first.map(|first| lead(text, root.range.start + 1, first.range.start));
        let lead = lead.unwrap_or_default();
        let colon = first.map(|first| (first.name_end(), first.value.range().start));
        let colon = colon.and_then(|(from, to)| text.get(from..to));
        let unit = lead.rsplit_once('\n').map_or("", |(_, unit)| unit);
        Self {
            newline: newline(text),
            unit: if unit.is_empty() { "  " } else { unit }.to_owned(),
            is_wide: first.is_none() || lead.contains('\n'),
            is_tight: colon.is_some_and(|colon| !colon.contains(char::is_whitespace)),
        }
    }

    fn entry(&self, key: &str, value: &str) -> String {
        let space = if self.is_tight { "" } else { " " };
        format!("{}:{space}{value}", Value::from(key))
    }

    fn joined(&self, open: char, parts: &[String], close: char, indentation: &str) -> String {
        let Self {
            newline,
            unit,
            is_wide,
            is_tight,
        } = self;
        if *is_wide && !parts.is_empty() {
            let inner = format!("{newline}{indentation}{unit}");
            let parts = parts.join(&format!(",{inner}"));
            return format!("{open}{inner}{parts}{newline}{indentation}{close}");
        }
        let parts = parts.join(if *is_tight { "," } else { ", " });
        format!("{open}{parts}{close}")
    }
}

/// The line ending of a text.
pub(super) fn newline(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The whitespace right before the offset `to`, from the offset `from` at the earliest.
fn lead(text: &str, from: usize, to: usize) -> &str {
    let between = text.get(from..to).unwrap_or_default();
    &between[between.trim_end().len()..]
}

trait NameEnd {
    fn name_end(&self) -> usize;
}

impl NameEnd for ObjectProp<'_> {
    fn name_end(&self) -> usize {
        match &self.name {
            ast::ObjectPropName::String(name) => name.range.end,
            ast::ObjectPropName::Word(name) => name.range.end,
        }
    }
}

fn parse(text: &str) -> Result<Option<ast::Value<'_>>, String> {
    let options = ParseOptions {
        // No client accepts such a text.
        allow_missing_commas: false,
        ..ParseOptions::default()
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options);
    parsed.map(|parsed| parsed.value).map_err(|error| {
        let (line, column) = (error.line_display(), error.column_display());
        format!(
            "line {line}, column {column}: {}: mend it first",
            error.kind()
        )
    })
}

/// The JSON syntax that a client reads. The client ignores the whole file if the syntax differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// JSON as in the standard.
    Strict,
    /// JSON with comments.
    Comments,
    /// JSON with comments and trailing commas.
    Trailing,
}

impl Syntax {
    /// Returns an error for a text that the client would not read.
    pub(super) fn check(self, text: &str) -> Result<(), String> {
        let options = ParseOptions {
            allow_comments: self != Self::Strict,
            allow_trailing_commas: self == Self::Trailing,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(text, &CollectOptions::default(), &options);
        parsed.map(|_| ()).map_err(|error| {
            format!(
                "line {}, column {}: {}: the client takes nothing of such a file: change that first",
                error.line_display(),
                error.column_display(),
                error.kind()
            )
        })
    }
}

/// The root of a configuration, which must be an object unless the text is empty.
fn root(text: &str) -> Result<Option<ast::Object<'_>>, String> {
    match parse(text)? {
        None => Ok(None),
        Some(ast::Value::Object(root)) => Ok(Some(root)),
        Some(other) => Err(format!(
            "it is {}, and no object: mend it first",
            kind(&other)
        )),
    }
}

fn kind(value: &ast::Value<'_>) -> &'static str {
    match value {
        ast::Value::StringLit(_) => "a string",
        ast::Value::NumberLit(_) => "a number",
        ast::Value::BooleanLit(_) => "true or false",
        ast::Value::Object(_) => "an object",
        ast::Value::Array(_) => "a list",
        ast::Value::NullKeyword(_) => "null",
    }
}

/// One step of the path from the root to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// The path to a value as text, for messages and records.
pub(super) fn way_text(way: &[Step]) -> String {
    let names = way.iter().map(|step| match step {
        Step::Key(key) => key.clone(),
        Step::Index(index) => index.to_string(),
    });
    names.collect::<Vec<_>>().join(".")
}

/// The value at a path of steps. If two entries have one name, the last one counts, as it does for clients.
fn at<'v, 'a>(root: &'v ast::Object<'a>, way: &[Step]) -> Option<&'v ast::Value<'a>> {
    let (first, rest) = way.split_first()?;
    let Step::Key(key) = first else { return None };
    let mut value = &property(root, key)?.value;
    for step in rest {
        value = match (step, value) {
            (Step::Key(key), ast::Value::Object(object)) => &property(object, key)?.value,
            (Step::Index(index), ast::Value::Array(array)) => array.elements.get(*index)?,
            _ => return None,
        };
    }
    Some(value)
}

fn property<'v, 'a>(object: &'v ast::Object<'a>, key: &str) -> Option<&'v ObjectProp<'a>> {
    let mut properties = object.properties.iter().rev();
    properties.find(|property| property.name.as_str() == key)
}

/// The value of a configuration; null if it is empty.
pub(super) fn value(text: &str) -> Result<Value, String> {
    Ok(parse(text)?.map_or(Value::Null, Value::from))
}

/// Inserts the wanted entries and elements that are missing, and keeps those that exist. Returns the paths of the
/// objects and lists that were created.
pub(super) fn put(edit: &mut Edit, wanted: &Json) -> Result<Vec<String>, String> {
    let mut made = Vec::new();
    if root(edit.text())?.is_none() {
        let text = edit.text();
        // After any comments, on a new line.
        let at = text.trim_end().len();
        let newline = newline(text);
        let layout = Layout {
            newline,
            unit: "  ".to_owned(),
            is_wide: true,
            is_tight: false,
        };
        let before = if at == 0 { "" } else { newline };
        let after = if text.len() == at { newline } else { "" };
        let new = format!("{before}{}{after}", wanted.text(&layout, ""));
        edit.insert(at, &new);
        containers(wanted, &mut Vec::new(), &mut made);
        return Ok(made);
    }
    put_at(edit, wanted, &mut Vec::new(), &mut made)?;
    Ok(made)
}

fn put_at(
    edit: &mut Edit,
    wanted: &Json,
    way: &mut Vec<Step>,
    made: &mut Vec<String>,
) -> Result<(), String> {
    match wanted {
        Json::Leaf(_) => {}
        Json::List(elements) => {
            for element in elements {
                let is_there = with(edit.text(), way, |_, _, there| {
                    let ast::Value::Array(array) = there else {
                        return None;
                    };
                    let mut there = array.elements.iter().cloned().map(Value::from);
                    Some(there.any(|there| there == element.value()))
                })?;
                match is_there {
                    Some(Some(true)) => {}
                    Some(Some(false)) => insert(edit, way, None, element)?,
                    _ => return Err(format!("`{}` is no list: mend it first", way_text(way))),
                }
            }
        }
        Json::Object(entries) => {
            for (key, value) in entries {
                let is_there = with(edit.text(), way, |_, _, there| match there {
                    ast::Value::Object(object) => Some(property(object, key).is_some()),
                    _ => None,
                })?;
                let Some(Some(is_there)) = is_there else {
                    return Err(format!("`{}` is no object: mend it first", way_text(way)));
                };
                if !is_there {
                    insert(edit, way, Some(key), value)?;
                }
                way.push(Step::Key(key.clone()));
                match is_there {
                    true => put_at(edit, value, way, made)?,
                    false => containers(value, way, made),
                }
                way.pop();
            }
        }
    }
    Ok(())
}

/// Collects the paths of the objects and lists in a value.
fn containers(value: &Json, way: &mut Vec<Step>, made: &mut Vec<String>) {
    match value {
        Json::Leaf(_) => {}
        Json::List(_) => made.push(way_text(way)),
        Json::Object(entries) => {
            made.push(way_text(way));
            for (key, value) in entries {
                way.push(Step::Key(key.clone()));
                containers(value, way, made);
                way.pop();
            }
        }
    }
}

/// Passes the value at a path of steps to `look`, with its text and the root. The empty path is that of the root.
fn with<T>(
    text: &str,
    way: &[Step],
    look: impl FnOnce(&str, &ast::Object<'_>, &ast::Value<'_>) -> T,
) -> Result<Option<T>, String> {
    let Some(root) = root(text)? else {
        return Ok(None);
    };
    if way.is_empty() {
        let value = ast::Value::Object(root.clone());
        return Ok(Some(look(text, &root, &value)));
    }
    Ok(at(&root, way).map(|value| look(text, &root, value)))
}

/// Appends an element to the list, or an entry to the object, at a path of steps.
fn insert(edit: &mut Edit, way: &[Step], key: Option<&str>, new: &Json) -> Result<(), String> {
    let splices = with(edit.text(), way, |text, root, container| {
        let layout = Layout::of(text, root);
        let range = container.range();
        let children = children(container);
        let entry = |layout: &Layout, indentation: &str| {
            let value = new.text(layout, indentation);
            key.map_or_else(|| value.clone(), |key| layout.entry(key, &value))
        };
        let inside = range.start + 1..range.end.saturating_sub(1);
        match (children.first(), children.last()) {
            (Some(first), Some(last)) => {
                let lead = lead(text, inside.start, first.start);
                let is_wide = lead.contains('\n');
                let layout = Layout { is_wide, ..layout };
                let indentation = lead.rsplit_once('\n').map_or("", |(_, lead)| lead);
                let new = entry(&layout, indentation);
                let space = match (is_wide, layout.is_tight) {
                    (true, _) => format!("{}{indentation}", layout.newline),
                    (false, true) => String::new(),
                    (false, false) => " ".to_owned(),
                };
                let comma = next(text, last.end, inside.end).filter(|at| is_comma(text, *at));
                let behind = comma.map_or(last.end, |comma| comma + 1);
                // A comment after the last entry stays next to that entry.
                let place = match is_wide {
                    true => end_of_comments(text, behind, inside.end),
                    false => behind,
                };
                match comma {
                    Some(_) => vec![(place, format!("{space}{new},"))],
                    None if place == last.end => vec![(place, format!(",{space}{new}"))],
                    None => vec![(place, format!("{space}{new}")), (last.end, ",".to_owned())],
                }
            }
            _ => {
                let within = text.get(inside.clone()).unwrap_or_default();
                let line = line_indentation(text, range.start);
                let indentation = format!("{line}{}", layout.unit);
                let is_wide = layout.is_wide;
                let new = entry(&layout, &indentation);
                let new = match (is_wide, within.contains('\n')) {
                    (false, _) => new,
                    (true, true) => format!("{}{indentation}{new}", layout.newline),
                    (true, false) => {
                        format!("{0}{indentation}{new}{0}{line}", layout.newline)
                    }
                };
                vec![(inside.start, new)]
            }
        }
    })?;
    for (place, new) in splices.unwrap_or_default() {
        edit.insert(place, &new);
    }
    Ok(())
}

/// The byte ranges of the children of an object or a list.
fn children(container: &ast::Value<'_>) -> Vec<Range<usize>> {
    let range = |range: jsonc_parser::common::Range| range.start..range.end;
    match container {
        ast::Value::Object(object) => {
            let properties = object.properties.iter();
            properties.map(|property| range(property.range)).collect()
        }
        ast::Value::Array(array) => {
            let elements = array.elements.iter();
            elements.map(|element| range(element.range())).collect()
        }
        _ => Vec::new(),
    }
}

/// The whitespace at the start of the line that contains an offset.
fn line_indentation(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
    &line[..line.len() - line.trim_start().len()]
}

/// The offset of the next character that is neither whitespace nor part of a comment.
fn next(text: &str, from: usize, to: usize) -> Option<usize> {
    let mut at = from;
    while at < to {
        let rest = text.get(at..to)?;
        let white = rest.len() - rest.trim_start().len();
        let rest = &rest[white..];
        at += white;
        let comment = match rest.get(..2) {
            Some("//") => rest.find('\n').unwrap_or(rest.len()),
            Some("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ => return (!rest.is_empty()).then_some(at),
        };
        at += comment;
    }
    None
}

fn is_comma(text: &str, at: usize) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(','))
}

/// The end of the comments that follow an offset on its line; the offset itself if there are none.
fn end_of_comments(text: &str, from: usize, to: usize) -> usize {
    let mut end = from;
    loop {
        let rest = text.get(end..to).unwrap_or_default();
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let comment = &rest[blank..];
        let length = match comment.get(..2) {
            Some("//") => {
                let line = comment.find('\n').map_or(comment, |end| &comment[..end]);
                return end + blank + line.trim_end().len();
            }
            Some("/*") => comment.find("*/").map(|end| end + 2),
            _ => None,
        };
        match length {
            Some(length) if !comment[..length].contains('\n') => end += blank + length,
            _ => return end,
        }
    }
}

/// Replaces the value at a path of steps.
pub(super) fn replace(edit: &mut Edit, way: &[Step], new: &Value) -> Result<(), String> {
    let range = with(edit.text(), way, |_, _, value| value.range())?;
    if let Some(range) = range {
        edit.splice(range.start..range.end, &new.to_string());
    }
    Ok(())
}

/// Removes the value at a path of steps, and the containers that are then empty as far as `may_go` allows.
pub(super) fn remove(
    edit: &mut Edit,
    way: &[Step],
    may_go: &dyn Fn(&[Step]) -> bool,
) -> Result<(), String> {
    let mut way = way.to_vec();
    while let Some(last) = way.pop() {
        let is_empty = remove_from(edit, &way, &last)?;
        if !is_empty || way.is_empty() || !may_go(&way) {
            break;
        }
    }
    Ok(())
}

/// Removes a value from the object or the list at a path of steps. Returns true if that is then empty.
fn remove_from(edit: &mut Edit, way: &[Step], last: &Step) -> Result<bool, String> {
    let deleted = with(edit.text(), way, |text, _, container| {
        let index = match (container, last) {
            (ast::Value::Object(object), Step::Key(key)) => object
                .properties
                .iter()
                .rposition(|property| property.name.as_str() == key)?,
            (ast::Value::Array(_), Step::Index(index)) => *index,
            _ => return None,
        };
        let children = children(container);
        let child = children.get(index)?.clone();
        let range = container.range();
        let inside = range.start + 1..range.end.saturating_sub(1);
        let comma = next(text, child.end, inside.end).filter(|at| is_comma(text, *at));
        let start = child.start - lead(text, inside.start, child.start).len();
        Some(match (comma, index.checked_sub(1)) {
            (Some(comma), _) => {
                // The text between the entry and its comma is a comment.
                let between = text.get(child.end..comma).unwrap_or_default();
                match between.trim().is_empty() {
                    true => (start..comma + 1, None),
                    false => (comma..comma + 1, Some(start..child.end)),
                }
            }
            (None, Some(before)) => {
                let before = children.get(before)?.end;
                let comma = next(text, before, child.start).filter(|at| is_comma(text, *at))?;
                match comma + 1 == start {
                    true => (comma..child.end, None),
                    false => (start..child.end, Some(comma..comma + 1)),
                }
            }
            (None, None) => (start..child.end, None),
        })
    })?;
    if let Some((later, earlier)) = deleted.flatten() {
        edit.delete(later);
        if let Some(earlier) = earlier {
            edit.delete(earlier);
        }
    }
    // If only whitespace is left, it is deleted. A comment is the user's and stays.
    let rest = with(edit.text(), way, |text, _, container| {
        let range = container.range();
        let inside = range.start + 1..range.end.saturating_sub(1);
        let within = text.get(inside.clone()).unwrap_or_default();
        within.trim().is_empty().then_some(inside)
    })?
    .flatten();
    let is_empty = rest.is_some();
    if let Some(rest) = rest {
        edit.delete(rest);
    }
    Ok(is_empty)
}

/// True if a configuration has no entries and no comments.
pub(super) fn is_empty(text: &str) -> bool {
    let text = text.trim();
    let inside = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    inside.unwrap_or(text).trim().is_empty()
}
