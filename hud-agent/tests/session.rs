//! A session while it runs.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::ops::ControlFlow;

use hud_agent::frame::frame;
use hud_agent::placement::Placement;
use hud_agent::sent::{is_of, made_with, sent};
use hud_agent::session::Session;
use hud_agent::setup::Setup;
use hud_observe::observation::Observation;
use hud_store::event::{
    Actor, ContextEvent, ContextFrame, FrameText, HudEvent, SessionId, StoredEvent,
};
use hud_store::log::{Log as _, Moment, state_at};
use hud_store::memory::MemoryLog;
use hud_store::sqlite::SqliteLog;
use hud_store::state::FileStatus;
use jiff::Timestamp;
use serde_json::{Value, json};

fn at() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn report(observation: Value) -> Observation {
    hud_clients::report(observation).unwrap().observation
}

fn session() -> Session<MemoryLog> {
    Session::open(MemoryLog::new(), SessionId::new("s").unwrap()).unwrap()
}

fn observe(session: &mut Session<MemoryLog>, observations: impl IntoIterator<Item = Value>) {
    for observation in observations {
        session.observe(&report(observation), at()).unwrap();
    }
}

#[test]
fn what_a_client_reports_becomes_the_state() {
    let mut session = session();
    observe(
        &mut session,
        [
            json!({ "type": "user", "text": "Add rate limits" }),
            json!({ "type": "model_call" }),
            json!({ "type": "tool_call", "call": "c1", "tool": "read", "input": { "filePath": "/p/a.rs" } }),
            json!({ "type": "tool_result", "call": "c1", "content": "fn main() {}" }),
            json!({ "type": "tool_result", "call": "c2", "tool": "edit", "input": { "filePath": "/p/b.rs" } }),
            json!({ "type": "tool_result", "call": "c3", "tool": "bash", "input": { "command": "cargo test" },
                    "content": "error: test failed, to rerun pass `--lib`", "is_error": true }),
            json!({ "type": "usage", "input": 100, "cache_read": 9000, "output": 20, "model": "m", "window": { "context": 32000 } }),
        ],
    );
    let state = session.state();
    assert_eq!(state.task.as_ref().unwrap().description, "Add rate limits");
    let files: Vec<_> = state
        .active_files
        .iter()
        .map(|file| (file.path.as_str(), file.status))
        .collect();
    assert_eq!(
        files,
        [
            ("/p/a.rs", FileStatus::Reading),
            ("/p/b.rs", FileStatus::Editing)
        ]
    );
    assert!(!state.errors[0].is_resolved());
    let context = state.context.as_ref().unwrap();
    assert_eq!((context.used, context.limit), (9120, Some(32000)));
}

#[test]
fn a_file_that_could_not_be_read_is_not_in_view() {
    let mut session = session();
    observe(
        &mut session,
        [
            json!({ "type": "tool_result", "call": "c", "tool": "read", "is_error": true,
                 "input": { "filePath": "/p/none.rs" }, "content": "File not found" }),
        ],
    );
    assert!(session.state().active_files.is_empty());
    assert!(
        session.state().errors.is_empty(),
        "it was looked for, no more"
    );
}

#[test]
fn an_error_is_mended_in_a_process_that_did_not_see_it_fail() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("hud.db");
    let open = || {
        let log = SqliteLog::open(&path).unwrap();
        Session::open(log, SessionId::new("s").unwrap()).unwrap()
    };
    let result = |is_error| {
        report(json!({ "type": "tool_result", "call": "c", "tool": "bash",
                       "input": { "command": "cargo test" }, "content": "error: no", "is_error": is_error }))
    };
    open().observe(&result(true), at()).unwrap();
    let mut later = open();
    assert!(!later.state().errors[0].is_resolved());
    later.observe(&result(false), at()).unwrap();
    assert!(later.state().errors[0].is_resolved());
}

