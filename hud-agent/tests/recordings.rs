//! The recordings of `data/recordings`, each read by the client that wrote it: its README has their sources.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use hud_clients::transcript::{Entry, Transcript, TranscriptError};
use hud_observe::action::Action;
use hud_observe::observation::Observation;
use serde_json::{Value, json};

use crate::reading::{data, described, read};

/// The recordings with their client, and the numbers of calls of the model and of tools in them.
const RECORDINGS: &[(&str, &str, usize, usize)] = &[
    ("aider/.aider.chat.history.md", "aider", 2, 1),
    ("chat/langchain.jsonl", "chat", 1, 0),
    ("chat/langgraph.json", "chat", 2, 1),
    ("chat/responses.json", "chat", 2, 2),
    ("cline/api_conversation_history.json", "cline", 3, 3),
    ("cline/session.messages.json", "cline", 2, 3),
    ("codex/older.jsonl", "codex", 4, 3),
    ("../live/codex/rollout-1.jsonl", "codex", 58, 59),
    ("copilot/events.jsonl", "copilot", 4, 6),
    ("gemini/checkpoint.json", "gemini", 2, 1),
    ("gemini/older.json", "gemini", 1, 1),
    ("gemini/session.jsonl", "gemini", 5, 3),
    ("mini-swe-agent/v1.traj.json", "mini-swe-agent", 2, 2),
    ("mini-swe-agent/v2.traj.json", "mini-swe-agent", 3, 2),
    ("opencode/export.json", "opencode", 6, 9),
    ("openhands/events.jsonl", "openhands", 5, 6),
    ("openhands/trajectory.json", "openhands", 4, 3),
    ("pi/session.jsonl", "pi", 6, 4),
];

fn path(name: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    tests.join("data/recordings").join(name)
}

/// The numbers of calls of the model and of tools.
fn counts(entries: &[Entry]) -> (usize, usize) {
    let count = |is: fn(&Observation) -> bool| {
        let found = entries.iter().filter(|entry| is(&entry.observation));
        found.count()
    };
    (
        count(|observation| matches!(observation, Observation::ModelCall)),
        count(|observation| matches!(observation, Observation::ToolCall { .. })),
    )
}

#[test]
fn each_recording_is_read_by_its_client() {
    for &(name, client, turns, calls) in RECORDINGS {
        let (found, entries, summary) = read(&path(name)).unwrap();
        assert_eq!(found, client, "{name}");
        assert_eq!(counts(&entries), (turns, calls), "{name}");
        assert_eq!(summary.damaged, 0, "{name}");
        let said = format!("{}{:?}\n", described(&entries), summary.unknown);
        insta::assert_snapshot!(name.trim_start_matches("../"), said);
    }
}

