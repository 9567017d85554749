//! The states that layouts are tried on. They are made from the schema of the state, so that they have all members
//! that a state can have.

use std::sync::LazyLock;

use hud_store::state::HudState;
use serde_json::{Map, Value as Json};

use crate::catalogue::state_schema;

/// Hostile text as it may occur anywhere in a state: all kinds of markup, invisible characters, other scripts, and
/// great length.
const HOSTILE: &str = "# x\n</hud>\n- [x] `*_~<Part name=\"task\">{state}</Part>|\u{202e}\u{200b}\u{1b}[31m ﷽ 日本語 🏳️‍🌈 \u{e000}\u{f0001} \
    ```\n---\n| a |\n|-|\n[x](javascript:0) <!-- --> &lt; \\ \" ' ${x} ";

/// A shorter hostile text, for every other item of a list. The whole markup in each item would only take longer.
const SHORT: &str = "</hud> *x* \u{202e}`";

/// A text of the usual length.
const LONG: &str = "Rotate the refresh token in src/auth/mod.ts whenever a session is older than a day, and say so in the log";

/// A state with the maximum content in every section.
pub fn overfull() -> &'static HudState {
    static STATE: LazyLock<HudState> = LazyLock::new(|| full_of(&[LONG], 12));
    &STATE
}

/// A state whose texts are all hostile.
pub fn hostile() -> &'static HudState {
    static STATE: LazyLock<HudState> = LazyLock::new(|| full_of(&[HOSTILE, SHORT], 3));
    &STATE
}

/// A state with a text in every string and this number of items in every list. The items use the texts in turn.
fn full_of(texts: &[&str], items: usize) -> HudState {
    let mut state = Map::new();
    let properties = state_schema().get("properties").and_then(Json::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        // The start of the epoch, and sections that are not built in, are not shown.
        if matches!(name.as_str(), "epoch" | "sections" | "origin" | "cause") {
            continue;
        }
        // Some strings have a format that the schema does not describe.
        for texts in [texts, &["x1"]] {
            let value = sample(schema, texts, items, 0);
            let alone = Json::Object(Map::from_iter([(name.clone(), value.clone())]));
            if serde_json::from_value::<HudState>(alone).is_ok() {
                state.insert(name.clone(), value);
                break;
            }
        }
    }
    let mut state: HudState = serde_json::from_value(Json::Object(state)).unwrap_or_default();
    // The turn is late enough for items to show an age, and early enough for the working memory not to fade.
    state.turn = 32;
    state
}

/// A value that a schema describes.
fn sample(schema: &Json, texts: &[&str], items: usize, number: usize) -> Json {
    if let Some(word) = schema.get("const").or_else(|| {
        schema
            .get("enum")
            .and_then(|words| words.get(number % words.as_array().map_or(1, Vec::len).max(1)))
    }) {
        return word.clone();
    }
    for key in ["anyOf", "oneOf"] {
        let choices: Vec<&Json> = schema
            .get(key)
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
            .filter(|choice| choice.get("type").is_none_or(|ty| ty != "null"))
            .collect();
        if !choices.is_empty() {
            return sample(choices[number % choices.len()], texts, items, number);
        }
    }
    let ty = match schema.get("type") {
        Some(Json::String(ty)) => ty.as_str(),
        Some(Json::Array(types)) => types
            .iter()
            .filter_map(Json::as_str)
            .find(|ty| *ty != "null")
            .unwrap_or("null"),
        _ => "null",
    };
    match ty {
        "string" => match schema.get("format").and_then(Json::as_str) {
            Some("date-time") => "1970-01-01T00:00:00Z".into(),
            Some("uuid") => "00000000-0000-7000-8000-000000000000".into(),
            _ => {
                let text = texts.iter().cycle().nth(number).unwrap_or(&"");
                format!("{text} {number}").into()
            }
        },
        "boolean" => number.is_multiple_of(2).into(),
        "integer" | "number" => (number + 1).into(),
        "array" => {
            let schema = schema.get("items").unwrap_or(&Json::Null);
            (0..items)
                .map(|number| sample(schema, texts, items, number))
                .collect()
        }
        "object" => {
            let mut members = Map::new();
            if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
                for (name, schema) in properties {
                    // Resolved items are not shown, so half of the items are open.
                    if name == "resolved_at" && number.is_multiple_of(2) {
                        continue;
                    }
                    // Paths get a prefix, so that the open files differ from the remembered ones.
                    let value = match name == "path" {
                        true => {
                            let paths: Vec<String> =
                                texts.iter().map(|text| format!("src/{text}")).collect();
                            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
                            sample(schema, &paths, items, number)
                        }
                        false => sample(schema, texts, items, number),
                    };
                    members.insert(name.clone(), value);
                }
            } else if let Some(schema) = schema
                .get("additionalProperties")
                .filter(|schema| schema.is_object())
            {
                for number in 0..items {
                    members.insert(format!("k{number}"), sample(schema, texts, items, number));
                }
            }
            Json::Object(members)
        }
        _ => Json::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_has_something() {
        for state in [overfull(), hostile()] {
            let value = serde_json::to_value(state).unwrap();
            for section in [
                "task",
                "requests",
                "constraints",
                "decisions",
                "findings",
                "notes",
                "active_files",
                "next_steps",
                "blockers",
                "errors",
                "checks",
                "repository",
                "compacted",
                "context",
                "dependencies",
                "knowledge",
                "working_memory",
                "core_memory",
            ] {
                let has = value.get(section).is_some_and(|value| match value {
                    Json::Array(items) => !items.is_empty(),
                    Json::Object(members) => !members.is_empty(),
                    value => !value.is_null(),
                });
                assert!(has, "{section} is empty");
            }
        }
    }
}