#[test]
fn two_processes_on_a_session_see_what_the_other_did() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("hud.db");
    let open = || {
        let log = SqliteLog::open(&path).unwrap();
        Session::open(log, SessionId::new("s").unwrap()).unwrap()
    };
    let (mut one, mut other) = (open(), open());
    let note = |content: &str| json!({ "tool": "notes.add", "args": { "content": content } });
    assert_eq!(one.call(&note("a"), at()).unwrap()["id"], "n1");
    assert_eq!(other.call(&note("b"), at()).unwrap()["id"], "n2");
    assert_eq!(one.call(&note("b"), at()).unwrap()["unchanged"], true);
    one.catch_up().unwrap();
    other.catch_up().unwrap();
    assert_eq!(one.state(), other.state());
}

#[test]
fn a_compaction_keeps_the_state_and_takes_the_summary() {
    let mut session = session();
    observe(
        &mut session,
        [
            json!({ "type": "user", "text": "Add rate limits" }),
            json!({ "type": "tool_result", "call": "c", "tool": "read", "input": { "filePath": "/p/a.rs" } }),
            json!({ "type": "usage", "input": 30000, "model": "m", "window": { "context": 32000 } }),
            json!({ "type": "compaction_begins", "trigger": "auto" }),
            json!({ "type": "compaction_ends", "summary": "Half of it is done." }),
        ],
    );
    let state = session.state();
    let compacted = state.compacted.as_ref().unwrap();
    assert_eq!(compacted.summary.as_deref(), Some("Half of it is done."));
    assert_eq!(compacted.tokens_before, Some(30000));
    assert!(state.active_files.is_empty(), "what was only read is gone");
    assert!(state.task.is_some());
}

#[test]
fn a_compaction_that_never_comes_takes_nothing() {
    let mut session = session();
    observe(
        &mut session,
        [
            json!({ "type": "model_call" }),
            json!({ "type": "tool_result", "call": "c", "tool": "read", "input": { "filePath": "/p/a.rs" } }),
            json!({ "type": "compaction_begins", "trigger": "agent" }),
        ],
    );
    assert_eq!(session.state().active_files.len(), 1);
    assert!(session.state().compacting.is_some());
    observe(
        &mut session,
        [
            json!({ "type": "model_call" }),
            json!({ "type": "usage", "input": 30000, "model": "m" }),
        ],
    );
    assert_eq!(session.state().compacting, None);
}

#[test]
fn a_compaction_whose_end_two_hooks_report_is_one() {
    let mut session = session();
    observe(
        &mut session,
        [
            json!({ "type": "compaction_begins" }),
            json!({ "type": "compaction_ends", "summary": "Half of it is done." }),
            json!({ "type": "compaction_ends" }),
        ],
    );
    let compacted = session.state().compacted.clone().unwrap();
    assert_eq!(compacted.count, 1);
    assert_eq!(compacted.summary.as_deref(), Some("Half of it is done."));
    let again = json!({ "type": "compaction_ends", "summary": "All of it is done." });
    observe(&mut session, [json!({ "type": "model_call" }), again]);
    assert_eq!(session.state().compacted.as_ref().unwrap().count, 2);
}

#[test]
fn a_client_that_no_longer_compacts_by_itself_has_no_overflow() {
    let mut session = session();
    let usage = |compacts: bool| {
        json!({ "type": "usage", "input": 31000, "model": "m",
                "window": { "context": 32000, "output": 4000, "compacts": compacts } })
    };
    observe(&mut session, [usage(true)]);
    assert!(session.state().context.as_ref().unwrap().is_overflow());
    observe(&mut session, [usage(false)]);
    assert!(!session.state().context.as_ref().unwrap().is_overflow());
}

/// The files of a session in `/p` after some reports, with their states.
fn files(reports: impl IntoIterator<Item = Value>) -> Vec<(String, FileStatus)> {
    let mut session = session();
    session.work_in("/p");
    observe(&mut session, reports);
    let files = session.state().active_files.iter();
    files.map(|file| (file.path.clone(), file.status)).collect()
}

