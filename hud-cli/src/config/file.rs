//! A file of settings: each is read by itself, so that one mistake hides no other.

use std::ops::Range;

use hud_agent::settings::Settings;
use serde::Deserialize;
use serde_json::Value as Json;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::{Key, put};

/// The table that has a table for each section.
const SECTIONS: &str = "sections";

/// A setting in a file.
pub(super) struct Setting {
    pub(super) key: Key,
    pub(super) value: Value,
    /// Where its key is, in bytes.
    pub(super) at: usize,
}

/// What is wrong in a file.
pub(super) struct Mistake {
    /// Where, in bytes.
    pub(super) at: usize,
    pub(super) said: String,
}

/// Reads a file: what it sets, and what is wrong in it. `sections` are the names of those that there are.
pub(super) fn read(text: &str, sections: &[String]) -> (Vec<Setting>, Vec<Mistake>) {
    let parsed = DeTable::parse(text).and_then(|table| Ok((table, toml::from_str::<Table>(text)?)));
    let (table, values) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            let said = error.message().to_owned();
            return (Vec::new(), vec![Mistake { at, said }]);
        }
    };
    let mut reader = Reader {
        sections,
        settings: Vec::new(),
        mistakes: Vec::new(),
    };
    let schema = Settings::schema();
    reader.table(table.get_ref(), &values, schema.as_value(), &[]);
    (reader.settings, reader.mistakes)
}

struct Reader<'s> {
    sections: &'s [String],
    settings: Vec<Setting>,
    mistakes: Vec<Mistake>,
}

impl Reader<'_> {
    /// Reads a table that a schema knows the keys of.
    fn table(&mut self, table: &DeTable<'_>, values: &Table, schema: &Json, within: &[String]) {
        for (name, found) in table {
            let (name, at) = (name.get_ref().as_ref(), name.span());
            let Some(value) = values.get(name) else {
                continue;
            };
            let mut key = within.to_vec();
            key.push(name.to_owned());
            let known = match &schema["properties"] {
                Json::Object(known) => known.get(name),
                _ => Some(&schema["additionalProperties"]),
            };
            match (known, found.get_ref(), value) {
                (None, ..) => {
                    let known = schema["properties"].as_object().into_iter().flatten();
                    let known: Vec<&str> = known.map(|(name, _)| name.as_str()).collect();
                    self.unknown("setting", &key, at, &known);
                }
                _ if within == [SECTIONS] && !self.sections.iter().any(|known| known == name) => {
                    let known: Vec<&str> = self.sections.iter().map(String::as_str).collect();
                    self.unknown("section", &key, at, &known);
                }
                (Some(known), DeValue::Table(inner), Value::Table(values)) if has_keys(known) => {
                    self.table(inner, values, known, &key);
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
                // The place and the key that the error has of its own are those of the copy.
                let said = format!("`{}`: {}", written(&key), error.message());
                let at = place.start;
                self.mistakes.push(Mistake { at, said });
            }
        }
    }

    fn unknown(&mut self, what: &str, key: &[String], at: Range<usize>, names: &[&str]) {
        let wrong = key.last().map_or("", String::as_str);
        let near = names
            .iter()
            .map(|name| (strsim::damerau_levenshtein(name, wrong), name))
            .min()
            .filter(|(distance, _)| *distance <= (wrong.chars().count() / 3).max(1));
        let mend = match near {
            Some((_, name)) => format!("did you mean `{name}`?"),
            None => format!("there is {}", names.join(", ")),
        };
        let said = format!("there is no {what} `{}`: {mend}", written(key));
        let at = at.start;
        self.mistakes.push(Mistake { at, said });
    }
}

/// Whether what a schema describes is a table.
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
