//! What clients write into their transcripts and do not say in their events: whether a command
//! failed, what a compaction kept, and how full the context is. A transcript's format is its client's own affair: what is not
//! found is not known.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use hud_agent::context::Window;
use hud_agent::session::Observation;
use hud_agent::transcript::{Entry, Record, Transcript};
use serde_json::Value;

use super::text;

/// How much of the beginning or the end of a transcript is read: the call that an event is of was written just now.
const TAIL: u64 = 1024 * 1024;

/// The names of the prompts and calls of tools at the beginning of a conversation (Claude Code). The
/// calls of a fork's are those of the conversation that it was copied from.
pub(super) fn names(transcript: &Path) -> BTreeSet<String> {
    let Ok(file) = File::open(transcript) else {
        return BTreeSet::new();
    };
    let lines = BufReader::new(file.take(TAIL)).lines();
    let lines = lines.map_while(Result::ok);
    let mut names = BTreeSet::new();
    for line in lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok()) {
        names.extend(text(&line, "/promptId"));
        let blocks = line.pointer("/message/content").and_then(Value::as_array);
        let blocks = blocks.into_iter().flatten();
        names.extend(blocks.filter_map(|block| text(block, "/tool_use_id")));
    }
    names
}

/// The exit code of a command by its call (Codex).
pub(super) fn exit_code(transcript: &Path, call: &str) -> Option<i64> {
    if call.is_empty() {
        return None;
    }
    let tail = tail(transcript)?;
    newest(&tail, call, |line| {
        let item = line.pointer("/payload/item")?;
        (item["id"] == call).then(|| item["exit_code"].as_i64())?
    })
}

/// A patch that did not fit the files.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadPatch {
    pub(super) call: String,
    pub(super) patch: String,
    pub(super) reason: String,
}

/// The patches that Codex did not apply, the latest last: no hook runs for them. What says so is the
/// result of the call of its own tool, behind which no program ran.
pub(super) fn bad_patches(transcript: &Path) -> Vec<BadPatch> {
    /// What Codex begins such a result with.
    const REFUSED: &str = "apply_patch verification failed: ";
    /// How many are looked at: the others were taken in long ago.
    const LATEST: usize = 8;

    let tail = tail(transcript).unwrap_or_default();
    let mut patches = HashMap::new();
    let mut bad = Vec::new();
    let lines = tail
        .lines()
        .filter(|line| line.contains("custom_tool_call"));
    for line in lines.filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let payload = &line["payload"];
        let text = |key: &str| payload[key].as_str().map(ToOwned::to_owned);
        let Some(call) = text("call_id") else {
            continue;
        };
        match payload["type"].as_str() {
            Some("custom_tool_call") if payload["name"] == "apply_patch" => {
                patches.insert(call, text("input").unwrap_or_default());
            }
            Some("custom_tool_call_output") => {
                let said = text("output").unwrap_or_default();
                if let Some(patch) = patches.remove(&call)
                    && let Some(reason) = said.strip_prefix(REFUSED)
                {
                    let reason = reason.to_owned();
                    bad.push(BadPatch {
                        call,
                        patch,
                        reason,
                    });
                }
            }
            _ => {}
        }
    }
    bad.drain(..bad.len().saturating_sub(LATEST));
    bad
}

/// What the last compaction kept (Codex). Claude Code writes it down when its hooks are through: there
/// it is not found, and an older one is not taken for it.
pub(super) fn summary(transcript: &Path) -> Option<String> {
    let tail = tail(transcript)?;
    newest(&tail, "compacted", |line| {
        let is_compaction = line["type"] == "compacted";
        is_compaction.then(|| Some(line.pointer("/payload/message")?.as_str()?.to_owned()))
    })?
}

