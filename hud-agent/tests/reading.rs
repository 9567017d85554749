//! Recordings for the tests of readers, and their entries as lines of text.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use hud_clients::Client;
use hud_clients::transcript::{Entry, Summary, Transcript, TranscriptError};
use hud_observe::action::Action;
use hud_observe::observation::Observation;

/// The folder of the recorded sessions. None where there is none: the test is skipped.
pub(crate) fn data() -> Option<PathBuf> {
    let data = std::env::var_os("HUD_DATA").filter(|data| !data.is_empty());
    if data.is_none() {
        println!("skipped: HUD_DATA names no folder with recorded sessions");
    }
    data.map(PathBuf::from)
}

/// The client of a recording, its entries, and their summary.
pub(crate) fn read(path: &Path) -> Result<(&'static str, Vec<Entry>, Summary), TranscriptError> {
    let transcript = Transcript::open(path)?;
    let client = Client::name(transcript.client());
    let mut entries = Vec::new();
    let summary = transcript.read(&mut |entry| {
        entries.push(entry);
        Ok::<_, TranscriptError>(())
    })?;
    Ok((client, entries, summary))
}

/// The entries, a line each.
pub(crate) fn described(entries: &[Entry]) -> String {
    let mut described = String::new();
    for Entry {
        key, observation, ..
    } in entries
    {
        let line = match observation {
            // The calls say what they are.
            Observation::Arguments { .. } => continue,
            Observation::Session { name } => format!("session {name}"),
            Observation::Directory { path } => format!("in {path}"),
            Observation::Rewind { key } => format!("rewind to before {key}"),
            Observation::User { text } => format!("user {text:?}"),
            Observation::ModelCall => "model call".to_owned(),
            Observation::Agent { text } => format!("agent {text:?}"),
            Observation::ToolCall { call, actions } => {
                let labels: Vec<String> = actions.iter().map(Action::label).collect();
                format!("call {call} {}", labels.join(", "))
            }
            Observation::ToolResult {
                call,
                content,
                is_error,
                not_run,
                task,
                ..
            } => {
                let not_run = not_run.as_ref().map(|not_run| format!(" {not_run:?}"));
                let not_run = not_run.unwrap_or_default();
                format!("result {call} {content:?} {is_error} {task:?}{not_run}")
            }
            Observation::Usage { usage, model, .. } => format!(
                "usage {}/{}/{}/{} {model:?}",
                usage.input, usage.cache_write, usage.cache_read, usage.output
            ),
            Observation::Model { model, .. } => format!("model {model}"),
            Observation::CompactionBegins {
                trigger,
                tokens_before,
            } => format!("compaction begins {trigger:?} {tokens_before:?}"),
            Observation::CompactionEnds { summary, .. } => {
                format!("compaction ends {summary:?}")
            }
            other => unreachable!("no transcript says {other:?}"),
        };
        writeln!(described, "{key}: {line}").unwrap();
    }
    described
}
