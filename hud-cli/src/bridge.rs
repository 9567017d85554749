//! `hud bridge`: JSON-RPC as JSON Lines, for plugins that run in a client's process.
//!
//! Each request and each answer is one line, and answers keep the order of the requests. Protocol 1:
//!
//! | method | params | result |
//! | --- | --- | --- |
//! | `hello` | `protocol` | `protocol`, `version`, `deadline` in milliseconds, `entry`: true if outputs go to `enter` first, `tools`: name, description and JSON Schema of each |
//! | `begin` | `session`, `parent`, `resumes`, `project` | `{}` |
//! | `observe` | `session`, `reports` | `version`, `overflow`: true if the client has to compact now; `refused`: the `report` and the reason `why` of each invalid report, if any |
//! | `call` | `session`, `input` | `answer`, or `refusal`: text for the agent |
//! | `frame` | `session`, `placement`, `provider`, `model`, `keeps`: true if the client keeps messages | `system`, `message`, `placement`, `breakpoints`: `system`, `conversation`; `band`: how full the context is |
//! | `frame` | `session`, `format` | `text`: the whole HUD in this format; `format`, `band` |
//! | `advice` | `session` | `text`: how full the context is and how to free some of it; empty if there is room |
//! | `follow` | `session`, `names`, `whole` | `restored`: true if the session's state was restored |
//! | `trim` | `session`, `messages` | `from`, `request`, `placeholders`: call and text of each, `leaving`: calls |
//! | `enter` | `session`, `tool`, `content` | `text`: what the model reads instead, or null |
//! | `compacting` | `session`, `trigger` | `context`: text for the compaction's prompt, `hud`: the whole HUD |
//!
//! A report is an [`Observation`](hud_observe::observation::Observation) with an optional `at`, the time at
//! which it was made ([`Reported`]). A message is a [`Message`], and the result of `trim` is a [`Trimmed`]. A
//! request can have an `at` next to its `params`, which is the time at which it was made.
//!
//! A request that fails is answered with an error, and the next request is served. A request without `id` has
//! no answer. Its newest reports can be lost if the power fails, but not if a process ends.

mod served;

use std::io;

use hud_agent::compaction::{Message, Trimmed, continuity};
#[cfg(feature = "formats")]
use hud_agent::format::Format;
use hud_agent::placement::{Choice, Placement};
use hud_agent::tool::{Definition, compact_definition};
use hud_observe::reported::{Reported, time};
use hud_store::event::SessionId;
use hud_store::log::Conversation;
use hud_store::state::{ContextUsage, Origin};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use self::served::serve;
use crate::app::App;
use crate::args::Bridge;
use crate::hub::{Asked, Hub, HubError, Placed};
use crate::outbox::Stamp;
use crate::output::{self, Failure};

/// The version of the protocol.
const PROTOCOL: u64 = 1;

pub(crate) fn run(args: &Bridge, app: &App) -> Result<(), Failure> {
    let (hub, time) = args.served.hub(app)?;
    #[cfg(feature = "postgres")]
    let _pushing = crate::fleet::background::begin(&hub);
    Ok(serve(
        hub,
        time,
        Box::new(io::stdin()),
        Box::new(io::stdout()),
    )?)
}

/// Returns the answer to a request that is kept in the outbox.
fn kept(method: &str, version: Option<u64>, why: &str) -> Value {
    match method {
        "call" => json!({ "answer": { "kept": why } }),
        "observe" => json!({ "version": version.unwrap_or(0), "overflow": false, "kept": true }),
        _ => json!({ "kept": true }),
    }
}

#[derive(Deserialize)]
#[serde(expecting = "an object with `id`, `method` and `params`")]
struct Request {
    #[serde(default)]
    id: Value,
    method: String,
    #[serde(default)]
    params: Value,
    /// The time at which the request was made, if the client reports it.
    #[serde(default, deserialize_with = "time")]
    at: Option<Timestamp>,
}

/// The error that a request is answered with.
struct Refused {
    code: i32,
    message: String,
}

/// Renders the whole HUD in a format, for programs and people.
#[cfg(feature = "formats")]
fn written(hub: &mut Hub, session: &SessionId, format: &str) -> Result<Value, Refused> {
    let format = format.parse::<Format>().map_err(|message| Refused {
        code: -32602,
        message,
    })?;
    let (text, band) = hub.formatted(session, format)?;
    Ok(json!({ "text": text, "format": format.name(), "band": band.name() }))
}

