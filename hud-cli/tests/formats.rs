//! HUDs in other formats than markdown.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::process::Command;

use crate::common::{example, hud, shown};
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
fn a_terminal_is_as_wide_as_is_said_and_has_colours_where_they_are_wanted() {
    let example = example();
    let arguments = ["replay", &example, "--format", "terminal", "--width", "40"];
    let plain = shown(&arguments);
    assert!(
        plain.lines().all(|line| line.chars().count() <= 40),
        "{plain}"
    );
    let coloured = |variable: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hud"));
        command
            .args(arguments)
            .env("CLICOLOR_FORCE", "1")
            .env(variable, "1");
        let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
        text.contains('\u{1b}')
    };
    assert!(!plain.contains('\u{1b}'));
    assert!(coloured("CLICOLOR_FORCE"));
    assert!(!coloured("NO_COLOR"));
}

#[test]
fn a_meter_is_an_element_in_mdx() {
    let mdx = shown(&["replay", &example(), "--turn", "20", "--format", "mdx"]);
    assert!(mdx.contains("<Meter used={"), "{mdx}");
    assert!(mdx.contains("<Status state="), "{mdx}");
}

#[test]
fn a_graph_leads_from_the_session_to_its_files() {
    let written = |format: &str| shown(&["replay", &example(), "--format", format]);
    let dot = written("dot");
    assert!(dot.starts_with("digraph {\n"), "{dot}");
    assert!(
        dot.contains("v0 [label=\"session\", class=\"root\"]"),
        "{dot}"
    );
    assert!(dot.contains("[style=dashed]"), "{dot}");
    assert!(written("mermaid").starts_with("flowchart LR\n  v0[\"session\"]\n"));
    assert!(written("graphml").contains("<node id=\"v0\">"));
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
    let shown = shown(&["formats", &example()]);
    assert!(shown.contains("of indented JSON"));
    let claim = "claim: toon saves 30 to 50 % of json: does not hold here";
    assert!(shown.contains(claim), "{shown}");
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
