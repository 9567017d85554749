//! Real recorded sessions: all of them replay, and the events say what the transcript says.
//!
//! What the transcript says is counted here from the raw JSON, without the readers.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use hud_agent::frame::Frame;
use hud_agent::layout::Layout;
use hud_agent::replay::Replay;
use hud_agent::settings::Settings;
use hud_agent::setup::Setup;
use hud_clients::transcript::{Transcript, TranscriptError};
use hud_core::Density;
use hud_core::part::{Layer, PartMeta};
use hud_store::event::{
    CompactEvent, ContextEvent, FileEvent, HudEvent, NewEvent, SessionId, TaskEvent,
};
use hud_store::state::HudState;
use serde_json::Value;

/// The recorded sessions of a kind, or nothing where there is no `HUD_DATA`.
fn sessions(kind: &str, extension: &str) -> Vec<PathBuf> {
    let Some(data) = std::env::var_os("HUD_DATA") else {
        eprintln!("skipped: HUD_DATA names no folder with recorded sessions");
        return Vec::new();
    };
    let folder = Path::new(&data).join("sessions").join(kind);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} holds sessions", folder.display());
    files
}

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl")
}

/// All events of a session, and the state they lead to.
fn replayed(path: &Path) -> (Vec<NewEvent>, HudState) {
    let mut replay = Replay::new(SessionId::new("s").unwrap());
    let mut events = Vec::new();
    Transcript::open(path)
        .unwrap()
        .read(&mut |entry| {
            events.extend(replay.observe(entry));
            Ok::<_, TranscriptError>(())
        })
        .unwrap();
    (events, replay.state().clone())
}

/// What the raw lines of a Claude Code log say.
#[derive(Default)]
struct Counted {
    named: BTreeSet<String>,
    edited: BTreeSet<String>,
    /// Input, cache and output tokens of the last line of each message.
    usage: BTreeMap<String, u64>,
    first_request: Option<String>,
    boundaries: usize,
}

fn count(path: &Path) -> Counted {
    let mut counted = Counted::default();
    let mut edits: BTreeMap<String, String> = BTreeMap::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if line["isSidechain"] == true {
            continue;
        }
        if line["subtype"] == "compact_boundary" {
            counted.boundaries += 1;
        }
        let message = &line["message"];
        if line["type"] == "assistant" && message["model"] != "<synthetic>" {
            let usage = &message["usage"];
            let total = [
                "input",
                "cache_creation_input",
                "cache_read_input",
                "output",
            ]
            .map(|part| usage[format!("{part}_tokens")].as_u64().unwrap_or(0));
            let id = message["id"].as_str().unwrap().to_owned();
            counted.usage.insert(id, total.iter().sum());
        }
        if let (Some(text), "user", None) = (
            message["content"].as_str(),
            line["type"].as_str().unwrap_or_default(),
            &counted.first_request,
        ) && line["isMeta"] != true
            && !text.starts_with('<')
        {
            counted.first_request = Some(text.trim().to_owned());
        }
        for block in message["content"].as_array().into_iter().flatten() {
            let path = block["input"]["file_path"].as_str();
            match (block["name"].as_str(), path) {
                (Some("Read"), Some(path)) => {
                    counted.named.insert(path.to_owned());
                }
                (Some("Edit" | "Write" | "MultiEdit"), Some(path)) => {
                    counted.named.insert(path.to_owned());
                    edits.insert(block["id"].as_str().unwrap().to_owned(), path.to_owned());
                }
                _ => {}
            }
            if block["type"] == "tool_result" && block["is_error"] != true {
                let call = block["tool_use_id"].as_str().unwrap();
                counted.edited.extend(edits.remove(call));
            }
        }
    }
    counted
}

#[test]
fn claude_code_sessions_give_the_files_the_usage_and_the_task_that_they_hold() {
    let mut files = sessions("claude-code", "jsonl");
    files.push(example());
    for path in files {
        let counted = count(&path);
        let (events, _) = replayed(&path);
        let name = path.display();

        let mut named = BTreeSet::new();
        let mut edited = BTreeSet::new();
        let mut usage = Vec::new();
        let mut boundaries = 0;
        for event in &events {
            match &event.event {
                HudEvent::File(FileEvent::Open(file)) => drop(named.insert(file.path.clone())),
                HudEvent::File(FileEvent::Edit(file)) => {
                    named.insert(file.path.clone());
                    edited.insert(file.path.clone());
                }
                HudEvent::Context(ContextEvent::Snapshot(reading)) => usage.push(reading.used),
                HudEvent::Compact(CompactEvent::Before(_)) => boundaries += 1,
                _ => {}
            }
        }
        assert_eq!(named, counted.named, "{name}: files that a call named");
        assert_eq!(edited, counted.edited, "{name}: edited files");
        assert_eq!(boundaries, counted.boundaries, "{name}: compactions");
        let mut expected: Vec<u64> = counted
            .usage
            .into_values()
            .filter(|used| *used > 0)
            .collect();
        expected.sort_unstable();
        usage.sort_unstable();
        assert_eq!(usage, expected, "{name}: one reading for each message");
        let task = events.iter().find_map(|event| match &event.event {
            HudEvent::Task(TaskEvent::Set(task)) => Some(task.description.clone()),
            _ => None,
        });
        let (Some(task), Some(asked)) = (task, counted.first_request) else {
            panic!("{name}: it has a first request and a task");
        };
        let asked = words(&asked);
        for piece in task
            .split('…')
            .flat_map(|piece| piece.split(" / "))
            .map(words)
        {
            assert!(
                asked.contains(&piece),
                "{name}: the task is in the words of the first request: {piece}"
            );
        }
    }
}

