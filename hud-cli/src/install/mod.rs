//! `hud install` and `hud uninstall`: a client's configuration, so that it shows the HUD and has the
//! `hud` tool.
//!
//! What is there is kept, with its comments and its layout: only our entries come and go. The changes
//! are shown first, and made with `--yes`.

mod json;
mod toml;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use similar::{ChangeTag, TextDiff};

use crate::args::{Client, Install};
use crate::file::{make_executable, replace};
use crate::output::{self, Failure, Output};

/// The plugin, as it is written where opencode finds it.
const PLUGIN: &str = include_str!("../../../integrations/opencode/hud.js");

/// By what a plugin's address is known to be ours.
const PLUGIN_END: &str = "/agent-hud/opencode.js";

/// What our server is called among those of the Model Context Protocol.
const SERVER: &str = "hud";

/// By what a script of a hook is known to be ours.
const SCRIPT: &str = "#!/bin/sh\n# Agent HUD\n";

/// A client's hooks.
struct Hooks {
    /// The events that they are for.
    events: &'static [&'static str],
    /// How long the client waits for one, in its own unit. The agent must not wait long for a HUD.
    timeout: u32,
}

const CLAUDE: Hooks = Hooks {
    events: &[
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolUseFailure",
        "PreCompact",
    ],
    timeout: 10,
};
const CODEX: Hooks = Hooks {
    events: &[
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PreCompact",
    ],
    timeout: 10,
};
const GEMINI: Hooks = Hooks {
    events: &["SessionStart", "BeforeAgent", "BeforeModel", "AfterTool"],
    timeout: 10_000,
};
const GOOSE: Hooks = Hooks {
    events: &[
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolUseFailure",
    ],
    timeout: 10,
};

/// The events that there are scripts for in Cline.
const CLINE: &[&str] = &["TaskStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"];

pub(crate) fn install(args: &Install) -> Result<(), Failure> {
    let plan = Plan::of(args, true)?;
    plan.make(args.yes)?;
    for note in &plan.notes {
        output::note(note);
    }
    Ok(())
}

pub(crate) fn uninstall(args: &Install) -> Result<(), Failure> {
    Plan::of(args, false)?.make(args.yes)
}

/// What becomes of a client's configuration.
#[derive(Default)]
struct Plan {
    changes: Vec<Change>,
    /// What is left to the user.
    notes: Vec<String>,
}

/// A file, and what becomes of it.
struct Change {
    file: PathBuf,
    before: Option<String>,
    /// `None`: nothing is there in the end.
    after: Option<String>,
    /// What the file is, where it is all ours and says little to the user.
    ours: Option<&'static str>,
    is_program: bool,
}

