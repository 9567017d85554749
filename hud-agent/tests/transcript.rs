//! What the readers give for small sessions and for what is no session, and that they agree with
//! a plain count over every recorded session in `HUD_DATA`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use hud_clients::transcript::{Entry, Summary, Transcript, TranscriptError};
use hud_observe::action::Action;
use hud_observe::observation::Observation;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::reading::{self, data, described};

/// A file with this content, in a folder that goes with it.
fn file(content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session");
    fs::write(&path, content).unwrap();
    (folder, path)
}

fn read_file(path: &Path) -> Result<(Vec<Entry>, Summary), TranscriptError> {
    let (_, entries, summary) = reading::read(path)?;
    Ok((entries, summary))
}

fn read(content: impl AsRef<[u8]>) -> (Vec<Entry>, Summary) {
    let (_folder, path) = file(content);
    read_file(&path).unwrap()
}

/// What the error says, with `FILE` for the path.
fn refused(content: impl AsRef<[u8]>) -> String {
    let (_folder, path) = file(content);
    let Err(error) = read_file(&path) else {
        panic!("it was read");
    };
    let error = error.to_string();
    assert!(error.contains(path.to_str().unwrap()), "{error}");
    error.replace(path.to_str().unwrap(), "FILE")
}

fn user(content: Value) -> Value {
    json!({"type": "user", "message": {"content": content}})
}

fn assistant(id: &str, content: Value, output: u64) -> Value {
    json!({"type": "assistant", "message": {"id": id, "model": "m", "content": content,
        "usage": {"input_tokens": 1, "cache_creation_input_tokens": null,
                  "cache_read_input_tokens": 2, "output_tokens": output}}})
}

