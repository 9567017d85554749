//! The plugin in the real opencode, on loopback: what the model is sent, turn by turn.
//!
//! opencode is taken from the environment variable `OPENCODE`; without it the tests are skipped:
//!
//! ```sh
//! npm install --prefix DIR opencode-ai@1.18.33
//! OPENCODE=DIR/node_modules/opencode-linux-x64/bin/opencode \
//!     cargo test -p hud-tests --features slow-tests opencode:: -- --nocapture
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use crate::clients;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::time::Duration;

use crate::clients::endpoint::{Asked, Kind};
use crate::clients::{FOUND, SAID, finish, found, hud};
use crate::project::{
    PLUGIN, Project, Say, address, big_files, last, reads, system, uncached, works,
};
use hud_store::log::Log;
use hud_store::sqlite::SqliteLog;
use serde_json::{Value, json};

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
            json!({ "command": "echo error: no such test; exit 3", "description": "fails" }),
        ),
        Say::Tool("read", json!({ "filePath": format!("{project}/none.txt") })),
        Say::Text(SAID, 29_500),
    ]
}

/// A story whose paths are those of the project, which is only known once it is made.
fn played(options: Value) -> Option<Project> {
    // opencode resolves paths against the project, so relative ones do.
    Project::new(story("."), options)
}

/// A layout is words to an agent, and may have come with a clone.
#[test]
fn the_layout_of_a_project_is_what_the_model_sees_once_its_user_allowed_it() {
    for is_allowed in [false, true] {
        let note = json!({ "tool": "notes.add", "args": { "content": "tests need redis" } });
        let story = vec![Say::Tool("hud", note), Say::Text("Done.", 3000)];
        let Some(project) = Project::new(story, json!({})) else {
            return;
        };
        fs::create_dir(project.path("project/.hud")).unwrap();
        let layout =
            "## What matters here\n\n{state.notes.map(note => <Item>{note.content}</Item>)}\n";
        fs::write(project.path("project/.hud/layout.mdx"), layout).unwrap();
        if is_allowed {
            let trusted = Command::new(hud())
                .args(["layout", "trust"])
                .current_dir(project.path("project"))
                .env("XDG_CONFIG_HOME", project.path("home/config"))
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&trusted.stderr).into_owned();
            assert!(trusted.status.success(), "{said}");
        }
        project.run(&hud());
        let turns = project.turns();
        assert_eq!(turns.len(), 2, "a note, and the end");
        let sent = turns[1].body["messages"].to_string();
        assert_eq!(sent.contains("What matters here"), is_allowed, "{sent}");
        assert!(sent.contains("- tests need redis"), "{sent}");
        assert!(
            sent.contains("# Task"),
            "the task is shown by any layout: {sent}"
        );
    }
}

#[test]
fn the_hud_is_on_every_turn_and_survives_compaction() {
    let Some(project) = played(json!({})) else {
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
    assert!(
        last(&turns[2]).contains("Use a token bucket"),
        "{}",
        last(&turns[2])
    );
    let refused = turns[3].body["messages"].to_string();
    assert!(refused.contains("did you mean `notes."), "{refused}");
    assert!(
        last(&turns[5]).contains("`a.txt` (editing)"),
        "{}",
        last(&turns[5])
    );
    let shown = last(&turns[7]);
    assert!(shown.contains("# Open Errors (1)"), "{shown}");
    assert!(
        !shown.contains("none.txt"),
        "a look-up that missed: {shown}"
    );

    let state = project.state();
    assert_eq!(found(&state), [FOUND]);
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
        last(after).contains("> half of it is done."),
        "{}",
        last(after)
    );
}

/// A server of one tool, which prints what a test run does.
const SERVER: &str = r#"require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  const answers = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} },
                         serverInfo: { name: "kit", version: "1" } }),
    "tools/list": () => ({ tools: [{ name: "get", description: "x", inputSchema: { type: "object" } }] }),
    "tools/call": () => ({ content: [{ type: "text", text: "error: no such key" }], isError: true }),
  }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method]?.() ?? {} }))
})"#;

