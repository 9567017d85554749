use hud_store::event::SessionId;
use hud_store::memory::MemoryLog;
use jiff::Timestamp;
use serde_json::json;

use super::*;
use crate::session::Session;

/// A session that calls are made in.
struct Made(Session<MemoryLog>);

impl Made {
    fn new() -> Self {
        let session = SessionId::new("s").unwrap();
        Self(Session::open(MemoryLog::new(), session).unwrap())
    }

    fn state(&self) -> HudState {
        self.0.state().clone()
    }

    fn try_call(&mut self, tool: &str, args: Value) -> Result<Value, ToolError> {
        let call = json!({ "tool": tool, "args": args });
        self.0.call(&call, Timestamp::UNIX_EPOCH)
    }

    fn call(&mut self, tool: &str, args: Value) -> Value {
        self.try_call(tool, args)
            .unwrap_or_else(|error| panic!("{tool}: {error}"))
    }

    fn refusal(&mut self, tool: &str, args: Value) -> String {
        let before = self.state();
        let error = self.try_call(tool, args).unwrap_err();
        assert_eq!(self.state(), before, "nothing is recorded");
        error.to_string()
    }
}

mod memory;
mod own;
mod review;

#[test]
fn items_are_numbered_and_no_number_comes_again() {
    let mut hud = Made::new();
    let id = |answer: Value| answer["id"].as_str().unwrap().to_owned();
    assert_eq!(id(hud.call("notes.add", json!({ "content": "a" }))), "n1");
    assert_eq!(id(hud.call("notes.add", json!({ "content": "b" }))), "n2");
    hud.call("notes.remove", json!({ "id": "n2" }));
    assert_eq!(id(hud.call("notes.add", json!({ "content": "c" }))), "n3");
    assert_eq!(
        id(hud.call("steps.add", json!({ "description": "d" }))),
        "s1"
    );
}

