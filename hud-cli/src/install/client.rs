//! The content that each client needs in its configuration, and the files that it belongs in.

use std::path::{Path, PathBuf};

use serde_json::json;
use toml_edit::{Array, Value};

use super::command::{BUILT_IN, Program, Shell, path_text, word};
use super::content::{Content, PLUGIN_END, SERVER, Toml};
use super::json::{Json, Syntax};
use super::record::Records;
use super::{data, home};
use crate::output::Failure;
use crate::own;

/// A client that can be configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Client {
    /// opencode 1.x
    Opencode,
    /// Claude Code
    Claude,
    /// Codex CLI
    Codex,
    /// Gemini CLI
    Gemini,
    /// Cline
    Cline,
    /// goose
    Goose,
}

/// The process that a client starts and keeps running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Serves {
    /// `hud bridge`, for a plugin.
    Bridge,
    /// `hud mcp`.
    Mcp,
}

/// The plugin that is written to the place where opencode looks for it.
const PLUGIN: &str = include_str!("../../linked/hud.js");

/// The text that every version of the plugin starts with.
const PLUGIN_MARK: &str = "// Agent HUD for opencode";

/// A client's hooks.
struct Hooks {
    /// The events that the hooks are for.
    events: &'static [&'static str],
    /// The number of the client's time units in a second, for the time limit of a hook.
    second: u32,
    /// The shell that the client runs the hooks in.
    shell: Shell,
}

const CLAUDE: Hooks = Hooks {
    events: &[
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolUseFailure",
        "PreCompact",
        "PostCompact",
        "Stop",
    ],
    second: 1,
    shell: Shell::Sh,
};
const CODEX: Hooks = Hooks {
    events: &[
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PreCompact",
        "Stop",
    ],
    second: 1,
    shell: Shell::Sh,
};
const GEMINI: Hooks = Hooks {
    events: &[
        "SessionStart",
        "BeforeAgent",
        "BeforeModel",
        "AfterTool",
        "AfterAgent",
    ],
    second: 1_000,
    shell: Shell::PowerShell,
};
const GOOSE: Hooks = Hooks {
    events: &[
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolUseFailure",
    ],
    second: 1,
    shell: Shell::Sh,
};

/// The events that Cline gets scripts for.
const CLINE: &[&str] = &[
    "TaskStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "TaskComplete",
];

impl Hooks {
    /// The entries that make the client run `hud hook` with each event.
    fn entries(&self, command: Option<String>, program: &Program) -> (&'static str, Json) {
        let command = command.unwrap_or_default();
        let hook = Json::object([
            ("type", Json::leaf("command")),
            ("command", Json::leaf(command)),
            ("timeout", Json::leaf(self.second * program.waits().hook)),
        ]);
        let group = Json::object([("hooks", Json::list([hook]))]);
        let events = self.events.iter();
        let events = events.map(|event| (*event, Json::list([group.clone()])));
        ("hooks", Json::object(events))
    }
}

