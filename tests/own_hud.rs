//! A section, a layout and a `hud` of one's own: `examples/risks` as somebody has it who has nothing of
//! this workspace but its crates.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use crate::clients::hud;
use crate::project::{Project, Say, last};
use serde_json::{Value, json};
use tempfile::TempDir;

/// All that somebody writes who has a `hud` of their own.
const MAIN: &str = include_str!("../examples/risks/src/main.rs");

/// One whose layout does not get far.
const BROKEN: &str = r#"
use hud_components::Hud;
use hud_core::{Element, component, rsx};
use hud_store::state::{HudState, Note};

#[component(part = "third note")]
fn Third<'a>(notes: &'a [Note]) -> Element<'a> {
    let third = notes[2].content.as_str();
    rsx! { {third} }
}

fn layout(state: &HudState) -> Element<'_> {
    rsx! { <Hud state /> <Third notes={&state.notes} /> }
}

fn main() -> std::process::ExitCode {
    hud_cli::App::new().layout(layout).run()
}
"#;

fn own_hud() -> &'static Path {
    built("own-hud")
}

/// A binary of the crate outside of the workspace.
fn built(name: &str) -> &'static Path {
    static BUILT: OnceLock<[PathBuf; 2]> = OnceLock::new();
    let binaries = BUILT.get_or_init(|| {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let crates = ["hud-agent", "hud-cli", "hud-components", "hud-core", "hud-store"];
        let own = crates.map(|name| {
            let path = workspace.join(name);
            format!("{name} = {{ path = {:?} }}\n", path.to_str().unwrap())
        });
        let manifest = format!(
            "[package]\nname = \"own-hud\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
             {}schemars = \"1\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n",
            own.concat()
        );
        fs::create_dir_all(path("src/bin")).unwrap();
        fs::write(path("src/main.rs"), MAIN).unwrap();
        fs::write(path("src/bin/broken-hud.rs"), BROKEN).unwrap();
        fs::write(path("Cargo.toml"), manifest).unwrap();
        // The versions that are at hand.
        fs::copy(workspace.join("Cargo.lock"), path("Cargo.lock")).unwrap();
        let built = hud().parent().unwrap().to_owned();
        let output = Command::new(env!("CARGO"))
            .args(["build", "--offline"])
            .current_dir(directory.path())
            .env("CARGO_TARGET_DIR", built.parent().unwrap())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        ["own-hud", "broken-hud"].map(|name| built.join(name))
    });
    let is_called = |path: &&PathBuf| path.file_name().is_some_and(|file| file == name);
    binaries.iter().find(is_called).unwrap()
}

/// A project of somebody's.
struct World(TempDir);

