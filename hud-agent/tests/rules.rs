//! Each rule of deriving can be left out, and says something where it is not.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_agent::replay::Replay;
use hud_agent::settings::Rule;
use hud_agent::setup::Setup;
use hud_clients::transcript::Entry;
use hud_observe::observation::Observation;
use hud_store::event::SessionId;
use serde_json::{Value, json};

/// A session in which every rule has something to say.
fn session() -> Vec<Observation> {
    let mut calls = 0;
    let mut seen: Vec<Value> = Vec::new();
    let user = |text: &str| vec![json!({ "type": "user", "text": text })];
    let agent = |text: &str| {
        vec![
            json!({ "type": "model_call" }),
            json!({ "type": "agent", "text": text }),
        ]
    };
    let mut called = |action: Value, content: &str, not_run: Value| {
        calls += 1;
        let is_error = !not_run.is_null();
        vec![
            json!({ "type": "model_call" }),
            json!({
                "type": "tool_result", "call": format!("c{calls}"), "actions": [action],
                "content": content, "is_error": is_error, "not_run": not_run,
            }),
        ]
    };
    let run = |command: &str| json!({ "run": { "command": command } });
    seen.extend(user(
        "Mend the parser in lex.rs. Never commit. Tasks:\n1. Read tabs as spaces\n2. Keep the comments",
    ));
    seen.extend(agent("Which version should it be for?"));
    seen.extend(user("The stable one from May"));
    seen.extend(agent(
        "Found it: the root cause is that `next()` in `lex.rs:40` never ends. Shall I rewrite `next()`?",
    ));
    seen.extend(user("yes"));
    let look = json!({ "look": { "tool": "Grep", "target": "fn next" } });
    seen.extend(called(
        look,
        "src/lex.rs:40:fn next(&mut self)\n",
        Value::Null,
    ));
    let other = json!({ "other": { "tool": "create_issue", "target": "7" } });
    seen.extend(called(other, "ok", Value::Null));
    let declined = json!({ "declined": { "said": "not now, I will tell you" } });
    seen.extend(called(run("make"), "", declined));
    seen.extend(called(
        run("cargo test 2>&1 | tail -5"),
        "test lex::tabs ... FAILED\n\nfailures:\n    lex::tabs\n\ntest result: FAILED. 3 passed; 1 failed;",
        Value::Null,
    ));
    seen.extend(called(
        run("git checkout -b mend"),
        "Switched to a new branch 'mend'",
        Value::Null,
    ));
    seen.extend(called(run("rm src/old.rs"), "", Value::Null));
    seen.extend(agent(
        "My plan:\n\n1. Rewrite `next()`\n2. Run the tests\n3. Write the docs",
    ));
    seen.extend(called(run("make"), "", Value::Null));
    seen.extend(user("The login page still crashes when I open it."));
    seen.extend(agent("Fixed: `next()` ends now."));
    seen.extend(user(
        "error[E0425]: cannot find value `y` in this scope\n --> src/b.rs:9:5\nerror: could not compile `b`",
    ));
    seen.extend(agent("Fixed that. All is done."));
    seen.extend(user("Bump the version of the crate"));
    let hud = json!({ "hud": { "call": { "tool": "findings.record", "args": {
        "text": "the root cause is that next() in lex.rs:40 never ends",
    } } } });
    seen.extend(called(hud, "{}", Value::Null));
    let summary = "## Goal\nShip the lexer\n## Findings\n- `peek()` in `lex.rs:90` copies\n";
    seen.push(json!({ "type": "compaction_ends", "summary": summary }));
    seen.into_iter()
        .map(|seen| hud_clients::report(seen).unwrap().observation)
        .collect()
}

/// What is derived of it without some rules, an event on each line.
fn derived(without: &[Rule]) -> String {
    let mut setup = Setup::default();
    setup.settings.derive.without.extend(without);
    let mut replay = Replay::new(SessionId::new("s").unwrap()).with(&setup);
    let mut events = Vec::new();
    for (place, observation) in (1..).zip(session()) {
        let entry = Entry {
            place,
            key: format!("{place}"),
            at: None,
            bytes: 0,
            observation,
        };
        let new = replay.observe(entry).into_iter();
        events.extend(new.map(|event| format!("{} {:?}", event.event.kind(), event.event)));
    }
    events.join("\n")
}

#[test]
fn each_rule_says_something_that_is_not_there_without_it() {
    let whole = derived(&[]);
    assert_eq!(derived(&[]), whole);
    for rule in Rule::ALL {
        assert_ne!(derived(&[rule]), whole, "{}", rule.name());
    }
}

#[test]
fn a_rule_that_is_left_out_takes_none_of_the_others_along() {
    let without = derived(&[Rule::Checks]);
    assert!(!without.contains("check.run"), "{without}");
    for kind in [
        "constraint.add",
        "finding.record",
        "repository.branch",
        "file.delete",
    ] {
        assert!(without.contains(kind), "{kind}: {without}");
    }
    let without = derived(&[Rule::Constraints]);
    assert!(!without.contains("constraint.add"), "{without}");
    assert!(without.contains("check.run") && without.contains("request.make"));
}
