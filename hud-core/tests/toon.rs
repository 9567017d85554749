//! TOON against the cases that its specification is published with.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and says what it skipped"
)]

use std::fs;
use std::path::Path;

use hud_core::data::{json, toon};
use hud_core::node::Value;
use serde_json::{Value as Json, json};
use serde_toon::{DecodeOptions, Delimiter, ToonOptions};

fn member<'v>(object: &'v Value, name: &str) -> Option<&'v Value> {
    let Value::Object(members) = object else {
        return None;
    };
    let found = members.iter().find(|(own, _)| own == name)?;
    Some(&found.1)
}

fn text<'v>(object: &'v Value, name: &str) -> Option<&'v str> {
    match member(object, name) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    }
}

fn size(options: &Value) -> Option<usize> {
    match member(options, "indentSize") {
        Some(Value::Integer(size)) => usize::try_from(*size).ok(),
        _ => None,
    }
}

fn encoded(value: &Value, options: Option<&Value>) -> Result<String, String> {
    let Some(options) = options else {
        return toon::to_string(value).map_err(|error| error.to_string());
    };
    let mut given = ToonOptions::new();
    if let Some(size) = size(options) {
        given = given.with_indent(size);
    }
    given = given.with_delimiter(match text(options, "delimiter") {
        None | Some(",") => Delimiter::Comma,
        Some("\t") => Delimiter::Tab,
        Some("|") => Delimiter::Pipe,
        Some(other) => panic!("there is no delimiter {other:?}"),
    });
    serde_toon::to_string_with_options(value, given).map_err(|error| error.to_string())
}

fn decoded(text: &str, options: &Json) -> Result<Json, String> {
    let mut given = match options["strict"] == json!(false) {
        true => DecodeOptions::lenient(),
        false => DecodeOptions::strict(),
    };
    if let Some(size) = options["indentSize"].as_u64() {
        given = given.with_indent_size(usize::try_from(size).unwrap());
    }
    serde_toon::from_str_with_options(text, given).map_err(|error| error.to_string())
}

/// Whether two values are one, however their numbers are written.
fn alike(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, a)| b.get(name).is_some_and(|b| alike(a, b)))
        }
        (a, b) => a == b,
    }
}

/// What is wrong with a case of encoding, if something is. The order of members counts.
fn encoding(case: &Value) -> Option<String> {
    let (name, expected) = (text(case, "name").unwrap(), text(case, "expected").unwrap());
    let found = encoded(member(case, "input").unwrap(), member(case, "options"));
    let is_met = found.as_deref() == Ok(expected);
    (!is_met).then(|| format!("{name}: expected {expected:?}, found {found:?}\n"))
}

/// What is wrong with a case of decoding, if something is.
fn decoding(case: &Json) -> Option<String> {
    let found = decoded(case["input"].as_str().unwrap(), &case["options"]);
    let is_met = match &found {
        Ok(found) => case["shouldError"] != json!(true) && alike(found, &case["expected"]),
        Err(_) => case["shouldError"] == json!(true),
    };
    (!is_met).then(|| {
        format!(
            "{}: expected {}, found {found:?}\n",
            case["name"], case["expected"]
        )
    })
}

/// The texts of a category of cases.
fn files(category: &str) -> Option<Vec<String>> {
    let data = std::env::var_os("HUD_DATA")?;
    let files = fs::read_dir(Path::new(&data).join("toon/fixtures").join(category)).unwrap();
    Some(
        files
            .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
            .collect(),
    )
}

/// Says how many cases there are, of which these are not met.
fn judge(count: usize, differences: &[String]) {
    println!("{} of {count} cases", count - differences.len());
    assert!(differences.is_empty(), "{}", differences.concat());
    assert!(count > 100, "{count}");
}

#[test]
fn the_specification_is_met_by_what_is_written() {
    let Some(files) = files("encode") else {
        return println!("skipped: HUD_DATA is not set");
    };
    let mut cases = Vec::new();
    for file in files {
        match member(&json::from_str(&file).unwrap(), "tests") {
            Some(Value::List(list)) => cases.extend(list.clone()),
            other => panic!("{other:?}"),
        }
    }
    let differences: Vec<String> = cases.iter().filter_map(encoding).collect();
    judge(cases.len(), &differences);
}

#[test]
fn the_specification_is_met_by_what_is_read() {
    let Some(files) = files("decode") else {
        return println!("skipped: HUD_DATA is not set");
    };
    let mut cases = Vec::new();
    for file in files {
        let file: Json = serde_json::from_str(&file).unwrap();
        cases.extend(file["tests"].as_array().unwrap().clone());
    }
    let differences: Vec<String> = cases.iter().filter_map(decoding).collect();
    judge(cases.len(), &differences);
}
