use serde_json::{Value, json};

use super::*;

/// The settings that a schema has, each by its key and with its own schema; of a table with any keys, one.
fn leaves(schema: &Value, key: &[String]) -> Vec<(Vec<String>, Value)> {
    let below = |name: &str, schema: &Value| {
        let mut key = key.to_vec();
        key.push(name.to_owned());
        leaves(schema, &key)
    };
    match (&schema["properties"], &schema["additionalProperties"]) {
        (Value::Object(properties), _) => properties
            .iter()
            .flat_map(|(name, schema)| below(name, schema))
            .collect(),
        (_, any @ Value::Object(_)) => below("any", any),
        _ => vec![(key.to_vec(), schema.clone())],
    }
}

fn all() -> Vec<(Vec<String>, Value)> {
    leaves(Settings::schema().as_value(), &[])
}

/// Settings in which one is set.
fn read(key: &[String], value: Value) -> Result<Settings, serde_json::Error> {
    let nested = |value, name: &String| json!({ name: value });
    serde_json::from_value(key.iter().rev().fold(value, nested))
}

/// The kinds of JSON that a schema allows.
fn kinds(schema: &Value) -> Vec<&str> {
    let either = match &schema["oneOf"] {
        Value::Null => &schema["anyOf"],
        either => either,
    };
    match (&schema["type"], either) {
        (Value::String(kind), _) => vec![kind],
        (Value::Array(kinds), _) => kinds.iter().filter_map(Value::as_str).collect(),
        (_, Value::Array(any)) => any.iter().flat_map(kinds).collect(),
        _ => panic!("{schema} says nothing of its type"),
    }
}

#[test]
fn what_the_schema_allows_is_read_and_nothing_else() {
    for (key, schema) in all() {
        let kinds = kinds(&schema);
        for (kind, values) in [
            ("boolean", vec![json!(true), json!(false)]),
            (
                "string",
                vec![
                    json!("epoch"),
                    json!("keep"),
                    json!("marked"),
                    json!("30%"),
                    json!("ask"),
                    json!("by_hand"),
                    json!("postgres://ada@db.example/fleet?log=team"),
                ],
            ),
            ("integer", vec![json!(2_000), json!(100), json!(1)]),
            ("number", vec![json!(0.5)]),
            (
                "array",
                vec![json!(["read"]), json!([2_000]), json!(["checks"])],
            ),
            ("object", vec![json!({ "a": 1 })]),
        ] {
            let is_number = kind == "integer" && kinds.contains(&"number");
            let is_allowed = is_number || kinds.contains(&kind);
            let is_read = values.iter().any(|value| read(&key, value.clone()).is_ok());
            assert_eq!(is_read, is_allowed, "{key:?} {kind}");
        }
        for name in schema["enum"].as_array().into_iter().flatten() {
            read(&key, name.clone()).unwrap();
        }
        let (least, most) = (schema["minimum"].as_i64(), schema["maximum"].as_i64());
        for within in [least, most].into_iter().flatten() {
            read(&key, within.into()).unwrap();
        }
        let beyond = [least.map(|least| least - 1), most.map(|most| most + 1)];
        for beyond in beyond.into_iter().flatten() {
            read(&key, beyond.into()).unwrap_err();
        }
    }
}

#[test]
fn each_setting_has_a_default_that_the_schema_knows_and_says_what_it_is_for() {
    let default = serde_json::to_value(Settings::default()).unwrap();
    for (key, schema) in all() {
        if key.contains(&"any".to_owned()) {
            continue;
        }
        let pointer = format!("/{}", key.join("/"));
        let value = default.pointer(&pointer);
        // Where it is not set, the profile of the provider says it.
        if pointer == "/prune/cache_seconds" {
            assert!(value.is_none() && schema["description"].is_string());
            continue;
        }
        assert!(value.is_some(), "{pointer} has no default");
        assert!(schema["description"].is_string(), "{pointer}: {schema}");
    }
    let written: Settings = serde_json::from_value(default).unwrap();
    assert_eq!(written, Settings::default());
}

#[test]
fn only_what_there_is_belongs_to_the_user_alone() {
    let schema = Settings::schema();
    for UsersOwn { key, .. } in USERS_OWN {
        assert!(schema.as_value()["properties"][key].is_object(), "{key}");
    }
}

#[test]
fn bands_that_contradict_each_other_are_found() {
    let mut settings = Settings::default();
    settings.check().unwrap();
    settings.bands.minimal_from = 60;
    let said = settings.check().unwrap_err().to_string();
    assert_eq!(
        said,
        "`bands.minimal_from` must not be below `bands.compact_from`"
    );
}

#[test]
fn shares_that_do_not_add_up_are_found_and_those_that_are_none_are_not_read() {
    let read = |shares: Value| -> Result<Settings, serde_json::Error> {
        serde_json::from_value(json!({ "budget": { "shares": shares } }))
    };
    let settings = read(json!({ "notes": "60%", "errors": "%* from 40 to 200" })).unwrap();
    settings.check().unwrap();
    let settings = read(json!({ "notes": "60%", "errors": "50%" })).unwrap();
    assert_eq!(
        settings.check().unwrap_err().to_string(),
        "`budget.shares` must not be more than 100 % together"
    );
    for wrong in [json!("30"), json!("30% from 9 to 8"), json!(30)] {
        read(json!({ "notes": wrong })).unwrap_err();
    }
}
