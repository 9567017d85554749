//! The operations that HUDs, hints and refusals name are in the definition of the tool and answer, and no section of a full
//! context is hidden without its number and its operation.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use hud_agent::frame::{Frame, frame};
use hud_agent::placement::Placement;
use hud_agent::replay::Replay;
use hud_agent::session::Session;
use hud_agent::setup::Setup;
use hud_agent::tool::{NoLookup, Numbering, Operations, ToolError};
use hud_clients::transcript::{Transcript, TranscriptError};
use hud_core::Density;
use hud_store::event::SessionId;
use hud_store::memory::MemoryLog;
use hud_store::state::{ContextUsage, HudState};
use jiff::Timestamp;
use serde_json::{Value, json};

/// The recordings of the repository, and those that `HUD_DATA` names.
fn recordings() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("../examples/sessions"), root.join("tests/data")];
    if let Some(data) = std::env::var_os("HUD_DATA") {
        let sessions = PathBuf::from(data).join("sessions");
        folders.extend(["claude-code", "swe-agent", "tau-bench"].map(|name| sessions.join(name)));
    }
    let files = folders.iter().flat_map(|folder| {
        let files = fs::read_dir(folder).unwrap();
        files.map(|file| file.unwrap().path())
    });
    let is_session = |path: &PathBuf| {
        path.extension()
            .is_some_and(|end| end == "jsonl" || end == "traj" || end == "json")
    };
    files.filter(is_session).collect()
}

/// Some states of a recording, the last one among them; none of a file that is no recording.
fn states(path: &Path) -> Vec<HudState> {
    let mut replay = Replay::new(SessionId::new("s").unwrap());
    let mut states = Vec::new();
    let Ok(transcript) = Transcript::open(path) else {
        return states;
    };
    let mut entries = 0_u32;
    let read = transcript.read(&mut |entry| {
        replay.observe(entry);
        entries += 1;
        if entries.is_multiple_of(400) {
            states.push(replay.state().clone());
        }
        Ok::<_, TranscriptError>(())
    });
    if read.is_ok() {
        states.push(replay.state().clone());
    }
    states
}

/// A state with so many per cent of its context in use.
fn used(mut state: HudState, percent: u64) -> HudState {
    let used = percent * 2_000;
    state.context = Some(ContextUsage {
        used,
        limit: Some(200_000),
        assumed: false,
        usable: None,
        model: None,
        at: Timestamp::UNIX_EPOCH,
        readings: vec![used, used, used],
    });
    state
}

/// A state with more of each section than a HUD shows.
fn overfull() -> HudState {
    let mut session = Session::open(MemoryLog::new(), SessionId::new("s").unwrap()).unwrap();
    let mut call = |tool: &str, args: Value| {
        let call = json!({ "tool": tool, "args": args });
        session.call(&call, Timestamp::UNIX_EPOCH).unwrap();
    };
    call("task.set", json!({ "description": "Limit each tenant" }));
    call(
        "section.update",
        json!({ "section": "dependencies", "value": (0..9).map(|n| format!("dependency {n}")).collect::<Vec<_>>() }),
    );
    for n in 0..20 {
        for (tool, args) in [
            ("notes.add", json!({ "content": format!("note {n}") })),
            (
                "findings.record",
                json!({ "text": format!("finding {n} of the bucket") }),
            ),
            (
                "decisions.record",
                json!({ "summary": format!("decision {n}") }),
            ),
            (
                "blockers.add",
                json!({ "description": format!("blocker {n}") }),
            ),
            ("steps.add", json!({ "description": format!("step {n}") })),
            ("files.add", json!({ "path": format!("src/file_{n}.rs") })),
            (
                "constraints.add",
                json!({ "text": format!("Never do {n}") }),
            ),
            (
                "working_memory.add",
                json!({ "content": format!("at hand {n}") }),
            ),
            (
                "knowledge.set",
                json!({ "path": format!("facts.n{n}"), "value": n }),
            ),
        ] {
            call(tool, args);
        }
    }
    for (block, content) in [("goal", "x".repeat(950)), ("context", "redis".to_owned())] {
        call(
            "core_memory.update",
            json!({ "block": block, "content": content }),
        );
    }
    session.state().clone()
}

