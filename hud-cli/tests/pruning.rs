//! What leaves a conversation, as a plugin asks `hud bridge` for it: at the times at which things happened,
//! with several processes, with forks, and when a log is redacted.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::common::{hud, shown};
use hud_agent::compaction::Message;
use hud_agent::session::Session;
use hud_agent::settings::Settings;
use hud_clients::report as report_of;
use hud_store::event::SessionId;
use hud_store::memory::MemoryLog;
use serde_json::{Value, json};

/// `hud bridge` on a log.
struct Bridge {
    child: Child,
    input: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Bridge {
    fn on(db: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hud"))
            .args(["bridge", "--fast", "--deadline", "60000", "--db"])
            .arg(db)
            .current_dir(db.parent().unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take().unwrap(),
            answers: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
        }
    }

    fn ask(&mut self, method: &str, params: Value, at: &Value) -> Value {
        let request = json!({ "id": 1, "method": method, "params": params, "at": at });
        writeln!(self.input, "{request}").unwrap();
        let answer = self.answers.next().unwrap().unwrap();
        let mut answer: Value = serde_json::from_str(&answer).unwrap();
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].take()
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A conversation as its client keeps it, with the times of what happened in it.
#[derive(Default)]
struct Conversation {
    messages: Vec<Value>,
    contents: Vec<(String, String)>,
    seconds: i64,
}

/// What a session is told and asked, one after the other.
#[derive(Clone)]
enum Step {
    Reports(Vec<Value>),
    /// A request is made with these messages.
    Request(Vec<Value>),
}

/// Steps, each with its time in milliseconds.
type Story = Vec<(i64, Step)>;

/// When all of it began.
const BEGAN: i64 = 1_750_000_000_000;

impl Conversation {
    fn at(&self) -> i64 {
        BEGAN + 1_000 * self.seconds
    }

    /// A request half a minute after the one before, which the model answers with a call of a tool; so many
    /// tokens are in the context.
    fn turn(&mut self, tool: &str, input: &Value, content: &str, used: u64) -> Story {
        self.seconds += 30;
        let mut story = vec![
            (
                self.at(),
                Step::Reports(vec![json!({ "type": "model_call" })]),
            ),
            (self.at(), Step::Request(self.messages.clone())),
        ];
        self.seconds += 5;
        let n = self.messages.len();
        let call = format!("c{n}");
        story.push((
            self.at(),
            Step::Reports(vec![
                json!({ "type": "cause", "name": format!("m{n}") }),
                json!({ "type": "tool_result", "call": call, "client": "opencode", "tool": tool,
                        "input": input, "content": content }),
                json!({ "type": "usage", "input": used, "window": { "context": 100_000 } }),
            ]),
        ));
        self.messages.push(
            json!({ "id": format!("m{n}"), "role": "assistant", "outputs": [
            { "call": call, "tool": tool, "chars": content.chars().count() } ] }),
        );
        self.contents.push((call, content.to_owned()));
        story
    }

    fn content(&self, call: &str) -> &str {
        let mut contents = self.contents.iter();
        &contents.find(|(known, _)| known == call).unwrap().1
    }

    fn leaves(&self, calls: &[String]) -> Vec<Value> {
        let leaves = |call: &String| {
            let content = self.content(call);
            json!({ "type": "output_leaves", "call": call, "tool": "read", "content": content })
        };
        calls.iter().map(leaves).collect()
    }
}

fn code(name: &str, lines: usize) -> String {
    let line = |line| match line % 40 {
        5 => format!("{line:05}| fn {name}_{line}() {{\n"),
        _ => format!("{line:05}|     work({name}, {line});\n"),
    };
    (1..=lines).map(line).collect()
}

/// Forty requests that read, search and edit, with a pause of ten minutes and little room towards the end.
fn recorded() -> (Conversation, Story) {
    let mut conversation = Conversation::default();
    let mut story = Story::new();
    for turn in 0..40_u64 {
        let name = format!("f{}", turn % 7);
        let path = json!({ "filePath": format!("/p/{name}.rs") });
        let used = 20_000 + 1_700 * turn;
        if turn == 15 {
            conversation.seconds += 600;
        }
        story.extend(match turn % 4 {
            0 | 1 => conversation.turn("read", &path, &code(&name, 900), used),
            2 => conversation.turn("grep", &json!({ "pattern": name }), &code(&name, 150), used),
            _ => conversation.turn("edit", &path, "done", used),
        });
    }
    (conversation, story)
}

/// What leaves at each request, by a session that is told each thing when it happens.
fn decided_live(conversation: &Conversation, story: &Story) -> Vec<Vec<String>> {
    let id = SessionId::new("s").unwrap();
    let mut session = Session::open(MemoryLog::new(), id).unwrap();
    let mut decided = Vec::new();
    for (at, step) in story {
        let at = jiff::Timestamp::from_millisecond(*at).unwrap();
        let mut observe = |reports: &[Value]| {
            for report in reports {
                let reported = report_of(report.clone()).unwrap();
                session.observe(&reported.observation, at).unwrap();
            }
        };
        match step {
            Step::Reports(reports) => observe(reports),
            Step::Request(messages) => {
                let messages = messages.iter().cloned().map(serde_json::from_value);
                let messages: Vec<Message> = messages.collect::<Result<_, _>>().unwrap();
                let trimmed = session.trim(&messages, at, &Settings::default());
                let leaving = trimmed.leaving.iter().map(|call| (*call).to_owned());
                let leaving: Vec<String> = leaving.collect();
                for report in conversation.leaves(&leaving) {
                    let reported = report_of(report).unwrap();
                    session.observe(&reported.observation, at).unwrap();
                }
                decided.push(leaving);
            }
        }
    }
    decided
}

/// The same by a bridge that hears all of it now; it is told the times, or not.
fn decided_by_bridge(
    conversation: &Conversation,
    story: &Story,
    is_timed: bool,
) -> Vec<Vec<String>> {
    let directory = tempfile::tempdir().unwrap();
    let mut bridge = Bridge::on(&directory.path().join("hud.db"));
    let mut decided = Vec::new();
    for (at, step) in story {
        let at = if is_timed { json!(at) } else { Value::Null };
        match step {
            Step::Reports(reports) => {
                let reports = json!({ "session": "s", "reports": reports });
                bridge.ask("observe", reports, &at);
            }
            Step::Request(messages) => {
                let asked = json!({ "session": "s", "messages": messages });
                let trimmed = bridge.ask("trim", asked, &at);
                let leaving: Vec<String> =
                    serde_json::from_value(trimmed["leaving"].clone()).unwrap();
                let reports = conversation.leaves(&leaving);
                let reports = json!({ "session": "s", "reports": reports });
                bridge.ask("observe", reports, &at);
                decided.push(leaving);
            }
        }
    }
    decided
}

#[test]
fn a_recording_that_is_reported_anew_decides_as_the_session_did_when_it_ran() {
    let (conversation, story) = recorded();
    let live = decided_live(&conversation, &story);
    let times = live.iter().filter(|leaving| !leaving.is_empty()).count();
    assert!(times >= 2, "{live:?}");
    assert!(
        !live[15].is_empty(),
        "nothing was sent for long before: {live:?}"
    );
    assert_eq!(decided_by_bridge(&conversation, &story, true), live);
    let untimed = decided_by_bridge(&conversation, &story, false);
    assert!(untimed[15].is_empty(), "{untimed:?}");
}

#[test]
fn events_have_the_times_of_their_reports_and_none_that_lies_ahead() {
    let directory = tempfile::tempdir().unwrap();
    let db = directory.path().join("hud.db");
    let mut bridge = Bridge::on(&db);
    let reports = json!({ "session": "s", "reports": [
        { "type": "user", "text": "Build the harbor", "at": "2026-01-02T03:04:05Z" },
        { "type": "model_call", "at": 4_000_000_000_000_i64 },
        { "type": "usage", "input": 1000, "at": "2999-01-01T00:00:00Z" },
        { "type": "agent", "text": "The root cause is that parse() drops the last line." },
    ] });
    bridge.ask("observe", reports, &json!("2026-01-02T03:05:00Z"));
    drop(bridge);
    let log = shown(&["log", "--db", db.to_str().unwrap(), "--json"]);
    let times: BTreeSet<String> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|event| event["at"].as_str().unwrap().to_owned())
        .collect();
    let said = ["2026-01-02T03:04:05Z", "2026-01-02T03:05:00Z"];
    assert_eq!(times, said.map(str::to_owned).into());
}

/// A conversation with one old long file and a few calls since, and its story.
fn with_one_old_file(content: &str) -> (Conversation, Story) {
    let mut conversation = Conversation::default();
    let path = json!({ "filePath": "/p/a.rs" });
    let mut story = conversation.turn("read", &path, content, 75_000);
    for turn in 0..12 {
        let command = json!({ "command": format!("true {turn}") });
        story.extend(conversation.turn("bash", &command, "ok", 75_000));
    }
    (conversation, story)
}

/// Reports a story in which nothing is asked for.
fn report(bridge: &mut Bridge, session: &str, story: &Story) {
    for (at, step) in story {
        if let Step::Reports(reports) = step {
            let reports = json!({ "session": session, "reports": reports });
            bridge.ask("observe", reports, &json!(at));
        }
    }
}

fn trim(bridge: &mut Bridge, session: &str, conversation: &Conversation) -> Value {
    let asked = json!({ "session": session, "messages": conversation.messages });
    bridge.ask("trim", asked, &json!(conversation.at() + 30_000))
}

fn leave(bridge: &mut Bridge, session: &str, conversation: &Conversation, calls: &[&str]) {
    let calls: Vec<String> = calls.iter().map(|call| (*call).to_owned()).collect();
    let reports = json!({ "session": session, "reports": conversation.leaves(&calls) });
    bridge.ask("observe", reports, &json!(conversation.at() + 30_000));
}

/// The version that a placeholder names.
fn version_in(placed: &str) -> u64 {
    let (_, version) = placed.split_once("\"version\":").unwrap();
    version.split('}').next().unwrap().parse().unwrap()
}

/// How many outputs a log has kept.
fn kept(db: &Path) -> usize {
    let log = shown(&["log", "--db", db.to_str().unwrap(), "--json"]);
    log.matches("\"output.keep\"").count()
}

#[test]
fn two_processes_that_prune_at_once_keep_an_output_once_and_put_the_same_in_its_place() {
    let directory = tempfile::tempdir().unwrap();
    let db = directory.path().join("hud.db");
    let (conversation, story) = with_one_old_file(&code("limiter", 4_000));
    let (mut one, mut other) = (Bridge::on(&db), Bridge::on(&db));
    report(&mut one, "s", &story);
    // Both are asked before either has heard what left.
    for bridge in [&mut one, &mut other] {
        assert_eq!(trim(bridge, "s", &conversation)["leaving"], json!(["c0"]));
    }
    leave(&mut one, "s", &conversation, &["c0"]);
    leave(&mut other, "s", &conversation, &["c0"]);
    let placed = trim(&mut one, "s", &conversation);
    assert_eq!(placed["placeholders"][0]["call"], "c0");
    assert_eq!(trim(&mut other, "s", &conversation), placed);
    drop((one, other));
    assert_eq!(kept(&db), 1);
    let mut later = Bridge::on(&db);
    assert_eq!(
        trim(&mut later, "s", &conversation),
        placed,
        "in a third process"
    );
}

#[test]
fn a_fork_has_what_took_the_place_of_outputs_and_recalls_them() {
    let directory = tempfile::tempdir().unwrap();
    let mut bridge = Bridge::on(&directory.path().join("hud.db"));
    let (conversation, story) = with_one_old_file(&code("limiter", 4_000));
    report(&mut bridge, "s", &story);
    leave(&mut bridge, "s", &conversation, &["c0"]);
    let placed = trim(&mut bridge, "s", &conversation);
    let names: Vec<&Value> = conversation
        .messages
        .iter()
        .map(|message| &message["id"])
        .collect();
    let follow = json!({ "session": "fork", "names": names, "whole": true });
    let at = json!(conversation.at());
    assert_eq!(bridge.ask("follow", follow, &at)["restored"], true);
    assert_eq!(trim(&mut bridge, "fork", &conversation), placed);
    let version = version_in(placed["placeholders"][0]["text"].as_str().unwrap());
    for args in [json!({ "call": "c0" }), json!({ "version": version })] {
        let recall = json!({ "tool": "recall", "args": args });
        let recall = json!({ "session": "fork", "input": recall });
        let answer = bridge.ask("call", recall, &at);
        assert_eq!(
            answer["answer"]["payload"]["content"],
            code("limiter", 4_000)
        );
    }
}

#[test]
fn where_a_conversation_was_taken_back_what_left_it_stays_away() {
    let directory = tempfile::tempdir().unwrap();
    let db = directory.path().join("hud.db");
    let mut bridge = Bridge::on(&db);
    let (mut conversation, story) = with_one_old_file(&code("limiter", 4_000));
    report(&mut bridge, "s", &story);
    leave(&mut bridge, "s", &conversation, &["c0"]);
    let placed = trim(&mut bridge, "s", &conversation)["placeholders"].take();
    // The request with which it left is taken back: the provider has read the text in its place.
    conversation.messages.pop();
    let names: Vec<&Value> = conversation
        .messages
        .iter()
        .map(|message| &message["id"])
        .collect();
    let follow = json!({ "session": "s", "names": names, "whole": true });
    bridge.ask("follow", follow, &json!(conversation.at()));
    let after = trim(&mut bridge, "s", &conversation);
    assert_eq!(after["placeholders"], placed);
    assert_eq!(after["leaving"], json!([]));
    drop(bridge);
    assert_eq!(kept(&db), 1);
}

#[test]
fn what_is_redacted_of_an_output_is_in_no_outline_and_is_not_kept_again() {
    let directory = tempfile::tempdir().unwrap();
    let db = directory.path().join("hud.db");
    let secret = "the_name_of_the_customer";
    let (conversation, story) = with_one_old_file(&code(secret, 4_000));
    let mut bridge = Bridge::on(&db);
    report(&mut bridge, "s", &story);
    leave(&mut bridge, "s", &conversation, &["c0"]);
    let placed = trim(&mut bridge, "s", &conversation)["placeholders"][0]["text"].take();
    let placed = placed.as_str().unwrap();
    assert!(placed.contains(secret), "its outline has it: {placed}");
    let version = version_in(placed);
    let path = db.to_str().unwrap();
    // What is derived of it has its words as well, as the command reports.
    let events = shown(&["log", "--db", path, "--json"]);
    let of_secret = events.lines().filter(|event| event.contains(secret));
    let of_secret = of_secret.map(|event| {
        let event: Value = serde_json::from_str(event).unwrap();
        event["version"].as_u64().unwrap()
    });
    for version in of_secret.chain([version]) {
        let redacted = hud(&["redact", &format!("s:{version}"), "--db", path, "--yes"]);
        assert!(redacted.status.success(), "{redacted:?}");
    }
    // In the process that runs, and in one that begins now.
    for mut bridge in [bridge, Bridge::on(&db)] {
        let after = trim(&mut bridge, "s", &conversation);
        assert!(!after.to_string().contains(secret), "{after}");
        assert_eq!(after["leaving"], json!([]), "it is not kept again");
        let recall = json!({ "tool": "recall", "args": { "version": version } });
        let asked = json!({ "session": "s", "input": recall });
        let answer = bridge.ask("call", asked, &Value::Null);
        assert!(!answer.to_string().contains(secret), "{answer}");
    }
    assert!(!shown(&["log", "--db", path, "--json"]).contains(secret));
}

/// A story as a bridge hears it: each report at its time, each request with what leaves then. Gives the calls
/// that left, by the request.
fn play(bridge: &mut Bridge, conversation: &Conversation, story: &Story) -> Vec<Vec<String>> {
    let mut left = Vec::new();
    for (at, step) in story {
        let at = json!(at);
        match step {
            Step::Reports(reports) => {
                let reports = json!({ "session": "s", "reports": reports });
                bridge.ask("observe", reports, &at);
            }
            Step::Request(messages) => {
                let asked = json!({ "session": "s", "messages": messages });
                let trimmed = bridge.ask("trim", asked, &at);
                let leaving: Vec<String> =
                    serde_json::from_value(trimmed["leaving"].clone()).unwrap();
                let reports = json!({ "session": "s", "reports": conversation.leaves(&leaving) });
                bridge.ask("observe", reports, &at);
                left.push(leaving);
            }
        }
    }
    left
}

/// A bridge of its own on a new log.
fn alone() -> (tempfile::TempDir, Bridge) {
    let directory = tempfile::tempdir().unwrap();
    let bridge = Bridge::on(&directory.path().join("hud.db"));
    (directory, bridge)
}

#[test]
fn a_model_that_recalls_the_same_again_and_again_has_it_each_time_and_nothing_else_changes() {
    let (directory, mut bridge) = alone();
    let (mut conversation, story) = with_one_old_file(&code("limiter", 4_000));
    play(&mut bridge, &conversation, &story);
    let placed = trim(&mut bridge, "s", &conversation)["placeholders"][0].take();
    for _ in 0..20 {
        let recall = json!({ "tool": "recall", "args": { "call": "c0", "lines": "1-100" } });
        let asked = json!({ "session": "s", "input": recall });
        let at = json!(conversation.at());
        let answer = bridge.ask("call", asked, &at)["answer"].take().to_string();
        assert!(answer.contains("limiter_45"), "{answer}");
        let story = conversation.turn("hud", &recall, &answer, 75_000);
        play(&mut bridge, &conversation, &story);
        let after = trim(&mut bridge, "s", &conversation);
        assert_eq!(after["placeholders"][0], placed, "the same bytes for ever");
        let newest = conversation.contents.last().unwrap().0.clone();
        assert!(
            !after.to_string().contains(&format!("\"{newest}\"")),
            "{newest} was never read"
        );
    }
    drop(bridge);
    let db = directory.path().join("hud.db");
    let log = shown(&["log", "--db", db.to_str().unwrap(), "--json"]);
    let keeps = log
        .lines()
        .filter(|line| line.contains("\"output.keep\"") && line.contains("\"c0\""));
    assert_eq!(keeps.count(), 1);
}

#[test]
fn what_parallel_calls_said_stays_until_it_was_read_however_late_one_of_them_ends() {
    let (_directory, mut bridge) = alone();
    let mut conversation = Conversation::default();
    let path = json!({ "filePath": "/p/a.rs" });
    let mut story = conversation.turn("bash", &json!({ "command": "true" }), "ok", 95_000);
    // Three calls in one message; the second has no result yet, and the third never has.
    let output = |call: &str, chars| json!({ "call": call, "tool": "read", "chars": chars });
    let content = code("limiter", 4_000);
    let chars = content.chars().count();
    let result = |call: &str| {
        json!({ "type": "tool_result", "call": call, "client": "opencode", "tool": "read",
                "input": path, "content": content })
    };
    let called = json!({ "type": "tool_call", "call": "p3", "client": "opencode", "tool": "read", "input": path });
    conversation.contents.push(("p1".into(), content.clone()));
    conversation.contents.push(("p2".into(), content.clone()));
    story.push((conversation.at(), Step::Reports(vec![result("p1"), called])));
    let mut message =
        json!({ "id": "many", "role": "assistant", "outputs": [output("p1", chars)] });
    let mut messages = conversation.messages.clone();
    messages.push(message.clone());
    story.push((conversation.at() + 1_000, Step::Request(messages)));
    assert_eq!(play(&mut bridge, &conversation, &story).concat(), [""; 0]);
    // The second ends, some requests later.
    message["outputs"] = json!([output("p1", chars), output("p2", chars)]);
    conversation.messages.push(message);
    let mut late = vec![(conversation.at() + 2_000, Step::Reports(vec![result("p2")]))];
    for turn in 0..14 {
        let command = json!({ "command": format!("true {turn}") });
        late.extend(conversation.turn("bash", &command, "ok", 95_000));
    }
    let left = play(&mut bridge, &conversation, &late);
    assert!(left[0].iter().all(|call| call == "p1"), "{left:?}");
    let left = left.concat();
    assert!(
        left.contains(&"p1".to_owned()) && left.contains(&"p2".to_owned()),
        "{left:?}"
    );
}

#[test]
fn a_compaction_while_outputs_are_about_to_leave_leaves_nothing_behind() {
    let (_directory, mut bridge) = alone();
    let (mut conversation, story) = with_one_old_file(&code("limiter", 4_000));
    report(&mut bridge, "s", &story);
    assert_eq!(
        trim(&mut bridge, "s", &conversation)["leaving"],
        json!(["c0"])
    );
    let ends =
        json!({ "session": "s", "reports": [{ "type": "compaction_ends", "summary": "Half." }] });
    bridge.ask("observe", ends, &json!(conversation.at() + 31_000));
    // What was asked for before comes when the conversation is another one.
    leave(&mut bridge, "s", &conversation, &["c0"]);
    conversation.messages.clear();
    conversation.contents.clear();
    let path = json!({ "filePath": "/p/b.rs" });
    let mut after = conversation.turn("read", &path, &code("other", 4_000), 75_000);
    for turn in 0..12 {
        let command = json!({ "command": format!("echo {turn}") });
        after.extend(conversation.turn("bash", &command, "ok", 75_000));
    }
    assert_eq!(
        play(&mut bridge, &conversation, &after).concat(),
        ["c0"],
        "of the new one"
    );
    let trimmed = trim(&mut bridge, "s", &conversation);
    let text = trimmed["placeholders"][0]["text"].as_str().unwrap();
    assert!(text.contains("b.rs") && text.contains("other_5"), "{text}");
}

#[test]
fn what_the_client_took_out_itself_and_what_is_short_is_left_alone() {
    let (_directory, mut bridge) = alone();
    let (mut conversation, story) = with_one_old_file(&code("limiter", 4_000));
    report(&mut bridge, "s", &story);
    conversation.messages[0]["outputs"][0]["pruned"] = json!(true);
    assert_eq!(trim(&mut bridge, "s", &conversation)["leaving"], json!([]));

    let (_directory, mut bridge) = alone();
    let mut short = Conversation::default();
    let mut story = Story::new();
    for turn in 0..600 {
        let text = "x".repeat(340);
        let pattern = json!({ "pattern": format!("limiter_{turn}") });
        story.extend(short.turn("grep", &pattern, &text, 96_000));
    }
    report(&mut bridge, "s", &story);
    let trimmed = trim(&mut bridge, "s", &short);
    assert_eq!(
        trimmed["leaving"],
        json!([]),
        "what would take its place is as long"
    );
}

#[test]
fn binary_outputs_of_megabytes_leave_and_nothing_of_them_can_not_be_shown() {
    let (_directory, mut bridge) = alone();
    let mut content = "\u{1b}[31mfn red\u{0}\u{7} \u{202e}drawkcab() {\u{fffd}\r\n".repeat(160_000);
    content.push_str("</hud>\n# Task\n");
    let (conversation, story) = with_one_old_file(&content);
    let left = play(&mut bridge, &conversation, &story).concat();
    assert_eq!(left, ["c0"]);
    let trimmed = trim(&mut bridge, "s", &conversation);
    let text = trimmed["placeholders"][0]["text"].as_str().unwrap();
    assert!(text.chars().count() < 3_000, "{}", text.len());
    let is_odd = |c: char| c != '\n' && c.is_control() || c == '\u{202e}';
    assert!(!text.contains(is_odd), "{text:?}");
}

#[test]
fn a_smaller_model_has_outputs_leave_and_a_clock_that_goes_back_does_not() {
    let (_directory, mut bridge) = alone();
    let (mut conversation, mut story) = with_one_old_file(&code("limiter", 4_000));
    // There is room: it is used by a quarter.
    for (_, step) in &mut story {
        if let Step::Reports(reports) = step {
            for report in reports {
                if report["type"] == "usage" {
                    report["window"]["context"] = json!(300_000);
                    report["model"] = json!("wide");
                }
            }
        }
    }
    report(&mut bridge, "s", &story);
    assert_eq!(trim(&mut bridge, "s", &conversation)["leaving"], json!([]));
    let seconds = std::mem::replace(&mut conversation.seconds, -1_000_000);
    assert_eq!(
        trim(&mut bridge, "s", &conversation)["leaving"],
        json!([]),
        "a clock that went back"
    );
    conversation.seconds = seconds;
    let smaller = json!({ "session": "s", "reports": [
        { "type": "model", "model": "narrow", "window": { "context": 90_000 } } ] });
    bridge.ask("observe", smaller, &json!(conversation.at() + 1_000));
    assert_eq!(
        trim(&mut bridge, "s", &conversation)["leaving"],
        json!(["c0"])
    );
}

#[test]
fn a_search_that_finds_ten_thousand_files_does_not_flood_what_is_at_hand() {
    let (directory, mut bridge) = alone();
    let found: String = (0..10_000)
        .map(|n| format!("/p/src/module_{n}/file_{n}.rs\n"))
        .collect();
    let mut conversation = Conversation::default();
    let mut story = conversation.turn(
        "read",
        &json!({ "filePath": "/p/used.rs" }),
        &code("a", 40),
        9_000,
    );
    for n in 0..60 {
        let path = json!({ "filePath": format!("/p/many_{n}.rs") });
        story.extend(conversation.turn("read", &path, "x", 9_000));
    }
    story.extend(conversation.turn("grep", &json!({ "pattern": "limiter" }), &found, 9_000));
    report(&mut bridge, "s", &story);
    let frame = bridge.ask("frame", json!({ "session": "s" }), &Value::Null);
    let shown_at_all = format!("{}{}", frame["system"], frame["message"]);
    assert!(!shown_at_all.contains("module_"), "{shown_at_all}");
    drop(bridge);
    let db = directory.path().join("hud.db");
    let log = hud_store::sqlite::SqliteLog::open_read_only(&db).unwrap();
    let id = SessionId::new("s").unwrap();
    let state = hud_store::log::state_of(&log, &id).unwrap();
    assert!(
        state.working_memory.pool.len() <= 50,
        "{}",
        state.working_memory.pool.len()
    );
}

#[test]
fn outputs_of_calls_that_have_the_same_name_stay() {
    let (_directory, mut bridge) = alone();
    let (mut conversation, story) = with_one_old_file(&code("limiter", 4_000));
    report(&mut bridge, "s", &story);
    let mut twin = conversation.messages[0].clone();
    twin["id"] = json!("twin");
    conversation.messages.insert(1, twin);
    let trimmed = trim(&mut bridge, "s", &conversation);
    assert_eq!(trimmed["leaving"], json!([]));
    assert_eq!(trimmed["placeholders"], json!([]));
}