/// Refuses every format, since this build includes none.
#[cfg(not(feature = "formats"))]
fn written(_: &mut Hub, _: &SessionId, _: &str) -> Result<Value, Refused> {
    Err(Refused {
        code: -32602,
        message: "this program was built without other formats than markdown: leave `format` out"
            .to_owned(),
    })
}

impl From<HubError> for Refused {
    fn from(error: HubError) -> Self {
        Self {
            code: -32000,
            message: error.to_string(),
        }
    }
}

fn error(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[derive(Deserialize)]
struct Hello {
    protocol: u64,
}

#[derive(Deserialize)]
struct Begin {
    session: SessionId,
    #[serde(flatten)]
    origin: Origin,
}

#[derive(Deserialize)]
struct Observe {
    session: SessionId,
    reports: Reports,
}

/// The reports of a request. An invalid report does not discard the valid ones.
struct Reports {
    read: Vec<Reported>,
    refused: Vec<NoReport>,
}

/// A report that is invalid.
#[derive(Clone, Debug, Serialize)]
struct NoReport {
    /// The index of the report in the request, from 0.
    report: usize,
    why: String,
}

impl<'de> Deserialize<'de> for Reports {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (mut read, mut refused) = (Vec::new(), Vec::new());
        let reports = Vec::<Value>::deserialize(deserializer)?;
        for (nth, report) in reports.into_iter().enumerate() {
            match hud_clients::report(report) {
                Ok(report) => read.push(report),
                Err(error) => refused.push(NoReport {
                    report: nth,
                    why: error.to_string(),
                }),
            }
        }
        match refused.first() {
            Some(first) if read.is_empty() => {
                let NoReport { report, why } = first;
                let wrong = format!("`reports[{report}]` is no report: {why}");
                Err(serde::de::Error::custom(wrong))
            }
            _ => Ok(Self { read, refused }),
        }
    }
}

#[derive(Deserialize)]
struct Call {
    session: SessionId,
    input: Value,
}

#[derive(Deserialize)]
struct Frame {
    session: SessionId,
    #[serde(default)]
    placement: Option<String>,
    /// True if the client keeps the frames in the conversation.
    #[serde(default)]
    keeps: bool,
    #[serde(default)]
    provider: Option<String>,
    #[serde(default)]
    model: Option<String>,
    /// The format of the HUD, if it is not for the model.
    #[serde(default)]
    format: Option<String>,
}

#[derive(Deserialize)]
struct Follow {
    session: SessionId,
    names: Vec<String>,
    whole: bool,
}

#[derive(Deserialize)]
struct Trim {
    session: SessionId,
    messages: Vec<Message>,
}

#[derive(Deserialize)]
struct Enter {
    session: SessionId,
    tool: String,
    content: String,
}

#[derive(Deserialize)]
struct Advice {
    session: SessionId,
}

#[derive(Deserialize)]
struct Compacting {
    session: SessionId,
    #[serde(default)]
    trigger: Option<String>,
}

fn params<T: DeserializeOwned>(mut params: Value) -> Result<T, Refused> {
    // Session names are recorded with each event, so secrets in them are masked.
    for name in ["session", "resumes", "parent", "project", "forks"] {
        if let Some(Value::String(name)) = params.get_mut(name) {
            hud_secret::mask_text(name);
        }
    }
    serde_json::from_value(params).map_err(|fault| Refused {
        code: -32602,
        message: fault.to_string(),
    })
}

/// The result of a request.
enum Answer {
    /// A frame. It is the most frequent result, so it is serialized without a copy.
    Frame(Placed),
    Other(Value),
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Frame(placed) => {
                let breakpoints: Vec<&str> = { placed.breakpoints.iter() }
                    .map(|place| place.name())
                    .collect();
                let mut answer = serializer.serialize_struct("Frame", 5)?;
                answer.serialize_field("band", placed.band.name())?;
                answer.serialize_field("breakpoints", &breakpoints)?;
                answer.serialize_field("message", &placed.frame.message)?;
                answer.serialize_field("placement", placed.placement.name())?;
                answer.serialize_field("system", &placed.frame.system)?;
                answer.end()
            }
            Self::Other(answer) => answer.serialize(serializer),
        }
    }
}