#[test]
fn an_outcome_is_reported_without_opencodes_words_around_it() {
    let run = |command: &str| Say::Tool("bash", json!({ "command": command, "description": "x" }));
    let slow = json!({ "command": "./slow.sh", "description": "x", "timeout": 500 });
    let script = vec![
        run("exit 4"),
        Say::Tool("bash", slow),
        run("git push"),
        run("git commit --allow-empty -m 'Add nothing'"),
        Say::Tool("kit_get", json!({})),
        Say::Tool("browse", json!({ "url": "u" })),
        Say::Tool("read", json!({ "filePath": "." })),
    ];
    let Some(project) = Project::new(script, json!({})) else {
        return;
    };
    let file = project.path("project/opencode.json");
    let config = fs::read_to_string(&file).unwrap();
    let mut config: Value = serde_json::from_str(&config).unwrap();
    config["permission"] = json!({ "*": "allow", "bash": { "*": "allow", "git push": "deny" } });
    config["mcp"] = json!({ "kit": { "type": "local", "command": ["node", "-e", SERVER] } });
    fs::write(&file, config.to_string()).unwrap();
    let slow = project.path("project/slow.sh");
    fs::write(&slow, "#!/bin/sh\nsleep 20\n").unwrap();
    let made = Command::new("sh")
        .args(["-c", "chmod +x slow.sh && git init -q && git config user.email u@example.com && git config user.name u"])
        .current_dir(project.path("project"))
        .status()
        .unwrap();
    assert!(made.success());
    project.run(&hud());
    let state = project.state();
    let errors = state.errors.iter().map(|error| error.message.as_str());
    assert_eq!(
        errors.collect::<Vec<_>>(),
        [
            "exit code 4",
            "shell tool terminated command after exceeding timeout 500 ms",
            "The user has specified a rule which prevents you from using this specific tool call.",
            "error: no such key",
        ]
    );
    assert_eq!(state.repository.commits[0].message, "Add nothing");
    assert!(state.active_files.is_empty(), "{:?}", state.active_files);
}

#[test]
fn what_tools_said_long_ago_leaves_and_can_be_read_again() {
    let mut script: Vec<Say> = (0..5).map(|file| reads(file, 24_000)).collect();
    script.extend((0..6).map(|_| works(24_000)));
    script.push(Say::Recall);
    let Some(project) = Project::new(script, json!({})) else {
        return;
    };
    big_files(&project, 5);
    project.run(&hud());
    let turns = project.turns();
    let shows = |turn: usize, file: usize| {
        let text = turns[turn].body["messages"].to_string();
        text.contains(&format!("line   42 of big{file}"))
    };
    let shown = |turn| [0, 1, 2, 3, 4].map(|file| shows(turn, file));
    assert_eq!(shown(4), [true, true, true, true, false]);
    // Nine requests after it was read a file may leave, and two of them gain 20,000 tokens.
    assert_eq!(shown(10), [true; 5]);
    assert_eq!(shown(11), [false, false, true, true, true]);
    assert_eq!(shown(12), [true, false, true, true, true], "read again");
    let placed = turns[11].body["messages"].to_string();
    assert!(placed.contains(" lines, of Read big0.txt"), "{placed}");
    let kept = shared(&turns[11..13]);
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
    for placement in ["delta", "epoch", "message-tail", "system-tail"] {
        let Some(project) = played(json!({ "placement": placement })) else {
            return;
        };
        project.run(&hud());
        // Up to the compaction, which begins anew.
        let share = shared(&project.turns()[1..8]);
        println!("{placement}: {share:.1} % of the bytes of a request are those of the one before");
        figures.push(share);
    }
    let [delta, epoch, message, system] = figures[..] else {
        panic!("{figures:?}");
    };
    assert!(epoch >= 85.0, "{figures:?}");
    assert!(
        delta >= epoch && epoch >= message && message > system,
        "{figures:?}"
    );
}

/// What a request of Anthropic's has of a kind: the text of each block, and whether it is marked.
fn blocks(of: &Value) -> Vec<(String, bool)> {
    let block = |block: &Value| {
        let text = block["text"].as_str().unwrap_or_default().to_owned();
        (text, block["cache_control"].is_object())
    };
    of.as_array().unwrap().iter().map(block).collect()
}

