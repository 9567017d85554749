//! `hud cost`: what the HUD costs of a provider's prompt cache.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn hud(directory: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(args)
        .current_dir(directory)
        .env("XDG_CONFIG_HOME", directory)
        .env("XDG_STATE_HOME", directory)
        .env_remove("CLICOLOR_FORCE")
        .env_remove("HUD_DB")
        .output()
        .unwrap()
}

fn said(output: &[u8]) -> String {
    String::from_utf8(output.to_vec()).unwrap()
}

/// A session in which the model edits file after file, one a minute, and the provider reads from its cache what it
/// was sent before.
fn recorded(directory: &Path, calls: u64) -> String {
    let at = |minute: u64| format!("2026-11-20T12:{minute:02}:00Z");
    let mut lines = vec![json!({
        "type": "user", "uuid": "u", "sessionId": "s", "cwd": "/p", "timestamp": at(0),
        "message": { "role": "user", "content": "Add rate limits" },
    })];
    let mut sent = 20_000;
    for call in 0..calls {
        let (before, more) = (if call == 0 { 0 } else { sent }, 1_500);
        sent += more;
        let input = json!({ "file_path": format!("/p/{call}.rs"), "content": "x" });
        lines.push(json!({
            "type": "assistant", "uuid": format!("a{call}"), "timestamp": at(call),
            "message": {
                "id": format!("m{call}"), "role": "assistant", "model": "claude-sonnet-4-5",
                "content": [{ "type": "tool_use", "id": format!("t{call}"), "name": "Write", "input": input }],
                "usage": { "input_tokens": 0, "cache_creation_input_tokens": sent - before,
                           "cache_read_input_tokens": before, "output_tokens": 100 },
            },
        }));
        lines.push(json!({
            "type": "user", "uuid": format!("r{call}"), "timestamp": at(call),
            "message": { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": format!("t{call}"), "content": "written" },
            ] },
        }));
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let path = directory.join("session.jsonl");
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    path.display().to_string()
}