/// The calls that Claude Code did not carry out, for which it runs no hook: those whose results are in
/// the transcript behind a place. And how far the transcript goes now.
pub(super) fn not_run(transcript: &Path, from: u64) -> (Vec<Observation>, u64) {
    let entries = Transcript::end(transcript, TAIL).unwrap_or_default();
    let mut calls = HashMap::new();
    let (mut missed, mut end) = (Vec::new(), from);
    for Entry { record, bytes, .. } in entries {
        end = end.max(bytes);
        match record {
            Record::ToolCall(call) => {
                calls.insert(call.id.clone(), call);
            }
            Record::ToolResult {
                call,
                content,
                is_error,
                not_run: Some(not_run),
                ..
            } if bytes > from => {
                missed.extend(calls.remove(&call).map(|made| Observation::ToolResult {
                    call,
                    tool: Some(made.name),
                    input: made.input,
                    content,
                    is_error,
                    not_run: Some(not_run),
                }));
            }
            _ => {}
        }
    }
    (missed, end)
}

/// The token usage of the last call of the model since the last compaction (Codex, Claude Code, Gemini
/// CLI).
pub(super) fn usage(transcript: &Path) -> Option<Observation> {
    let tail = tail(transcript)?;
    newest(&tail, "", |line| {
        if is_compaction(line) {
            // What is before it is no longer in the context.
            return Some(None);
        }
        usage_of(line).map(Some)
    })?
}

fn usage_of(line: &Value) -> Option<Observation> {
    let (usage, [sent, read, written], cached_is_sent) = match line["type"].as_str()? {
        "event_msg" => (
            line.pointer("/payload/info/last_token_usage")?,
            ["input_tokens", "cached_input_tokens", "output_tokens"],
            true,
        ),
        "assistant" if line["isSidechain"] != true => (
            line.pointer("/message/usage")?,
            ["input_tokens", "cache_read_input_tokens", "output_tokens"],
            false,
        ),
        "gemini" => (line.get("tokens")?, ["input", "cached", "output"], true),
        _ => return None,
    };
    let count = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or(0);
    let cache_read = count(read);
    let input = match cached_is_sent {
        true => count(sent).saturating_sub(cache_read),
        false => count(sent),
    };
    let text = |pointer: &str| Some(line.pointer(pointer)?.as_str()?.to_owned());
    let window = line.pointer("/payload/info/model_context_window");
    Some(Observation::Usage {
        input,
        cache_write: count("cache_creation_input_tokens"),
        cache_read,
        output: count(written).saturating_add(count("thoughts")),
        model: text("/message/model").or_else(|| text("/model")),
        window: window.and_then(Value::as_u64).map(Window::of),
    })
}

fn is_compaction(line: &Value) -> bool {
    // Gemini CLI says anew what the conversation is.
    line["type"] == "compacted"
        || line.pointer("/$set/messages").is_some()
        || (line["isCompactSummary"] == true && line["isSidechain"] != true)
}

/// The end of a transcript.
fn tail(transcript: &Path) -> Option<String> {
    let mut file = File::open(transcript).ok()?;
    let length = file.metadata().ok().filter(|file| file.is_file())?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))
        .ok()?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail).ok()?;
    if length > TAIL {
        // The rest of a line is none.
        let end = tail.iter().position(|byte| *byte == b'\n');
        tail.drain(..end.map_or(tail.len(), |end| end + 1));
    }
    Some(String::from_utf8_lossy(&tail).into_owned())
}