impl Plan {
    fn of(args: &Install, is_install: bool) -> Result<Self, Failure> {
        let hud = own_path()?;
        // A path may have spaces; clients hand commands to a shell.
        let hook = format!("{} hook", quoted(&hud));
        // What there is to be in the end: nothing of ours, after an uninstallation.
        let our_hook = is_install.then_some(hook.as_str());
        let our_server = is_install.then_some(hud.as_str());
        let user = args.user;
        let mut plan = Self::default();
        let hooks =
            |file, hooks: &Hooks| Change::json(file, |root| json::set_hooks(root, hooks, our_hook));
        let server = |file| Change::json(file, |root| json::set_server(root, our_server));
        match args.client {
            Client::Opencode => {
                let plugin = data()?.join("opencode.js");
                let file = if user {
                    home("XDG_CONFIG_HOME", ".config")?.join("opencode/opencode.json")
                } else if Path::new("opencode.jsonc").exists() {
                    "opencode.jsonc".into()
                } else {
                    "opencode.json".into()
                };
                plan.changes.push(Change::json(file, |root| {
                    json::set_plugin(root, &plugin, our_server)
                })?);
                if is_install {
                    // It stays when it is uninstalled: another project may use it.
                    let change = Change::whole(plugin, Some(PLUGIN.to_owned()))?;
                    plan.changes
                        .push(change.described("the plugin for opencode"));
                }
            }
            Client::Claude if user => {
                let file = home("CLAUDE_CONFIG_DIR", ".claude")?.join("settings.json");
                plan.changes.push(hooks(file, &CLAUDE)?);
                // Claude Code writes the file with the user's servers itself while it runs.
                plan.notes.push(format!(
                    "for the `hud` tool, run: claude mcp add --scope user {SERVER} -- {} mcp",
                    quoted(&hud)
                ));
            }
            Client::Claude => {
                plan.changes
                    .push(hooks(".claude/settings.json".into(), &CLAUDE)?);
                plan.changes.push(server(".mcp.json".into())?);
            }
            Client::Codex => {
                let folder = match user {
                    true => home("CODEX_HOME", ".codex")?,
                    false => ".codex".into(),
                };
                plan.changes.push(hooks(folder.join("hooks.json"), &CODEX)?);
                plan.changes
                    .push(Change::toml(folder.join("config.toml"), |root| {
                        toml::set_server(root, our_server)
                    })?);
                if !user {
                    plan.notes
                        .push("Codex reads this only in projects that it trusts".to_owned());
                }
            }
            Client::Gemini => {
                let file = match user {
                    true => home("GEMINI_CLI_HOME", "")?.join(".gemini/settings.json"),
                    false => ".gemini/settings.json".into(),
                };
                plan.changes.push(Change::json(file, |root| {
                    json::set_hooks(root, &GEMINI, our_hook)?;
                    json::set_server(root, our_server)
                })?);
            }
            Client::Cline => {
                let folder = match user {
                    true => home("CLINE_DIR", ".cline")?.join("hooks"),
                    false => ".clinerules/hooks".into(),
                };
                let script = format!("{SCRIPT}exec {hook}\n");
                for name in CLINE {
                    plan.changes.push(Change::script(
                        folder.join(name),
                        is_install.then_some(script.as_str()),
                    )?);
                }
                if user {
                    let folder = home("CLINE_DIR", ".cline")?.join("data");
                    let data = std::env::var_os("CLINE_DATA_DIR").map_or(folder, PathBuf::from);
                    let file = data.join("settings/cline_mcp_settings.json");
                    plan.changes.push(server(file)?);
                } else {
                    plan.notes
                        .push("for the `hud` tool, run: hud install cline --user --yes".to_owned());
                }
            }
            Client::Goose => {
                let folder = match user {
                    true => home("HOME", "")?,
                    false => std::env::current_dir()?,
                };
                let file = folder.join(".agents/plugins/agent-hud/hooks/hooks.json");
                // To the file beside the project's log: one file for all projects would show each what
                // the others' agents do.
                let command = format!("{hook} --write");
                let hooks = json::edited("", |root| json::set_hooks(root, &GOOSE, Some(&command)))
                    .map_err(|reason| told(&file, &reason))?;
                plan.changes
                    .push(Change::whole(file, is_install.then_some(hooks))?);
                plan.notes.push(format!(
                    "start goose in a project so that it reads the project's HUD: \
                     GOOSE_MOIM_MESSAGE_FILE=\"$({0} where --frame)\" goose; for the `hud` tool, add an \
                     extension with `goose configure`: {0} mcp",
                    quoted(&hud)
                ));
            }
        }
        Ok(plan)
    }

    /// Shows the changes, and makes them if that is wanted.
    fn make(&self, is_wanted: bool) -> Result<(), Failure> {
        let mut output = Output::new();
        for change in &self.changes {
            change.show(&mut output)?;
        }
        output.flush()?;
        if self.changes.iter().any(|change| !change.is_none()) && !is_wanted {
            output::note("nothing was changed yet: say --yes to do it");
            return Ok(());
        }
        self.changes.iter().try_for_each(Change::make)
    }
}