/// The entries as lines, without their keys.
fn observed(path: &Path) -> String {
    let (_, entries, _) = read(path).unwrap();
    let lines = described(&entries);
    let without_key = lines
        .lines()
        .filter_map(|line| Some(line.split_once(": ")?.1));
    without_key.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_folder_of_a_session_is_read_as_its_file_is() {
    let folder = tempfile::tempdir().unwrap();
    for (file, name) in [
        ("copilot/events.jsonl", "1/events.jsonl"),
        (
            "cline/api_conversation_history.json",
            "2/api_conversation_history.json",
        ),
        ("cline/session.messages.json", "3/3.messages.json"),
    ] {
        let copy = folder.path().join(name);
        fs::create_dir(copy.parent().unwrap()).unwrap();
        fs::copy(path(file), &copy).unwrap();
        assert_eq!(observed(copy.parent().unwrap()), observed(&copy), "{file}");
    }
    let events = observed(&path("openhands/events.jsonl"));
    let in_folder = observed(&path("openhands/conversation"));
    assert!(
        in_folder.lines().count() > 5 && events.starts_with(&in_folder),
        "{in_folder}"
    );
    let other = Transcript::open(folder.path()).unwrap_err();
    assert!(
        matches!(other, TranscriptError::Directory { .. }),
        "{other}"
    );
}

#[test]
fn the_storage_of_opencode_is_read_as_its_export_is() {
    let export = path("opencode/export.json");
    let value: Value = serde_json::from_slice(&fs::read(&export).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: String, value: &Value| {
        let file = folder.path().join("storage").join(format!("{name}.json"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, value.to_string()).unwrap();
    };
    let text = |value: &Value, key: &str| value[key].as_str().unwrap().to_owned();
    let session = text(&value["info"], "id");
    write(format!("session/global/{session}"), &value["info"]);
    for message in value["messages"].as_array().unwrap() {
        let id = text(&message["info"], "id");
        write(format!("message/{session}/{id}"), &message["info"]);
        for part in message["parts"].as_array().unwrap() {
            write(format!("part/{id}/{}", text(part, "id")), part);
        }
    }
    let stored = folder.path().join("storage/message").join(session);
    assert_eq!(observed(&stored), observed(&export));
}

#[test]
fn a_recording_that_is_cut_off_anywhere_is_read_as_far_as_it_goes_or_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("session");
    for &(name, ..) in RECORDINGS {
        let whole = fs::read(path(name)).unwrap();
        let all = read(&path(name)).unwrap().1.len();
        let mut read_some = false;
        for part in 1..40 {
            fs::write(&cut, &whole[..whole.len() * part / 40]).unwrap();
            if let Ok((_, entries, _)) = read(&cut) {
                assert!(!entries.is_empty() && entries.len() <= all, "{name}");
                read_some = true;
            }
        }
        assert!(read_some, "{name}");
    }
}

/// A session that is imported while it goes on is imported again later.
#[test]
fn the_entries_of_lines_have_the_same_keys_when_more_lines_follow() {
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("session");
    let key = |entry: &Entry| (entry.key.clone(), format!("{:?}", entry.observation));
    for &(name, ..) in RECORDINGS {
        if !name.ends_with(".jsonl") && !name.ends_with(".md") {
            continue;
        }
        let text = fs::read_to_string(path(name)).unwrap();
        let whole: Vec<_> = read(&path(name)).unwrap().1.iter().map(key).collect();
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        for end in ends.step_by(text.lines().count() / 20 + 1) {
            fs::write(&part, &text[..end]).unwrap();
            let Ok((_, entries, _)) = read(&part) else {
                continue;
            };
            for (index, entry) in entries.iter().enumerate() {
                let (key, observation) = key(entry);
                let is_there = whole.iter().any(|(other, said)| {
                    // The last text may go on.
                    *other == key && (index + 1 == entries.len() || *said == observation)
                });
                assert!(is_there, "{name}: {key} {observation}");
            }
        }
    }
}

#[test]
fn a_recording_in_which_nothing_happens_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session");
    for content in [
        r#"{"timestamp":"2026-11-20T10:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/p"}}"#,
        r#"{"type":"session.start","data":{"sessionId":"s"},"id":"i","timestamp":"2026-11-20T10:00:00Z","parentId":null}"#,
        r#"{"type":"session","version":3,"id":"s","timestamp":"2026-11-20T10:00:00Z","cwd":"/p"}"#,
        r#"{"sessionId":"s","projectHash":"h","messages":[]}"#,
        r#"{"info":{"id":"s","directory":"/p"},"messages":[]}"#,
        "# aider chat started at 2026-11-20 10:00:00\n\n> Aider v0.86.2  \n",
    ] {
        fs::write(&file, content).unwrap();
        let error = read(&file).unwrap_err();
        assert!(
            matches!(error, TranscriptError::Unread { .. }),
            "{content}: {error}"
        );
    }
}

#[test]
fn results_without_ids_in_a_checkpoint_belong_to_the_calls_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint.json");
    let call = |path: &str| json!({ "functionCall": { "name": "read_file", "args": { "file_path": path } } });
    let result = |text: &str| json!({ "functionResponse": { "name": "read_file", "response": { "output": text } } });
    let checkpoint = json!([
        { "role": "user", "parts": [{ "text": "Compare them" }] },
        { "role": "model", "parts": (0..9).map(|n| call(&format!("f{n}"))).collect::<Vec<_>>() },
        { "role": "user", "parts": (0..9).map(|n| result(&format!("r{n}"))).collect::<Vec<_>>() },
    ]);
    fs::write(&file, checkpoint.to_string()).unwrap();
    let (_, entries, _) = read(&file).unwrap();
    let results = entries.iter().filter_map(|entry| match &entry.observation {
        Observation::ToolResult { call, content, .. } => Some((&**call, &**content)),
        _ => None,
    });
    let results: Vec<(String, String)> = results
        .map(|(call, content)| (call.to_owned(), content.to_owned()))
        .collect();
    let expected = (0..9).map(|n| (format!("call {}", n + 1), format!("r{n}")));
    assert_eq!(results, expected.collect::<Vec<_>>());
}

#[cfg(unix)]
#[test]
fn a_pipe_in_a_folder_of_events_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let conversation = path("openhands/conversation");
    let events = folder.path().join("events");
    fs::create_dir(&events).unwrap();
    fs::copy(
        conversation.join("base_state.json"),
        folder.path().join("base_state.json"),
    )
    .unwrap();
    for event in fs::read_dir(conversation.join("events")).unwrap() {
        let event = event.unwrap();
        fs::copy(event.path(), events.join(event.file_name())).unwrap();
    }
    let entries = |path: &Path| described(&read(path).unwrap().1);
    let without = entries(folder.path());
    let pipe = events.join("event-00009-e10.json");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    assert_eq!(entries(folder.path()), without);
}

/// A recording that was converted to chat messages has the same calls in the same turns in its client's own format.
#[test]
fn an_original_and_its_conversion_have_the_same_turns_and_calls() {
    let Some(data) = data() else { return };
    let strangers = data.join("strangers");
    let mut compared = 0;
    for file in fs::read_dir(strangers.join("originals")).unwrap() {
        let original = file.unwrap().path();
        let name = original.file_name().unwrap().to_str().unwrap();
        let session = name.split('.').next().unwrap();
        let converted = strangers.join(format!("sessions/{session}.jsonl.gz"));
        let (original, converted) = (turns(&original), turns(&converted));
        assert!(!original.is_empty(), "{name}");
        assert_eq!(original, converted, "{name}");
        compared += 1;
    }
    assert!(compared > 3, "{compared} are compared");
}

/// The tools that are called in each turn of a compressed recording.
fn turns(path: &Path) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("session");
    let mut reader = GzDecoder::new(File::open(path).unwrap());
    io::copy(&mut reader, &mut File::create(&plain).unwrap()).unwrap();
    let (_, entries, summary) = read(&plain).unwrap();
    assert_eq!(summary.damaged, 0, "{}", path.display());
    let mut turns: Vec<Vec<String>> = Vec::new();
    for entry in entries {
        match entry.observation {
            Observation::ModelCall => turns.push(Vec::new()),
            Observation::ToolCall { actions, .. } => {
                let labels: String = actions.iter().map(Action::label).collect();
                // A conversion has the name of Codex's item, and not of its tool.
                let labels = labels.replace("web_search_call", "web_search");
                turns.last_mut().unwrap().push(labels);
            }
            _ => {}
        }
    }
    turns
}
