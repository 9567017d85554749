//! The source of each line: the calls that rendered it, its item, and the event of that item.

use std::collections::BTreeMap;

use hud_core::component::TagKind;
use hud_core::node::Value;
use hud_core::trace::{Call, Traced};
use hud_store::state::{Change, HudState, changes};
use serde::Serialize;

use super::history::History;

/// A line of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Its text, as markdown.
    pub text: String,
    /// The innermost calls that rendered it, as indexes in [`Shown::calls`](super::Shown::calls).
    pub calls: Vec<usize>,
    /// The section, by the name of its part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The item of the section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// The version of the last event about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u64>,
}

/// A call of a component, or a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeCall {
    /// Its name.
    pub name: String,
    /// `component` or `node`.
    pub kind: &'static str,
    /// The index of the enclosing call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<usize>,
    /// The name of the part that it renders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The density at which it was shown.
    pub density: &'static str,
    /// The props of a node, as in a layout.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub props: Vec<(String, String)>,
}

impl From<&Call> for TreeCall {
    fn from(call: &Call) -> Self {
        let props = call.props.iter();
        let said = props.filter(|(_, value)| !matches!(value, Value::None));
        Self {
            name: call.name.to_owned(),
            kind: match call.kind {
                TagKind::Component => "component",
                TagKind::Node => "node",
            },
            within: call.within,
            part: call.part.clone(),
            density: call.density.name(),
            props: said
                .map(|(name, value)| ((*name).to_owned(), value.to_string()))
                .collect(),
        }
    }
}

/// All items of a state, by section.
pub(super) struct Items<'h> {
    items: Vec<Change>,
    /// The search texts of each item, computed once for all lines.
    words: Vec<Words>,
    by_section: BTreeMap<&'static str, Vec<usize>>,
    version: u64,
    history: &'h History,
}

/// The texts by which an item is found in a line.
struct Words {
    /// The last part of its id; empty if the id does not identify it.
    name: String,
    text: String,
}

impl Words {
    fn of(item: &Change) -> Self {
        let name = match item.is_named {
            true => plain(last_part(&item.id)),
            false => String::new(),
        };
        let text: String = (item.after.as_deref().unwrap_or_default())
            .chars()
            .take(LOOKED_FOR)
            .collect();
        Self {
            name,
            text: plain(&text),
        }
    }

    /// Returns the number of characters of the item that a line contains; 0 if the line is not about it.
    fn said_in(&self, line: &str) -> usize {
        let by_name = match !self.name.is_empty() && line.contains(&self.name) {
            true => self.name.chars().count(),
            false => 0,
        };
        by_name.max(beginning_in(&self.text, line))
    }
}

/// The maximum number of characters of an item that are searched in a line. No line contains more of
/// one.
const LOOKED_FOR: usize = 2_000;

impl<'h> Items<'h> {
    pub(super) fn of(state: &HudState, history: &'h History) -> Self {
        // The items of a state are the changes from the empty state.
        let items = changes(&history.empty_state(), state);
        let mut by_section: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
        for (at, item) in items.iter().enumerate() {
            by_section.entry(item.section).or_default().push(at);
        }
        Self {
            words: items.iter().map(Words::of).collect(),
            items,
            by_section,
            version: state.version,
            history,
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Change> {
        self.items.iter()
    }

    pub(super) fn in_section(&self, section: &str) -> impl Iterator<Item = &Change> {
        let places = self.by_section.get(section).into_iter().flatten();
        places.filter_map(|at| self.items.get(*at))
    }

    /// Returns the lines of a text with their sources.
    pub(super) fn lines(&self, text: &str, traced: &Traced, before: usize) -> Vec<Line> {
        let lines = text.lines().zip(&traced.lines);
        lines
            .map(|(text, calls)| {
                let section = calls.iter().find_map(|call| traced.part(*call));
                let key = calls.iter().find_map(|call| key(traced, *call));
                let item = section.and_then(|section| self.item(section, key, text));
                let event =
                    item.and_then(|item| self.history.behind(item.section, &item.id, self.version));
                // A layer of an earlier state may show an item that was removed since. Its last event
                // removed it.
                let gone = match (item, section, key) {
                    (None, Some(section), Some(key)) => {
                        let event = self.history.last_about(section, key, self.version);
                        event.map(|event| (key, event))
                    }
                    _ => None,
                };
                // The changes since the beginning of an epoch are listed in one place for all sections.
                let section = item.map(|item| item.section).or(section);
                Line {
                    text: text.to_owned(),
                    calls: calls.iter().map(|call| call + before).collect(),
                    section: section.map(str::to_owned),
                    item: (item.map(|item| &*item.id))
                        .or(gone.map(|(key, _)| key))
                        .map(str::to_owned),
                    event: event.or(gone.map(|(_, event)| event)),
                }
            })
            .collect()
    }

    /// Returns the item of a section that a line shows: the item of its key, or else the one of which it
    /// contains most.
    fn item(&self, section: &str, key: Option<&str>, line: &str) -> Option<&Change> {
        if let Some(key) = key {
            return self.in_section(section).find(|item| item.id == key);
        }
        let all = || (0..self.items.len()).collect();
        let own: Vec<usize> = self.by_section.get(section).cloned().unwrap_or_else(all);
        if let [item] = own.as_slice()
            && let Some(item) = self.items.get(*item)
            && item.id.is_empty()
        {
            return Some(item);
        }
        let line = plain(line);
        let said = own.into_iter().filter_map(|at| {
            let (item, words) = (self.items.get(at)?, self.words.get(at)?);
            Some((words.said_in(&line), item))
        });
        // Of equal matches, the first is used.
        let said: Vec<(usize, &Change)> = said.collect();
        let (said, item) = said.into_iter().rev().max_by_key(|(said, _)| *said)?;
        (said > 0).then_some(item)
    }
}

/// Returns the key of the innermost node around a call that has one.
fn key(traced: &Traced, call: usize) -> Option<&str> {
    let path = traced.path(call).into_iter().rev();
    let keys = path.filter_map(|call| {
        let key = call.props.iter().find(|(name, _)| *name == "key")?;
        match &key.1 {
            Value::Text(key) => Some(key.as_str()),
            _ => None,
        }
    });
    keys.into_iter().next()
}

/// The minimum number of characters that identify an item, if a line does not contain all of it.
const ENOUGH: usize = 8;

/// Returns the number of characters at the beginning of a text that a line contains. The end of an
/// item's text is not always shown, so a line seldom contains all of it.
fn beginning_in(text: &str, line: &str) -> usize {
    let ends: Vec<usize> = (text.char_indices().map(|(at, _)| at).skip(1))
        .chain([text.len()])
        .filter(|end| *end > 0 && *end <= line.len())
        .collect();
    // If the line contains a beginning of some length, it contains all shorter ones.
    let said = ends.partition_point(|end| line.contains(text.get(..*end).unwrap_or("\n")));
    match said >= ENOUGH || (said > 0 && said == text.chars().count()) {
        true => said,
        false => 0,
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns a text without markdown syntax, on one line.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut is_blank = true;
    for character in text.chars() {
        if matches!(character, '\\' | '*' | '`' | '_') {
            continue;
        }
        let is_space = character.is_whitespace();
        if !(is_space && is_blank) {
            plain.push(if is_space { ' ' } else { character });
        }
        is_blank = is_space;
    }
    plain.truncate(plain.trim_end().len());
    plain
}