fn costs(directory: &Path, args: &[&str]) -> Value {
    let output = hud(directory, &[&["cost", "--json"], args].concat());
    assert!(output.status.success(), "{}", said(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn cost<'c>(session: &'c Value, profile: &str, placement: &str) -> &'c Value {
    let costs = session["costs"].as_array().unwrap().iter();
    let mut found =
        costs.filter(|cost| cost["profile"] == profile && cost["placement"] == placement);
    found.next().unwrap()
}

#[test]
fn a_hud_that_changes_in_the_system_prompt_costs_times_what_one_at_the_end_does() {
    let directory = tempfile::tempdir().unwrap();
    let file = recorded(directory.path(), 20);
    let session = costs(directory.path(), &[&file]);
    assert_eq!(session["calls"], 20);
    assert_eq!(session["profile"], "anthropic");
    let of = |placement| {
        cost(&session, "anthropic", placement)["ratio"]
            .as_f64()
            .unwrap()
    };
    assert!(of("system-tail") > 2.0, "{session:#}");
    assert!(of("epoch") < 1.1 && of("delta") < 1.05, "{session:#}");
    let system = cost(&session, "anthropic", "system-tail");
    assert_eq!(system["first_break"]["call"], 2);
    let parts = system["parts"].as_array().unwrap();
    assert_eq!(parts[0]["name"], "active_files", "{system:#}");
    assert_eq!(cost(&session, "anthropic", "epoch")["breaks"], 0);
    assert!(
        cost(&session, "openai", "epoch")["ratio"].as_f64() > Some(2.0),
        "nothing marks the conversation there: {session:#}"
    );
}

#[test]
fn costs_are_shown_for_people_and_limits_are_held() {
    let directory = tempfile::tempdir().unwrap();
    let file = recorded(directory.path(), 12);
    let within = ["cost", "--profile", "anthropic", "--worst", "1.2", &file];
    let output = hud(directory.path(), &within);
    assert!(output.status.success(), "{}", said(&output.stderr));
    let shown = said(&output.stdout).replace(&*directory.path().to_string_lossy(), "[dir]");
    // How much it is follows from what the HUD says.
    let figures = |c: char| match c {
        '1'..='9' => '0',
        '█' => '·',
        other => other,
    };
    insta::assert_snapshot!(shown.chars().map(figures).collect::<String>());

    fs::create_dir(directory.path().join("agent-hud")).unwrap();
    let settings = directory.path().join("agent-hud/config.toml");
    fs::write(settings, "placement = \"system-tail\"\n").unwrap();
    let output = hud(directory.path(), &within);
    assert_eq!(output.status.code(), Some(1));
    let error = said(&output.stderr);
    assert!(
        error.contains("system-tail costs") && error.contains("1.2"),
        "{error}"
    );
}

#[test]
fn a_profile_is_changed_and_another_one_added_in_the_settings() {
    let directory = tempfile::tempdir().unwrap();
    let file = recorded(directory.path(), 4);
    fs::create_dir(directory.path().join("agent-hud")).unwrap();
    let settings = "[profiles.anthropic]\nread = 0.5\n\n[profiles.mine]\n\
                    source = \"the bill\"\nmodels.\"*sonnet*\" = { price = 1.0 }\ncaching = \"any\"\n\
                    read = 0.25\nmin_prefix = 0\nplacement = \"system-tail\"\n";
    fs::write(directory.path().join("agent-hud/config.toml"), settings).unwrap();
    let session = costs(directory.path(), &[&file]);
    let of = |profile| {
        cost(&session, profile, "delta")["uncached_ratio"]
            .as_f64()
            .unwrap()
    };
    assert!(of("anthropic") > of("anthropic-1h"), "{session:#}");
    assert!(of("mine") < of("anthropic"), "{session:#}");
    fs::write(
        directory.path().join("agent-hud/config.toml"),
        "[profiles.mine]\ncaching = \"some\"\n",
    )
    .unwrap();
    let output = hud(directory.path(), &["cost", &file]);
    let error = said(&output.stderr);
    assert!(error.contains("config.toml:2:"), "{error}");
}

#[test]
fn what_can_not_be_costed_is_said_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str, text: &str| {
        fs::write(directory.path().join(name), text).unwrap();
        let output = hud(directory.path(), &["cost", name]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert_eq!(said(&output.stdout), "", "{name}");
        said(&output.stderr)
    };
    let user = r#"{"type":"user","uuid":"u","message":{"content":"hi"}}"#;
    insta::assert_snapshot!([
        at("empty.jsonl", ""),
        at("notes.md", "# Notes\n"),
        at("no-call.jsonl", user),
        at("damaged.jsonl", &format!("{user}\n{{\"type\":\"user\"\n{user}\n")),
    ].concat(), @r#"
    error: empty.jsonl is empty: nothing was recorded in it
    error: notes.md is no recorded session but text of another kind; recordings of these are read: aider, chat, claude-code, cline, codex, copilot, gemini, goose, mini-swe-agent, opencode, openhands, pi, swe-agent
    error: no-call.jsonl: no model was called in it: there is nothing to cost
    error: damaged.jsonl: no model was called in it: there is nothing to cost
    "#);
    let output = hud(
        directory.path(),
        &["cost", "--profile", "nobody", "no-call.jsonl"],
    );
    assert!(said(&output.stderr).contains("there is no profile `nobody`: there are anthropic"));
}

#[test]
fn numbers_and_names_that_nobody_would_write_do_no_harm() {
    let directory = tempfile::tempdir().unwrap();
    let most = u64::MAX;
    let usage = json!({ "input_tokens": most, "cache_read_input_tokens": most,
                        "cache_creation_input_tokens": most, "output_tokens": most });
    let line = |id: u32, at: &str| {
        json!({
            "type": "assistant", "uuid": id.to_string(), "sessionId": "s", "timestamp": at,
            "message": { "id": id.to_string(), "model": "cl\u{1b}[31maude\nFORGED", "content": [],
                         "usage": usage },
        })
        .to_string()
    };
    let lines = [
        line(1, "2026-11-20T12:00:00Z"),
        line(2, "1970-01-01T00:00:00Z"),
        line(3, "x"),
    ];
    fs::write(directory.path().join("odd.jsonl"), lines.join("\n")).unwrap();
    let output = hud(directory.path(), &["cost", "odd.jsonl"]);
    assert!(output.status.success(), "{}", said(&output.stderr));
    let shown = said(&output.stdout);
    assert!(
        !shown.contains('\u{1b}') && !shown.contains("\nFORGED"),
        "{shown}"
    );
    assert!(!shown.contains("NaN") && !shown.contains("inf"), "{shown}");
}

#[test]
fn a_log_shows_what_its_sessions_read_from_the_cache() {
    let directory = tempfile::tempdir().unwrap();
    let file = recorded(directory.path(), 5);
    let replayed = hud(directory.path(), &["replay", &file, "--db", "hud.db"]);
    assert!(replayed.status.success(), "{}", said(&replayed.stderr));
    let output = hud(
        directory.path(),
        &["cost", "--db", "hud.db", "--session", "s"],
    );
    assert!(output.status.success(), "{}", said(&output.stderr));
    insta::assert_snapshot!(said(&output.stdout));
    let output = hud(directory.path(), &["cost", "--db", "hud.db", "--json"]);
    let session: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        session["all"]["cache_read"],
        21_500 + 23_000 + 24_500 + 26_000
    );
    assert_eq!(session["calls"].as_array().unwrap().len(), 5);
    assert_eq!(session["calls"][0]["turn"], 1);

    let output = hud(
        directory.path(),
        &["cost", "--db", "hud.db", "--session", "t"],
    );
    assert!(said(&output.stderr).contains("no session t"));
    let output = hud(directory.path(), &["cost", "--db", "hud.db", &file]);
    assert_eq!(output.status.code(), Some(2), "one or the other");
    assert_eq!(hud(directory.path(), &["cost"]).status.code(), Some(2));
}

#[test]
fn what_is_kept_for_an_hour_is_counted_at_its_own_price() {
    let directory = tempfile::tempdir().unwrap();
    let file = recorded(directory.path(), 5);
    let in_the_log = || {
        let replayed = hud(directory.path(), &["replay", &file, "--db", "hud.db"]);
        assert!(replayed.status.success(), "{}", said(&replayed.stderr));
        let output = hud(directory.path(), &["cost", "--db", "hud.db", "--json"]);
        fs::remove_file(directory.path().join("hud.db")).unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let minutes = in_the_log();
    let lines = fs::read_to_string(&file).unwrap();
    let lines = lines.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        if let Some(usage) = line.pointer_mut("/message/usage") {
            let written = usage["cache_creation_input_tokens"].clone();
            usage["cache_creation"] = json!({ "ephemeral_1h_input_tokens": written });
        }
        line.to_string() + "\n"
    });
    fs::write(&file, lines.collect::<String>()).unwrap();
    let hours = in_the_log();
    let written = hours["all"]["cache_write"].as_f64().unwrap();
    assert_eq!(hours["all"]["cache_write_hour"].as_f64(), Some(written));
    assert_eq!(minutes["all"]["cache_write_hour"], Value::Null);
    let cost = |session: &Value| session["cost"].as_f64().unwrap();
    assert_eq!(cost(&hours) - cost(&minutes), written * (2.0 - 1.25));
    let profile = |profile: &str| costs(directory.path(), &[&file])["profile"] == profile;
    assert!(profile("anthropic-1h"));
}
