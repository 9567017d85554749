//! `hud mcp` with the protocol's own clients: the TypeScript SDK and the inspector's command line.
//!
//! They are taken from the folder that the environment variable `MCP_CLIENTS` names, where npm put
//! them; without it the tests are skipped:
//!
//! ```sh
//! npm install --prefix DIR @modelcontextprotocol/sdk@1 @modelcontextprotocol/inspector@0.15.0
//! MCP_CLIENTS=DIR cargo test -p hud-tests --features slow-tests mcp:: -- --nocapture
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::clients::hud;
use hud_agent::format::Format;
use serde_json::Value;

/// Where the protocol's clients are.
fn folder() -> Option<PathBuf> {
    let clients = std::env::var_os("MCP_CLIENTS").map(PathBuf::from);
    if clients.is_none() {
        println!("skipped: MCP_CLIENTS is not set");
    }
    clients
}

/// What a client prints, as JSON.
fn said_by(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_typescript_sdk_lists_calls_and_reads() {
    let Some(clients) = folder() else { return };
    let directory = tempfile::tempdir().unwrap();
    // A module finds its packages beside itself.
    let script = clients.join("hud-client.mjs");
    fs::write(&script, include_str!("mcp/client.mjs")).unwrap();
    let got = said_by(
        Command::new("node")
            .arg(&script)
            .arg(hud())
            .arg(directory.path().join("hud.db")),
    );
    println!(
        "from the start of `hud mcp` to its tools: {:.0} ms",
        got["started"].as_f64().unwrap()
    );
    assert_eq!(got["tools"]["tools"][0]["name"], "hud");
    assert_eq!(got["added"]["content"][0]["text"], r#"{"id":"n1"}"#);
    assert_eq!(got["refused"]["isError"], true);
    let hud = got["resource"]["contents"][0]["text"].as_str().unwrap();
    assert!(hud.contains("- tests need redis"), "{hud}");
    let resources = got["resources"].as_array().unwrap();
    let formats = Format::ALL.iter().skip(1).map(|format| format.name());
    let uris = formats.map(|format| format!("hud://frame/{format}"));
    let uris: Vec<String> = std::iter::once("hud://frame".to_owned())
        .chain(uris)
        .collect();
    let listed: Vec<&str> = resources
        .iter()
        .map(|of| of["uri"].as_str().unwrap())
        .collect();
    assert_eq!(listed, uris);
    for resource in resources {
        let contents = &resource["contents"][0];
        assert_eq!(contents["uri"], resource["uri"]);
        assert_eq!(contents["mimeType"], resource["mimeType"]);
        let text = contents["text"].as_str().unwrap();
        assert!(text.contains("tests need redis"), "{text}");
    }
}

#[test]
fn the_inspector_lists_and_calls() {
    let Some(clients) = folder() else { return };
    let directory = tempfile::tempdir().unwrap();
    let inspect = |arguments: &[&str]| {
        let inspector = clients.join("node_modules/.bin/mcp-inspector");
        said_by(
            Command::new(inspector)
                .arg("--cli")
                .arg(hud())
                .args(["mcp", "--db", "hud.db"])
                .args(arguments)
                .current_dir(directory.path()),
        )
    };
    let tools = inspect(&["--method", "tools/list"]);
    assert_eq!(tools["tools"][1]["name"], "hud_compact");
    let called = inspect(&[
        "--method",
        "tools/call",
        "--tool-name",
        "hud",
        "--tool-arg",
        "tool=task.get",
    ]);
    assert_eq!(called["content"][0]["text"], r#"{"task":null}"#);
}
