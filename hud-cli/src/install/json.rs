//! Our entries in a configuration that is JSON, with or without comments.

use std::path::Path;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstObject, CstRootNode};
use jsonc_parser::json;
use serde_json::Value;

use super::{Hooks, PLUGIN_END, SERVER, is_ours};

/// A configuration with an edit in it. Where there is none, one is made if the edit needs it.
pub(super) fn edited(
    before: &str,
    edit: impl FnOnce(&CstRootNode) -> Result<(), String>,
) -> Result<String, String> {
    let given = if before.trim().is_empty() {
        "{}\n"
    } else {
        before
    };
    let root =
        CstRootNode::parse(given, &ParseOptions::default()).map_err(|error| error.to_string())?;
    edit(&root)?;
    let after = root.to_string();
    // What is as good as nothing is left as it was.
    Ok(if after == given {
        before.to_owned()
    } else {
        after
    })
}

fn object(root: &CstRootNode) -> Result<CstObject, String> {
    root.object_value_or_create()
        .ok_or_else(|| "it is no object: mend it first".to_owned())
}

/// Has opencode load the plugin, with the program that it is to start; without one, no longer.
pub(super) fn set_plugin(
    root: &CstRootNode,
    plugin: &Path,
    hud: Option<&str>,
) -> Result<(), String> {
    let Some(hud) = hud else {
        remove_plugin(root);
        return Ok(());
    };
    let plugins = object(root)?
        .array_value_or_create("plugin")
        .ok_or("`plugin` is no list: mend it first")?;
    let address = format!("file://{}", plugin.display());
    let entry = serde_json::json!([address, { "bin": hud }]);
    let is_there = plugins
        .elements()
        .iter()
        .any(|element| element.to_serde_value() == Some(entry.clone()));
    if !is_there {
        remove_from(&plugins, is_plugin);
        plugins.append(json!([address, { "bin": hud }]));
    }
    Ok(())
}

fn remove_plugin(root: &CstRootNode) {
    if let Some(plugins) = root
        .object_value()
        .and_then(|root| root.array_value("plugin"))
    {
        remove_from(&plugins, is_plugin);
    }
}

fn is_plugin(entry: &Value) -> bool {
    let address = entry.as_str().or_else(|| entry.get(0)?.as_str());
    address.is_some_and(|address| address.ends_with(PLUGIN_END))
}

/// Has the client run a command as its hooks; without one, none of ours.
pub(super) fn set_hooks(
    root: &CstRootNode,
    hooks: &Hooks,
    command: Option<&str>,
) -> Result<(), String> {
    let Some(command) = command else {
        remove_hooks(root);
        return Ok(());
    };
    let Hooks { events, timeout } = *hooks;
    let hooks = object(root)?
        .object_value_or_create("hooks")
        .ok_or("`hooks` is no object: mend it first")?;
    let wanted = serde_json::json!({
        "hooks": [{ "type": "command", "command": command, "timeout": timeout }]
    });
    for event in events {
        let entries = hooks
            .array_value_or_create(event)
            .ok_or_else(|| format!("`hooks.{event}` is no list: mend it first"))?;
        let is_there = entries
            .elements()
            .iter()
            .any(|entry| entry.to_serde_value() == Some(wanted.clone()));
        if !is_there {
            remove_from(&entries, is_hook);
            let command: CstInputValue = command.to_owned().into();
            let hook = json!({ "type": "command", "command": command, "timeout": timeout });
            entries.append(json!({ "hooks": [hook] }));
        }
    }
    Ok(())
}

fn remove_hooks(root: &CstRootNode) {
    let Some(property) = root.object_value().and_then(|root| root.get("hooks")) else {
        return;
    };
    let Some(hooks) = property.object_value() else {
        return;
    };
    let events = hooks.properties();
    let is_empty = events.is_empty();
    for event in events {
        if let Some(entries) = event.array_value() {
            remove_from(&entries, is_hook);
            if entries.elements().is_empty() {
                event.remove();
            }
        }
    }
    // One that was empty before is none of ours.
    if !is_empty && hooks.properties().is_empty() {
        property.remove();
    }
}

/// Whether an entry has no command but ours.
fn is_hook(entry: &Value) -> bool {
    let Some(commands) = entry["hooks"].as_array() else {
        return false;
    };
    let is_ours = |hook: &Value| {
        let command = hook["command"].as_str().unwrap_or_default();
        let program = command.strip_suffix(" hook").unwrap_or_default();
        is_ours(program.trim_matches(['\'', '"']))
    };
    !commands.is_empty() && commands.iter().all(is_ours)
}

fn remove_from(array: &CstArray, is_ours: fn(&Value) -> bool) {
    for element in array.elements() {
        if element
            .to_serde_value()
            .is_some_and(|entry| is_ours(&entry))
        {
            element.remove();
        }
    }
}

/// Names our server, by its program, among those of the Model Context Protocol; without one, no
/// longer.
pub(super) fn set_server(root: &CstRootNode, hud: Option<&str>) -> Result<(), String> {
    let Some(hud) = hud else {
        remove_server(root);
        return Ok(());
    };
    let servers = object(root)?
        .object_value_or_create("mcpServers")
        .ok_or("`mcpServers` is no object: mend it first")?;
    let wanted = serde_json::json!({ "command": hud, "args": ["mcp"] });
    match servers.get(SERVER) {
        Some(entry) => {
            let there = entry.to_serde_value().unwrap_or_default();
            if !is_server(&there) {
                return Err(format!(
                    "`mcpServers.{SERVER}` is another server: rename it first"
                ));
            }
            // What else is said of it is the user's.
            if there["command"] != wanted["command"]
                && let Some(command) = entry.object_value().and_then(|entry| entry.get("command"))
            {
                command.set_value(hud.to_owned().into());
            }
        }
        None => {
            let hud: CstInputValue = hud.to_owned().into();
            servers.append(SERVER, json!({ "command": hud, "args": ["mcp"] }));
        }
    }
    Ok(())
}

fn remove_server(root: &CstRootNode) {
    let Some(property) = root.object_value().and_then(|root| root.get("mcpServers")) else {
        return;
    };
    let Some(servers) = property.object_value() else {
        return;
    };
    let Some(entry) = servers.get(SERVER) else {
        return;
    };
    if entry
        .to_serde_value()
        .is_some_and(|entry| is_server(&entry))
    {
        entry.remove();
        if servers.properties().is_empty() {
            property.remove();
        }
    }
}

/// Whether a server is ours.
fn is_server(entry: &Value) -> bool {
    entry["command"].as_str().is_some_and(is_ours) && entry["args"][0] == "mcp"
}