/// All that a model is shown of a state: at each density, in each place, and in few tokens.
fn texts(state: &HudState) -> Vec<String> {
    let setup = Setup::default();
    let whole = Density::ALL.map(|density| {
        let frame = Frame::whole(state, Some(density), &setup);
        frame.unwrap().system
    });
    let before = HudState::default();
    let placed = Placement::ALL.into_iter().flat_map(|placement| {
        [None, Some(&before)].map(|shown| {
            let frame = frame(state, shown, placement, &setup).unwrap();
            frame.system + &frame.message
        })
    });
    let fitted = [60, 200, 600].map(|tokens| {
        let (frame, _) = Frame::fitted(state, None, tokens, &setup).unwrap();
        frame.system
    });
    whole.into_iter().chain(placed).chain(fitted).collect()
}

/// The names of the operations that the tool's schema has.
fn defined() -> BTreeSet<String> {
    let schema = Operations::built_in().definition().schema;
    let names = schema["properties"]["tool"]["enum"].as_array().unwrap();
    names
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

/// Sections, as operations begin with them.
fn nouns() -> BTreeSet<String> {
    let help = call("help", json!({}), &HudState::default()).unwrap();
    let names = help.as_object().unwrap().keys();
    names
        .filter_map(|name| Some(name.split_once('.')?.0.to_owned()))
        .collect()
}

/// Carries out a call on a state.
fn call(tool: &str, args: Value, state: &HudState) -> Result<Value, ToolError> {
    let operations = Operations::built_in();
    let call = operations.call(&json!({ "tool": tool, "args": args }))?;
    match call.only_reads() {
        true => call.read(state, &NoLookup),
        false => {
            let reply = call.write(state, &mut Numbering::default(), None)?;
            Ok(reply.answer)
        }
    }
}

/// The operations that a text names: in code, alone, after `hud` or in a call, and after `hud` outside of code.
fn named(text: &str, nouns: &BTreeSet<String>) -> BTreeSet<String> {
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || b"._".contains(&byte))
    };
    let mut names = BTreeSet::new();
    for code in text.split('`').skip(1).step_by(2) {
        let called = code.strip_prefix("hud ");
        if let Some(Ok(call)) = called.map(serde_json::from_str::<Value>) {
            names.extend(call["tool"].as_str().map(str::to_owned));
        } else if let Some(name) = called.filter(|name| is_name(name)) {
            names.insert(name.to_owned());
        } else if let Some((noun, _)) = code.split_once('.')
            && is_name(code)
            && nouns.contains(noun)
        {
            names.insert(code.to_owned());
        }
    }
    for (_, rest) in text
        .match_indices(": hud ")
        .map(|(at, _)| text.split_at(at + 6))
    {
        let name = rest.split_whitespace().next().unwrap_or_default();
        if is_name(name) {
            names.insert(name.to_owned());
        }
    }
    names
}

#[test]
fn every_operation_that_a_hud_names_is_in_the_schema_and_answers() {
    let (defined, nouns) = (defined(), nouns());
    let mut seen = BTreeSet::new();
    let mut check = |state: &HudState, own: &str| {
        for text in texts(state) {
            for name in named(&text, &nouns) {
                // A file of the session that is called as a section is: `notes.txt`.
                if !defined.contains(&name) && own.contains(&name) {
                    continue;
                }
                assert!(
                    defined.contains(&name),
                    "{name} is not in the schema: {text}"
                );
                match call(&name, json!({}), state) {
                    Ok(_) => {}
                    Err(error @ ToolError::Arguments { .. }) => {
                        let said = error.to_string();
                        assert!(said.contains("for example {\"args\":"), "{name}: {said}");
                    }
                    Err(ToolError::Refused { reason, .. }) => {
                        assert!(
                            reason.contains('`') || reason.contains(": "),
                            "{name}: {reason}"
                        );
                    }
                    Err(error) => panic!("{name}: {error}"),
                }
                seen.insert(name);
            }
        }
    };
    for percent in [20, 75, 87, 95] {
        check(&used(overfull(), percent), "");
    }
    for path in recordings() {
        let own = fs::read_to_string(&path).unwrap();
        for state in states(&path) {
            check(&state, &own);
            check(&used(state, 90), &own);
        }
    }
    // These show the items that are hidden in these states.
    for name in [
        "blockers.list",
        "checks.list",
        "constraints.list",
        "core_memory.read",
        "core_memory.update",
        "decisions.list",
        "dependencies.list",
        "errors.list",
        "files.list",
        "findings.list",
        "git.list",
        "knowledge.get",
        "notes.list",
        "requests.list",
        "snapshot",
        "steps.list",
    ] {
        assert!(seen.contains(name), "no HUD names {name}: {seen:?}");
    }
}

