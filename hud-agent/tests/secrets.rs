//! No key, token or password of a session is in its log or on its HUD.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ops::ControlFlow;
use std::sync::Arc;

use hud_agent::frame::frame;
use hud_agent::placement::Placement;
use hud_agent::session::Session;
use hud_agent::settings::{Secrets, Settings};
use hud_agent::setup::Setup;
use hud_observe::observation::Observation;
use hud_store::event::SessionId;
use hud_store::log::Log;
use hud_store::memory::MemoryLog;
use jiff::Timestamp;
use serde_json::{Value, json};

const SECRET: &str = "a8Kd0Qz7Lm3XpT5vRb1WnY9cJs2HfG6u";

/// The log and the HUD of a session in which a secret is wherever one can be.
fn session(secrets: Secrets) -> (String, String) {
    let mut settings = Settings::default();
    settings.derive.secrets = secrets;
    let id = SessionId::new("s").unwrap();
    let mut session = Session::open(MemoryLog::new(), id)
        .unwrap()
        .with_settings(Arc::new(settings));
    let key = format!("sk-ant-{SECRET}");
    let run = |command: String| json!({ "actions": [{ "run": { "command": command } }] });
    let failed = |actions: Value, content: String| {
        let mut result =
            json!({ "type": "tool_result", "call": "c", "content": content, "is_error": true });
        result
            .as_object_mut()
            .unwrap()
            .extend(actions.as_object().unwrap().clone());
        result
    };
    let step =
        json!({ "description": format!("log in with password={SECRET}"), "progress": "pending" });
    for report in [
        json!({ "type": "user", "text": format!("Use {key} to call the service, please") }),
        json!({ "type": "model_call" }),
        json!({ "type": "agent", "text": format!("The root cause is that `load()` in src/a.rs:1 reads token={SECRET}.") }),
        failed(
            run(format!("curl -H 'Authorization: Bearer {SECRET}' http://x")),
            format!("error: bad key {key}"),
        ),
        json!({ "type": "tool_call", "call": "p", "actions": [{ "set_plan": { "steps": [step] } }] }),
        json!({ "type": "tool_result", "call": "d", "actions": [{ "run": { "command": "push" } }],
                "is_error": true, "not_run": { "declined": { "said": format!("not with {key}") } } }),
        json!({ "type": "tool_result", "call": "e", "change": { "names": [key] },
                "actions": [{ "edit": { "path": "src/b.rs" } }] }),
        json!({ "type": "tool_result", "call": "w",
                "actions": [{ "write": { "path": "src/c.rs", "change": { "names": [key] } } }] }),
        json!({ "type": "output_leaves", "tool": "read", "target": format!("postgres://a:{SECRET}@db/x"),
                "content": format!("api_key = \"{SECRET}\"") }),
        json!({ "type": "compaction_begins" }),
        json!({ "type": "compaction_ends", "summary": format!("We log in with {key}.") }),
    ] {
        let report: Observation = hud_clients::report(report).unwrap().observation;
        session.observe(&report, Timestamp::UNIX_EPOCH).unwrap();
    }
    let note = json!({ "tool": "notes.add", "args": { "content": format!("the key is {key}") } });
    session.call(&note, Timestamp::UNIX_EPOCH).unwrap();
    let mut log = String::new();
    session
        .log()
        .read_all(1, &mut |event| {
            log += &format!("{:?}", event.event);
            ControlFlow::Continue(())
        })
        .unwrap();
    let frame = frame(
        session.state(),
        None,
        Placement::SystemTail,
        &Setup::default(),
    )
    .unwrap();
    (log, frame.system)
}

#[test]
fn what_is_secret_is_masked_before_it_is_in_the_log() {
    let (log, hud) = session(Secrets::Mask);
    assert!(!log.contains(SECRET), "{log}");
    assert!(!hud.contains(SECRET), "{hud}");
    for kept in ["Use sk-ant-… to call", "the key is sk-ant-…"] {
        assert!(hud.contains(kept), "{hud}");
    }
}

#[test]
fn secrets_are_kept_where_the_user_has_set_that() {
    let (log, _) = session(Secrets::Keep);
    assert!(log.matches(SECRET).count() > 8, "{log}");
}