/// What is found first, from the end on, in the lines that have a word.
fn newest<T>(tail: &str, word: &str, find: impl Fn(&Value) -> Option<T>) -> Option<T> {
    let mut lines = tail.lines().rev().filter(|line| line.contains(word));
    lines.find_map(|line| find(&serde_json::from_str(line).ok()?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    #[test]
    fn a_command_is_found_by_its_call() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rollout.jsonl");
        let item = |id: &str, code: i64| {
            format!(
                r#"{{"type":"event_msg","payload":{{"type":"item_completed","item":{{"type":"CommandExecution","id":"{id}","exit_code":{code}}}}}}}"#
            )
        };
        let text = [
            "half a line, call_1",
            &item("call_1", 3),
            &item("call_2", 0),
            r#"{"payload":"call_1"}"#,
            "",
        ];
        std::fs::write(&path, text.join("\n")).unwrap();
        assert_eq!(exit_code(&path, "call_1"), Some(3));
        assert_eq!(exit_code(&path, "call_2"), Some(0));
        assert_eq!(exit_code(&path, "call_3"), None);
        assert_eq!(exit_code(&path, ""), None);
        assert_eq!(exit_code(directory.path(), "call_1"), None);
    }

    #[test]
    fn the_last_usage_is_found_if_nothing_was_compacted_since() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("transcript.jsonl");
        let used = |lines: &[&str]| {
            std::fs::write(&path, lines.join("\n")).unwrap();
            match usage(&path)? {
                Observation::Usage {
                    input,
                    cache_write,
                    cache_read,
                    output,
                    window,
                    ..
                } => Some((
                    [input, cache_write, cache_read, output],
                    window.map(|window| window.context),
                )),
                _ => None,
            }
        };
        let codex = r#"{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":100,"cached_input_tokens":60,"output_tokens":5},"model_context_window":9500}}}"#;
        let claude = r#"{"type":"assistant","message":{"model":"claude","usage":{"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":30,"output_tokens":5}}}"#;
        let other =
            r#"{"type":"assistant","isSidechain":true,"message":{"usage":{"input_tokens":1}}}"#;
        let gemini = r#"{"type":"gemini","tokens":{"input":100,"output":5,"cached":40,"thoughts":3},"model":"gemini"}"#;
        let compacted = r#"{"type":"compacted","payload":{"message":"half"}}"#;
        assert_eq!(used(&[claude, codex]), Some(([40, 0, 60, 5], Some(9_500))));
        assert_eq!(used(&[claude, other, "{"]), Some(([10, 20, 30, 5], None)));
        assert_eq!(used(&[gemini]), Some(([60, 0, 40, 8], None)));
        assert_eq!(used(&[codex, compacted]), None);
        assert_eq!(
            used(&[compacted, codex]),
            Some(([40, 0, 60, 5], Some(9_500)))
        );
    }

    #[test]
    fn a_patch_that_did_not_fit_is_found_and_none_that_a_tool_speaks_of() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rollout.jsonl");
        let line = |kind: &str, call: &str, name: &str, more: &str| {
            format!(
                r#"{{"type":"response_item","payload":{{"type":"{kind}","call_id":"{call}","name":"{name}",{more}}}}}"#
            )
        };
        let output = |call: &str, said: &str| {
            let said = format!(r#""output":"{said}""#);
            line("custom_tool_call_output", call, "", &said)
        };
        let failed = "apply_patch verification failed: no such lines";
        let text = [
            line(
                "custom_tool_call",
                "a",
                "apply_patch",
                r#""input":"*** Update File: a.rs""#,
            ),
            output("a", failed),
            line(
                "custom_tool_call",
                "b",
                "apply_patch",
                r#""input":"*** Update File: b.rs""#,
            ),
            output("b", "Exit code: 0"),
            line("custom_tool_call", "c", "another", r#""input":"""#),
            output("c", failed),
            output("d", failed),
        ];
        std::fs::write(&path, text.join("\n")).unwrap();
        let bad = BadPatch {
            call: "a".to_owned(),
            patch: "*** Update File: a.rs".to_owned(),
            reason: "no such lines".to_owned(),
        };
        assert_eq!(bad_patches(&path), [bad]);
    }

    #[test]
    fn the_last_summary_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("transcript.jsonl");
        let found = |lines: &[&str]| {
            std::fs::write(&path, lines.join("\n")).unwrap();
            summary(&path)
        };
        let codex = r#"{"type":"compacted","payload":{"message":"half"}}"#;
        let older = r#"{"isCompactSummary":true,"message":{"content":"done"}}"#;
        let said =
            r#"{"message":{"content":"{\"type\":\"compacted\",\"payload\":{\"message\":\"x\"}}"}}"#;
        assert_eq!(found(&[codex, said, "{"]).as_deref(), Some("half"));
        assert_eq!(found(&[older, said]), None);
    }
}