fn result(
    hub: &mut Hub,
    method: &str,
    given: Value,
    stamp: Stamp,
    is_awaited: bool,
) -> Result<Answer, Refused> {
    match method {
        "frame" => framed(hub, params(given)?),
        _ => other(hub, method, given, stamp, is_awaited).map(Answer::Other),
    }
}

fn framed(hub: &mut Hub, asked: Frame) -> Result<Answer, Refused> {
    let Frame {
        session,
        placement,
        keeps,
        provider,
        model,
        format,
    } = asked;
    if let Some(format) = format {
        return written(hub, &session, &format).map(Answer::Other);
    }
    let placement = placement.map(|name| {
        name.parse::<Choice>().map_err(|fault| Refused {
            code: -32602,
            message: format!("{fault}"),
        })
    });
    // A client that requests a delta keeps it in the conversation.
    let placement = placement.transpose()?;
    let asked = Asked {
        keeps: keeps || placement == Some(Choice::Is(Placement::Delta)),
        placement,
        provider,
        model,
        is_for_model: true,
    };
    Ok(Answer::Frame(hub.frame(&session, &asked)?))
}

/// The result of a request for anything but a frame.
fn other(
    hub: &mut Hub,
    method: &str,
    given: Value,
    stamp: Stamp,
    is_awaited: bool,
) -> Result<Value, Refused> {
    match method {
        "hello" => {
            let Hello { protocol } = params(given)?;
            if protocol != PROTOCOL {
                return Err(Refused {
                    code: -32602,
                    message: format!("this program speaks protocol {PROTOCOL}, not {protocol}"),
                });
            }
            Ok(json!({
                "protocol": PROTOCOL,
                "version": env!("CARGO_PKG_VERSION"),
                "deadline": hub.settings().deadline,
                "entry": hub.settings().prune.entry,
                "tools": [declared(&hub.operations().definition()), declared(&compact_definition())],
            }))
        }
        "begin" => {
            let Begin { session, origin } = params(given)?;
            match hub.begin(&session, &origin, stamp) {
                Ok(()) => Ok(json!({})),
                Err(HubError::Kept(why)) => Ok(kept(method, None, &why.to_string())),
                Err(error) => Err(error.into()),
            }
        }
        "observe" => {
            let Observe { session, reports } = params(given)?;
            let Reports { read, refused } = reports;
            for NoReport { report, why } in &refused {
                output::problem(format_args!(
                    "`reports[{report}]` was not recorded, it is no report: {why}"
                ));
            }
            let mut answer = match hub.observe(&session, read, stamp, is_awaited) {
                Ok(state) => {
                    let context = state.context.as_ref();
                    json!({
                        "version": state.version,
                        "overflow": context.is_some_and(ContextUsage::is_overflow),
                    })
                }
                Err(HubError::Kept(why)) => kept(method, hub.version(&session), &why.to_string()),
                Err(error) => return Err(error.into()),
            };
            if !refused.is_empty() {
                answer["refused"] = json!(refused);
            }
            Ok(answer)
        }
        "call" => {
            let Call { session, input } = params(given)?;
            match hub.call(&session, &input, None, stamp) {
                Ok(answer) => Ok(json!({ "answer": answer })),
                Err(error @ HubError::Kept(_)) => Ok(kept(method, None, &error.to_string())),
                // An invalid call is an error for the agent, not for the client.
                Err(HubError::Tool(refusal)) => Ok(json!({ "refusal": refusal.to_string() })),
                Err(error) => Err(error.into()),
            }
        }
        "follow" => {
            let Follow {
                session,
                names,
                whole,
            } = params(given)?;
            let conversation = Conversation::new(names.iter().map(String::as_str), whole);
            Ok(json!({ "restored": hub.follow(&session, &conversation, stamp)? }))
        }
        "trim" => {
            let Trim { session, messages } = params(given)?;
            Ok(stays(&hub.trim(&session, &messages, stamp)?))
        }
        "enter" => {
            let Enter {
                session,
                tool,
                content,
            } = params(given)?;
            Ok(json!({ "text": hub.enter(&session, &tool, &content, stamp)? }))
        }
        "advice" => {
            let Advice { session } = params(given)?;
            Ok(json!({ "text": hub.advice(&session)? }))
        }
        "compacting" => {
            let Compacting { session, trigger } = params(given)?;
            let hud = hub.compacting(&session, trigger, stamp)?;
            Ok(json!({ "context": continuity(&hud), "hud": hud }))
        }
        _ => Err(Refused {
            code: -32601,
            message: format!("there is no method `{method}`"),
        }),
    }
}

