//! `hud install` and `hud uninstall`: a client's configuration, so that it shows the HUD.
//!
//! What is there is kept, with its comments and its layout: only our entries come and go. The change
//! is shown first, and made with `--yes`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstObject, CstRootNode};
use jsonc_parser::json;
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use crate::args::{Client, Install};
use crate::file::replace;
use crate::output::{self, Failure, Output};

/// The plugin, as it is written where opencode finds it.
const PLUGIN: &str = include_str!("../../integrations/opencode/hud.js");

/// By what a plugin's address is known to be ours.
const PLUGIN_END: &str = "/agent-hud/opencode.js";

/// The events that a client's hooks are for.
const CLAUDE: &[&str] = &[
    "SessionStart",
    "UserPromptSubmit",
    "PostToolUse",
    "PreCompact",
];
const GEMINI: &[&str] = &["BeforeAgent", "BeforeModel", "AfterTool"];

pub(crate) fn install(args: &Install) -> Result<(), Failure> {
    let change = Change::of(args)?;
    let hud = own_path()?;
    let text = change.edited(|root| match args.client {
        Client::Opencode => add_plugin(root, &change.plugin, &hud),
        Client::Claude | Client::Codex => add_hooks(root, CLAUDE, &hud),
        Client::Gemini => add_hooks(root, GEMINI, &hud),
    })?;
    change.make(args, &text, true)
}

pub(crate) fn uninstall(args: &Install) -> Result<(), Failure> {
    let change = Change::of(args)?;
    let text = change.edited(|root| {
        match args.client {
            Client::Opencode => remove_plugin(root),
            Client::Claude | Client::Codex | Client::Gemini => remove_hooks(root),
        }
        Ok(())
    })?;
    change.make(args, &text, false)
}

/// A change of a client's configuration.
struct Change {
    /// The configuration.
    file: PathBuf,
    /// What is in it.
    before: String,
    /// Where the plugin for opencode is.
    plugin: PathBuf,
}

impl Change {
    fn of(args: &Install) -> Result<Self, Failure> {
        let home = |variable: &str, folder: &str| -> Result<PathBuf, Failure> {
            if let Some(path) = std::env::var_os(variable).filter(|path| !path.is_empty()) {
                return Ok(path.into());
            }
            let home = std::env::home_dir().ok_or_else(|| {
                Failure::Other(format!("there is no home directory: set {variable}"))
            })?;
            Ok(home.join(folder))
        };
        let file = match (args.client, args.user) {
            (Client::Opencode, false) => {
                // Whichever of the two there is.
                let with_comments = PathBuf::from("opencode.jsonc");
                if with_comments.exists() {
                    with_comments
                } else {
                    "opencode.json".into()
                }
            }
            (Client::Opencode, true) => {
                home("XDG_CONFIG_HOME", ".config")?.join("opencode/opencode.json")
            }
            (Client::Claude, false) => ".claude/settings.json".into(),
            (Client::Claude, true) => home("CLAUDE_CONFIG_DIR", ".claude")?.join("settings.json"),
            (Client::Codex, false) => ".codex/hooks.json".into(),
            (Client::Codex, true) => home("CODEX_HOME", ".codex")?.join("hooks.json"),
            (Client::Gemini, false) => ".gemini/settings.json".into(),
            (Client::Gemini, true) => home("GEMINI_HOME", ".gemini")?.join("settings.json"),
        };
        let before = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(told(&file, &error)),
        };
        let data = home("XDG_DATA_HOME", ".local/share")?;
        Ok(Self {
            file,
            before,
            plugin: data.join("agent-hud/opencode.js"),
        })
    }

    /// The configuration with an edit in it.
    fn edited(
        &self,
        edit: impl FnOnce(&CstRootNode) -> Result<(), String>,
    ) -> Result<String, Failure> {
        let given = if self.before.trim().is_empty() {
            "{}\n"
        } else {
            &self.before
        };
        let root = CstRootNode::parse(given, &ParseOptions::default())
            .map_err(|error| told(&self.file, &error))?;
        edit(&root).map_err(|reason| told(&self.file, &reason))?;
        Ok(root.to_string())
    }

    /// Shows the change, and makes it if that is wanted.
    fn make(&self, args: &Install, after: &str, is_install: bool) -> Result<(), Failure> {
        let mut output = Output::new();
        let is_same = self.before == after || (self.before.is_empty() && after == "{}\n");
        let brings_plugin = args.client == Client::Opencode && is_install;
        let plugin_is_there = fs::read_to_string(&self.plugin).is_ok_and(|text| text == PLUGIN);
        if is_same && (!brings_plugin || plugin_is_there) {
            output::note(format_args!("{}: nothing to change", self.file.display()));
            return Ok(());
        }
        if !is_same {
            output.divider(&self.file.display().to_string())?;
            show(&mut output, &self.before, after)?;
        }
        if brings_plugin && !plugin_is_there {
            output.divider(&self.plugin.display().to_string())?;
            output.added("+ the plugin for opencode")?;
        }
        output.flush()?;
        if !args.yes {
            output::note("nothing was changed yet: say --yes to do it");
            return Ok(());
        }
        let put = |file: &Path, text| replace(file, text).map_err(|error| told(file, &error));
        if brings_plugin {
            put(&self.plugin, PLUGIN)?;
        }
        if !is_same {
            put(&self.file, after)?;
        }
        output::note(format_args!("{}: changed", self.file.display()));
        Ok(())
    }
}

fn told(file: &Path, reason: &dyn std::fmt::Display) -> Failure {
    Failure::Other(format!("{}: {reason}", file.display()))
}

/// The lines that go and come, and some around them.
fn show(output: &mut Output, before: &str, after: &str) -> io::Result<()> {
    let diff = TextDiff::from_lines(before, after);
    for group in diff.grouped_ops(2) {
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = change.value().trim_end_matches(['\n', '\r']);
            match change.tag() {
                ChangeTag::Delete => output.removed(&format!("- {line}"))?,
                ChangeTag::Insert => output.added(&format!("+ {line}"))?,
                ChangeTag::Equal => output.text(&format!("  {line}"))?,
            }
        }
    }
    Ok(())
}

/// Where this program is, as clients are to start it.
fn own_path() -> Result<String, Failure> {
    let path = std::env::current_exe()?;
    path.to_str()
        .map(ToOwned::to_owned)
        .ok_or_else(|| Failure::Other(format!("{} is no text", path.display())))
}

fn object(root: &CstRootNode) -> Result<CstObject, String> {
    root.object_value_or_create()
        .ok_or_else(|| "it is no object: mend it first".to_owned())
}

fn add_plugin(root: &CstRootNode, plugin: &Path, hud: &str) -> Result<(), String> {
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

fn add_hooks(root: &CstRootNode, events: &[&str], hud: &str) -> Result<(), String> {
    let hooks = object(root)?
        .object_value_or_create("hooks")
        .ok_or("`hooks` is no object: mend it first")?;
    // A path may have spaces; clients hand commands to a shell.
    let command = format!("'{}' hook", hud.replace('\'', r"'\''"));
    let wanted = serde_json::json!({ "hooks": [{ "type": "command", "command": command }] });
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
            let command: CstInputValue = command.clone().into();
            entries.append(json!({ "hooks": [{ "type": "command", "command": command }] }));
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
        let name = program.trim_matches(['\'', '"']).rsplit(['/', '\\']).next();
        name.is_some_and(|name| name == "hud" || name == "hud.exe")
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