#[test]
fn every_noun_is_written_and_read() {
    let mut hud = Made::new();
    hud.call("task.set", json!({ "description": "auth" }));
    hud.call("task.update", json!({ "description": "auth with JWT" }));
    hud.call(
        "decisions.record",
        json!({ "summary": "JWT", "details": "stateless" }),
    );
    hud.call("notes.add", json!({ "content": "redis" }));
    hud.call("notes.update", json!({ "id": "n1", "content": "redis 7" }));
    for step in ["read", "write", "test", "rest"] {
        hud.call("steps.add", json!({ "description": step }));
    }
    hud.call("steps.start", json!({ "id": "s1" }));
    hud.call("steps.complete", json!({ "id": "s1" }));
    hud.call("steps.reorder", json!({ "ids": ["s3"] }));
    hud.call("steps.remove", json!({ "id": "s4" }));
    hud.call("blockers.add", json!({ "description": "no key" }));
    hud.call("findings.record", json!({ "text": "a slow disk" }));
    hud.call("files.add", json!({ "path": "a.rs" }));
    assert_eq!(
        hud.call("task.get", json!({}))["task"]["description"],
        "auth with JWT"
    );
    let list = |hud: &mut Made, noun: &str, field: &str| -> Vec<String> {
        let answer = hud.call(&format!("{noun}.list"), Value::Null);
        let items = answer[noun].as_array().unwrap();
        items
            .iter()
            .map(|item| item[field].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(list(&mut hud, "decisions", "details"), ["stateless"]);
    assert_eq!(list(&mut hud, "notes", "content"), ["redis 7"]);
    assert_eq!(list(&mut hud, "steps", "id"), ["s3", "s1", "s2"]);
    assert_eq!(list(&mut hud, "blockers", "id"), ["b1"]);
    assert_eq!(list(&mut hud, "findings", "id"), ["f1"]);
    assert_eq!(list(&mut hud, "files", "path"), ["a.rs"]);
    hud.call("decisions.remove", json!({ "id": "d1" }));
    hud.call("findings.remove", json!({ "id": "f1" }));
    hud.call("blockers.remove", json!({ "id": "b1" }));
    hud.call("files.remove", json!({ "path": "a.rs" }));
    let state = hud.call("snapshot", json!({}));
    assert_eq!(state["blockers"], json!([]));
    assert_eq!(state["notes"][0]["content"], "redis 7");
}

#[test]
fn saying_the_same_twice_records_it_once() {
    let mut hud = Made::new();
    for (tool, args) in [
        ("notes.add", json!({ "content": "redis" })),
        ("findings.record", json!({ "text": "a slow disk" })),
        ("decisions.record", json!({ "summary": "JWT" })),
        ("steps.add", json!({ "description": "read" })),
        ("blockers.add", json!({ "description": "no key" })),
    ] {
        let first = hud.call(tool, args.clone());
        let version = hud.state().version;
        let again = hud.call(tool, args);
        assert_eq!(
            (&again["id"], &again["unchanged"]),
            (&first["id"], &json!(true))
        );
        assert_eq!(hud.state().version, version);
    }
    hud.call(
        "decisions.record",
        json!({ "summary": "JWT", "details": "stateless" }),
    );
    assert_eq!(
        hud.state().decisions[0].details.as_deref(),
        Some("stateless")
    );
}

#[test]
fn a_wrong_call_says_what_is_wrong_and_how_it_is_right() {
    let mut hud = Made::new();
    insta::assert_snapshot!(hud.refusal("notes.add", json!({ "text": "a" })), @r#"`notes.add`: unknown field `text`, expected `content`. Its args are {"additionalProperties":false,"properties":{"content":{"description":"The note.","type":"string"}},"required":["content"],"type":"object"}, for example {"args":{"content":"Tests need redis on port 6379"},"tool":"notes.add"}"#);
    insta::assert_snapshot!(hud.refusal("notes.burn", json!({})), @r#"`hud` has no operation `notes.burn`: did you mean `notes.add`? For a list: {"tool": "help"}"#);
    insta::assert_snapshot!(hud.refusal("note_add", json!({})), @r#"`hud` has no operation `note_add`: did you mean `notes.add`? For a list: {"tool": "help"}"#);
    insta::assert_snapshot!(hud.refusal("notes.remove", json!({ "id": "n9" })), @"`notes.remove`: there is no note `n9`, and no other");
    hud.call("notes.add", json!({ "content": "a" }));
    insta::assert_snapshot!(hud.refusal("notes.remove", json!({ "id": "n9" })), @"`notes.remove`: there is no note `n9`: there are n1");
    insta::assert_snapshot!(hud.refusal("notes.add", json!({ "content": " \n" })), @"`notes.add`: `content` is empty: say something");
    insta::assert_snapshot!(hud.refusal("recall", json!({ "version": 99 })), @"`recall`: there is no event 99");
    let operations = Operations::built_in();
    for wrong in [
        json!("notes.add"),
        json!({}),
        json!([1]),
        json!({ "tool": 1 }),
    ] {
        let error = operations.call(&wrong).unwrap_err();
        assert!(
            error.to_string().starts_with("`hud` takes {\"tool\""),
            "{error}"
        );
    }
}

#[test]
fn an_operation_is_suggested_only_where_it_is_like_what_was_asked_for() {
    let mut hud = Made::new();
    let mut suggested = |name: &str| {
        let said = hud.refusal(name, json!({}));
        let (_, rest) = said.split_once("did you mean `")?;
        rest.split('`').next().map(ToOwned::to_owned)
    };
    for (asked, meant) in [
        ("note.ad", Some("notes.add")),
        ("notes_add", Some("notes.add")),
        ("step.complet", Some("steps.complete")),
        ("snapshots", Some("snapshot")),
        ("recal", Some("recall")),
        ("task.gets", Some("task.get")),
        ("banana", None),
        ("", None),
        ("rm -rf", None),
    ] {
        assert_eq!(suggested(asked).as_deref(), meant, "{asked}");
    }
}

#[test]
fn a_section_that_is_not_written_by_texts_says_what_to_do_instead() {
    let mut hud = Made::new();
    let update = |section: &str| json!({ "section": section, "value": ["a"] });
    insta::assert_snapshot!(hud.refusal("section.update", update("errors")), @"`section.update`: errors are recorded when a tool fails: mark one as mended with `errors.resolve`");
    insta::assert_snapshot!(hud.refusal("section.update", update("core_memory")), @"`section.update`: `core_memory` is not replaced as a whole: see its operations with `help`");
    hud.call("section.update", update("memory"));
    assert_eq!(hud.state().working_memory.pool[0].content, "a");
}

#[test]
fn a_list_answers_with_the_ids_that_are_there_and_no_more_are_taken_than_are_kept() {
    let mut hud = Made::new();
    let update = |section: &str, value: Vec<String>| json!({ "section": section, "value": value });
    let twice = ["one", "two", "one"].map(str::to_owned).to_vec();
    let answer = hud.call("section.update", update("decisions", twice));
    assert_eq!(answer["ids"], json!(["d1", "d2", "d1"]));
    assert_eq!(hud.state().decisions.len(), 2);
    let most = hud_store::section::NOTES_CAP;
    let notes = |count: usize| (0..count).map(|n| format!("note {n}")).collect();
    let refusal = hud.refusal("section.update", update("notes", notes(most + 5)));
    assert_eq!(
        refusal,
        "`section.update`: 25 are given, and no more than 20 are kept: leave out what matters least"
    );
    hud.call("section.update", update("notes", notes(most)));
    assert_eq!(hud.state().notes.len(), most);
}

#[test]
fn what_is_too_long_for_a_hud_is_refused_and_not_said_again() {
    let mut hud = Made::new();
    let long = "w".repeat(LONGEST);
    for (tool, args) in [
        ("notes.add", json!({ "content": long })),
        ("notes.add", json!({ long.as_str(): 1 })),
        ("notes.add", json!(long)),
        (long.as_str(), json!({})),
    ] {
        let refusal = hud.refusal(tool, args);
        assert!(
            refusal.contains("at most 65536 are taken"),
            "{refusal:.200}"
        );
        assert!(refusal.len() < 200, "{refusal:.200}");
    }
    let fits = "w".repeat(LONGEST - 100);
    hud.call("notes.add", json!({ "content": fits }));
}

#[test]
fn arguments_may_be_written_as_text() {
    let mut hud = Made::new();
    hud.call("notes.add", json!(r#"{"content":"redis"}"#));
    assert_eq!(hud.state().notes[0].content, "redis");
}

#[test]
fn a_section_is_replaced_and_cleared_at_once() {
    let mut hud = Made::new();
    let names = |hud: &Made| -> Vec<String> {
        hud.state()
            .next_steps
            .iter()
            .map(|step| format!("{} {}", step.id, step.description))
            .collect()
    };
    hud.call(
        "section.update",
        json!({ "section": "steps", "value": ["a", "b"] }),
    );
    hud.call(
        "section.update",
        json!({ "section": "nextSteps", "value": ["b", "c"] }),
    );
    assert_eq!(names(&hud), ["s2 b", "s3 c"]);
    hud.call(
        "section.update",
        json!({ "section": "task", "value": "auth" }),
    );
    for section in ["decisions", "findings", "notes", "files", "blockers"] {
        hud.call(
            "section.update",
            json!({ "section": section, "value": ["x"] }),
        );
    }
    hud.call("section.clear", json!({ "section": "steps" }));
    assert_eq!(names(&hud), Vec::<String>::new());
    assert!(hud.state().task.is_some());
    hud.call("section.clear", json!({}));
    let state = hud.state();
    assert!(state.task.is_none() && state.notes.is_empty() && state.decisions.is_empty());
    assert!(state.findings.is_empty());
    assert!(state.active_files.is_empty() && state.blockers.is_empty());
    assert!(
        hud.refusal(
            "section.update",
            json!({ "section": "task", "value": ["a", "b"] })
        )
        .contains("one task")
    );
}

#[test]
fn what_happened_is_shown_without_what_is_long() {
    let mut hud = Made::new();
    for n in 0..30 {
        hud.call("notes.add", json!({ "content": n.to_string() }));
    }
    let events = hud.call("history", json!({ "limit": 2 }));
    assert_eq!(events["events"][1]["payload"]["content"], "29");
    assert_eq!(events["events"].as_array().unwrap().len(), 2);
    assert_eq!(
        hud.call("recall", json!({ "version": 3 }))["payload"]["content"],
        "2"
    );
}

#[test]
fn every_operation_is_helped_with_and_its_example_does() {
    let mut hud = Made::new();
    let all = hud.call("help", json!({}));
    let operations = Operations::built_in();
    for entry in operations.all() {
        let help = hud.call("help", json!({ "for": entry.name }));
        assert_eq!(help["args"]["type"], "object", "{help}");
        assert!(!help["args"].to_string().contains("$ref"), "{help}");
        let example = entry.example();
        match hud.try_call(entry.name, example["args"].clone()) {
            // Nothing is there yet that it could be about.
            Ok(_) | Err(ToolError::Refused { .. }) => {}
            Err(error) => panic!("{}: {error}", entry.name),
        }
    }
    assert_eq!(all.as_object().unwrap().len(), operations.listed().count());
}

#[test]
fn the_definition_is_small_and_fits_every_provider() {
    let definition = Operations::built_in().definition();
    for definition in [definition.clone(), compact_definition()] {
        assert_eq!(definition.schema["type"], "object");
        for alternative in ["oneOf", "anyOf", "allOf", "$ref", "$schema"] {
            assert!(definition.schema.get(alternative).is_none());
        }
    }
    let written = json!({
        "name": definition.name,
        "description": definition.description,
        "parameters": definition.schema,
    });
    let bytes = written.to_string().len();
    assert!(bytes < 1_170, "the definition has {bytes} bytes");
}

#[test]
fn a_call_that_only_reads_records_nothing() {
    let mut hud = Made::new();
    hud.call("notes.add", json!({ "content": "a" }));
    let version = hud.state().version;
    let operations = Operations::built_in();
    let mut names = Vec::new();
    for entry in operations.listed() {
        let example = entry.example();
        if operations.only_reads(&example) && entry.name != "recall" {
            hud.call(entry.name, example["args"].clone());
            names.push(entry.name);
        }
    }
    assert_eq!(
        names.join(" "),
        "task.get requests.list constraints.list decisions.list findings.list notes.list steps.list blockers.list files.list errors.list \
         dependencies.list knowledge.get checks.list git.list \
         core_memory.read snapshot history search help outputs.list record.list sessions.list"
    );
    assert_eq!(hud.state().version, version);
}

#[test]
fn rules_are_kept_until_they_are_lifted_and_none_is_dropped() {
    let mut hud = Made::new();
    let ids: Vec<Value> = (0..hud_store::section::CONSTRAINTS_CAP)
        .map(|n| hud.call("constraints.add", json!({ "text": format!("rule {n}") }))["id"].clone())
        .collect();
    assert_eq!((&ids[0], &ids[1]), (&json!("c1"), &json!("c2")));
    let again = hud.call("constraints.add", json!({ "text": "rule 1" }));
    assert_eq!(again, json!({ "id": "c2", "unchanged": true }));
    let refusal = hud.refusal("constraints.add", json!({ "text": "one more" }));
    assert!(refusal.contains("lift one first"), "{refusal}");
    hud.call("constraints.lift", json!({ "id": "c1" }));
    hud.call("constraints.add", json!({ "text": "one more" }));
    let listed = hud.call("constraints.list", json!({}));
    assert_eq!(listed["constraints"][0]["text"], "rule 1");
    assert!(
        hud.refusal("constraints.lift", json!({ "id": "c1" }))
            .contains("no rule `c1`")
    );
    assert!(
        hud.refusal("requests.done", json!({ "id": "r1" }))
            .contains("no request `r1`")
    );
}

#[test]
fn a_refusal_shows_what_nobody_sees_in_what_it_repeats() {
    let mut hud = Made::new();
    hud.call("notes.add", json!({ "content": "redis" }));
    let unseen = "n1\u{200b}\u{202e}\u{e0041}é";
    let seen = "n1\\u{200b}\\u{202e}\\u{e0041}é";
    let note = |id: &str| json!({ "id": id, "content": "x" });
    for (tool, args) in [
        ("notes.update", note(unseen)),
        ("notes.remove", json!({ "id": unseen })),
        ("steps.start", json!({ "id": unseen })),
        ("errors.resolve", json!({ "id": unseen })),
        ("notes.remove", json!({ unseen: 1 })),
        ("section.clear", json!({ "section": unseen })),
        ("help", json!({ "for": unseen })),
        ("sessions.resume", json!({ "session": unseen })),
        (unseen, json!({})),
    ] {
        let refusal = hud.refusal(tool, args);
        assert!(refusal.contains(seen), "{tool}: {refusal}");
        assert_eq!(hud_components::text::visible(&refusal), refusal, "{tool}");
    }
    let note = "notes\u{200b}.remove";
    let refusal = hud.refusal(note, json!({}));
    assert!(refusal.contains("did you mean `notes.remove`"), "{refusal}");
}

#[test]
fn a_turn_of_the_record_is_listed_in_as_many_calls_as_it_needs() {
    use hud_store::event::{Actor, EventId, RecordMessage, StoredEvent};
    use hud_store::fold::fold;
    use hud_store::state::Speaker;

    let said = |turn, text: String| StoredEvent {
        seq: turn,
        session: SessionId::new("s").unwrap(),
        version: turn,
        id: EventId::now_v7(),
        turn,
        at: Timestamp::UNIX_EPOCH,
        actor: Actor::Derived,
        cause: None,
        event: RecordMessage {
            by: Speaker::Agent,
            text,
            about: None,
            retracts: None,
        }
        .into(),
    };
    let mut state = HudState::default();
    for at in 0..12 {
        state = fold(state, &said(3, format!("{at} {}", "word ".repeat(1_000))));
    }
    state = fold(state, &said(4, "done".into()));
    let list = |args: Value| {
        let operations = Operations::built_in();
        let call = json!({ "tool": "record.list", "args": args });
        operations.call(&call)?.read(&state, &NoLookup)
    };
    let mut texts = Vec::new();
    let mut skip = 0;
    loop {
        let answer = list(json!({ "turn": 3, "skip": skip })).unwrap();
        assert!(answer.to_string().len() < 32 * 1024);
        texts.extend(answer["entries"].as_array().unwrap().clone());
        match answer["skip"].as_u64() {
            Some(next) => skip = next,
            None => break,
        }
    }
    assert_eq!(texts.len(), 12);
    let both = list(json!({ "turn": 4, "until": 9 })).unwrap();
    assert_eq!(
        both["entries"],
        json!([{ "turn": 4, "fact": "message", "by": "agent", "text": "done" }])
    );
    let refused = list(json!({ "turn": 7 })).unwrap_err().to_string();
    assert!(refused.contains("turns 3 to 4"), "{refused}");
}
