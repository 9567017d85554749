//! Assembles the pieces of siblings into one value.

use super::lift::{METER, is_link_or_code, is_meter};
use super::{DataPiece, key};
use crate::node::Value;

/// The value of adjacent pieces: an object if one of them has a name, otherwise the only value or a
/// list of several. [`Value::None`] without pieces.
pub fn assemble(pieces: impl IntoIterator<Item = DataPiece>) -> Value {
    let mut open: Vec<(u8, String, Siblings)> = Vec::new();
    let mut siblings = Siblings::default();
    for piece in pieces {
        match piece {
            DataPiece::Heading { level, title } => {
                close(&mut open, &mut siblings, level);
                open.push((level, title, std::mem::take(&mut siblings)));
            }
            piece => siblings.push(piece),
        }
    }
    close(&mut open, &mut siblings, 0);
    siblings.finish()
}

/// Ends the sections of headings of a level or deeper.
fn close(open: &mut Vec<(u8, String, Siblings)>, siblings: &mut Siblings, level: u8) {
    while let Some((_, title, around)) = open.pop_if(|(other, ..)| *other >= level) {
        let within = std::mem::replace(siblings, around);
        siblings.push(titled(&title, within.finish()));
    }
}

/// A member with the name of a title.
pub(super) fn titled(title: &str, value: Value) -> DataPiece {
    let value = match (key::says_more(title), value) {
        (false, value) => value,
        (true, value) => {
            let mut members = vec![("title".to_owned(), Value::Text(title.to_owned()))];
            match value {
                Value::Object(more) => members.extend(more),
                Value::None => {}
                other => members.push((unnamed(&other).to_owned(), other)),
            }
            Value::Object(members)
        }
    };
    DataPiece::Member(key(title), value)
}

/// The name of an unnamed value beside members.
pub(super) fn unnamed(value: &Value) -> &'static str {
    match value {
        Value::List(_) => "items",
        Value::Object(_) => "value",
        _ => "text",
    }
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::Object(_))
}

/// True if a value can become an object beside others.
fn fits(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Text(_) | Value::None)
}

/// A list of similar values. If some of them are objects, all become objects with the same members.
pub(super) fn list(mut values: Vec<Value>) -> Value {
    if !values.iter().any(is_object) || !values.iter().all(fits) {
        return Value::List(values);
    }
    let mut names: Vec<String> = Vec::new();
    for value in &mut values {
        let members = match std::mem::replace(value, Value::None) {
            Value::Object(members) => members,
            Value::None => Vec::new(),
            text => vec![("text".to_owned(), text)],
        };
        for (name, _) in &members {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        *value = Value::Object(members);
    }
    for value in &mut values {
        if let Value::Object(members) = value {
            let mut given = std::mem::take(members);
            members.extend(names.iter().map(|name| {
                let at = given.iter().position(|(other, _)| other == name);
                at.map_or((name.clone(), Value::None), |at| given.swap_remove(at))
            }));
        }
    }
    Value::List(values)
}

/// The opposite of [`list`]: removes the members that the values lack only because of the other
/// values. A member that none of them has is kept in the first value that can have it, so that the
/// order of members stays the same. The members of a meter are put together again if another value
/// had only some of them. Values with different members are returned unchanged, because XML leaves
/// missing members out.
pub(super) fn sparse(values: &[Value]) -> Vec<Value> {
    let has = |value: &Value, name: &str| match value {
        Value::Object(members) => members
            .iter()
            .any(|(other, value)| other == name && *value != Value::None),
        _ => false,
    };
    let mut names = values.iter().filter_map(|value| match value {
        Value::Object(members) => Some(members.iter().map(|(name, _)| name.as_str())),
        _ => None,
    });
    let of_first = names.next().into_iter().flatten();
    if !values.iter().all(fits) || !names.all(|names| names.eq(of_first.clone())) {
        return values.to_vec();
    }
    let mut first: Vec<(&str, usize)> = Vec::new();
    for name in of_first {
        let at = values.iter().position(|value| has(value, name));
        let at = at.unwrap_or_else(|| {
            // A check box comes last in its item, and a link or code is alone.
            let least = match first.last() {
                Some(("done", at)) => at + 1,
                Some((_, at)) => *at,
                None => 0,
            };
            let mut rest = (least..).zip(values.iter().skip(least));
            let found = rest.find(|(_, value)| is_object(value) && !is_link_or_code(value));
            found.map_or(least.min(values.len() - 1), |(at, _)| at)
        });
        first.push((name, at));
    }
    let is_lacking = |at: usize, name: &str, value: &Value| {
        let of_first = first
            .iter()
            .any(|(other, first)| *other == name && *first == at);
        *value == Value::None && !of_first
    };
    let each = values.iter().enumerate().map(|(at, value)| match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .filter(|(name, value)| !is_lacking(at, name, value));
            let is_new = |name: &str| first.contains(&(name, at));
            Value::Object(with_meter(members.cloned().collect(), is_new))
        }
        value => value.clone(),
    });
    each.collect()
}

/// Members with those of a meter side by side. They move to the first of them that no value before
/// has, because the earlier values fix the positions of the others.
fn with_meter(
    members: Vec<(String, Value)>,
    is_new: impl Fn(&str) -> bool,
) -> Vec<(String, Value)> {
    if !is_meter(&members) {
        return members;
    }
    let is_fact = |(name, _): &(String, Value)| METER.contains(&name.as_str());
    let first_new = members
        .iter()
        .position(|member| is_fact(member) && is_new(&member.0));
    let place = first_new.or_else(|| members.iter().position(is_fact));
    let place = place.unwrap_or(0);
    let before = members.iter().take(place).filter(|it| !is_fact(it)).count();
    let (facts, mut others): (Vec<_>, Vec<_>) = members.into_iter().partition(is_fact);
    others.splice(before..before, facts);
    others
}