#[test]
fn what_stays_is_marked_for_a_provider_that_keeps_what_is_marked() {
    for placement in ["epoch", "system-tail"] {
        let Some(project) = Project::at_anthropic(json!({ "placement": placement })) else {
            return;
        };
        let arguments = ["run", "do the things", "-m", "anthropic/claude-sonnet-4-6"];
        finish(project.start_with(&arguments, &hud(), "home"));
        let turns = project.turns();
        assert_eq!(turns.len(), 2, "a command, and the end");
        let systems: Vec<_> = turns
            .iter()
            .map(|turn| blocks(&turn.body["system"]))
            .collect();
        for system in &systems {
            let [(own, true), (shown, true)] = &system[..] else {
                panic!("{system:?}");
            };
            assert!(
                !own.contains("<hud>") && shown.starts_with("<hud>\n# Task"),
                "{shown}"
            );
        }
        assert_eq!(systems[0][0], systems[1][0], "it is read from the cache");
        if placement == "epoch" {
            let last = turns[1].body["messages"]
                .as_array()
                .unwrap()
                .last()
                .unwrap();
            let [.., (_, is_conversation_marked), (shown, _)] = &blocks(&last["content"])[..]
            else {
                panic!("{last}");
            };
            assert!(
                *is_conversation_marked && shown.starts_with("<hud>\n"),
                "{last}"
            );
        }
    }
}

/// Sixty turns with nine plans, a decision and a note: the model reads files and commands' output, and
/// works on its plan.
fn planned() -> Vec<Say> {
    let plan = |done: usize, of: usize| {
        let todos: Vec<Value> = (0..of)
            .map(|step| {
                let status = match step {
                    _ if step < done => "completed",
                    _ if step == done => "in_progress",
                    _ => "pending",
                };
                let content = format!("Step {step} of the work on the rate limits");
                json!({ "content": content, "status": status, "priority": "high" })
            })
            .collect();
        Say::Tool("todowrite", json!({ "todos": todos }))
    };
    (0..59)
        .map(|turn| match turn {
            2 | 8 | 14 | 20 | 26 | 32 | 38 | 44 | 50 => plan(turn / 6, 6 + turn / 20),
            10 => Say::Tool(
                "hud",
                json!({ "tool": "decisions.record", "args": { "summary": "Use a token bucket" } }),
            ),
            16 => Say::Tool(
                "hud",
                json!({ "tool": "notes.add", "args": { "content": "tests need redis" } }),
            ),
            _ if turn % 3 == 0 => Say::Tool(
                "bash",
                json!({ "command": "cat big.txt", "description": "x" }),
            ),
            _ => Say::Tool("read", json!({ "filePath": "big.txt" })),
        })
        .collect()
}