#[test]
fn every_operation_that_a_refusal_or_an_answer_names_is_in_the_schema() {
    let (defined, nouns) = (defined(), nouns());
    let mut pinned = overfull();
    if let Some(task) = &mut pinned.task {
        task.pinned = true;
    }
    let help = call("help", json!({}), &pinned).unwrap();
    let mut refused = 0;
    for state in [HudState::default(), overfull(), pinned] {
        for name in help.as_object().unwrap().keys() {
            let help = call("help", json!({ "for": name }), &state).unwrap();
            let example = help["example"]["args"].clone();
            for args in [
                json!({}),
                example,
                json!({ "id": "x9", "ids": ["x9"], "text": "y" }),
            ] {
                let said = match call(name, args, &state) {
                    Ok(answer) => answer.to_string(),
                    Err(error) => {
                        refused += 1;
                        error.to_string()
                    }
                };
                for other in named(&said, &nouns) {
                    // The help of an operation that only `help` lists may name its neighbours there.
                    let is_own = other == *name || !defined.contains(name);
                    assert!(
                        is_own || defined.contains(&other),
                        "{name} names {other}: {said}"
                    );
                }
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn a_nearly_full_context_hides_no_section_without_its_number_and_its_operation() {
    let mut counted = 0;
    let all = recordings();
    let states = all.iter().flat_map(|path| states(path)).chain([overfull()]);
    for state in states {
        let state = used(state, 90);
        let setup = Setup::default();
        let whole = Frame::whole(&state, None, &setup).unwrap();
        assert_eq!(whole.density, Density::Minimal);
        let open = state
            .errors
            .iter()
            .filter(|error| error.resolved_at.is_none());
        // The last number is that of the items which a HUD at minimal density names.
        for (name, count, shown) in [
            ("notes.list", state.notes.len(), 0),
            ("findings.list", state.findings.len(), 0),
            ("dependencies.list", state.dependencies.len(), 0),
            ("constraints.list", state.constraints.len(), 2),
            ("decisions.list", state.decisions.len(), 1),
            ("blockers.list", state.blockers.len(), 1),
            ("checks.list", state.checks.len(), 1),
            ("errors.list", open.count(), 1),
            ("files.list", state.active_files.len(), 1),
        ] {
            if count > shown {
                let (text, hidden) = (&whole.system, count - shown);
                assert!(text.contains(name), "{name}, {hidden} hidden: {text}");
                let all_files = name == "files.list" && text.contains(&format!("{count} file"));
                let is_counted = text.contains(&format!("+{hidden}: `{name}`"))
                    || text.contains(&format!(
                        "{hidden} {}",
                        name.split_once('.')
                            .unwrap()
                            .0
                            .trim_end_matches("ies")
                            .trim_end_matches('s')
                    ));
                assert!(is_counted || all_files, "{name}, {hidden} hidden: {text}");
                counted += 1;
            }
        }
        // After a compaction the handoff has the notes and the findings.
        if state.compacted.is_some() {
            continue;
        }
        // In its places, within the tokens of a last message.
        for placement in Placement::ALL {
            let frame = frame(&state, None, placement, &setup).unwrap();
            let text = frame.system + &frame.message;
            for (name, is_empty) in [
                ("notes.list", state.notes.is_empty()),
                ("findings.list", state.findings.is_empty()),
            ] {
                assert!(
                    is_empty || text.contains(name),
                    "{placement} {name}: {text}"
                );
            }
        }
    }
    assert!(counted > 8, "{counted}");
}