fn lines(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_message_is_one_call_and_its_last_line_has_the_usage() {
    let (entries, summary) = read(lines(&[
        assistant("a", json!([{"type": "text", "text": "I look."}]), 3),
        assistant(
            "a",
            json!([{"type": "tool_use", "id": "t", "name": "Read", "input": {"f": 1}}]),
            9,
        ),
        user(json!([{"type": "tool_result", "tool_use_id": "t", "content": "seen"}])),
        assistant("b", json!([]), 4),
        // A line of an ended message neither ends the one that goes on nor counts again.
        assistant("a", json!([]), 99),
        assistant("b", json!([]), 5),
    ]));
    assert_eq!(
        described(&entries),
        "line 1: model call\n\
         line 1: agent \"I look.\"\n\
         line 2: call t Read\n\
         line 3: result t \"seen\" false None\n\
         a: usage 1/0/2/9 Some(\"m\")\n\
         line 4: model call\n\
         b: usage 1/0/2/5 Some(\"m\")\n"
    );
    assert_eq!((summary.lines, summary.entries), (6, 7));
}

#[test]
fn a_result_that_is_written_late_comes_before_the_call_of_the_model_that_had_it() {
    let call = |id: &str| json!([{ "type": "tool_use", "id": id, "name": "Bash", "input": {} }]);
    let result =
        |id: &str| user(json!([{"type": "tool_result", "tool_use_id": id, "content": id}]));
    let (entries, _) = read(lines(&[
        assistant("a", call("one"), 1),
        result("one"),
        assistant("a", call("two"), 2),
        assistant("b", call("three"), 3),
        result("two"),
        result("three"),
        assistant("c", call("lost"), 4),
        assistant("d", json!([]), 5),
        assistant("e", json!([]), 6),
    ]));
    assert_eq!(
        described(&entries),
        "line 1: model call\n\
         line 1: call one Bash\n\
         line 2: result one \"one\" false None\n\
         line 3: call two Bash\n\
         a: usage 1/0/2/2 Some(\"m\")\n\
         line 5: result two \"two\" false None\n\
         line 4: model call\n\
         line 4: call three Bash\n\
         line 6: result three \"three\" false None\n\
         b: usage 1/0/2/3 Some(\"m\")\n\
         line 7: model call\n\
         line 7: call lost Bash\n\
         c: usage 1/0/2/4 Some(\"m\")\n\
         line 8: model call\n\
         d: usage 1/0/2/5 Some(\"m\")\n\
         line 9: model call\n\
         e: usage 1/0/2/6 Some(\"m\")\n"
    );
}

#[test]
fn a_user_who_rewinds_leaves_the_later_prompts_behind() {
    let id = |n: u8| format!("7b1f9c1e-0a5b-4a39-8f5e-2f64b1d0c0{n:02}");
    let follows = |n: u8, parent: Option<u8>, mut line: Value| {
        line["uuid"] = json!(id(n));
        line["parentUuid"] = json!(parent.map(id));
        line
    };
    let said = |text: &str| user(json!(text));
    let rewound = |lines_of: &[Value]| {
        let (entries, _) = read(lines(lines_of));
        let rewinds = entries.iter().filter_map(|entry| match &entry.observation {
            Observation::Rewind { key } => Some(key.clone()),
            _ => None,
        });
        rewinds.collect::<Vec<_>>()
    };
    let begun = [
        follows(1, None, said("one")),
        // Lines that say nothing are followed as well.
        follows(2, Some(1), json!({"type": "progress"})),
        follows(3, Some(2), said("two")),
        follows(4, Some(3), assistant("a", json!([]), 1)),
        follows(5, Some(4), said("three")),
    ];
    let then = |line: Value| rewound(&[&begun[..], &[line]].concat());
    assert_eq!(then(follows(6, Some(5), said("four"))), [""; 0]);
    assert_eq!(then(follows(6, Some(2), said("four"))), [id(3)]);
    assert_eq!(then(follows(6, None, said("four"))), [id(1)]);
    assert_eq!(then(follows(6, Some(99), said("four"))), [""; 0]);
    let round = follows(6, Some(6), said("four"));
    assert_eq!(then(round), [""; 0], "a line that follows itself");
    let boundary = json!({"type": "system", "subtype": "compact_boundary",
        "compactMetadata": {"trigger": "auto", "preTokens": 5}});
    let compacted = [&begun[..], &[boundary, follows(6, None, said("four"))]].concat();
    assert_eq!(rewound(&compacted), [""; 0]);
}

#[test]
fn a_session_that_is_in_its_file_twice_happened_once() {
    let said = |name: &str, text: &str| {
        let mut said = user(json!(text));
        said["uuid"] = json!(name);
        said
    };
    for name in ["7b1f9c1e-0a5b-4a39-8f5e-2f64b1d0c001", "u1"] {
        let once = lines(&[said(name, "Mend it"), said("u2", "And test it")]);
        let (entries, summary) = read(once.clone() + &once);
        assert_eq!((entries.len(), summary.repeated), (2, 2), "{name}");
    }
}

#[test]
fn a_prompt_whose_name_is_of_no_client_leaves_none_behind() {
    let said = |name: &str| json!({"type": "user", "uuid": name, "message": {"content": name}});
    let (entries, _) = read(lines(&[said("u1"), said("u2")]));
    assert_eq!(described(&entries), "u1: user \"u1\"\nu2: user \"u2\"\n");
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_session() {
    let (entries, _) = read(format!("\u{feff}{}", lines(&[user(json!("Mend it"))])));
    assert_eq!(described(&entries), "line 1: user \"Mend it\"\n");
}

#[test]
fn messages_that_the_client_wrote_are_no_calls_and_usage_of_nothing_is_none() {
    let synthetic = json!({"type": "assistant", "message": {"id": "s", "model": "<synthetic>",
        "content": [], "usage": {"input_tokens": 7}}});
    let nothing = json!({"type": "assistant", "message": {"id": "n", "model": "m",
        "content": [], "usage": {"input_tokens": 0, "output_tokens": 0}}});
    let (entries, _) = read(lines(&[assistant("a", json!([]), 1), synthetic, nothing]));
    assert_eq!(
        described(&entries),
        "line 1: model call\na: usage 1/0/2/1 Some(\"m\")\nline 3: model call\n"
    );
    // It is over when another begins, whoever wrote that.
    assert_eq!(entries[1].place, 2);
}

#[test]
fn only_what_the_user_says_is_the_users() {
    let meta = json!({"type": "user", "isMeta": true, "message": {"content": "meta"}});
    let (entries, _) = read(lines(&[
        user(json!("<command-name>/exit</command-name>")),
        user(json!("<local-command-stdout>bye</local-command-stdout>")),
        user(json!([{"type": "text", "text": "[Request interrupted by user]"}])),
        user(json!("<system-reminder>tools</system-reminder>")),
        meta,
        user(json!("<system-reminder>tools</system-reminder>\n\nMend it")),
        user(json!([{"type": "text", "text": "one"}, {"type": "image"},
                    {"type": "text", "text": "two"}])),
    ]));
    assert_eq!(
        described(&entries),
        "line 6: user \"Mend it\"\nline 7: user \"one\\ntwo\"\n"
    );
}

#[test]
fn a_compaction_ends_the_message_before_it() {
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "u",
        "timestamp": "2026-01-01T00:00:00Z", "sessionId": "s", "cwd": "/app",
        "compactMetadata": {"trigger": "auto", "preTokens": 5}});
    let summary = json!({"type": "user", "isCompactSummary": true,
        "message": {"content": "So far"}});
    let (entries, _) = read(lines(&[assistant("a", json!([]), 1), boundary, summary]));
    assert_eq!(
        described(&entries),
        "line 1: model call\n\
         u: session s\n\
         u: in /app\n\
         a: usage 1/0/2/1 Some(\"m\")\n\
         u: compaction begins Some(\"auto\") Some(5)\n\
         line 3: compaction ends Some(\"So far\")\n"
    );
    // Lines without a time happen when the one before did.
    assert_eq!(entries[4].at, entries[3].at);
}

