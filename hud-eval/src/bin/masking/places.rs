//! Puts texts into the places of a session, and finds the secrets that remain.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use hud_agent::frame::frame;
use hud_agent::placement::Placement;
use hud_agent::replay::Replay;
use hud_agent::session::Session;
use hud_agent::settings::{Secrets, Settings};
use hud_agent::setup::Setup;
use hud_clients::transcript::Entry;
use hud_components::text::visible;
use hud_observe::observation::Observation;
use hud_store::event::SessionId;
use hud_store::log::{Expected, Log};
use hud_store::memory::MemoryLog;
use hud_store::sqlite::SqliteLog;
use hud_store::state::HudState;
use jiff::Timestamp;
use serde_json::{Value, json};

pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// The places in which a text is reported, in the form of a client's report.
pub(crate) const PLACES: [&str; 14] = [
    "prompt",
    "agent's text",
    "command",
    "output",
    "error",
    "note",
    "decision",
    "file name",
    "query",
    "plan",
    "summary",
    "refusal",
    "kept output",
    "sub-agent's task",
];

/// A place in which a secret was found, or a text without a secret was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Leak {
    pub(crate) place: &'static str,
    pub(crate) found_in: &'static str,
}

/// Returns the reports that put a text in a place, in their order. A note and a decision are calls of the
/// `hud` tool.
fn reports(place: &str, text: &str) -> Vec<Value> {
    let said = |text: &str| json!({ "type": "user", "text": text });
    let result = |actions: Value, content: &str, is_error: bool| json!({ "type": "tool_result", "call": "c1", "actions": actions, "content": content, "is_error": is_error });
    let run = |command: &str| json!([{ "run": { "command": command } }]);
    let begun = [
        said("Fix the login, please."),
        json!({ "type": "model_call" }),
    ];
    let reported = match place {
        "prompt" => vec![said(text), json!({ "type": "model_call" })],
        "agent's text" => vec![json!({ "type": "agent", "text": text })],
        "command" => vec![
            result(run(text), "1 failed", true),
            result(run(text), "done", false),
        ],
        "output" => vec![result(run("make deploy"), text, false)],
        "error" => vec![result(
            run("make deploy"),
            &format!("error: deploy failed\n{text}\n"),
            true,
        )],
        "note" => vec![json!({ "tool": "notes.add", "args": { "content": text } })],
        "decision" => vec![
            json!({ "tool": "decisions.record", "args": { "summary": "log in so", "details": text } }),
        ],
        "file name" => vec![
            result(json!([{ "read": { "path": text } }]), "x", false),
            result(json!([{ "edit": { "path": text } }]), "x", false),
        ],
        "query" => vec![result(
            json!([{ "look": { "tool": "Grep", "target": text } }]),
            "no matches",
            true,
        )],
        "plan" => vec![result(
            json!([{ "set_plan": { "steps": [{ "description": text, "progress": "in_progress" }] } }]),
            "ok",
            false,
        )],
        "summary" => vec![
            json!({ "type": "compaction_begins" }),
            json!({ "type": "compaction_ends", "summary": format!("## Decisions\n- We log in so: {text}\n\n## Next\n- {text}") }),
        ],
        "refusal" => vec![
            json!({ "type": "tool_result", "call": "c1", "actions": run("make push"), "is_error": true,
                                  "not_run": { "declined": { "said": text } } }),
        ],
        "kept output" => vec![
            json!({ "type": "output_leaves", "tool": "Read", "target": text, "content": text }),
        ],
        _ => vec![result(
            json!([{ "delegate": { "tool": "Task", "target": text } }]),
            text,
            true,
        )],
    };
    begun.into_iter().chain(reported).collect()
}

fn name() -> Outcome<SessionId> {
    Ok(SessionId::new("s")?)
}

/// Records reports like a running client.
fn record<L: Log>(log: L, reports: &[Value], secrets: Secrets) -> Outcome<Session<L>>
where
    Session<L>: hud_agent::tool::Lookup,
{
    let mut settings = Settings::default();
    settings.derive.secrets = secrets;
    let mut session = Session::open(log, name()?)?.with_settings(Arc::new(settings));
    for report in reports {
        if report.get("type").is_none() {
            session.call(report, Timestamp::UNIX_EPOCH)?;
        } else {
            let observed: Observation = hud_clients::report(report.clone())?.observation;
            session.observe(&observed, Timestamp::UNIX_EPOCH)?;
        }
    }
    Ok(session)
}