impl World {
    fn new() -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(world.0.path().join("project/.hud")).unwrap();
        world
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.0.path().join("project"))
            .env("XDG_STATE_HOME", self.0.path().join("state"))
            .env("XDG_CONFIG_HOME", self.0.path().join("config"))
            .env_remove("HUD_DB")
            .env_remove("CLICOLOR_FORCE");
        command
    }

    fn run(&self, program: &Path, arguments: &[&str]) -> Output {
        self.command(program, arguments).output().unwrap()
    }

    /// What a command that must succeed writes.
    fn shown(&self, program: &Path, arguments: &[&str]) -> String {
        let output = self.run(program, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a command that must fail says.
    fn refused(&self, program: &Path, arguments: &[&str]) -> String {
        let output = self.run(program, arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// What a bridge gives for requests, each a method with its params.
    fn bridged(&self, program: &Path, requests: &[(&str, Value)]) -> Vec<Value> {
        let mut child = self
            .command(program, &["bridge", "--fast", "--deadline", "60000"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let line = |(method, params): &(&str, Value)| {
            json!({ "id": 1, "method": method, "params": params }).to_string() + "\n"
        };
        let input: String = requests.iter().map(line).collect();
        let mut stdin = child.stdin.take().unwrap();
        let writes = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
        let output = child.wait_with_output().unwrap();
        writes.join().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let answer = |line: &str| {
            let mut answer: Value = serde_json::from_str(line).unwrap();
            assert!(answer.get("error").is_none(), "{answer}");
            answer["result"].take()
        };
        text.lines().map(answer).collect()
    }
}

fn call(tool: &str, args: Value) -> (&'static str, Value) {
    let input = json!({ "tool": tool, "args": args });
    ("call", json!({ "session": "s", "input": input }))
}

fn asks() -> (&'static str, Value) {
    let reports = json!([{ "type": "user", "text": "Add rate limits" }, { "type": "model_call" }]);
    ("observe", json!({ "session": "s", "reports": reports }))
}

#[test]
fn it_takes_less_than_60_lines() {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    let (program, _tests) = MAIN.split_once("#[cfg(test)]").unwrap();
    let lines = program.lines().filter(is_code).count();
    assert!(lines < 60, "{lines}");
}

#[test]
fn what_an_agent_says_of_it_is_recorded_shown_and_found() {
    let (own, world) = (own_hud(), World::new());
    let answers = world.bridged(
        own,
        &[
            asks(),
            call(
                "risks.add",
                json!({ "risk": "The cache is cold after a deploy" }),
            ),
            call("risks.add", json!({ "risk": "# Tests\nneed `redis`" })),
            call("notes.add", json!({ "content": "tests need redis" })),
            call("risks.add", json!({ "rsk": "x" })),
            call("risks.ad", json!({})),
            call("help", json!({ "for": "risks.add" })),
            call("help", json!({})),
            (
                "frame",
                json!({ "session": "s", "placement": "system-tail" }),
            ),
            ("hello", json!({ "protocol": 1 })),
        ],
    );
    assert_eq!(answers[1]["answer"], "noted");
    let refusals =
        [&answers[4]["refusal"], &answers[5]["refusal"]].map(|said| said.as_str().unwrap());
    assert!(refusals[0].contains("risk"), "{}", refusals[0]);
    assert!(
        refusals[1].contains("did you mean `risks.add`?"),
        "{}",
        refusals[1]
    );
    let schema = answers[6]["answer"].to_string();
    assert!(schema.contains("What may go wrong, and when."), "{schema}");
    assert!(
        answers[7].to_string().contains("risks.add"),
        "{}",
        answers[7]
    );
    assert!(
        answers[9]["tools"][0].to_string().contains("risks"),
        "{}",
        answers[9]
    );
    insta::assert_snapshot!(answers[8]["system"].as_str().unwrap());

    let log = world.shown(own, &["log", "--section", "risks"]);
    assert_eq!(log.matches("risk.add").count(), 2, "{log}");
    let refused = world.refused(own, &["log", "--section", "riskz"]);
    assert!(refused.contains("did you mean `risks`?"), "{refused}");
    let found = world.shown(own, &["search", "cold"]);
    assert!(
        found.contains("The cache is cold after a deploy"),
        "{found}"
    );
    let first: Value = serde_json::from_str(
        world
            .shown(own, &["log", "--section", "risks", "--json"])
            .lines()
            .next()
            .unwrap(),
    )
    .unwrap();
    let (before, after) = (
        format!("version:{}", first["version"].as_u64().unwrap() - 1),
        format!("version:{}", first["version"]),
    );
    assert!(!world.shown(own, &["at", &before]).contains("Risks"));
    let at = world.shown(own, &["at", &after]);
    assert!(
        at.contains("The cache is cold") && !at.contains("redis"),
        "{at}"
    );
    let diff = world.shown(own, &["diff", &before]);
    assert!(
        diff.contains("risks") && diff.contains("The cache is cold"),
        "{diff}"
    );
    let exported = world.shown(own, &["export"]);
    assert_eq!(exported.matches(r#""risk.add""#).count(), 2, "{exported}");

    let other = World::new();
    let file = world.0.path().join("events.jsonl");
    fs::write(&file, exported).unwrap();
    other.shown(own, &["import", file.to_str().unwrap()]);
    assert_eq!(other.shown(own, &["render"]), world.shown(own, &["render"]));

    let settings = world.0.path().join("project/.hud/config.toml");
    fs::write(&settings, "[sections.risks]\non = false\n").unwrap();
    assert!(!world.shown(own, &["render"]).contains("Risks"));
    let other = world.run(&hud(), &["render"]);
    let said = String::from_utf8_lossy(&other.stderr);
    assert!(
        other.status.success() && said.contains("has no section `sections.risks`"),
        "{said}"
    );
}

#[test]
fn what_is_recorded_is_kept_where_the_crate_is_not_there() {
    let (own, built_in, world) = (own_hud(), hud(), World::new());
    let risk = |risk: &str| call("risks.add", json!({ "risk": risk }));
    world.bridged(own, &[asks(), risk("A cold cache")]);
    let shown = world.shown(&built_in, &["render"]);
    assert!(
        shown.contains("Add rate limits") && !shown.contains("cold"),
        "{shown}"
    );
    assert!(world.shown(&built_in, &["log"]).contains("risk.add"));
    let note = call("notes.add", json!({ "content": "tests need redis" }));
    let answers = world.bridged(&built_in, &[risk("Another"), note]);
    let refusal = answers[0]["refusal"].as_str().unwrap();
    assert!(refusal.contains("risks.add"), "{refusal}");
    world.bridged(own, &[risk("A second one")]);
    let shown = world.shown(own, &["render"]);
    for said in ["A cold cache", "A second one", "tests need redis"] {
        assert!(shown.contains(said), "{shown}");
    }
    assert!(world.run(own, &["doctor"]).status.success());
}

#[test]
fn snapshots_have_it_and_are_made_anew_by_who_does_not_know_it() {
    let (own, built_in, world) = (own_hud(), hud(), World::new());
    let risk = |nth: usize| call("risks.add", json!({ "risk": format!("risk {nth}") }));
    let first: Vec<_> = std::iter::once(asks()).chain((0..1100).map(risk)).collect();
    world.bridged(own, &first);
    let of_risks = |program: &Path| {
        let shown = world.shown(program, &["render", "--json"]);
        let shown: Value = serde_json::from_str(&shown).unwrap();
        shown["state"]["sections"]["risks"]
            .to_string()
            .matches("risk ")
            .count()
    };
    assert_eq!(of_risks(own), 1100);
    let note = call("notes.add", json!({ "content": "tests need redis" }));
    let notes: Vec<_> = (0..1000).map(|_| note.clone()).collect();
    world.bridged(&built_in, &notes);
    world.bridged(own, &[risk(1100)]);
    assert_eq!(of_risks(own), 1101);
    assert!(world.run(own, &["doctor"]).status.success());
}

#[test]
fn a_layout_that_panics_is_named_and_costs_no_event_and_no_turn() {
    let (broken, world) = (built("broken-hud"), World::new());
    let named = "the layout panicked at its part `third note`: index out of bounds";
    let note = |text: &str| call("notes.add", json!({ "content": text }));
    let frame = ("frame", json!({ "session": "s", "placement": "epoch" }));
    let compacting = ("compacting", json!({ "session": "s", "trigger": "auto" }));
    let answers = world.bridged(broken, &[asks(), note("one"), frame.clone(), compacting]);
    assert_eq!(answers[1]["answer"]["id"], "n1");
    let shown = answers[2].to_string();
    assert!(
        shown.contains("Add rate limits") && shown.contains("one"),
        "{shown}"
    );
    assert!(
        answers[3]["hud"].to_string().contains("one"),
        "{}",
        answers[3]
    );

    let event = json!({
        "hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "And test them",
        "cwd": world.0.path().join("project"),
    });
    let mut hook = world.command(broken, &["hook", "--deadline", "60000"]);
    let hook = hook
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut hook = hook.spawn().unwrap();
    hook.stdin
        .take()
        .unwrap()
        .write_all(event.to_string().as_bytes())
        .unwrap();
    let output = hook.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains(named), "{said}");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(
        shown.contains("And test them") && shown.contains("one"),
        "{shown}"
    );

    let refused = world.refused(broken, &["render"]);
    assert!(refused.contains(named), "{refused}");
    let log = world.shown(broken, &["log"]);
    for kind in ["task.set", "note.add", "compact.before", "task.update"] {
        assert!(log.contains(kind), "{log}");
    }

    world.bridged(broken, &[note("two"), note("three"), frame]);
    assert!(world.shown(broken, &["render"]).contains("three"));
}

#[test]
fn the_section_and_the_layout_are_in_opencodes_request() {
    let script = vec![
        Say::Tool(
            "hud",
            json!({ "tool": "risks.add", "args": { "risk": "A cold cache" } }),
        ),
        Say::Text("done", 5_000),
    ];
    let Some(project) = Project::new(script, json!({})) else {
        return;
    };
    project.run(own_hud());
    let turns = project.turns();
    let tools = turns[0].body["tools"].to_string();
    assert!(tools.contains("risks"), "{tools}");
    let hud = last(&turns[1]);
    let risks = hud
        .find("# Risks\n\n- A cold cache")
        .unwrap_or_else(|| panic!("{hud}"));
    assert!(
        hud.find("# Context").is_none_or(|context| risks < context),
        "{hud}"
    );
}