/// The words of a text, without what is between them.
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn swe_agent_sessions_give_the_issue_and_the_files_that_were_edited() {
    for path in sessions("swe-agent", "traj") {
        let (events, state) = replayed(&path);
        let name = path.display();
        let edits = events
            .iter()
            .filter(|event| matches!(event.event, HudEvent::File(FileEvent::Edit(_))))
            .count();
        assert!(edits > 0, "{name}: each of these sessions edits a file");
        let task = state
            .task
            .unwrap_or_else(|| panic!("{name}: it has a task"));
        assert!(
            !task.description.contains("INSTRUCTIONS:"),
            "{name}: the issue alone"
        );
        assert!(
            state
                .active_files
                .iter()
                .all(|file| file.path.starts_with('/')),
            "{name}: paths are absolute: {:?}",
            state.active_files
        );
    }
}

#[test]
fn a_session_renders_at_each_turn_and_density_the_same_every_time() {
    let mut files = sessions("claude-code", "jsonl");
    files.extend(sessions("swe-agent", "traj"));
    files.push(example());
    for path in files {
        let (_, state) = replayed(&path);
        let (_, again) = replayed(&path);
        for density in Density::ALL {
            let frame = |state| Frame::whole(state, Some(density), &Setup::default()).unwrap();
            assert_eq!(frame(&state), frame(&again), "{}", path.display());
            assert!(frame(&state).system.ends_with('\n'), "{}", path.display());
        }
    }
}

#[test]
fn the_example_passes_through_all_densities_and_the_warning() {
    let mut replay = Replay::new(SessionId::new("s").unwrap());
    let mut seen = BTreeSet::new();
    let mut warned = false;
    Transcript::open(example())
        .unwrap()
        .read(&mut |entry| {
            replay.observe(entry);
            let frame = Frame::whole(replay.state(), None, &Setup::default()).unwrap();
            warned |= frame.system.contains('⚠');
            seen.insert(frame.density);
            Ok::<_, TranscriptError>(())
        })
        .unwrap();
    assert_eq!(seen, BTreeSet::from(Density::ALL));
    assert!(warned, "the context fills past 85 %");
    assert!(
        (55..=65).contains(&replay.turn()),
        "{} turns",
        replay.turn()
    );
}

/// The static parts of a state, each alone: its name and its text.
fn static_parts(layout: &Layout, state: &HudState) -> BTreeMap<String, String> {
    let alone = |name: &str| {
        let mut choose = |part: &PartMeta| (part.name == name).then_some(Density::Full);
        let rendered = layout.render(state, &Settings::default(), Density::Full, &mut choose);
        rendered.unwrap().markdown
    };
    let parts = layout.parts(state).unwrap();
    let fixed = parts.iter().filter(|part| part.layer == Layer::Static);
    fixed
        .map(|part| (part.name.to_string(), alone(&part.name)))
        .collect()
}

/// Whether a kind of event is of the section that a static part shows. A request that the task says already
/// is shown there alone.
fn is_own(part: &str, kind: &str) -> bool {
    let families: &[&str] = match part {
        "task" => &["task."],
        "requests" => &["request.", "task."],
        "constraints" => &["constraint."],
        "decisions" => &["decision."],
        "next_steps" => &["step."],
        part => panic!("say which events the static part `{part}` shows"),
    };
    families.iter().any(|family| kind.starts_with(family))
}

#[test]
fn every_conversation_of_recorded_chats_has_a_hud() {
    for path in sessions("tau-bench", "json") {
        let document: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for (number, dialogue) in (1..).zip(document.as_array().unwrap()) {
            let one = folder.path().join("dialogue.json");
            fs::write(&one, dialogue.to_string()).unwrap();
            let (_, state) = replayed(&one);
            assert!(state.task.is_some(), "{number}");
            let hud = Frame::whole(&state, None, &Setup::default()).unwrap();
            assert!(hud.system.starts_with("# Task"), "{number}: {}", hud.system);
        }
    }
}

#[test]
fn a_static_part_keeps_its_bytes_until_an_event_of_its_own_section_comes() {
    let mut files = sessions("claude-code", "jsonl");
    files.extend(sessions("swe-agent", "traj"));
    files.push(example());
    let layout = Layout::default();
    let (mut kept, mut changed) = (0, BTreeSet::new());
    for path in files {
        let mut replay = Replay::new(SessionId::new("s").unwrap());
        let mut shown = static_parts(&layout, replay.state());
        Transcript::open(&path)
            .unwrap()
            .read(&mut |entry| {
                let events = replay.observe(entry);
                if events.is_empty() {
                    return Ok(());
                }
                let now = static_parts(&layout, replay.state());
                for (part, text) in &now {
                    if shown.get(part) == Some(text) {
                        kept += 1;
                        continue;
                    }
                    let kinds: Vec<_> = events.iter().map(|event| event.event.kind()).collect();
                    let is_due = kinds.iter().any(|kind| is_own(part, kind));
                    assert!(is_due, "{}: {part} changed with {kinds:?}", path.display());
                    changed.insert(part.clone());
                }
                shown = now;
                Ok::<_, TranscriptError>(())
            })
            .unwrap();
    }
    assert!(kept > 100, "{kept} times the same");
    assert!(changed.contains("task"), "{changed:?}");
}