impl Change {
    /// A file that is all ours: written, or removed.
    fn whole(file: PathBuf, after: Option<String>) -> Result<Self, Failure> {
        let before = match fs::read_to_string(&file) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(told(&file, &error)),
        };
        Ok(Self {
            file,
            before,
            after,
            ours: None,
            is_program: false,
        })
    }

    /// An edit of a file; where there is none, and nothing comes of it, none is made.
    fn edit(
        file: PathBuf,
        edited: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<Self, Failure> {
        let mut change = Self::whole(file, None)?;
        let before = change.before.as_deref().unwrap_or_default();
        let after = edited(before).map_err(|reason| told(&change.file, &reason))?;
        change.after = (change.before.is_some() || !after.is_empty()).then_some(after);
        Ok(change)
    }

    fn json(
        file: PathBuf,
        edit: impl FnOnce(&jsonc_parser::cst::CstRootNode) -> Result<(), String>,
    ) -> Result<Self, Failure> {
        Self::edit(file, |before| json::edited(before, edit))
    }

    fn toml(
        file: PathBuf,
        edit: impl FnOnce(&mut toml_edit::DocumentMut) -> Result<(), String>,
    ) -> Result<Self, Failure> {
        Self::edit(file, |before| toml::edited(before, edit))
    }

    /// A script that is all ours. One that is not is not touched.
    fn script(file: PathBuf, after: Option<&str>) -> Result<Self, Failure> {
        let mut change = Self::whole(file, after.map(ToOwned::to_owned))?;
        change.is_program = true;
        match &change.before {
            Some(before) if !before.starts_with(SCRIPT) => {
                if after.is_some() {
                    let reason = "there is a hook already: have it run `hud hook`, or move it";
                    return Err(told(&change.file, &reason));
                }
                change.after.clone_from(&change.before);
                Ok(change)
            }
            _ => Ok(change),
        }
    }

    /// The same, told by what it is and not by what is in it.
    fn described(mut self, what: &'static str) -> Self {
        self.ours = Some(what);
        self
    }

    fn is_none(&self) -> bool {
        self.before == self.after
    }

    fn show(&self, output: &mut Output) -> io::Result<()> {
        if self.is_none() {
            output::note(format_args!("{}: nothing to change", self.file.display()));
            return Ok(());
        }
        output.divider(&self.file.display().to_string())?;
        if let Some(what) = self.ours {
            return output.added(&format!("+ {what}"));
        }
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        show(output, &text(&self.before), &text(&self.after))
    }

    fn make(&self) -> Result<(), Failure> {
        if self.is_none() {
            return Ok(());
        }
        let made = match &self.after {
            Some(after) => replace(&self.file, after).and_then(|()| match self.is_program {
                true => make_executable(&self.file),
                false => Ok(()),
            }),
            None => fs::remove_file(&self.file),
        };
        made.map_err(|error| told(&self.file, &error))?;
        output::note(format_args!("{}: changed", self.file.display()));
        Ok(())
    }
}

/// A directory that a variable names, else a folder of the home directory.
fn home(variable: &str, folder: &str) -> Result<PathBuf, Failure> {
    if let Some(path) = std::env::var_os(variable).filter(|path| !path.is_empty()) {
        return Ok(path.into());
    }
    let home = std::env::home_dir()
        .ok_or_else(|| Failure::Other(format!("there is no home directory: set {variable}")))?;
    Ok(home.join(folder))
}

/// Where what is ours is for all projects.
fn data() -> Result<PathBuf, Failure> {
    Ok(home("XDG_DATA_HOME", ".local/share")?.join("agent-hud"))
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
    Ok(path_text(&std::env::current_exe()?)?.to_owned())
}

fn path_text(path: &Path) -> Result<&str, Failure> {
    path.to_str()
        .ok_or_else(|| Failure::Other(format!("{} is no text", path.display())))
}

/// A text as one word for a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Whether a program is ours, by its name.
fn is_ours(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next();
    name.is_some_and(|name| name == "hud" || name == "hud.exe")
}
