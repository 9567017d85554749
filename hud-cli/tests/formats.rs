//! HUDs in other formats than markdown.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod common;

use common::{example, hud, shown};
use serde_json::Value;

#[test]
fn a_hud_is_written_in_the_format_that_is_asked_for() {
    let written = |format: &str| shown(&["replay", &example(), "--turn", "20", "--format", format]);
    let json: Value = serde_json::from_str(&written("json")).unwrap();
    let pretty: Value = serde_json::from_str(&written("pretty-json")).unwrap();
    assert_eq!(json, pretty);
    assert!(json["decisions"].is_array(), "{json:#}");
    insta::assert_snapshot!(written("toon"));
    assert!(written("xml").starts_with("<hud>\n  <task>"));
    assert!(written("html").starts_with("<h1>Task</h1>\n<p>"));
    assert_eq!(
        written("markdown"),
        shown(&["replay", &example(), "--turn", "20"])
    );
}

#[test]
fn short_names_come_with_their_table() {
    let written = shown(&["replay", &example(), "--format", "compact-json"]);
    let written: Value = serde_json::from_str(&written).unwrap();
    let keys = written["keys"].as_object().unwrap();
    let (short, _) = keys.iter().find(|(_, long)| *long == "decisions").unwrap();
    assert!(!written["hud"][short].is_null(), "{written:#}");
}

#[test]
fn each_format_is_counted() {
    let rows = shown(&["formats", &example(), "--json"]);
    let rows: Vec<Value> = serde_json::from_str(&rows).unwrap();
    let tokens = |format: &str| {
        let row = rows.iter().find(|row| row["format"] == format).unwrap();
        row["tokens"].as_u64().unwrap()
    };
    assert!(tokens("json") < tokens("pretty-json"));
    assert!(tokens("toon") < tokens("xml"));
    assert!(shown(&["formats", &example()]).contains("of indented JSON"));
}

#[test]
fn a_format_that_there_is_not_is_refused_with_those_that_there_are() {
    let output = hud(&["replay", &example(), "--format", "yaml"]);
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("there is no format `yaml`") && said.contains("toon"),
        "{said}"
    );
    let output = hud(&["replay", &example(), "--format", "json", "--budget", "100"]);
    assert!(!output.status.success());
}