fn reads(path: &str) -> Value {
    json!({ "type": "tool_result", "call": path, "tool": "read", "input": { "filePath": path } })
}

fn edits(path: &str) -> Value {
    json!({ "type": "tool_result", "call": path, "tool": "edit", "input": { "filePath": path } })
}

fn runs(command: &str) -> Value {
    json!({ "type": "tool_result", "call": command, "tool": "bash", "input": { "command": command } })
}

#[test]
fn a_file_has_one_name_however_it_is_called() {
    let several = ["/p/src/a.rs", "src/a.rs", "./src/a.rs", "src/../src/a.rs"].map(reads);
    assert_eq!(
        files(several),
        [("/p/src/a.rs".to_owned(), FileStatus::Reading)]
    );
    assert_eq!(files(["", " ", "./", "."].map(reads)), []);
    let mut session = session();
    session.work_in("/p");
    observe(&mut session, [edits("/p/src/a.rs")]);
    let mut call = |tool: &str, path: &str| {
        let made = json!({ "tool": tool, "args": { "path": path } });
        session.call(&made, at()).map_err(|error| error.to_string())
    };
    call("files.add", "./src/a.rs").unwrap();
    assert_eq!(
        call("files.add", "./").unwrap_err(),
        "`files.add`: `./` names no file"
    );
    call("files.remove", "src/a.rs").unwrap();
    assert!(session.state().active_files.is_empty());
}

#[test]
fn files_that_a_command_removes_or_moves_leave_their_old_names() {
    let editing = |path: &str| (path.to_owned(), FileStatus::Editing);
    let begun = || {
        ["/p/src/a.rs", "/p/src/b.rs", "/p/c.rs"]
            .map(edits)
            .to_vec()
    };
    let after = |command: &str| {
        let mut files = files(begun().into_iter().chain([runs(command)]));
        files.retain(|(_, status)| *status != FileStatus::Deleted);
        files
    };
    assert_eq!(
        after("rm src/a.rs"),
        [editing("/p/src/b.rs"), editing("/p/c.rs")]
    );
    assert_eq!(after("cd src && rm a.rs ./b.rs"), [editing("/p/c.rs")]);
    assert_eq!(after("git rm -r src"), [editing("/p/c.rs")]);
    assert_eq!(
        after("rm b.rs"),
        [
            editing("/p/src/a.rs"),
            editing("/p/src/b.rs"),
            editing("/p/c.rs")
        ]
    );
    assert_eq!(
        after("git mv c.rs d.rs"),
        [
            editing("/p/src/a.rs"),
            editing("/p/src/b.rs"),
            editing("/p/d.rs")
        ]
    );
    assert_eq!(
        after("mv c.rs src"),
        [
            editing("/p/src/a.rs"),
            editing("/p/src/b.rs"),
            editing("/p/src/c.rs")
        ]
    );
    assert_eq!(
        after("mv src lib"),
        [
            editing("/p/c.rs"),
            editing("/p/lib/a.rs"),
            editing("/p/lib/b.rs")
        ]
    );
}

#[test]
fn what_a_command_writes_shows_and_takes_back_is_known() {
    let said = |reports: &[Value]| {
        let said = |(path, status): &(String, FileStatus)| format!("{path} {}", status.word());
        files(reports.to_vec()).iter().map(said).collect::<Vec<_>>()
    };
    let edited = edits("/p/a.rs");
    for (command, expected) in [
        (
            "cat > b.rs <<'E'\nfn x() {}\nE",
            &["/p/a.rs editing", "/p/b.rs editing"][..],
        ),
        ("sed -i s/x/y/ ./a.rs", &["/p/a.rs editing"]),
        (
            "sed -n '1,9p' src/c.rs",
            &["/p/a.rs editing", "/p/src/c.rs reading"],
        ),
        (
            "rm src/c.rs /tmp/x.rs *.o",
            &["/p/a.rs editing", "/p/src/c.rs deleted"],
        ),
        ("make > make.log", &["/p/a.rs editing"]),
        ("git checkout -- a.rs", &[]),
        ("git stash", &[]),
        ("git checkout main", &["/p/a.rs editing"]),
    ] {
        assert_eq!(
            said(&[edited.clone(), runs(command)]),
            expected,
            "{command}"
        );
    }
}