/// The siblings so far.
#[derive(Default)]
struct Siblings {
    /// The values with their names. An entry without a value reserves the position of the open
    /// line.
    values: Vec<(Option<String>, Option<Value>)>,
    line: Line,
    items: Vec<Value>,
}

/// A line that is not finished.
#[derive(Default)]
struct Line {
    /// Its position among the values, once it has begun.
    at: Option<usize>,
    text: String,
    /// The link of the line, if the line has nothing else.
    link: Option<(String, String)>,
    /// True if a member came after the last text.
    is_parted: bool,
}

impl Line {
    fn say(&mut self, words: &str) {
        if !self.is_parted {
            self.text.push_str(words);
            return;
        }
        // Removes the separators between the member and the text after it.
        match self.text.trim().is_empty() {
            true => {
                let words = words.trim_start_matches(|c: char| {
                    c.is_whitespace()
                        || matches!(c, ',' | ';' | ':' | '.' | '│' | '·' | '–' | '—' | '-')
                });
                self.is_parted = words.is_empty();
                self.text = words.to_owned();
            }
            false => {
                self.is_parted = false;
                self.text.truncate(self.text.trim_end().len());
                if words.starts_with(char::is_alphanumeric) {
                    self.text.push(' ');
                }
                self.text.push_str(words);
            }
        }
    }
}

impl Siblings {
    fn push(&mut self, piece: DataPiece) {
        if !matches!(piece, DataPiece::Item(_)) {
            self.end_items();
        }
        match piece {
            DataPiece::Text(text) => {
                self.begin_line();
                self.open_link();
                self.line.say(&text);
            }
            DataPiece::Link { text, url } => {
                self.begin_line();
                self.open_link();
                match self.line.text.is_empty() {
                    true => self.line.link = Some((text, url)),
                    false => self.line.say(&link_in_line(&text, &url)),
                }
            }
            DataPiece::Aside(name, value) => {
                self.line.is_parted = true;
                self.values.push((Some(name), Some(value)));
            }
            DataPiece::Member(name, value) => {
                self.end_line();
                self.values.push((Some(name), Some(value)));
            }
            DataPiece::Item(value) => {
                self.end_line();
                self.items.push(value);
            }
            DataPiece::Value(value) => {
                self.end_line();
                self.values.push((None, Some(value)));
            }
            // The content under the heading was assembled before.
            DataPiece::Heading { title, .. } => {
                self.end_line();
                self.values.push((None, Some(Value::Text(title))));
            }
        }
    }

    fn begin_line(&mut self) {
        if self.line.at.is_none() {
            self.line.at = Some(self.values.len());
            self.values.push((None, None));
        }
    }

    /// Turns a link that is not alone in its line into text.
    fn open_link(&mut self) {
        if let Some((text, url)) = self.line.link.take() {
            self.line.say(&link_in_line(&text, &url));
        }
    }

    fn end_line(&mut self) {
        let Line { at, text, link, .. } = std::mem::take(&mut self.line);
        let place = at.and_then(|at| self.values.get_mut(at));
        let Some((_, value)) = place else { return };
        let text = text.trim();
        *value = match link {
            Some((text, url)) => Some(linked(text, url)),
            None => (!text.is_empty()).then(|| Value::Text(text.to_owned())),
        };
    }

    fn end_items(&mut self) {
        if !self.items.is_empty() {
            let items = std::mem::take(&mut self.items);
            self.values.push((None, Some(list(items))));
        }
    }

    fn finish(mut self) -> Value {
        self.end_items();
        self.end_line();
        let values = self.values.into_iter();
        let said = values.filter_map(|(name, value)| Some((name, value?)));
        let mut said: Vec<(Option<String>, Value)> = said.collect();
        if said.iter().any(|(name, _)| name.is_some()) {
            return object(said);
        }
        match said.len() {
            0 => Value::None,
            1 => said.remove(0).1,
            _ => list(said.into_iter().map(|(_, value)| value).collect()),
        }
    }
}

/// An object of values, some of which have names. Values with the same name form a list.
fn object(said: Vec<(Option<String>, Value)>) -> Value {
    let mut members: Vec<(String, Vec<Value>)> = Vec::new();
    for (name, value) in said {
        let name = name.unwrap_or_else(|| unnamed(&value).to_owned());
        match members.iter_mut().find(|(other, _)| *other == name) {
            Some((_, values)) => values.push(value),
            None => members.push((name, vec![value])),
        }
    }
    let members = members.into_iter().map(|(name, mut values)| {
        let value = match values.len() {
            1 => values.remove(0),
            _ => list(values),
        };
        (name, value)
    });
    Value::Object(members.collect())
}

/// The value of a link that is alone.
fn linked(text: String, url: String) -> Value {
    let members = [("text", text), ("url", url)];
    let members = members.map(|(name, value)| (name.to_owned(), Value::Text(value)));
    Value::Object(members.into())
}

/// The text of a link among other text.
fn link_in_line(text: &str, url: &str) -> String {
    match text == url {
        true => text.to_owned(),
        false => format!("{text} ({url})"),
    }
}
