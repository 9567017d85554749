//! A file of settings. Each setting is parsed separately, so that one error hides no other.

use std::ops::Range;
use std::sync::LazyLock;

use hud_agent::settings::Settings;
use serde::Deserialize;
use serde_json::Value as Json;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::{Key, put};

/// The tables whose keys are the names of sections.
const SECTIONS: [&[&str]; 2] = [&["sections"], &["budget", "shares"]];

/// The schema of the settings. Creating it takes longer than reading a file, so it is only created for settings that
/// are not in the default settings.
static SCHEMA: LazyLock<Json> = LazyLock::new(|| Settings::schema().to_value());

/// A setting in a file.
pub(super) struct Setting {
    pub(super) key: Key,
    pub(super) value: Value,
    /// The byte offset of the key.
    pub(super) at: usize,
}

/// An error in a file, or a possible one.
pub(super) struct Mistake {
    /// The byte offset of the error.
    pub(super) at: usize,
    pub(super) said: String,
    /// True if the setting may be valid for another program that reads the same file.
    pub(super) is_of_others: bool,
}

impl Mistake {
    pub(super) const fn new(at: usize, said: String) -> Self {
        Self {
            at,
            said,
            is_of_others: false,
        }
    }
}

/// Reads a file. Returns its settings and its errors. `defaults` are the default settings, and `sections` the names
/// of the sections of this program.
pub(super) fn read(
    text: &str,
    defaults: &Table,
    sections: &[String],
) -> (Vec<Setting>, Vec<Mistake>) {
    let parsed = DeTable::parse(text).and_then(|table| Ok((table, toml::from_str::<Table>(text)?)));
    let (table, values) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            let said = error.message().to_owned();
            return (Vec::new(), vec![Mistake::new(at, said)]);
        }
    };
    let mut reader = Reader {
        sections,
        settings: Vec::new(),
        mistakes: Vec::new(),
    };
    reader.table(table.get_ref(), &values, Some(defaults), &[]);
    (reader.settings, reader.mistakes)
}

struct Reader<'s> {
    sections: &'s [String],
    settings: Vec<Setting>,
    mistakes: Vec<Mistake>,
}

/// The kind of a known key.
enum Known<'d> {
    Setting,
    /// A table, with its default content if that is known.
    Table(Option<&'d Table>),
}

impl Reader<'_> {
    /// Reads a table whose keys are known.
    fn table(
        &mut self,
        table: &DeTable<'_>,
        values: &Table,
        defaults: Option<&Table>,
        within: &[String],
    ) {
        let are_sections = SECTIONS.iter().any(|table| within == *table);
        for (name, found) in table {
            let (name, at) = (name.get_ref().as_ref(), name.span());
            let Some(value) = values.get(name) else {
                continue;
            };
            let mut key = within.to_vec();
            key.push(name.to_owned());
            let known = match defaults.and_then(|defaults| defaults.get(name)) {
                Some(Value::Table(table)) if !table.is_empty() => Some(Known::Table(Some(table))),
                Some(value) if !value.is_table() => Some(Known::Setting),
                _ => member(schema(within), name).map(|known| match has_keys(known) {
                    true => Known::Table(None),
                    false => Known::Setting,
                }),
            };
            match (known, found.get_ref(), value) {
                (None, ..) => {
                    let known = schema(within)["properties"].as_object();
                    let known = known.into_iter().flatten();
                    let known: Vec<&str> = known.map(|(name, _)| name.as_str()).collect();
                    let mend = match nearest(&key, &known) {
                        Some(name) => format!("did you mean `{name}`?"),
                        None => format!("there is {}", known.join(", ")),
                    };
                    let said = format!("there is no setting `{}`: {mend}", written(&key));
                    self.mistakes.push(Mistake::new(at.start, said));
                }
                _ if are_sections && !self.sections.iter().any(|known| known == name) => {
                    self.no_section(&key, at.start);
                }
                (Some(Known::Table(defaults)), DeValue::Table(inner), Value::Table(values)) => {
                    self.table(inner, values, defaults, &key);
                }
                (Some(_), ..) => self.setting(key, value, at.start, found.span()),
            }
        }
    }

    fn setting(&mut self, key: Key, value: &Value, at: usize, place: Range<usize>) {
        let mut alone = Table::new();
        put(&mut alone, &key, value.clone());
        match Settings::deserialize(alone) {
            Ok(_) => self.settings.push(Setting {
                key,
                value: value.clone(),
                at,
            }),
            Err(error) => {
                // The position and the key in the error are those of the copy.
                let said = format!("`{}`: {}", written(&key), error.message());
                self.mistakes.push(Mistake::new(place.start, said));
            }
        }
    }

    /// Reports a section that this program does not have. A name that is similar to that of another section is
    /// an error. Any other one may be a section of another program that shares the file.
    fn no_section(&mut self, key: &[String], at: usize) {
        let known: Vec<&str> = self.sections.iter().map(String::as_str).collect();
        let name = written(key);
        let (said, is_of_others) = match nearest(key, &known) {
            Some(meant) => (
                format!("there is no section `{name}`: did you mean `{meant}`?"),
                false,
            ),
            None => (
                format!(
                    "this program has no section `{name}`, and leaves it out: it has {}",
                    known.join(", ")
                ),
                true,
            ),
        };
        self.mistakes.push(Mistake {
            at,
            said,
            is_of_others,
        });
    }
}

/// The name that is nearest to the last part of a key, if it is similar enough.
fn nearest<'n>(key: &[String], names: &[&'n str]) -> Option<&'n str> {
    let wrong = key.last().map_or("", String::as_str);
    let distances = names
        .iter()
        .map(|name| (strsim::damerau_levenshtein(name, wrong), *name));
    let (distance, name) = distances.min()?;
    (distance <= (wrong.chars().count() / 3).max(1)).then_some(name)
}

/// The schema of the table at a key.
fn schema(within: &[String]) -> &'static Json {
    let found = { within.iter() }.try_fold(&*SCHEMA, |schema, name| member(schema, name));
    found.unwrap_or(&Json::Null)
}

/// The schema of a member of a table.
fn member<'s>(schema: &'s Json, name: &str) -> Option<&'s Json> {
    match &schema["properties"] {
        Json::Object(known) => known.get(name),
        _ => Some(&schema["additionalProperties"]),
    }
}

/// True if a schema describes a table.
fn has_keys(schema: &Json) -> bool {
    schema["properties"].is_object() || schema["additionalProperties"].is_object()
}

/// A key as it is written in TOML.
pub(super) fn written(key: &[String]) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let names = key
        .iter()
        .map(|name| match name.is_empty() || !name.chars().all(is_bare) {
            true => toml_edit::Value::from(name.as_str()).to_string(),
            false => name.clone(),
        });
    names.collect::<Vec<_>>().join(".")
}