#[test]
fn a_file_that_nobody_touches_for_long_leaves_and_one_that_is_not_committed_stays_longer() {
    let turns = |count| std::iter::repeat_n(json!({ "type": "model_call" }), count);
    let begun = [reads("/p/read.rs"), edits("/p/edited.rs")];
    let after = |count| files(begun.clone().into_iter().chain(turns(count)));
    assert_eq!(after(40).len(), 2);
    assert_eq!(
        after(60),
        [("/p/edited.rs".to_owned(), FileStatus::Editing)]
    );
    assert_eq!(after(210), []);
}

#[test]
fn a_file_that_is_being_edited_stays_when_it_can_not_be_read() {
    let failed = json!({ "type": "tool_result", "call": "r", "tool": "read", "is_error": true,
                         "input": { "filePath": "/p/a.rs" }, "content": "offset beyond the end" });
    assert_eq!(
        files([edits("/p/a.rs"), failed]),
        [("/p/a.rs".to_owned(), FileStatus::Editing)]
    );
}

#[test]
fn an_agent_goes_on_where_an_earlier_session_was() {
    let directory = tempfile::tempdir().unwrap();
    let open = |name: &str| {
        let log = SqliteLog::open(directory.path().join("hud.db")).unwrap();
        Session::open(log, SessionId::new(name).unwrap()).unwrap()
    };
    let mut monday = open("monday");
    let note = json!({ "tool": "notes.add", "args": { "content": "tests need redis" } });
    let said = |text: &str| report(json!({ "type": "user", "text": text }));
    monday.observe(&said("Add rate limits"), at()).unwrap();
    monday.call(&note, at()).unwrap();

    let mut tuesday = open("tuesday");
    tuesday
        .observe(&said("go on with the limits"), at())
        .unwrap();
    let listed = tuesday
        .call(&json!({ "tool": "sessions.list" }), at())
        .unwrap();
    assert_eq!(listed["sessions"][0]["session"], "monday");
    assert_eq!(listed["sessions"][0]["task"], "Add rate limits");
    let mut resume = |name: &str| {
        let args = json!({ "session": name });
        let answer = tuesday.call(&json!({ "tool": "sessions.resume", "args": args }), at());
        answer.map_err(|error| error.to_string())
    };
    insta::assert_snapshot!(resume("friday").unwrap_err(), @"`sessions.resume`: there is no session friday in the log: see the list of its sessions");
    insta::assert_snapshot!(resume("tuesday").unwrap_err(), @"`sessions.resume`: session tuesday cannot come from itself: name the session that came before it");
    assert_eq!(
        resume("monday").unwrap(),
        json!({ "task": "Add rate limits" })
    );
    let state = tuesday.state();
    assert_eq!(state.notes[0].content, "tests need redis");
    let latest = state.task.as_ref().unwrap().latest_request.as_deref();
    assert_eq!(latest, Some("go on with the limits"));
}

#[test]
fn an_output_that_leaves_the_conversation_can_be_recalled() {
    let mut session = session();
    let output = json!({ "type": "output_leaves", "tool": "read", "target": "a.rs", "content": "fn take() {}" });
    observe(&mut session, [output]);
    let found = session
        .call(
            &json!({ "tool": "search", "args": { "query": "take" } }),
            at(),
        )
        .unwrap();
    let hit = &found["hits"][0];
    let args = json!({ "session": hit["session"], "version": hit["version"] });
    let recalled = session
        .call(&json!({ "tool": "recall", "args": args }), at())
        .unwrap();
    assert_eq!(recalled["payload"]["content"], "fn take() {}");
}