/// The entry of our server among the client's MCP servers, with additional settings for this client.
fn server<const N: usize>(program: &str, more: [(&'static str, Json); N]) -> (&'static str, Json) {
    let entry = [
        ("command", Json::leaf(program)),
        ("args", Json::list([Json::leaf("mcp")])),
    ];
    let entry = Json::object(entry.into_iter().chain(more));
    ("mcpServers", Json::object([(SERVER, entry)]))
}

fn strings<const N: usize>(texts: [&str; N]) -> Json {
    Json::list(texts.map(Json::leaf))
}

/// The files of a client's configuration, and the content that each needs.
pub(super) struct Wanted {
    pub(super) files: Vec<(PathBuf, Content)>,
    /// Notes on the steps that are left to the user.
    pub(super) notes: Vec<String>,
}

impl Wanted {
    pub(super) fn of(
        client: Client,
        user: bool,
        is_install: bool,
        program: &Program,
        records: &Records,
    ) -> Result<Self, Failure> {
        let waits = program.waits();
        // A project's configuration is shared with other machines.
        let hud = match user {
            true => program.path(),
            false => program.name(),
        };
        let mut wanted = Self {
            files: Vec::new(),
            notes: Vec::new(),
        };
        match client {
            Client::Opencode => wanted.opencode(user, is_install, hud, records)?,
            Client::Claude => {
                let allowed = Json::object([("allow", strings(["mcp__hud"]))]);
                let hooks = CLAUDE.entries(client.hook(user, program), program);
                let mut settings = vec![hooks, ("permissions", allowed)];
                if user {
                    let file = client.home()?.join("settings.json");
                    wanted.json(file, settings);
                    // Claude Code itself writes the file with the user's servers while it runs.
                    wanted.notes.push(match is_install {
                        true => format!(
                            "for the `hud` tool, run: claude mcp add --scope user {SERVER} -- {} mcp",
                            word(hud)
                        ),
                        false => format!(
                            "the `hud` tool goes with: claude mcp remove --scope user {SERVER}"
                        ),
                    });
                } else {
                    settings.push(("enabledMcpjsonServers", strings([SERVER])));
                    wanted.json(".claude/settings.json".into(), settings);
                    wanted.json(
                        ".mcp.json".into(),
                        [server(hud, [("timeout", Json::leaf(waits.server * 1_000))])],
                    );
                    wanted.notes.push(
                        "Claude Code runs this only in projects that you trust: start `claude` here \
                         once, and say so"
                            .to_owned(),
                    );
                }
            }
            Client::Codex => {
                let folder = match user {
                    true => client.home()?,
                    false => ".codex".into(),
                };
                let hooks = CODEX.entries(client.hook(user, program), program);
                wanted.json(folder.join("hooks.json"), [hooks]);
                let toml = Toml {
                    server: vec![
                        ("command", Value::from(hud)),
                        ("args", Value::from(Array::from_iter(["mcp"]))),
                        ("startup_timeout_sec", Value::from(i64::from(waits.server))),
                        ("tool_timeout_sec", Value::from(i64::from(waits.server))),
                        ("default_tools_approval_mode", Value::from("approve")),
                        // Codex passes these variables to hooks, but not to servers. Both must use the same log
                        // and the same configuration.
                        (
                            "env_vars",
                            Value::from(Array::from_iter([
                                "HUD_DB",
                                "XDG_STATE_HOME",
                                "XDG_CONFIG_HOME",
                            ])),
                        ),
                    ],
                    ..Toml::default()
                };
                wanted.add(folder.join("config.toml"), Content::Toml(toml));
                if !user {
                    wanted.notes.push(
                        "Codex reads this only in projects that it trusts, and runs hooks only once you \
                         have looked at them: start `codex` here, and say so in /hooks"
                            .to_owned(),
                    );
                }
            }
            Client::Gemini => {
                let file = match user {
                    true => client.home()?.join("settings.json"),
                    false => ".gemini/settings.json".into(),
                };
                let more = [
                    ("timeout", Json::leaf(waits.server * 1_000)),
                    ("trust", Json::leaf(true)),
                ];
                let hooks = GEMINI.entries(client.hook(user, program), program);
                let entries = Json::object([hooks, server(hud, more)]);
                wanted.add(file, Content::Json(entries, Syntax::Comments));
                wanted.notes.push(
                    "Gemini CLI runs hooks and offers the `hud` tool only in folders that you trust: start \
                     `gemini` there once, and say so (in scripts, set GEMINI_CLI_TRUST_WORKSPACE=true: \
                     `--skip-trust` runs no hooks)"
                        .to_owned(),
                );
            }
            Client::Cline => {
                let folder = match user {
                    true => client.home()?.join("hooks"),
                    false => ".clinerules/hooks".into(),
                };
                // Cline's own limit is two minutes for each script.
                let script = program.watched(user);
                for name in CLINE {
                    wanted.add(folder.join(name), Content::Script(script.clone()));
                }
                if user {
                    let folder = client.home()?.join("data");
                    let data = std::env::var_os("CLINE_DATA_DIR").map_or(folder, PathBuf::from);
                    let file = data.join("settings/cline_mcp_settings.json");
                    // The timeout is in seconds. Cline tries twice to start a server.
                    let more = [
                        ("timeout", Json::leaf(waits.server_each_try)),
                        ("autoApprove", strings(["hud", "hud_compact"])),
                    ];
                    wanted.json(file, [server(hud, more)]);
                } else {
                    wanted.notes.push(format!(
                        "for the `hud` tool, run: {}",
                        own::command("install cline --user --yes")
                    ));
                }
            }
            Client::Goose => {
                let folder = match user {
                    true => home("HOME", "")?,
                    false => PathBuf::new(),
                };
                let file = folder.join(".agents/plugins/agent-hud/hooks/hooks.json");
                wanted.json(file, [GOOSE.entries(client.hook(user, program), program)]);
                wanted.notes.push(format!(
                    "start goose in a project so that it reads the project's HUD: \
                     GOOSE_MOIM_MESSAGE_FILE=\"$({0} where --frame)\" goose; for the `hud` tool, add an \
                     extension with `goose configure`: {0} mcp",
                    word(hud)
                ));
            }
        }
        if is_install {
            wanted.notes.extend(which(user, program));
        } else if client != Client::Claude || !user {
            wanted.notes.clear();
        }
        Ok(wanted)
    }

    fn add(&mut self, file: PathBuf, content: Content) {
        self.files.push((file, content));
    }

    /// Adds a file of JSON without extensions of the syntax.
    fn json(&mut self, file: PathBuf, entries: impl IntoIterator<Item = (&'static str, Json)>) {
        self.add(file, Content::Json(Json::object(entries), Syntax::Strict));
    }

    fn opencode(
        &mut self,
        user: bool,
        is_install: bool,
        hud: &str,
        records: &Records,
    ) -> Result<(), Failure> {
        let (folder, plugin) = match user {
            true => (
                home("XDG_CONFIG_HOME", ".config")?.join("opencode"),
                data()?.join("opencode.js"),
            ),
            false => (
                PathBuf::new(),
                format!(".agents/plugins{PLUGIN_END}").into(),
            ),
        };
        let entry = match user {
            true => {
                let address = Json::leaf(format!("file://{}", path_text(&plugin)?));
                Json::list([address, Json::object([("bin", Json::leaf(hud))])])
            }
            false => {
                let way = Json::leaf(format!("./{}", path_text(&plugin)?));
                // Without this option the plugin starts the program `hud`.
                match hud == BUILT_IN {
                    true => way,
                    false => Json::list([way, Json::object([("bin", Json::leaf(hud))])]),
                }
            }
        };
        let wanted = || {
            let entries = Json::object([("plugin", Json::list([entry.clone()]))]);
            Content::Json(entries, Syntax::Trailing)
        };
        let files = ["opencode.jsonc", "opencode.json"].map(|name| folder.join(name));
        let [with_comments, plain] = &files;
        match is_install {
            true if with_comments.exists() => self.add(with_comments.clone(), wanted()),
            true => self.add(plain.clone(), wanted()),
            false => files
                .iter()
                .for_each(|file| self.add(file.clone(), wanted())),
        }
        let is_used = |file: &Path| {
            !files.iter().any(|own| own.ends_with(file))
                && !file.ends_with(&plugin)
                && names(file, &plugin)
        };
        if is_install || !user || !records.of("opencode").any(is_used) {
            let plugin_file = Content::Whole {
                text: PLUGIN,
                mark: PLUGIN_MARK,
            };
            self.add(plugin, plugin_file);
        }
        Ok(())
    }
}

/// True if a file contains the path of the plugin.
fn names(file: &Path, plugin: &Path) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    plugin.to_str().is_some_and(|plugin| text.contains(plugin))
}

/// The folder where Codex keeps its files for all projects, spelled as Codex itself spells it.
fn codex_home() -> Result<PathBuf, Failure> {
    let folder = home("CODEX_HOME", ".codex")?;
    let is_named = std::env::var_os("CODEX_HOME").is_some_and(|path| !path.is_empty());
    Ok(match is_named {
        true => std::fs::canonicalize(&folder).unwrap_or(folder),
        false => folder,
    })
}

/// A note if the program's name does not resolve to this program on the `PATH`.
fn which(user: bool, program: &Program) -> Option<String> {
    let name = program.name();
    match program.by_name() {
        None if user => None,
        None => Some(format!(
            "`{name}` is not on your PATH, where clients look for it: put it there ({})",
            program.path()
        )),
        Some(found) => {
            let real = std::fs::canonicalize(&found).unwrap_or_else(|_| found.clone());
            let own = std::fs::canonicalize(program.path());
            let is_own = own.is_ok_and(|own| own == real);
            (!is_own).then(|| {
                format!(
                    "hooks run what `{name}` is on the PATH, which is {}",
                    found.display()
                )
            })
        }
    }
}

impl Client {
    /// The name of the client on the command line, which is also the name of its program.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Opencode => "opencode",
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Cline => "cline",
            Self::Goose => "goose",
        }
    }

    /// The name of the client as its makers write it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Opencode => "opencode",
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::Cline => "Cline",
            Self::Goose => "goose",
        }
    }

    /// The event that the client passes to its hook for a prompt of a session in a directory.
    pub(crate) fn prompt(self, session: &str, directory: &Path, prompt: &str) -> serde_json::Value {
        match self {
            Self::Cline => json!({
                "hookName": "prompt_submit", "taskId": session, "workspaceRoots": [directory],
                "userPromptSubmit": { "prompt": prompt },
            }),
            Self::Goose => json!({
                "event": "UserPromptSubmit", "session_id": session, "working_dir": directory,
                "message": prompt,
            }),
            Self::Gemini => json!({
                "hook_event_name": "BeforeAgent", "session_id": session, "cwd": directory,
                "prompt": prompt,
            }),
            Self::Codex => json!({
                "hook_event_name": "UserPromptSubmit", "session_id": session, "turn_id": "1",
                "cwd": directory, "prompt": prompt,
            }),
            Self::Claude | Self::Opencode => json!({
                "hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": directory,
                "prompt": prompt,
            }),
        }
    }

    /// The process that the client starts and keeps running; `None` if the user adds the server by hand.
    pub(crate) const fn serves(self) -> Option<Serves> {
        match self {
            Self::Opencode => Some(Serves::Bridge),
            Self::Claude | Self::Codex | Self::Gemini | Self::Cline => Some(Serves::Mcp),
            Self::Goose => None,
        }
    }

    /// The folder where the client keeps its files for all projects.
    pub(crate) fn home(self) -> Result<PathBuf, Failure> {
        Ok(match self {
            Self::Opencode => home("XDG_CONFIG_HOME", ".config")?.join("opencode"),
            Self::Claude => home("CLAUDE_CONFIG_DIR", ".claude")?,
            Self::Codex => codex_home()?,
            Self::Gemini => home("GEMINI_CLI_HOME", "")?.join(".gemini"),
            Self::Cline => home("CLINE_DIR", ".cline")?,
            Self::Goose => home("XDG_CONFIG_HOME", ".config")?.join("goose"),
        })
    }

    /// The command of the client's hooks, if it has hooks.
    pub(super) fn hook(self, user: bool, program: &Program) -> Option<String> {
        let hooks = match self {
            Self::Opencode => return None,
            Self::Cline => return Some(program.watched(user)),
            Self::Claude => &CLAUDE,
            Self::Codex => &CODEX,
            Self::Gemini => &GEMINI,
            Self::Goose => &GOOSE,
        };
        // The HUD is written to the file beside the project's log. One file for all projects would show each project
        // the agents of the others.
        let arguments = match self {
            Self::Goose => " --write",
            _ => "",
        };
        Some(program.hook(user, hooks.shell, arguments))
    }
}