fn stays(trimmed: &Trimmed<'_>) -> Value {
    let placeholders = trimmed
        .placeholders
        .iter()
        .map(|(call, placeholder)| json!({ "call": call, "text": placeholder.to_string() }));
    json!({
        "from": trimmed.from,
        "request": trimmed.request,
        "placeholders": placeholders.collect::<Vec<_>>(),
        "leaving": trimmed.leaving,
    })
}

fn declared(definition: &Definition) -> Value {
    json!({
        "name": definition.name,
        "description": definition.description,
        "parameters": definition.schema,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use hud_agent::setup::Setup;
    use proptest::prelude::*;

    use super::served::LONGEST;
    use super::*;
    use crate::location::Location;
    use crate::odd::any_json;

    #[test]
    fn each_name_of_a_session_has_its_secrets_masked() {
        let name = "rotate password=a8Kd0Qz7Lm3XpT5v";
        let begin = json!({
            "session": name, "resumes": name, "parent": name, "project": name, "forks": name,
        });
        let Begin { session, origin } = params(begin).ok().unwrap();
        let Origin {
            resumes,
            parent,
            project,
            forks,
        } = origin;
        for name in [Some(session), resumes, parent, project, forks] {
            assert_eq!(name.unwrap().as_str(), "rotate password=…");
        }
    }

    /// The answers of the server.
    #[derive(Clone, Default)]
    struct Said(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Said {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn talk(requests: &[u8]) -> Vec<Value> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("hud.db");
        let location = Location::of(Some(&path), directory.path()).unwrap();
        let time = Duration::from_secs(60);
        let mut setup = Setup::default();
        setup.settings.fast = true;
        let hub = Hub::new(setup.into(), location);
        let said = Said::default();
        let input = Box::new(io::Cursor::new(requests.to_owned()));
        serve(hub, time, input, Box::new(said.clone())).unwrap();
        let text = String::from_utf8(said.0.lock().unwrap().clone()).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// True if an answer matches the expected one, in which `…` matches anything.
    fn is_expected(expected: &Value, got: &Value) -> bool {
        match (expected, got) {
            (Value::String(text), _) if text == "…" => true,
            (Value::Array(expected), Value::Array(got)) => {
                expected.len() == got.len()
                    && expected.iter().zip(got).all(|(a, b)| is_expected(a, b))
            }
            (Value::Object(expected), Value::Object(got)) => {
                expected.len() == got.len()
                    && expected.iter().all(|(key, expected)| {
                        got.get(key).is_some_and(|got| is_expected(expected, got))
                    })
            }
            _ => expected == got,
        }
    }

    #[test]
    fn the_protocol_is_as_its_description_has_it() {
        let text = include_str!("../../docs/bridge.md");
        let lines = |mark| {
            text.lines()
                .filter_map(move |line: &str| line.strip_prefix(mark))
        };
        let requests = lines("> ").fold(String::new(), |all, line| all + line + "\n");
        let mut expected = lines("< ").map(|line| serde_json::from_str::<Value>(line).unwrap());
        for mut got in talk(requests.as_bytes()) {
            assert_eq!(
                got.as_object_mut().unwrap().remove("jsonrpc"),
                Some(json!("2.0"))
            );
            let expected = expected.next().unwrap();
            assert!(
                is_expected(&expected, &got),
                "expected: {expected}\ngot: {got}"
            );
        }
        assert_eq!(expected.next(), None);
    }

    #[cfg(feature = "formats")]
    #[test]
    fn a_frame_is_written_in_the_format_that_is_asked_for() {
        let frame = |format: &str| {
            let params = json!({ "session": "s", "format": format });
            json!({ "id": 1, "method": "frame", "params": params }).to_string()
        };
        let task = r#"{"id":1,"method":"call","params":{"session":"s","input":{"tool":"task.set","args":{"description":"Fix it"}}}}"#;
        let asked = [task, &frame("xml"), &frame("yaml")].join("\n") + "\n";
        let answers = &talk(asked.as_bytes())[1..];
        let result = &answers[0]["result"];
        assert_eq!(
            result["text"],
            "<hud>\n  <task>Fix it (agent)</task>\n</hud>\n"
        );
        assert_eq!([&result["format"], &result["band"]], ["xml", "green"]);
        let message = answers[1]["error"]["message"].as_str().unwrap();
        assert!(message.contains("graphml"), "{message}");
    }

    #[test]
    fn a_session_is_served_from_hello_to_its_frame() {
        let answers = talk(
            br#"{"id":1,"method":"hello","params":{"protocol":1}}
{"id":2,"method":"observe","params":{"session":"s","reports":[{"type":"user","text":"Add rate limits"},{"type":"model_call"}]}}
{"id":3,"method":"call","params":{"session":"s","input":{"tool":"notes.add","args":{"content":"redis"}}}}
{"id":4,"method":"call","params":{"session":"s","input":{"tool":"notes.ad"}}}
{"method":"observe","params":{"session":"s","reports":[{"type":"usage","input":9000,"window":{"context":32000}}]}}
{"id":5,"method":"frame","params":{"session":"s"}}
{"id":6,"method":"compacting","params":{"session":"s","trigger":"auto"}}
"#,
        );
        assert_eq!(answers.len(), 6);
        assert_eq!(answers[0]["result"]["tools"][0]["name"], "hud");
        assert_eq!(answers[2]["result"]["answer"], json!({ "id": "n1" }));
        assert!(
            answers[3]["result"]["refusal"]
                .as_str()
                .unwrap()
                .contains("did you mean")
        );
        assert_eq!(
            answers[4]["result"]["system"],
            "# Task\n\nAdd rate limits\n"
        );
        let message = answers[4]["result"]["message"].as_str().unwrap();
        assert!(
            message.contains("25% (~8k/32k)") && message.contains("- redis"),
            "{message}"
        );
        assert!(
            answers[5]["result"]["context"]
                .as_str()
                .unwrap()
                .contains("redis")
        );
    }

    #[test]
    fn only_changes_are_shown_where_the_client_keeps_what_it_is_given() {
        let frame = r#"{"id":1,"method":"frame","params":{"session":"s","placement":"delta"}}"#;
        let note = r#"{"id":1,"method":"call","params":{"session":"s","input":{"tool":"notes.add","args":{"content":"redis"}}}}"#;
        let usage = r#"{"id":1,"method":"observe","params":{"session":"s","reports":[{"type":"usage","input":30000,"window":{"context":100000}}]}}"#;
        let talked = [frame, note, frame, usage, frame, frame].join("\n") + "\n";
        let answers = talk(talked.as_bytes());
        let message = |at: usize| {
            answers[at]["result"]["message"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        assert_eq!(message(0), "", "there is nothing yet");
        assert_eq!(message(2), "", "the agent has written it");
        assert_eq!(message(4), "# HUD: what changed\n\n- **context**: 30%\n");
        assert_eq!(message(5), "");
    }

    #[test]
    fn what_was_undone_is_taken_back_and_a_fork_has_what_its_original_had() {
        let noted = |session: &str, cause: &str| {
            format!(
                r#"{{"method":"observe","params":{{"session":"{session}","reports":[{{"type":"cause","name":"{cause}"}}]}}}}
{{"id":1,"method":"call","params":{{"session":"{session}","input":{{"tool":"notes.add","args":{{"content":"of {cause}"}}}}}}}}
"#
            )
        };
        let follow = |session: &str, names: Value| {
            let params = json!({ "session": session, "names": names, "whole": true });
            format!(
                "{}
",
                json!({ "id": 2, "method": "follow", "params": params })
            )
        };
        let frame = |session: &str| {
            let params = json!({ "session": session });
            format!(
                "{}
",
                json!({ "id": 3, "method": "frame", "params": params })
            )
        };
        let answers = talk(
            [
                noted("s", "m1"),
                noted("s", "m2"),
                follow("s", json!(["m1", "m2"])),
                follow("s", json!(["m1"])),
                frame("s"),
                follow("t", json!(["m1", "m3"])),
                frame("t"),
            ]
            .concat()
            .as_bytes(),
        );
        let restored: Vec<_> = answers
            .iter()
            .filter_map(|answer| answer["result"]["restored"].as_bool())
            .collect();
        assert_eq!(restored, [false, true, true]);
        for at in [4, 6] {
            let shown = answers[at]["result"]["message"].as_str().unwrap();
            assert!(
                shown.contains("of m1") && !shown.contains("of m2"),
                "{shown}"
            );
        }
    }

    #[test]
    fn what_tools_said_leaves_the_conversation_and_is_recalled() {
        let output = |call: &str| json!([{ "call": call, "tool": "read", "chars": 160_000 }]);
        let mut messages = vec![
            json!({ "id": "m1", "role": "user" }),
            json!({ "id": "m2", "role": "assistant", "outputs": output("c1") }),
        ];
        messages.extend((3..13).map(|n| json!({ "id": format!("m{n}"), "role": "assistant" })));
        messages.push(json!({ "id": "m13", "role": "assistant", "outputs": output("c2") }));
        let trim = json!({
            "id": 1, "method": "trim", "params": { "session": "s", "messages": messages },
        });
        let leaves = r#"{"id":2,"method":"observe","params":{"session":"s","reports":[{"type":"output_leaves","call":"c1","tool":"read","content":"long"}]}}"#;
        let recall = r#"{"id":3,"method":"call","params":{"session":"s","input":{"tool":"recall","args":{"version":1}}}}"#;
        let answers = talk(format!("{trim}\n{leaves}\n{leaves}\n{trim}\n{recall}\n").as_bytes());
        assert_eq!(answers[0]["result"]["leaving"], json!(["c1"]));
        assert_eq!(answers[2]["result"]["version"], 1, "kept once");
        let placeholders = &answers[3]["result"]["placeholders"];
        assert!(
            placeholders[0]["text"]
                .as_str()
                .unwrap()
                .contains("160000 characters")
        );
        assert_eq!(answers[3]["result"]["leaving"], json!([]));
        assert_eq!(answers[4]["result"]["answer"]["payload"]["content"], "long");
    }

    #[test]
    fn a_conversation_begins_at_its_boundary() {
        let ends = r#"{"method":"observe","params":{"session":"s","reports":[{"type":"compaction_ends","boundary":"m2"}]}}"#;
        let trim = r#"{"id":1,"method":"trim","params":{"session":"s","messages":[{"id":"m1","role":"user"},{"id":"m2","role":"assistant"}]}}"#;
        let answers = talk(format!("{ends}\n{trim}\n").as_bytes());
        assert_eq!(answers[0]["result"]["from"], 1);
        assert_eq!(answers[0]["result"]["request"], 0);
    }

    #[test]
    fn what_is_wrong_is_answered_and_the_next_is_served() {
        let deep = "[".repeat(100_000);
        let ping = r#"{"id":9,"method":"hello","params":{"protocol":1}}"#;
        for (wrong, code) in [
            ("{", -32700),
            (deep.as_str(), -32700),
            ("[]", -32600),
            (r#"{"id":1}"#, -32600),
            (r#"{"id":1,"method":"party"}"#, -32601),
            (
                r#"{"id":1,"method":"hello","params":{"protocol":2}}"#,
                -32602,
            ),
            (r#"{"id":1,"method":"frame"}"#, -32602),
            (
                r#"{"id":1,"method":"frame","params":{"session":""}}"#,
                -32602,
            ),
            (
                r#"{"id":1,"method":"frame","params":{"session":"s","placement":"top"}}"#,
                -32602,
            ),
            (
                r#"{"id":1,"method":"observe","params":{"session":"s","reports":[{"type":"party"}]}}"#,
                -32602,
            ),
            (
                r#"{"id":1,"method":"begin","params":{"session":"s","parent":"nobody"}}"#,
                -32000,
            ),
        ] {
            let answers = talk(format!("{wrong}\n\n{ping}\n").as_bytes());
            assert_eq!(answers[0]["error"]["code"], code, "{wrong:.80}");
            assert_eq!(answers[1]["result"]["protocol"], 1, "{wrong:.80}");
        }
    }

    #[test]
    fn a_request_that_is_torn_is_read_and_a_report_that_is_none_does_not_lose_the_others() {
        let user = |text: &str| format!(r#"{{"type":"user","text":"{text}"}}"#);
        let observe = |id: u64, reports: &str| {
            format!(
                r#"{{"id":{id},"method":"observe","params":{{"session":"s","reports":[{reports}]}}}}"#
            )
        };
        let mut requests = observe(1, &user("Fix the parser \\ud83d")).into_bytes();
        requests.extend(b"\n");
        requests.extend(observe(2, &user("Rename the flag to \u{1} ?")).into_bytes());
        let byte = requests.iter().rposition(|byte| *byte == b'?').unwrap();
        requests[byte] = 0xFF;
        let reports = [r#"{"type":"party"}"#, &user("Add a test for the flag"), "7"].join(",");
        let only_bad = observe(4, r#"{"type":"party"}"#);
        let rest = format!("\n{}\n{only_bad}\n", observe(3, &reports));
        requests.extend(rest.into_bytes());
        // A truncated or too long request is answered with its id.
        requests.extend(br#"{"id":5,"method":"observe","params":{"session":"s","#);
        requests.extend(b"\n{\"id\":\"six\",\"a\":\"");
        requests.extend(vec![b'x'; usize::try_from(LONGEST).unwrap()]);
        requests.extend(b"\"}\n");
        let answers = talk(&requests);
        let ids: Vec<_> = answers.iter().map(|answer| answer["id"].clone()).collect();
        assert_eq!(json!(ids), json!([1, 2, 3, 4, 5, "six"]));
        let version = |nth: usize| answers[nth]["result"]["version"].as_u64();
        assert!(version(0) < version(1) && version(1) < version(2));
        let refused = &answers[2]["result"]["refused"];
        assert_eq!([&refused[0]["report"], &refused[1]["report"]], [0, 2]);
        let message = answers[3]["error"]["message"].as_str().unwrap();
        assert!(
            message.starts_with("`reports[0]` is no report"),
            "{message}"
        );
        assert_eq!(answers[4]["error"]["code"], -32700);
        assert_eq!(answers[5]["error"]["code"], -32600);
    }

    #[test]
    fn a_request_that_is_too_long_is_passed_over() {
        let mut requests = vec![b'x'; usize::try_from(LONGEST).unwrap() + 10];
        requests.extend(b"\n{\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":1}}\n");
        let answers = talk(&requests);
        assert_eq!(answers[0]["error"]["code"], -32600);
        assert_eq!(answers[1]["id"], 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

        #[test]
        fn no_request_is_too_odd(requests in prop::collection::vec(odd_request(), 1..12)) {
            let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
            let answers = talk(lines.as_bytes());
            prop_assert_eq!(answers.len(), requests.len());
            for answer in answers {
                prop_assert!(answer.get("result").is_some() != answer.get("error").is_some());
            }
        }
    }

    fn odd_request() -> impl Strategy<Value = Value> {
        let methods = [
            "begin",
            "observe",
            "call",
            "frame",
            "trim",
            "compacting",
            "advice",
            "follow",
            "hello",
        ];
        let odd = prop::collection::vec(any_json(), 7);
        (prop::sample::select(methods.to_vec()), odd, any::<bool>()).prop_map(
            |(method, odd, is_nearly)| {
                let report = json!({
                    "type": "tool_result", "call": "c", "tool": "bash", "input": odd[0],
                    "content": "x", "is_error": odd[1].as_bool().unwrap_or(true),
                });
                let usage = json!({ "type": "usage", "input": u64::MAX, "output": odd[2] });
                let message = json!({ "id": "m", "role": "user", "outputs": odd[3] });
                let (report, message) = match is_nearly {
                    true => (json!([report, usage]), json!([message])),
                    false => (odd[0].clone(), odd[3].clone()),
                };
                let params = json!({
                    "session": "s", "reports": report, "messages": message,
                    "input": { "tool": odd[4], "args": odd[5] }, "parent": odd[6],
                });
                json!({ "id": 1, "method": method, "params": params })
            },
        )
    }
}