#[test]
fn a_report_of_another_shape_is_refused() {
    for wrong in [
        json!({ "type": "party" }),
        json!({ "type": "user" }),
        json!([]),
    ] {
        assert!(hud_clients::report(wrong).is_err());
    }
}

#[test]
fn a_patch_of_opencode_edits_removes_and_renames_files() {
    let mut session = session();
    let patch = "*** Begin Patch\n*** Add File: n.rs\n+x\n*** Update File: a.rs\n@@\n-x\n+y\n\
                 *** Update File: old.rs\n*** Move to: new.rs\n@@\n-x\n+y\n*** Delete File: gone.rs\n\
                 *** End Patch";
    let reads = |path: &str| {
        json!({
            "type": "tool_result", "call": path, "client": "opencode", "tool": "read",
            "input": { "filePath": path },
        })
    };
    let patches = json!({
        "type": "tool_result", "call": "p", "client": "opencode", "tool": "apply_patch",
        "input": { "patchText": patch },
    });
    observe(&mut session, [reads("old.rs"), reads("gone.rs"), patches]);
    let files = session.state().active_files.iter();
    let mut files: Vec<_> = files
        .map(|file| (file.path.as_str(), file.status))
        .collect();
    files.sort_by_key(|(path, _)| *path);
    let edited = |path| (path, FileStatus::Editing);
    let gone = ("gone.rs", FileStatus::Deleted);
    assert_eq!(
        files,
        [edited("a.rs"), gone, edited("n.rs"), edited("new.rs")]
    );
}

#[test]
fn a_report_may_say_what_a_call_does_in_no_clients_words() {
    let mut session = session();
    let report = json!({
        "type": "tool_result", "call": "c", "content": "error: no", "is_error": true,
        "actions": [{ "run": { "command": "make" } }],
    });
    observe(&mut session, [report]);
    let error = &session.state().errors[0];
    assert_eq!(
        (error.tool.as_deref(), error.target.as_deref()),
        (Some("Bash"), Some("make"))
    );
}

fn events(session: &Session<MemoryLog>) -> Vec<StoredEvent> {
    let mut events = Vec::new();
    let mut each = |event| {
        events.push(event);
        ControlFlow::Continue(())
    };
    session.log().read(session.id(), 1, &mut each).unwrap();
    events
}

fn frames(session: &Session<MemoryLog>) -> Vec<(u64, ContextFrame)> {
    let frame = |event: StoredEvent| match event.event {
        HudEvent::Context(ContextEvent::Frame(frame)) => Some((event.version, frame)),
        _ => None,
    };
    events(session).into_iter().filter_map(frame).collect()
}

/// Hands the frame of the state to the client, as a server does.
fn hand(session: &mut Session<MemoryLog>, placement: Placement, setup: &Setup) {
    let state = session.state();
    let shown = frame(state, None, placement, setup).unwrap();
    let kept = sent(&shown, state.version, None, placement, &setup.settings);
    session.hand(kept, at());
}