/// Replays the same reports like a recording. Calls of the `hud` tool become tool results.
fn replay(reports: &[Value]) -> Outcome<(MemoryLog, HudState)> {
    let mut log = MemoryLog::new();
    let mut replay = Replay::new(name()?);
    for (report, place) in reports.iter().zip(1..) {
        let report = match report.get("type") {
            None => {
                json!({ "type": "tool_result", "call": "h", "actions": [{ "hud": { "call": report } }] })
            }
            Some(_) => report.clone(),
        };
        let entry = Entry {
            place,
            key: place.to_string(),
            at: None,
            bytes: 0,
            observation: hud_clients::report(report)?.observation,
        };
        let events = replay.observe(entry);
        log.append(&name()?, Expected::Any, &events)?;
    }
    Ok((log, replay.state().clone()))
}

/// Returns the texts of all events of a log and of the stored outputs, without JSON escapes.
pub(crate) fn events(log: &dyn Log) -> Outcome<Vec<String>> {
    let mut texts = Vec::new();
    log.lines(None, &mut |line| {
        match serde_json::from_str(line.payload.get()) {
            Ok(payload) => gather(&payload, &mut texts),
            Err(_) => texts.push(line.payload.get().to_owned()),
        }
        texts.extend(line.content);
        ControlFlow::Continue(())
    })?;
    Ok(texts)
}

fn gather(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| gather(value, texts)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            texts.push(key.clone());
            gather(value, texts);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// True if a text contains a secret, as it is or in its visible form.
fn has(text: &str, secret: &str) -> bool {
    text.contains(secret) || visible(text).contains(secret)
}

fn hud(state: &HudState) -> Outcome<String> {
    let shown = frame(state, None, Placement::SystemTail, &Setup::default())?;
    Ok(format!(
        "{}\n{}",
        shown.system,
        serde_json::to_string(state)?
    ))
}

/// Puts a text with a secret into each place, and returns the places where the secret is found afterwards.
/// `file` is the path of a new database, if its bytes are to be searched too.
pub(crate) fn leaks(form: &str, secret: &str, file: Option<&Path>) -> Outcome<Vec<Leak>> {
    let mut leaks = Vec::new();
    for place in PLACES {
        let reports = reports(place, form);
        let mut found = |found_in, texts: &[String]| {
            if texts.iter().any(|text| has(text, secret)) {
                leaks.push(Leak { place, found_in });
            }
        };
        let session = record(MemoryLog::new(), &reports, Secrets::Mask)?;
        found("the events", &events(session.log())?);
        found("the HUD", &[hud(session.state())?]);
        let (log, state) = replay(&reports)?;
        found("the events of a replay", &events(&log)?);
        found("the HUD of a replay", &[hud(&state)?]);
    }
    let Some(file) = file else {
        return Ok(leaks);
    };
    // One database contains all places.
    let all: Vec<Value> = PLACES
        .iter()
        .flat_map(|place| reports(place, form))
        .collect();
    drop(record(SqliteLog::open(file)?, &all, Secrets::Mask)?);
    let folder = file.parent().unwrap_or(Path::new("."));
    for entry in std::fs::read_dir(folder)? {
        let bytes = std::fs::read(entry?.path())?;
        if contains(&bytes, secret.as_bytes()) {
            leaks.push(Leak {
                place: "any",
                found_in: "the database",
            });
        }
    }
    Ok(leaks)
}

/// Puts a text without a secret into each place, and returns the places where masking changes the record.
pub(crate) fn changes(text: &str) -> Outcome<Vec<Leak>> {
    let mut changes = Vec::new();
    for place in PLACES {
        let reports = reports(place, text);
        let recorded = |secrets| -> Outcome<Vec<String>> {
            events(record(MemoryLog::new(), &reports, secrets)?.log())
        };
        if recorded(Secrets::Mask)? != recorded(Secrets::Keep)? {
            changes.push(Leak {
                place,
                found_in: "the events",
            });
        }
    }
    Ok(changes)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && bytes.windows(part.len()).any(|window| window == part)
}
