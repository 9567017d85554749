//! What Codex does not say in its events: whether a command failed, and which files a patch is for.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::Value;

/// How much of the end of a transcript is read: the call that an event is of was written just now.
const TAIL: u64 = 1024 * 1024;

/// The exit code of a command by its call, from the transcript that Codex writes while it works. `None`
/// where it is not found: the transcript's format is Codex's own affair.
pub(super) fn exit_code(transcript: &Path, call: &str) -> Option<i64> {
    if call.is_empty() {
        return None;
    }
    let mut file = File::open(transcript).ok()?;
    let length = file.metadata().ok().filter(|file| file.is_file())?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))
        .ok()?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail).ok()?;
    let tail = String::from_utf8_lossy(&tail);
    let mut lines = tail.lines().rev().filter(|line| line.contains(call));
    lines.find_map(|line| {
        let line: Value = serde_json::from_str(line).ok()?;
        let item = line.pointer("/payload/item")?;
        (item["id"] == call).then(|| item["exit_code"].as_i64())?
    })
}

/// The paths that a patch adds, changes or deletes, as its headers have them.
pub(super) fn patched(patch: &str) -> impl Iterator<Item = &str> {
    const HEADERS: [&str; 4] = [
        "*** Add File: ",
        "*** Update File: ",
        "*** Delete File: ",
        "*** Move to: ",
    ];
    patch.lines().filter_map(|line| {
        let path = HEADERS.iter().find_map(|header| line.strip_prefix(header));
        path.map(str::trim).filter(|path| !path.is_empty())
    })
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
    fn a_patch_names_its_files() {
        let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-*** Add File: no\n+x\n\
                     *** Delete File: b c.md\n*** End Patch\n";
        assert_eq!(patched(patch).collect::<Vec<_>>(), ["src/a.rs", "b c.md"]);
    }
}
