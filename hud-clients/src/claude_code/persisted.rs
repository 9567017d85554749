//! Large outputs. Claude Code passes on the beginning of such an output and names the file that has all
//! of it. The file is in `tool-results` in the session's folder, beside the transcript. No other file is
//! opened, whatever a result names.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::Host;
use crate::host::ends;
use crate::json::text;

/// Returns the beginning and the end of the output file that a process's result names.
pub(super) fn output(event: &Value, response: &Value, host: &dyn Host) -> Option<String> {
    let path = text(response, "/persistedOutputPath").filter(|_| response["stdout"].is_string())?;
    let projects = projects(host)?;
    let names = names(Path::new(&path).strip_prefix(&projects).ok()?)?;
    let [_, session, "tool-results", _] = names[..] else {
        return None;
    };
    if event["session_id"] != session {
        return None;
    }
    ends(&mut *host.open_below(&projects, &names)?)
}

/// The folder that Claude Code keeps its sessions in.
fn projects(host: &dyn Host) -> Option<PathBuf> {
    let own = host.variable("CLAUDE_CONFIG_DIR");
    let folder = own.or_else(|| Some(host.home()?.join(".claude")))?;
    Some(folder.join("projects"))
}

/// Returns the names in a path, or `None` if it has other components.
fn names(path: &Path) -> Option<Vec<&str>> {
    let name = |component| match component {
        Component::Normal(name) => name.to_str(),
        _ => None,
    };
    path.components().map(name).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::host::Files;

    #[test]
    fn a_file_is_read_where_the_client_keeps_the_outputs_of_the_session_and_nowhere_else() {
        let kept = "/home/.claude/projects/-p/s1/tool-results/b1.txt";
        let files = |path: &str| Files::of(path, "1 failed");
        let read = |path: &str, session: &str| {
            let event = json!({ "session_id": session });
            let response = json!({ "stdout": "1 pa", "persistedOutputPath": path });
            output(&event, &response, &files(path))
        };
        assert_eq!(read(kept, "s1").as_deref(), Some("1 failed"));
        assert_eq!(read(kept, "s2"), None);
        for other in [
            "/home/.ssh/id",
            "/home/.claude/projects/-p/s1.jsonl",
            "/home/.claude/projects/-p/s1/tool-results/../../s1.jsonl",
            "/home/.claude/projects/-p/../s1/tool-results/b1.txt",
            "/home/.claude/projects/-p/s1/tool-results/a/b1.txt",
            "/home/.claude/settings.json",
            "tool-results/b1.txt",
            "",
        ] {
            assert_eq!(read(other, "s1"), None, "{other}");
        }
        let of_server = json!({ "content": "x", "persistedOutputPath": kept });
        assert_eq!(
            output(&json!({ "session_id": "s1" }), &of_server, &files(kept)),
            None
        );
    }
}
