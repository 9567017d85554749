//! What opencode needs to ask an endpoint on loopback, and nobody else.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

/// Its configuration, with the model `mock/model` and one whose context is wide.
pub(crate) fn config(port: u16) -> Value {
    let models = json!({
        "model": { "tool_call": true, "limit": { "context": 32000, "output": 4000 } },
        "wide": { "tool_call": true, "limit": { "context": 200_000, "output": 4000 } },
    });
    config_at(port, "mock", "@ai-sdk/openai-compatible", models)
}

/// The same for a provider's own endpoint, with the model `anthropic/claude-sonnet-4-6`.
pub(crate) fn config_of_anthropic(port: u16) -> Value {
    let models = json!({
        "claude-sonnet-4-6": { "tool_call": true, "limit": { "context": 200_000, "output": 4000 } },
    });
    config_at(port, "anthropic", "@ai-sdk/anthropic", models)
}

fn config_at(port: u16, provider: &str, package: &str, models: Value) -> Value {
    let first = models.as_object().and_then(|models| models.keys().next());
    let model = format!("{provider}/{}", first.map_or("", String::as_str));
    json!({
        "provider": { provider: {
            "npm": package,
            "options": { "baseURL": format!("http://127.0.0.1:{port}/v1"), "apiKey": "none" },
            "models": models,
        } },
        "model": model,
        "small_model": model,
        "enabled_providers": [provider],
        "share": "disabled",
        "autoupdate": false,
        "permission": { "*": "allow" },
    })
}

/// Has it keep what it keeps in a home of its own: two that start at once have each one, as their
/// database is not made for both.
pub(crate) fn in_home(command: &mut Command, home: &Path) {
    // It would look for a package of its own, again and again where there is no network.
    let npm = home.join(".npmrc");
    if !npm.exists() {
        fs::write(npm, "offline=true\nfetch-retries=0\n").unwrap();
    }
    command.env("HOME", home);
    for (name, folder) in [
        ("XDG_DATA_HOME", "data"),
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_CACHE_HOME", "cache"),
    ] {
        command.env(name, home.join(folder));
    }
    for what in [
        "AUTOUPDATE",
        "MODELS_FETCH",
        "SHARE",
        "LSP_DOWNLOAD",
        "DEFAULT_PLUGINS",
        "CLAUDE_CODE",
        "EXTERNAL_SKILLS",
        "EMBEDDED_WEB_UI",
    ] {
        command.env(format!("OPENCODE_DISABLE_{what}"), "1");
    }
}