#[test]
fn plans_cost_no_more_than_a_tenth_of_what_the_conversation_costs_anyway() {
    let run = |placement: Option<&str>| {
        let options = json!({ "placement": placement });
        let project = Project::with_plugin(planned(), placement.map(|_| PLUGIN), options)?;
        let line = |line| format!("line {line:4} of a file that is read again and again\n");
        let text: String = (0..120).map(line).collect();
        fs::write(project.path("project/big.txt"), text).unwrap();
        let arguments = ["run", "do the things", "-m", "mock/wide"];
        finish(project.start_with(&arguments, &hud(), "home"));
        let turns = project.turns();
        assert_eq!(turns.len(), 60);
        Some(uncached(&turns))
    };
    let Some((without, _)) = run(None) else {
        return;
    };
    println!("{without} characters of 60 turns with 9 plans are not in the cache without a HUD");
    let mut figures = Vec::new();
    for placement in ["epoch", "message-tail", "system-tail"] {
        let Some((uncached, all)) = run(Some(placement)) else {
            return;
        };
        let share = 100.0 * (all - uncached) as f64 / all as f64;
        let times = uncached as f64 / without as f64;
        println!(
            "{placement}: {uncached}, {times:.2} times as many; {share:.1} % are in the cache"
        );
        figures.push(times);
    }
    assert!(figures[0] <= 1.1, "{figures:?}");
    assert!(
        figures[0] < figures[1] && figures[1] < figures[2],
        "{figures:?}"
    );
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
    let plugin = address(PLUGIN);
    let options = json!({ "plugin": plugin, "times": times });
    let Some(project) = Project::with_plugin(script.collect(), Some("opencode/timed.mjs"), options)
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

/// A script in a project that is run in the place of `hud`.
#[cfg(unix)]
fn script(project: &Project, text: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;

    let script = project.path("hud.sh");
    fs::write(&script, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    script
}

/// Runs the story with something wrong, and gives how it went. All turns are there, and what is wrong
/// is in the client's log.
#[cfg(unix)]
fn goes_wrong(what: &str, with: impl Fn(&Project) -> std::path::PathBuf) -> Option<Project> {
    let project = played(json!({}))?;
    let start = std::time::Instant::now();
    let said = project.run(&with(&project));
    assert!(said.contains("done"), "{what}: {said}");
    let turns = project.turns().len();
    assert!(turns >= 8, "{what}: {turns} turns");
    let log = project.said_in_log("home");
    let mut heard = log.lines().filter(|line| line.contains("agent-hud: "));
    println!(
        "{what}: {turns} turns in {:.1} s; {}",
        start.elapsed().as_secs_f64(),
        heard.next().unwrap_or("nothing is heard of it")
    );
    Some(project)
}

/// Whether the client's log says something with these words.
#[cfg(unix)]
fn hears(project: &Project, words: &str) {
    let log = project.said_in_log("home");
    let mut said = log.lines().filter(|line| line.contains("agent-hud: "));
    assert!(said.any(|line| line.contains(words)), "{words}: {log}");
}

#[cfg(unix)]
#[test]
fn the_client_finishes_its_turns_and_hears_what_is_wrong_with_hud() {
    for (what, text, words) in [
        ("hanging", "exec sleep 600", "does not answer in time"),
        ("ending at once", "exit 3", "ended with exit code 3"),
        ("panicking", "echo it panicked >&2; exit 101", "it panicked"),
        (
            "an endless line",
            "exec tr '\\0' x < /dev/zero",
            "a line that does not end",
        ),
        ("no JSON", "echo hello; exec sleep 600", "what is no JSON"),
    ] {
        let Some(project) = goes_wrong(what, |project| script(project, text)) else {
            return;
        };
        hears(&project, words);
    }
    let Some(missing) = goes_wrong("missing", |_| "/nowhere/hud".into()) else {
        return;
    };
    hears(&missing, "could not be started");
    assert!(!system(&missing.turns()[0]).contains("<hud>"));
}

#[cfg(unix)]
#[test]
fn the_client_finishes_its_turns_with_a_log_that_is_damaged_or_locked() {
    let text = "this is no log of ours, but somebody's notes";
    let Some(damaged) = goes_wrong("a damaged log", |project| {
        fs::write(project.db(), text).unwrap();
        hud()
    }) else {
        return;
    };
    assert_eq!(fs::read_to_string(damaged.db()).unwrap(), text);
    hears(&damaged, "hud.db");

    let locked = goes_wrong("a log that is locked for 30 s", |project| {
        drop(SqliteLog::open(project.db()).unwrap());
        let locker = rusqlite::Connection::open(project.db()).unwrap();
        locker.execute_batch("BEGIN EXCLUSIVE").unwrap();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(30));
            drop(locker);
        });
        hud()
    });
    assert!(locked.is_some());
}

#[cfg(unix)]
#[test]
fn the_hud_comes_back_when_it_is_killed_in_the_middle() {
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
    let text = format!("echo $$ > pid\nexec {} \"$@\"", hud().display());
    let wrapper = self::script(&project, &text);
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
    let Some(project) = played(json!({})) else {
        return;
    };
    let (one, other) = (project.start(&hud(), "one"), project.start(&hud(), "other"));
    finish(one);
    finish(other);
    let log = SqliteLog::open_read_only(project.db()).unwrap();
    assert_eq!(log.sessions().unwrap().len(), 2);
    assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
}