#[test]
fn results_have_their_text_their_error_and_the_number_of_a_task() {
    let mut line = user(
        json!([{"type": "tool_result", "tool_use_id": "t", "is_error": true,
        "content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]}]),
    );
    line["toolUseResult"] = json!({"originalFile": "long", "task": {"id": 4}});
    assert_eq!(
        described(&read(lines(&[line])).0),
        "line 1: result t \"a\\nb\" true Some(\"4\")\n"
    );
}

#[test]
fn what_is_not_known_is_passed_over_and_counted() {
    let sidechain = json!({"type": "assistant", "isSidechain": true});
    let (entries, summary) = read(lines(&[
        json!({"type": "progress", "message": "anything"}),
        json!({"type": "novelty", "message": 5, "timestamp": {}}),
        json!({"type": "novelty"}),
        user(
            json!([{"type": "hologram", "content": {"type": "x"}}, {"type": "text", "text": "hi"}]),
        ),
        sidechain,
    ]));
    assert_eq!(described(&entries), "line 4: user \"hi\"\n");
    let unknown = [("content block hologram", 1), ("novelty", 2)];
    let unknown = unknown.map(|(kind, count)| (kind.to_owned(), count));
    assert_eq!(summary.unknown, BTreeMap::from(unknown));
    assert_eq!(summary.sidechain, 1);
    assert_eq!(summary.lines, 5);
}

#[test]
fn a_last_line_that_is_being_written_is_passed_over_and_reported() {
    let whole = lines(&[user(json!("hi"))]);
    let last = user(json!("a longer one")).to_string();
    for end in 1..last.len() {
        let (entries, summary) = read(format!("{whole}{}", &last[..end]));
        assert_eq!(entries.len(), 1, "{}", &last[..end]);
        assert_eq!(summary.truncated, Some(2), "{}", &last[..end]);
    }
    let (entries, summary) = read(format!("{whole}{last}"));
    assert_eq!((entries.len(), summary.truncated), (2, None));
}

/// What is read of a session with this on its second line of three.
fn beside(bad: &str) -> (Vec<Entry>, Summary) {
    let good = |text: &str| user(json!(text)).to_string();
    read(format!("{}\n{bad}\n{}\n", good("one"), good("three")))
}

#[test]
fn a_line_that_cannot_be_read_is_passed_over_with_its_place() {
    let said = "line 1: user \"one\"\nline 3: user \"three\"\n";
    for bad in [
        "Error: write ENOSPC".to_owned(),
        "\0\0\0\0".to_owned(),
        r#"{"type": oops}"#.to_owned(),
        r#"{"type":"user","message":{"content":"cut of"#.to_owned(),
        r#"{"parentUuid":"#.to_owned(),
        "{}".to_owned(),
        "[1]".to_owned(),
        "[\"user\"]".to_owned(),
        json!({"type": "user"}).to_string(),
        json!({"type": "user", "message": {}}).to_string(),
        json!({"type": "assistant"}).to_string(),
        json!({"type": "user", "message": {"content": 5}}).to_string(),
        user(json!([{"type": "tool_result"}])).to_string(),
        "[".repeat(100_000),
        r#"{"type":"user","message":{"content":["#.repeat(50_000),
        r#"{"type":"user","message":{"content":[{"input":"#
            .replace("{\"input\":", &"{\"content\":[".repeat(50_000)),
    ] {
        let short: String = bad.chars().take(80).collect();
        let (entries, summary) = beside(&bad);
        assert_eq!(described(&entries), said, "{short}");
        let damaged = (summary.damaged, summary.first_damaged);
        assert_eq!(damaged, (1, Some(2)), "{short}");
    }
}

#[test]
fn the_whole_records_of_a_damaged_line_are_read() {
    let whole = r#"{"parentUuid":null,"type":"user","sessionId":"s","message":{"role":"user","content":"two"}}"#;
    let cut = |at: usize| {
        assistant("a", json!([{"type": "text", "text": "I look at it"}]), 1).to_string()[..at]
            .to_owned()
    };
    let expected = |place: &str| {
        format!("user \"one\"{place}session s{place}user \"two\"{place}user \"three\"")
    };
    for bad in [
        format!("{}{whole}", cut(10)),
        format!("{}{whole}", cut(40)),
        format!("{}{whole}", cut(75)),
        format!("{}{whole}", cut(120)),
        format!("\0\0\0{whole}"),
        format!("{whole}\0\0"),
        format!("write failed {whole}"),
        format!("{whole}{}", cut(50)),
    ] {
        let (entries, summary) = beside(&bad);
        let said: Vec<String> = described(&entries)
            .lines()
            .map(|line| line.split_once(": ").unwrap().1.to_owned())
            .collect();
        assert_eq!(said.join("|"), expected("|"), "{bad}");
        assert_eq!(summary.damaged, 1, "{bad}");
    }
    // Two on a line are no damage, on the first one either.
    let first = format!("{}{whole}\n", user(json!("one")));
    let (entries, summary) = read(first);
    assert_eq!((entries.len(), summary.damaged), (3, 0));
}

#[test]
fn a_line_with_fields_of_other_types_is_read() {
    let mut odd = assistant("a", json!([{"type": "text", "text": "I look"}]), 3);
    odd["message"]["usage"]["input_tokens"] = json!(10.0);
    odd["message"]["usage"]["output_tokens"] = json!("many");
    odd["timestamp"] = json!(1_700_000_000_000_u64);
    odd["isSidechain"] = json!("no");
    odd["cwd"] = json!(["/p"]);
    odd["origin"] = json!("human");
    let twice = odd.to_string().replacen('{', "{\"type\":\"user\",", 1);
    for line in [odd.to_string(), twice] {
        let (entries, summary) = read(format!("{line}\n"));
        assert_eq!(summary.damaged, 0, "{line}");
        assert_eq!(
            described(&entries),
            "line 1: model call\nline 1: agent \"I look\"\na: usage 10/0/2/0 Some(\"m\")\n"
        );
        assert_eq!(entries[0].at.unwrap().as_millisecond(), 1_700_000_000_000);
    }
}

#[test]
fn what_is_no_character_is_read_as_the_replacement() {
    for broken in [&b"\\ud83d"[..], b"\xFF", b"\xF0\x9F"] {
        let mut content = b"{\"type\":\"user\",\"message\":{\"content\":\"a".to_vec();
        content.extend(broken);
        content.extend(b"z\"}}\n");
        let (entries, summary) = read(content);
        assert_eq!(described(&entries), "line 1: user \"a\u{FFFD}z\"\n");
        assert_eq!(summary.mended, 1);
    }
}

#[test]
fn a_file_of_another_kind_is_refused() {
    for (content, says) in [
        (&b""[..], "FILE is empty: nothing was recorded in it"),
        (b" \n \n", "FILE is empty: nothing was recorded in it"),
        (b"# Notes\n", "text of another kind"),
        (b"[1, 2]\n", "text of another kind"),
        (b"SQLite format 3\0\x10", "an SQLite database"),
        (b"\x7fELF\0\0", "a binary file"),
        (b"{\"type\": \xFF\0}", "a binary file"),
        (b"{\n  \"name\": \"package\"\n}\n", "JSON of another kind"),
        (
            b"{\"type\":\"user\",\"name\":\"Ada\"}\n",
            "JSON of another kind",
        ),
        (
            b"{\"type\":\"order\"}\n{\"type\":\"order\"}\n",
            "JSON of another kind",
        ),
        (
            b"{\"info\": {\"title\": \"an API\"}}",
            "JSON without a `history`",
        ),
    ] {
        let error = refused(content);
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn a_directory_and_a_missing_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let directory = Transcript::open(folder.path()).unwrap_err();
    assert!(
        matches!(directory, TranscriptError::Directory { .. }),
        "{directory}"
    );
    let missing = Transcript::open(folder.path().join("none")).unwrap_err();
    assert!(matches!(missing, TranscriptError::Open { .. }), "{missing}");
}

#[cfg(unix)]
#[test]
fn a_device_is_refused() {
    let device = Transcript::open("/dev/null").unwrap_err().to_string();
    assert!(device.contains("a device or a pipe"), "{device}");
}

#[test]
fn a_line_or_message_without_end_is_refused() {
    let long = "x".repeat(64 * 1024 * 1024 + 64 * 1024);
    let error = refused(format!("{}\n{{\"type\":\"{long}\"}}\n", user(json!("hi"))));
    assert!(
        error.starts_with("FILE:2:1: the line is longer than"),
        "{error}"
    );
    let error = refused(format!("{{\"history\":[{{\"role\":\"{long}\"}}]}}"));
    assert!(error.contains("longer than 67108864 bytes"), "{error}");
    // What is passed over may be as long as it likes.
    let (entries, _) = read(format!(
        "{{\"environment\":\"{long}\",\"history\":[{{\"role\":\"user\",\"content\":\"hi\"}}]}}"
    ));
    assert_eq!(described(&entries), "message 1: user \"hi\"\n");
}

#[test]
fn a_trajectory_that_is_damaged_or_cut_short_names_its_place() {
    for (content, says) in [
        (
            "{\"history\": [\n{\"role\": \"us",
            "EOF while parsing a string at line 2",
        ),
        ("{\"history\": []} x", "trailing characters at line 1"),
    ] {
        let error = refused(content);
        assert!(
            error.starts_with(&format!("FILE: {says}"))
                && error.ends_with("the file is damaged or was cut short"),
            "{error}"
        );
    }
}

#[test]
fn a_trajectory_is_read_as_far_as_it_goes() {
    let asks = r#"{"history": [{"role": "user", "content": "Mend it \ud83d"}"#;
    let (entries, summary) = read(format!("{asks},\n{{\"role\": \"assi"));
    assert_eq!(
        described(&entries),
        "message 1: user \"Mend it \u{FFFD}\"\n"
    );
    assert_eq!((summary.first_damaged, summary.mended), (Some(2), 1));
    let (entries, summary) = read(format!("{asks}, {{\"content\": \"x\"}}]}}"));
    assert_eq!((entries.len(), summary.unknown.len()), (1, 1));
    let none = refused("{\"history\": [\n{\"content\": \"x\"}]}");
    assert!(
        none.contains("of whose messages none can be read"),
        "{none}"
    );
}

#[test]
fn a_trajectorys_order_of_keys_does_not_matter() {
    let history =
        r#""history":[{"role":"user","content":"ISSUE:\nBroken\n\nINSTRUCTIONS:\nMend"}]"#;
    for content in [
        format!("{{{history},\"info\":{{}}}}"),
        format!("{{\"trajectory\":[{{\"state\":\"{{}}\"}}],{history}}}"),
        format!("{{\"environment\":\"e\",\"trajectory\":[],\n{history},\"info\":null}}"),
    ] {
        let (entries, _) = read(content);
        assert_eq!(described(&entries), "message 1: user \"Broken\"\n");
    }
}

#[test]
fn actions_and_function_calls_are_calls_of_tools() {
    let prompt = "(Open file: /r/a.py)\n(Current directory: /r)\nbash-$";
    let call = json!([
        {"id": "c1", "function": {"name": "bash", "arguments": "{\"command\":\"x\"}"}},
        {"id": "c2", "function": {"name": "edit", "arguments": "{oops"}},
    ]);
    let document = json!({"history": [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "demo", "is_demo": true},
        {"role": "user", "content": format!("Mend it\n{prompt}"), "is_demo": null},
        {"role": "assistant", "content": null, "action": "create 'b c.py'\n"},
        {"role": "user", "content": format!("[File: b c.py]\nTraceback (most recent call last)\n{prompt}")},
        {"role": "assistant", "content": "", "tool_calls": call},
        {"role": "tool", "content": "x: command not found", "tool_call_ids": ["c1"]},
        {"role": "tool", "content": [{"type": "text", "text": "Error: bad"}], "tool_call_ids": ["c2"]},
        {"role": "oracle", "content": "?"},
    ]});
    let (entries, summary) = read(document.to_string());
    assert_eq!(
        described(&entries),
        "message 3: user \"Mend it\"\n\
         message 4: model call\n\
         message 4: call action 4 Edit /r/b c.py\n\
         message 5: result action 4 \"[File: b c.py]\\nTraceback (most recent call last)\" false None\n\
         message 6: model call\n\
         message 6: call c1 Bash x\n\
         message 6: call c2 Edit /r/a.py\n\
         message 7: result c1 \"x: command not found\" true None\n\
         message 8: result c2 \"Error: bad\" true None\n"
    );
    assert_eq!(
        summary.unknown,
        BTreeMap::from([("role oracle".to_owned(), 1)])
    );
}

#[test]
fn a_session_is_named_by_what_it_says_else_by_its_file() {
    let mut line = user(json!("hi"));
    line["sessionId"] = json!("s1");
    let (_folder, path) = file(lines(&[line]));
    assert_eq!(Transcript::session_name(&path).unwrap(), "s1");
    let (_folder, path) = file("{\"history\": []}");
    assert_eq!(Transcript::session_name(&path).unwrap(), "session");
}

/// The recorded sessions of a kind, or nothing where there is no `HUD_DATA`.
fn sessions(kind: &str, extension: &str) -> Vec<PathBuf> {
    let Some(data) = data() else {
        return Vec::new();
    };
    let folder = data.join("sessions").join(kind);
    let files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    assert!(!files.is_empty(), "{} holds sessions", folder.display());
    files
}

/// What the records say, in the terms of the plain counts.
#[derive(Debug, Default, PartialEq)]
struct Counted {
    model_calls: usize,
    users: usize,
    /// The ids of calls, and of results.
    calls: Vec<String>,
    results: Vec<String>,
    errors: usize,
    /// Input, cache creation, cache read, output by the id of the message.
    usage: BTreeMap<String, [u64; 5]>,
}

fn counted(entries: &[Entry]) -> Counted {
    let mut counted = Counted::default();
    for Entry {
        key, observation, ..
    } in entries
    {
        match observation {
            Observation::ModelCall => counted.model_calls += 1,
            Observation::User { .. } => counted.users += 1,
            Observation::ToolCall { call, .. } => counted.calls.push(call.clone()),
            Observation::ToolResult { call, is_error, .. } => {
                counted.results.push(call.clone());
                counted.errors += usize::from(*is_error);
            }
            Observation::Usage { usage: u, .. } => {
                let figures = [
                    u.input,
                    u.cache_write,
                    u.cache_write_hour,
                    u.cache_read,
                    u.output,
                ];
                let before = counted.usage.insert(key.clone(), figures);
                assert_eq!(before, None, "{key}: usage is reported once");
            }
            _ => {}
        }
    }
    counted
}

#[test]
fn claude_code_sessions_agree_with_a_plain_count() {
    for path in sessions("claude-code", "jsonl") {
        let name = path.display();
        let mut plain = Counted::default();
        let mut ids = BTreeSet::new();
        let text = fs::read_to_string(&path).unwrap();
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let message = &line["message"];
            let id = message["id"].as_str().unwrap_or_default().to_owned();
            if line["isSidechain"] == true {
                continue;
            }
            if line["type"] == "assistant" && message["model"] != "<synthetic>" {
                let figure = |key: &str| message["usage"][key].as_u64().unwrap();
                plain.usage.insert(
                    id.clone(),
                    [
                        figure("input_tokens"),
                        figure("cache_creation_input_tokens"),
                        message["usage"]["cache_creation"]["ephemeral_1h_input_tokens"]
                            .as_u64()
                            .unwrap_or(0),
                        figure("cache_read_input_tokens"),
                        figure("output_tokens"),
                    ],
                );
                ids.insert(id);
            }
            if line["type"] == "user"
                && let Some(text) = message["content"].as_str()
                && line["isMeta"] != true
                && line["isCompactSummary"] != true
            {
                plain.users += usize::from(!text.starts_with('<'));
            }
            for block in message["content"].as_array().into_iter().flatten() {
                if block["type"] == "tool_use" {
                    plain.calls.push(block["id"].as_str().unwrap().to_owned());
                }
                if block["type"] == "tool_result" {
                    let call = block["tool_use_id"].as_str().unwrap();
                    plain.results.push(call.to_owned());
                    plain.errors += usize::from(block["is_error"] == true);
                }
            }
        }
        plain.model_calls = ids.len();
        let (entries, summary) = read_file(&path).unwrap();
        let read = counted(&entries);
        assert_eq!(read, plain, "{name}");
        assert!(
            read.results.iter().all(|call| read.calls.contains(call)),
            "{name}"
        );
        assert_eq!(summary.lines as usize, text.lines().count(), "{name}");
        assert_eq!(summary.entries as usize, entries.len(), "{name}");
        assert_eq!(
            (summary.unknown.len(), summary.mended),
            (0, 0),
            "{name}: {summary:?}"
        );
        assert!(
            entries.is_sorted_by_key(|entry| (entry.place, entry.bytes)),
            "{name}"
        );
        let client = Transcript::open(&path).unwrap().client().name();
        assert_eq!(client, "claude-code");
    }
}

#[test]
fn swe_agent_sessions_agree_with_a_plain_count() {
    for path in sessions("swe-agent", "traj") {
        let name = path.display();
        let document: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let (mut turns, mut calls, mut tools) = (0, 0, 0);
        for message in document["history"].as_array().unwrap() {
            if message["role"] == "assistant" {
                turns += 1;
                calls += message["tool_calls"].as_array().map_or(1, Vec::len);
            }
            tools += message["tool_call_ids"].as_array().map_or(0, Vec::len);
        }
        let (entries, summary) = read_file(&path).unwrap();
        let read = counted(&entries);
        assert_eq!(
            (read.model_calls, read.calls.len(), read.users),
            (turns, calls, 1),
            "{name}"
        );
        assert!(tools == 0 || read.results.len() == tools, "{name}");
        assert!(
            read.results.iter().all(|call| read.calls.contains(call)),
            "{name}"
        );
        assert!(summary.unknown.is_empty(), "{name}: {summary:?}");
        let bytes = fs::metadata(&path).unwrap().len();
        assert_eq!(Transcript::open(&path).unwrap().bytes(), bytes);
        assert!(entries.iter().all(|entry| entry.bytes <= bytes), "{name}");
        let client = Transcript::open(&path).unwrap().client().name();
        assert_eq!(client, "swe-agent");
    }
}

/// A chat with a call, as one who writes it may: the same in all forms.
fn chat() -> Vec<Value> {
    let arguments = json!({ "reservation_id": "X7" }).to_string();
    vec![
        json!({ "role": "system", "content": "Never book twice." }),
        json!({ "role": "user", "content": "Cancel my flight" }),
        json!({ "role": "assistant", "content": "One moment.", "tool_calls": [
            { "id": "c1", "type": "function", "function": { "name": "cancel_reservation", "arguments": arguments } },
        ] }),
        json!({ "role": "tool", "tool_call_id": "c1", "content": "Error: it is not yours" }),
        json!({ "role": "assistant", "content": [{ "type": "text", "text": "I cannot cancel it." }] }),
        json!({ "role": "narrator", "content": "Curtain." }),
    ]
}

#[test]
fn a_chat_is_read_in_whatever_form_it_is_kept() {
    let messages = chat();
    let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
    let forms = [
        json!(messages).to_string(),
        lines.join("\n"),
        json!({ "model": "m", "messages": messages }).to_string(),
        format!(
            "{}\n",
            json!([{ "task_id": 1, "traj": messages, "reward": 1.0 }])
        ),
        serde_json::to_string_pretty(&json!([messages])).unwrap(),
    ];
    for form in forms {
        let (entries, summary) = read(&form);
        assert_eq!(
            described(&entries),
            "message 2: user \"Cancel my flight\"\n\
             message 3: model call\n\
             message 3: agent \"One moment.\"\n\
             message 3: call c1 cancel_reservation X7\n\
             message 4: result c1 \"Error: it is not yours\" true None\n\
             message 5: model call\n\
             message 5: agent \"I cannot cancel it.\"\n",
            "{form}"
        );
        let unknown = BTreeMap::from([("role narrator".to_owned(), 1)]);
        assert_eq!((summary.conversations, summary.unknown), (1, unknown));
    }
}

#[test]
fn a_call_of_an_older_chat_has_the_next_result() {
    let (entries, _) = read(
        json!([
            { "role": "assistant", "content": null, "function_call": { "name": "look", "arguments": "{" } },
            { "role": "function", "name": "look", "content": "nothing" },
        ])
        .to_string(),
    );
    let read = counted(&entries);
    assert_eq!(
        (read.calls.len(), read.results, read.errors),
        (1, read.calls, 0)
    );
}

#[test]
fn one_conversation_is_read_of_a_file_that_has_several() {
    let said = |text: &str| json!({ "messages": [{ "role": "user", "content": text }] });
    let (_folder, path) = file(format!("{}\n{}\n", said("one"), said("two")));
    let of = |number| {
        let mut said = Vec::new();
        let transcript = Transcript::open(&path).unwrap().conversation(number);
        let summary = transcript.read(&mut |entry| {
            said.push(entry.observation);
            Ok::<_, TranscriptError>(())
        });
        summary.map(|summary| (summary.conversations, said.pop()))
    };
    let user = |text: &str| {
        Some(Observation::User {
            text: text.to_owned(),
        })
    };
    assert_eq!(of(1).unwrap(), (2, user("one")));
    assert_eq!(of(2).unwrap(), (2, user("two")));
    let error = of(3).unwrap_err().to_string();
    assert!(
        error.ends_with("has 2 conversations: there is no 3"),
        "{error}"
    );
    let name = |number| {
        let transcript = Transcript::open(&path).unwrap().conversation(number);
        transcript.into_session_name().unwrap()
    };
    assert_eq!(
        (name(1), name(2)),
        ("session".to_owned(), "session-2".to_owned())
    );
    let (_folder, one) = file("{\"type\":\"user\"}\n");
    let error = Transcript::open(&one).unwrap().conversation(2);
    let error = error.into_session_name().unwrap_err().to_string();
    assert!(
        error.ends_with("has 1 conversation: there is no 2"),
        "{error}"
    );
}

#[test]
fn a_chat_is_read_as_far_as_it_can_be() {
    let said = |entries: &[Entry]| described(entries).matches("user \"").count();
    let whole = json!(chat()).to_string();
    let (entries, summary) = read(&whole[..whole.len() - 9]);
    let lines = described(&entries).lines().count();
    assert_eq!((lines, summary.first_damaged), (7, Some(1)));
    let odd = r#"[{"role":"user","content":"a"},{"role":7},{"content":"b"},{"role":"user","content":"c"}]"#;
    let (entries, summary) = read(odd);
    assert_eq!(
        (said(&entries), summary.unknown.len()),
        (2, 2),
        "{summary:?}"
    );
    let line = |text: &str| json!({ "role": "user", "content": text }).to_string();
    for (lines, count, first) in [
        (
            format!(
                "{}\n{{\"role\":\"us{}\n{}\n",
                line("a"),
                line("b"),
                line("c")
            ),
            3,
            Some(2),
        ),
        (
            format!("{}\n\0\0\nnpm ERR!\n{}\n", line("a"), line("c")),
            2,
            Some(2),
        ),
        (
            format!("{}{}\n{}\n", line("a"), line("b"), line("c")),
            3,
            None,
        ),
        (
            format!("{{\"role\":\"us{}\n{}\n", line("a"), line("c")),
            2,
            Some(1),
        ),
    ] {
        let (entries, summary) = read(&lines);
        assert_eq!(
            (said(&entries), summary.first_damaged),
            (count, first),
            "{lines}"
        );
        assert_eq!(summary.conversations, 1, "{lines}");
    }
    let (_, summary) = read(format!("{}\n{{\"role\":\"us", line("a")));
    assert_eq!((summary.truncated, summary.damaged), (Some(2), 0));
}

#[test]
fn what_is_no_character_in_a_chat_is_read_as_the_replacement() {
    for broken in [&b"\\ud83d"[..], b"\xFF", b"\xF0\x9F"] {
        for (before, behind) in [
            ("[{", "}]"),
            ("\u{FEFF}{", "}\n"),
            ("{\"messages\":[{", "}]}"),
        ] {
            let mut content = format!("{before}\"role\":\"user\",\"content\":\"a").into_bytes();
            content.extend(broken);
            content.extend(format!("z\"{behind}").bytes());
            let (entries, summary) = read(content);
            assert_eq!(described(&entries), "message 1: user \"a\u{FFFD}z\"\n");
            assert_eq!(summary.mended, 1);
        }
    }
}

#[test]
fn blocks_of_content_are_calls_and_results() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let (entries, summary) = read(
        json!([
            { "role": "user", "content": [text("<system-reminder>never push</system-reminder>"), text("Fix it")] },
            { "role": "assistant", "content": [
                { "type": "thinking", "thinking": "hm" },
                { "type": "tool_use", "id": "t1", "name": "bash", "input": { "command": "npm test" } },
                text("I run it."),
                { "type": "tool_use", "id": "t2", "name": "Grep", "input": { "pattern": "x" } } ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "t2", "content": "No such tool available: Grep", "is_error": true },
                { "type": "tool_result", "tool_use_id": "t1", "content": [text("5 passing")] },
                { "type": "hologram" } ] },
            { "role": "user", "content": "<task-notification>push it</task-notification>" },
            { "role": "assistant", "content": "done" },
        ])
        .to_string(),
    );
    assert_eq!(
        described(&entries),
        "message 1: user \"\\nFix it\"\n\
         message 2: model call\n\
         message 2: agent \"I run it.\"\n\
         message 2: call t1 Bash npm test\n\
         message 2: call t2 Grep x\n\
         message 3: result t2 \"No such tool available: Grep\" true None NoSuchTool\n\
         message 3: result t1 \"5 passing\" false None\n\
         message 5: model call\n\
         message 5: agent \"done\"\n"
    );
    let unknown = BTreeMap::from([("content block hologram".to_owned(), 1)]);
    assert_eq!(summary.unknown, unknown);
}

