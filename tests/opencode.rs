//! The plugin in the real opencode, on loopback: what the model is sent, turn by turn.
//!
//! opencode is taken from the environment variable `OPENCODE`; without it the tests are skipped:
//!
//! ```sh
//! npm install --prefix DIR opencode-ai@1.18.33
//! OPENCODE=DIR/node_modules/opencode-linux-x64/bin/opencode \
//!     cargo test -p hud-tests --test opencode -- --nocapture
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

mod clients;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clients::endpoint::{Asked, Endpoint, Kind};
use clients::{Client, chat, finish, hud, log_of, start};
use hud_store::log::{Log, project};
use hud_store::sqlite::SqliteLog;
use hud_store::state::HudState;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What the model says to a request.
#[derive(Clone, Debug)]
enum Say {
    /// Call a tool.
    Tool(&'static str, Value),
    /// Call a tool, with so many tokens in the context.
    Full(&'static str, Value, u64),
    /// Call the `hud` tool as the first placeholder in the request says.
    Recall,
    /// Say something, with so many tokens in the context.
    Text(&'static str, u64),
}

/// The model, saying this, turn by turn, and then `end`.
fn model(script: Vec<Say>) -> impl Fn(&Value, usize) -> (Kind, String) {
    move |body, turn| {
        let has_tools = body["tools"]
            .as_array()
            .is_some_and(|tools| !tools.is_empty());
        let system = body["messages"][0]["content"].to_string();
        let (kind, say) = if system.contains("You are a title generator") {
            (Kind::Title, Say::Text("A title", 100))
        } else if has_tools {
            let say = match script.get(turn) {
                Some(Say::Recall) => Say::Tool("hud", placeholder(body)),
                Some(say) => say.clone(),
                None => Say::Text("end", 3000),
            };
            (Kind::Turn, say)
        } else {
            (
                Kind::Compaction,
                Say::Text("SUMMARY: half of it is done.", 3000),
            )
        };
        (kind, stream(&say, turn))
    }
}

/// The call that brings back what a tool said, as the request has it in its place.
fn placeholder(body: &Value) -> Value {
    let messages = body["messages"].as_array().unwrap();
    let texts = messages
        .iter()
        .filter_map(|message| message["content"].as_str());
    let mut calls = texts.filter_map(|text| text.split_once("The hud tool has them: "));
    let (_, call) = calls.next().unwrap();
    serde_json::from_str(call.trim_end_matches(']')).unwrap()
}

/// An answer as server-sent events.
fn stream(say: &Say, turn: usize) -> String {
    let of_turn = 4000 + 500 * turn as u64;
    match say {
        Say::Recall => unreachable!("it was made a call"),
        Say::Tool(name, arguments) => chat::call(turn, name, arguments, of_turn),
        Say::Full(name, arguments, used) => chat::call(turn, name, arguments, *used),
        Say::Text(text, used) => chat::text(text, *used),
    }
}

/// The text of a request's system prompt.
fn system(asked: &Asked) -> &str {
    asked.body["messages"][0]["content"].as_str().unwrap_or("")
}

/// The text of a request's last message.
fn last(asked: &Asked) -> &str {
    let messages = asked.body["messages"].as_array().unwrap();
    messages.last().unwrap()["content"].as_str().unwrap_or("")
}

/// Where a file beside the tests is, as a plugin's address.
fn address(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    format!("file://{}", path.canonicalize().unwrap().display())
}

/// A project with the plugin in it, and a home for opencode.
struct Project {
    directory: TempDir,
    endpoint: Endpoint,
    opencode: PathBuf,
}

impl Project {
    /// A project; none where there is no opencode.
    fn new(script: Vec<Say>, options: Value) -> Option<Self> {
        Self::with_plugin(script, "../integrations/opencode/hud.js", options)
    }

    /// A project with another plugin.
    fn with_plugin(script: Vec<Say>, plugin: &str, options: Value) -> Option<Self> {
        let Some(opencode) = std::env::var_os("OPENCODE") else {
            println!("skipped: OPENCODE is not set");
            return None;
        };
        let directory = tempfile::tempdir().unwrap();
        let endpoint = Endpoint::start(model(script));
        let plugin = address(plugin);
        let config = json!({
            "provider": { "mock": {
                "npm": "@ai-sdk/openai-compatible",
                "options": { "baseURL": format!("http://127.0.0.1:{}/v1", endpoint.port), "apiKey": "none" },
                "models": { "model": { "tool_call": true, "limit": { "context": 32000, "output": 4000 } } },
            } },
            "model": "mock/model",
            "small_model": "mock/model",
            "enabled_providers": ["mock"],
            "share": "disabled",
            "autoupdate": false,
            "permission": { "*": "allow" },
            "plugin": [[plugin, options]],
        });
        let project = Self {
            directory,
            endpoint,
            opencode: opencode.into(),
        };
        fs::create_dir(project.path("project")).unwrap();
        fs::write(project.path("project/a.txt"), "hello\n").unwrap();
        fs::write(project.path("project/opencode.json"), config.to_string()).unwrap();
        Some(project)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn db(&self) -> PathBuf {
        let mut hud = Command::new(hud());
        hud.current_dir(self.path("project"))
            .env("XDG_STATE_HOME", self.path("state"));
        log_of(&mut hud)
    }

    /// Starts a client. Two that start at once have each a home: their own database is not made for
    /// that.
    fn start(&self, hud: &Path, home: &str) -> Client {
        let home = self.path(home);
        fs::create_dir(&home).unwrap();
        // It would look for a package of its own, again and again where there is no network.
        fs::write(home.join(".npmrc"), "offline=true\nfetch-retries=0\n").unwrap();
        let mut command = Command::new(&self.opencode);
        command
            .args(["run", "do the things", "-m", "mock/model"])
            .current_dir(self.path("project"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &home)
            .env("HUD_BIN", hud)
            .env("XDG_STATE_HOME", self.path("state"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        for (name, folder) in [
            ("XDG_DATA_HOME", "data"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_CACHE_HOME", "cache"),
        ] {
            command.env(name, home.join(folder));
        }
        for what in [
            "AUTOUPDATE",
            "MODELS_FETCH",
            "SHARE",
            "LSP_DOWNLOAD",
            "DEFAULT_PLUGINS",
            "CLAUDE_CODE",
            "EXTERNAL_SKILLS",
            "EMBEDDED_WEB_UI",
        ] {
            command.env(format!("OPENCODE_DISABLE_{what}"), "1");
        }
        start(&mut command)
    }

    /// Runs a session, and gives what it said.
    fn run(&self, hud: &Path) -> String {
        finish(self.start(hud, "home"))
    }

    /// The state of the only session.
    fn state(&self) -> HudState {
        let log = SqliteLog::open_read_only(self.db()).unwrap();
        let sessions = log.sessions().unwrap();
        assert_eq!(sessions.len(), 1, "{sessions:?}");
        project(&log, &sessions[0].id).unwrap()
    }

    fn turns(&self) -> Vec<Asked> {
        let mut asked = self.endpoint.asked();
        asked.retain(|asked| asked.kind == Kind::Turn);
        asked
    }
}

/// A session in which everything happens: the agent writes to its HUD, reads, edits, fails, and fills
/// its context until it is compacted.
fn story(project: &str) -> Vec<Say> {
    let file = format!("{project}/a.txt");
    vec![
        Say::Tool(
            "hud",
            json!({ "tool": "notes.add", "args": { "content": "tests need redis" } }),
        ),
        Say::Tool(
            "hud",
            json!({ "tool": "decisions.record", "args": { "summary": "Use a token bucket" } }),
        ),
        Say::Tool("hud", json!({ "tool": "notes.burn", "args": {} })),
        Say::Tool("read", json!({ "filePath": file })),
        Say::Tool(
            "edit",
            json!({ "filePath": file, "oldString": "hello", "newString": "HELLO" }),
        ),
        Say::Tool(
            "bash",
            json!({ "command": "cat missing.txt", "description": "fails" }),
        ),
        Say::Tool("read", json!({ "filePath": format!("{project}/none.txt") })),
        Say::Text("done", 29_500),
    ]
}

/// A story whose paths are those of the project, which is only known once it is made.
fn told(options: Value) -> Option<Project> {
    // opencode resolves paths against the project, so relative ones do.
    Project::new(story("."), options)
}

#[test]
fn the_hud_is_on_every_turn_and_survives_compaction() {
    let Some(project) = told(json!({})) else {
        return;
    };
    project.run(&hud());
    let asked = project.endpoint.asked();
    for asked in &asked {
        let text = asked.body["messages"].to_string();
        match asked.kind {
            Kind::Title => assert!(!text.contains("<hud>"), "{text}"),
            Kind::Compaction => assert!(text.contains("survives this compaction"), "{text}"),
            Kind::Turn => assert!(system(asked).contains("<hud>\n# Task"), "{}", system(asked)),
        }
    }
    let turns = project.turns();
    assert_eq!(turns.len(), 9, "eight turns, and one after the compaction");
    for turn in &turns[1..] {
        assert!(last(turn).starts_with("<hud>\n"), "{}", last(turn));
        assert!(last(turn).contains("- tests need redis"), "{}", last(turn));
    }
    assert!(system(&turns[2]).contains("- Use a token bucket"));
    let refused = turns[3].body["messages"].to_string();
    assert!(refused.contains("did you mean `notes."), "{refused}");
    assert!(
        last(&turns[5]).contains("a.txt` (editing)"),
        "{}",
        last(&turns[5])
    );
    assert!(
        last(&turns[7]).contains("# Open Errors (2)"),
        "{}",
        last(&turns[7])
    );

    let state = project.state();
    assert_eq!(
        state.task.unwrap().description.trim_matches('"'),
        "do the things"
    );
    assert_eq!(state.decisions[0].summary, "Use a token bucket");
    let compacted = state.compacted.unwrap();
    assert_eq!(
        compacted.summary.as_deref(),
        Some("SUMMARY: half of it is done.")
    );
    let after = turns.last().unwrap();
    assert!(
        last(after).contains("> SUMMARY: half of it is done."),
        "{}",
        last(after)
    );
}

#[test]
fn what_tools_said_long_ago_leaves_and_can_be_read_again() {
    let read = |file: usize| {
        let path = format!("big{file}.txt");
        Say::Full("read", json!({ "filePath": path }), 24_000)
    };
    let mut script: Vec<Say> = (0..5).map(read).collect();
    script.push(Say::Recall);
    let Some(project) = Project::new(script, json!({})) else {
        return;
    };
    for file in 0..5 {
        let line = |line| format!("line {line:4} of big{file}, and more words in it\n");
        let text: String = (0..900).map(line).collect();
        fs::write(project.path(&format!("project/big{file}.txt")), text).unwrap();
    }
    project.run(&hud());
    let turns = project.turns();
    let shows = |turn: usize, file: usize| {
        let text = turns[turn].body["messages"].to_string();
        text.contains(&format!("line   42 of big{file}"))
    };
    let shown = |turn| [0, 1, 2, 3, 4].map(|file| shows(turn, file));
    assert_eq!(shown(4), [true, true, true, true, false]);
    // 20,000 tokens are gained, and 40,000 stay but for the output that reaches over the border.
    assert_eq!(shown(5), [false, false, true, true, true]);
    assert_eq!(shown(6), [true, false, true, true, true], "read again");
    let kept = shared(&turns[5..7]);
    assert!(kept > 70.0, "{kept} %: what left stays away");
}

#[test]
fn a_conversation_can_be_dropped_to_its_hud() {
    let read = || Say::Tool("read", json!({ "filePath": "a.txt" }));
    let note = json!({ "tool": "notes.add", "args": { "content": "tests need redis" } });
    let compact = Say::Tool("hud_compact", json!({}));
    let script = vec![Say::Tool("hud", note), read(), compact, read()];
    let Some(project) = Project::new(script, json!({ "compact": "drop" })) else {
        return;
    };
    project.run(&hud());
    let asked = project.endpoint.asked();
    assert!(asked.iter().all(|asked| asked.kind != Kind::Compaction));
    let turns = project.turns();
    assert_eq!(turns.len(), 5);
    for after in &turns[3..] {
        let messages = after.body["messages"].as_array().unwrap();
        assert!(messages[1]["content"].to_string().contains("do the things"));
        let calls = messages[2]["tool_calls"].to_string();
        assert!(calls.contains("hud_compact"), "{calls}");
        assert!(
            last(after).contains("- tests need redis"),
            "{}",
            last(after)
        );
    }
    assert_eq!(project.state().compacted.unwrap().count, 1);
}

/// How much of the messages of these turns the provider knows from the turn before, in per cent.
fn shared(turns: &[Asked]) -> f64 {
    clients::shared(turns.iter().map(|asked| asked.body["messages"].to_string()))
}

#[test]
fn the_default_placement_keeps_the_prefix_that_a_provider_caches() {
    let mut figures = Vec::new();
    for placement in ["message-tail", "system-tail"] {
        let Some(project) = told(json!({ "placement": placement })) else {
            return;
        };
        project.run(&hud());
        // Up to the compaction, which begins anew.
        let share = shared(&project.turns()[1..8]);
        println!("{placement}: {share:.1} % of the bytes of a request are those of the one before");
        figures.push(share);
    }
    assert!(figures[0] >= 85.0, "{figures:?}");
    assert!(figures[0] > figures[1], "{figures:?}");
}

/// A session of many turns with a watch on each hook. `HUD_TURNS` says how many; for figures, build
/// with `--release`.
#[test]
fn hooks_answer_on_every_turn() {
    let turns = std::env::var("HUD_TURNS").map_or(20, |turns| turns.parse().unwrap());
    let script = (0..turns).map(|turn| {
        let (tool, arguments) = match turn % 3 {
            0 => {
                let note = json!({ "content": format!("note {turn}") });
                ("hud", json!({ "tool": "notes.add", "args": note }))
            }
            1 => ("read", json!({ "filePath": "a.txt" })),
            _ => ("bash", json!({ "command": "true", "description": "x" })),
        };
        Say::Full(tool, arguments, 9_000)
    });
    let times = tempfile::tempdir().unwrap();
    let times = times.path().join("times.json");
    let plugin = address("../integrations/opencode/hud.js");
    let options = json!({ "plugin": plugin, "times": times });
    let Some(project) = Project::with_plugin(script.collect(), "opencode/timed.mjs", options)
    else {
        return;
    };
    project.run(&hud());
    let asked = project.turns();
    assert_eq!(asked.len(), turns + 1);
    assert!(
        asked[1..]
            .iter()
            .all(|asked| last(asked).starts_with("<hud>"))
    );
    let text = fs::read_to_string(times).unwrap();
    let times: BTreeMap<String, Vec<f64>> = serde_json::from_str(&text).unwrap();
    println!("in opencode, in ms:");
    for (hook, mut times) in times {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
        let (half, most, last) = (at(0.5), at(0.99), at(1.0));
        let count = times.len();
        println!("{hook:40} {count:5} times: p50 {half:.2}, p99 {most:.2}, at most {last:.2}");
    }
}

#[test]
fn the_client_finishes_its_turn_without_the_hud() {
    let Some(project) = told(json!({})) else {
        return;
    };
    let said = project.run(Path::new("/nowhere/hud"));
    assert!(said.contains("done"), "{said}");
    assert!(!system(&project.turns()[0]).contains("<hud>"));
}

#[test]
fn the_client_finishes_its_turn_with_a_damaged_log() {
    let Some(project) = told(json!({})) else {
        return;
    };
    fs::write(project.db(), "this is no log of ours, but somebody's notes").unwrap();
    let said = project.run(&hud());
    assert!(said.contains("done"), "{said}");
    assert_eq!(
        fs::read_to_string(project.db()).unwrap(),
        "this is no log of ours, but somebody's notes"
    );
}

#[cfg(unix)]
#[test]
fn the_client_finishes_its_turn_with_a_hud_that_hangs() {
    use std::os::unix::fs::PermissionsExt;

    let Some(project) = told(json!({})) else {
        return;
    };
    let hangs = project.path("hangs.sh");
    fs::write(&hangs, "#!/bin/sh\nexec sleep 600\n").unwrap();
    fs::set_permissions(&hangs, fs::Permissions::from_mode(0o755)).unwrap();
    let said = project.run(&hangs);
    assert!(said.contains("done"), "{said}");
}

#[cfg(unix)]
#[test]
fn the_hud_comes_back_when_it_is_killed_in_the_middle() {
    use std::os::unix::fs::PermissionsExt;

    let mut script = story(".");
    script.insert(
        1,
        Say::Tool(
            "bash",
            json!({ "command": "kill -9 $(cat pid)", "description": "x" }),
        ),
    );
    script.insert(
        2,
        Say::Tool("bash", json!({ "command": "sleep 2", "description": "x" })),
    );
    let Some(project) = Project::new(script, json!({})) else {
        return;
    };
    // Tells its process id, so that it and nothing else is killed.
    let wrapper = project.path("hud.sh");
    let text = format!(
        "#!/bin/sh\necho $$ > pid\nexec {} \"$@\"\n",
        hud().display()
    );
    fs::write(&wrapper, text).unwrap();
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    let said = project.run(&wrapper);
    assert!(said.contains("done"), "{said}");
    let state = project.state();
    assert_eq!(
        state.notes[0].content, "tests need redis",
        "what was recorded before is there"
    );
    assert_eq!(
        state.decisions[0].summary, "Use a token bucket",
        "and what came later"
    );
}

#[test]
fn two_agents_work_in_one_project_at_once() {
    let Some(project) = told(json!({})) else {
        return;
    };
    let (one, other) = (project.start(&hud(), "one"), project.start(&hud(), "other"));
    finish(one);
    finish(other);
    let log = SqliteLog::open_read_only(project.db()).unwrap();
    assert_eq!(log.sessions().unwrap().len(), 2);
    assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
}