#[test]
fn what_a_client_was_handed_is_in_the_log_once_and_with_what_is_recorded_next() {
    let (mut session, setup) = (session(), Setup::default());
    hand(&mut session, Placement::MessageTail, &setup);
    session.record_handed().unwrap();
    assert_eq!(session.state().version, 0, "nothing begins a session so");
    observe(
        &mut session,
        [json!({ "type": "user", "text": "Add rate limits" })],
    );
    for _ in 0..3 {
        hand(&mut session, Placement::MessageTail, &setup);
    }
    assert_eq!(frames(&session).len(), 0, "nothing was recorded since");
    let before = session.state().version;
    observe(&mut session, [json!({ "type": "model_call" })]);
    let read = json!({ "type": "usage", "input": 100, "window": { "context": 32000 } });
    observe(&mut session, [read]);
    let kept = frames(&session);
    let versions: Vec<_> = kept.iter().map(|(at, kept)| (*at, kept.version)).collect();
    assert_eq!(versions, [(before + 1, before)]);
    // Another placement is another frame of the same state.
    hand(&mut session, Placement::SystemTail, &setup);
    session.record_handed().unwrap();
    let kept = frames(&session);
    assert_eq!(kept.len(), 2);
    assert_eq!(session.state().version, events(&session).len() as u64);
    for (_, kept) in kept {
        let placement = kept.placement.parse().unwrap();
        let state = state_at(session.log(), session.id(), Moment::Version(kept.version)).unwrap();
        assert!(is_of(
            &frame(&state, None, placement, &setup).unwrap(),
            &kept
        ));
        let later = session.state();
        let other = frame(later, None, placement, &setup).unwrap();
        assert_eq!(
            is_of(&other, &kept),
            kept.version == later.version - 1,
            "{kept:?}"
        );
    }
}

#[test]
fn what_says_only_what_changed_is_another_message_each_time() {
    let (mut session, text) = (session(), FrameText::of("# HUD: what changed\n"));
    observe(
        &mut session,
        [json!({ "type": "user", "text": "Add rate limits" })],
    );
    let changed = ContextFrame {
        version: 1,
        base: Some(1),
        placement: Placement::Delta.name().to_owned(),
        density: "full".to_owned(),
        bands: None,
        budget: None,
        system: None,
        message: text,
    };
    let nothing = ContextFrame {
        message: None,
        ..changed.clone()
    };
    for frame in [&changed, &nothing, &changed] {
        session.hand(frame.clone(), at());
    }
    session.record_handed().unwrap();
    session.record_handed().unwrap();
    let kept: Vec<_> = frames(&session)
        .into_iter()
        .map(|(_, frame)| frame)
        .collect();
    assert_eq!(kept, [changed.clone(), changed]);
}

#[test]
fn the_bands_and_the_budget_of_a_frame_are_in_the_log_where_they_were_set() {
    let mut setup = Setup::default();
    setup.settings.bands.compact_from = 10;
    setup.settings.budget.tokens = 300;
    let mut session = session();
    observe(
        &mut session,
        [json!({ "type": "user", "text": "Add rate limits" })],
    );
    hand(&mut session, Placement::Epoch, &setup);
    session.record_handed().unwrap();
    let (_, kept) = frames(&session).remove(0);
    assert_eq!(kept.bands.unwrap().compact_from, 10);
    let settings = made_with(&kept, &Setup::default().settings);
    assert_eq!(
        (settings.bands, settings.budget.limit()),
        (setup.settings.bands, Some(300))
    );
    let json = serde_json::to_value(&kept).unwrap();
    assert_eq!(json["placement"], "epoch");
    let plain = ContextFrame {
        bands: None,
        budget: None,
        ..kept
    };
    let json = serde_json::to_value(&plain).unwrap();
    assert_eq!(
        [json.get("bands"), json.get("budget"), json.get("base")],
        [None; 3]
    );
}

#[test]
fn what_a_person_puts_right_says_so_and_is_told_to_the_agent() {
    let mut session = session();
    observe(
        &mut session,
        [json!({ "type": "user", "text": "Add rate limits" })],
    );
    let shown = session.state().clone();
    let note = |text: &str| json!({ "tool": "notes.add", "args": { "content": text } });
    session.call(&note("by the agent"), at()).unwrap();
    session
        .call_by(&Actor::User, &note("by a person"), at())
        .unwrap();
    let actors: Vec<_> = events(&session)
        .into_iter()
        .map(|event| event.actor)
        .collect();
    assert_eq!(actors[actors.len() - 2..], [Actor::Agent, Actor::User]);
    let known = session.known(&shown, |_| None).unwrap();
    let known: Vec<_> = known.notes.iter().map(|note| &*note.content).collect();
    assert_eq!(
        known,
        ["by the agent"],
        "nobody said the other one in the conversation"
    );
}