#[test]
fn what_says_nothing_is_refused() {
    for (content, says) in [
        (r#"[{"role":"system","content":"a"}]"#, "none can be read"),
        (r#"{"messages":[]} x"#, "none can be read"),
        (
            r#"{"messages":[{"kind":"user","text":"a"}]}"#,
            "none can be read",
        ),
        (
            r#"{"sessionId":"s","projectHash":"h","messages":[{"type":"info","content":"a"}]}"#,
            "a recording of gemini",
        ),
        (
            r#"{"info":{"id":"ses_1"},"messages":[{"info":{"role":"user"},"parts":[]}]}"#,
            "a recording of opencode",
        ),
        (
            r#"{"info":{"exit_status":"Submitted"},"messages":[{"role":"system","content":"a"}]}"#,
            "a recording of mini-swe-agent",
        ),
    ] {
        let error = refused(content);
        assert!(error.contains(says), "{content}: {error}");
    }
}

#[test]
fn a_notice_that_the_client_queues_is_no_request() {
    let queue = |operation: &str, content: Value| json!({ "type": "queue-operation", "operation": operation, "content": content });
    let notice = json!({ "task_id": "a1", "task_type": "local_agent" }).to_string();
    let (entries, _) = read(lines(&[
        user(json!("look at it")),
        queue("enqueue", json!(notice)),
        queue("remove", Value::Null),
        queue(
            "enqueue",
            json!("<task-notification>push</task-notification>"),
        ),
        queue("remove", Value::Null),
        queue("enqueue", json!("and commit it")),
        queue("remove", Value::Null),
    ]));
    assert_eq!(
        described(&entries),
        "line 1: user \"look at it\"\nline 7: user \"and commit it\"\n"
    );
}

#[test]
fn every_conversation_of_recorded_chats_agrees_with_a_plain_count() {
    for path in sessions("tau-bench", "json") {
        let document: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let dialogues = document.as_array().unwrap();
        let last = Transcript::open(&path)
            .unwrap()
            .conversation(dialogues.len() as u64);
        let summary = last.read(&mut |_| Ok::<_, TranscriptError>(())).unwrap();
        assert_eq!(summary.conversations as usize, dialogues.len());
        for (number, dialogue) in (1..).zip(dialogues) {
            let (entries, summary) = read(dialogue.to_string());
            assert!(summary.unknown.is_empty(), "{number}: {summary:?}");
            let messages = dialogue["traj"].as_array().unwrap();
            let of = |role: &str| messages.iter().filter(|one| one["role"] == role).count();
            let calls = messages
                .iter()
                .filter_map(|one| one["tool_calls"].as_array());
            let calls: usize = calls.map(Vec::len).sum();
            let read = counted(&entries);
            assert_eq!(
                (
                    read.users,
                    read.model_calls,
                    read.calls.len(),
                    read.results.len()
                ),
                (of("user"), of("assistant"), calls, of("tool")),
                "{number}"
            );
        }
    }
}

/// Where a trajectory says what was open after an action, the edits that follow are of that file.
#[test]
fn an_edit_is_of_the_file_that_the_state_after_the_action_has_open() {
    let mut edits = 0;
    for path in sessions("swe-agent", "traj") {
        let document: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let steps = document["trajectory"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let (entries, _) = read_file(&path).unwrap();
        let calls = entries.iter().filter_map(|entry| match &entry.observation {
            Observation::ToolCall { actions, .. } => actions.iter().next(),
            _ => None,
        });
        for (index, action) in calls.enumerate() {
            let step = steps.get(index);
            let words = step.map_or("", |step| step["action"].as_str().unwrap_or_default());
            let is_edit = words.starts_with("edit ") || words.starts_with("insert ");
            let Action::Edit { path: edited, .. } = action else {
                continue;
            };
            // Texts are of before the action, objects of after it.
            let state = match step.map(|step| &step["state"]) {
                Some(Value::String(state)) => serde_json::from_str(state).unwrap(),
                Some(Value::Object(_)) if index > 0 => steps[index - 1]["state"].clone(),
                _ => continue,
            };
            if is_edit {
                edits += 1;
                let name = path.display();
                assert_eq!(state["open_file"], **edited, "{name}, action {index}");
            }
        }
    }
    assert!(edits > 0 || sessions("swe-agent", "traj").is_empty());
}
