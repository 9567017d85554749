//! The hooks that Codex trusts. Codex runs only hooks that the user has reviewed in their current form, and keeps
//! a digest of each reviewed hook.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::command::Program;
use super::json::value;
use super::stage::digest;

/// The digests of our hooks in a file, by the keys that Codex uses for them.
pub(super) fn trusted(text: &str, file: &Path, program: &Program) -> BTreeMap<String, String> {
    let value = value(text).unwrap_or_default();
    let mut trusted = BTreeMap::new();
    for (event, groups) in value["hooks"].as_object().into_iter().flatten() {
        for (group, entry) in groups.as_array().into_iter().flatten().enumerate() {
            // If the user has changed a hook of ours, the user has to review it.
            if entry.get("matcher").is_some() {
                continue;
            }
            for (index, hook) in entry["hooks"].as_array().into_iter().flatten().enumerate() {
                let command = hook["command"].as_str();
                if command.is_some_and(|command| program.is_hook(command))
                    && hook["type"] == "command"
                {
                    let name = snake(event);
                    let key = format!("{}:{name}:{group}:{index}", file.display());
                    trusted.insert(key, digest_of(&name, hook));
                }
            }
        }
    }
    trusted
}

/// The digest of a hook as Codex computes it, from its JSON with sorted keys and without spaces.
fn digest_of(event: &str, hook: &Value) -> String {
    // The entries are in the order of their keys, as the map keeps them.
    let hook = json!({
        "async": false,
        "command": hook["command"],
        "timeout": hook["timeout"].as_u64().unwrap_or(600),
        "type": "command",
    });
    let identity = json!({ "event_name": event, "hooks": [hook] });
    format!("sha256:{}", digest(identity.to_string().as_bytes()))
}

/// `PostToolUse` as `post_tool_use`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_has_the_digest_that_codex_gives_it() {
        let hook = json!({ "type": "command", "command": "hud hook || exit 0", "timeout": 10 });
        assert_eq!(
            digest_of("session_start", &hook),
            "sha256:29405474325312fee1be22ae31a1c2aa49133500ad6ad87e2b6b928ddd1e5353"
        );
        assert_eq!(
            digest_of(&snake("PostToolUse"), &hook),
            "sha256:02da6b09aa34217f529ed4b917b0289aa89116cd9002cb0ba27d3f17ae1289f4"
        );
    }
}