#[test]
fn of_two_who_saw_the_same_one_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hud.db");
    let open = || {
        let log = SqliteLog::open(&path).unwrap();
        Session::open(log, SessionId::new("s").unwrap()).unwrap()
    };
    let note = |text: &str| json!({ "tool": "notes.add", "args": { "content": text } });
    let mut one = open();
    one.call(&note("first"), at()).unwrap();
    let mut other = open();
    let seen = one.state().version;
    // A reading of the context takes nothing from anybody.
    one.observe(
        &report(json!({ "type": "usage", "input": 100, "output": 20, "model": "m" })),
        at(),
    )
    .unwrap();
    assert!(one.state().version > seen);
    other
        .call_seen(&Actor::User, &note("second"), at(), seen)
        .unwrap();
    let refused = one.call_seen(&Actor::User, &note("third"), at(), seen);
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.contains("moved on") || refused.contains("where"),
        "{refused}"
    );
    one.catch_up().unwrap();
    let notes = one.state().notes.iter();
    let notes: Vec<_> = notes.map(|note| &*note.content).collect();
    assert_eq!(notes, ["first", "second"]);
    let ahead = one.call_seen(&Actor::User, &note("third"), at(), 1_000);
    assert!(ahead.is_err(), "nobody has seen what has not happened");
}

#[test]
fn what_a_person_pins_stays_until_it_is_free() {
    let mut session = session();
    let says = |text: &str| json!({ "type": "user", "text": text });
    let plan =
        "Here is my plan:\n\n1. Read `cache.rs`\n2. Add the tenant to the key\n3. Run the tests\n";
    observe(
        &mut session,
        [
            says("Add rate limits per tenant to the gateway"),
            json!({ "type": "model_call" }),
            json!({ "type": "agent", "text": plan }),
        ],
    );
    let plan = session.state().next_steps.clone();
    assert_eq!(plan.len(), 3);
    let pin =
        json!({ "tool": "task.pin", "args": { "description": "Rate limits, and nothing else" } });
    session.call_by(&Actor::User, &pin, at()).unwrap();
    observe(
        &mut session,
        [says("New task: write the release notes for version 2")],
    );
    let task = session.state().task.clone().unwrap();
    assert_eq!(task.description, "Rate limits, and nothing else");
    assert!(task.pinned && task.latest_request.is_some(), "{task:?}");
    assert_eq!(
        session.state().next_steps,
        plan,
        "the plan of a pinned task goes on"
    );
    for refused in [
        json!({ "tool": "task.set", "args": { "description": "x" } }),
        json!({ "tool": "task.update", "args": { "description": "x" } }),
        json!({ "tool": "section.update", "args": { "section": "task", "value": ["x"] } }),
    ] {
        let error = session.call(&refused, at()).unwrap_err();
        assert!(error.to_string().contains("task"), "{error}");
    }
    let free = json!({ "tool": "task.pin", "args": { "pinned": false } });
    session.call_by(&Actor::User, &free, at()).unwrap();
    let set = json!({ "tool": "task.set", "args": { "description": "Release notes" } });
    session.call(&set, at()).unwrap();
    let task = session.state().task.as_ref().unwrap();
    assert_eq!(task.description, "Rate limits, and nothing else");
    assert_eq!(task.restated.as_ref().unwrap().text, "Release notes");
}

#[test]
fn what_a_person_drops_is_not_derived_again() {
    let mut session = session();
    let says = json!({ "type": "user", "text": "Never commit anything to the main branch." });
    observe(&mut session, [says.clone()]);
    let rule = session.state().constraints.first().cloned().unwrap();
    let review = json!({ "tool": "review", "args": { "drop": [rule.id] } });
    session.call_by(&Actor::User, &review, at()).unwrap();
    assert_eq!(session.state().constraints, []);
    assert_eq!(session.state().dropped.len(), 1);
}
