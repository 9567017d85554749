//! What a call does, whatever the tool is called.

use hud_components::text::line;
use serde_json::Value;

use super::ToolCall;

/// What a call does, as far as the HUD is concerned.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// Reads a file.
    Read(String),
    /// Writes a file, or a part of one.
    Edit(String),
    /// Runs a shell command.
    Run(String),
    /// Sets the whole plan.
    Todos(Vec<Todo>),
    /// Adds a step; its number is in the result.
    TaskCreate(String),
    /// Changes a step.
    TaskUpdate { id: String, status: String },
    /// A call of the `hud` tool, with its arguments.
    Hud(Value),
    /// Anything else.
    Other {
        tool: String,
        target: Option<String>,
    },
}

/// An entry of a TodoWrite call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Todo {
    pub(super) content: String,
    pub(super) status: String,
}

/// Tools that read the file named in this argument.
const READS: &[(&str, &str)] = &[
    ("Read", "file_path"),
    ("NotebookRead", "notebook_path"),
    ("open", "path"),
    // opencode
    ("read", "filePath"),
    // Gemini CLI
    ("read_file", "file_path"),
    ("read_file", "absolute_path"),
];

/// Tools that write the file named in this argument.
const EDITS: &[(&str, &str)] = &[
    ("Edit", "file_path"),
    ("MultiEdit", "file_path"),
    ("Write", "file_path"),
    ("NotebookEdit", "notebook_path"),
    ("create", "filename"),
    // opencode
    ("edit", "filePath"),
    ("write", "filePath"),
    // Gemini CLI
    ("write_file", "file_path"),
    ("replace", "file_path"),
];

/// SWE-agent's tools that write the file that is open.
const EDITS_OPEN: &[&str] = &["edit", "insert"];

/// Arguments that say what another tool is about.
const TARGETS: &[&str] = &[
    "pattern",
    "path",
    "url",
    "query",
    "description",
    "file_name",
    "command",
];

impl What {
    pub(super) fn of(call: &ToolCall) -> Self {
        let text = |key: &str| call.input.get(key).and_then(Value::as_str);
        let owned = |key: &str| text(key).map(ToOwned::to_owned);
        let of_table = |table: &[(&str, &str)]| {
            table
                .iter()
                .filter(|(name, _)| *name == call.name)
                .find_map(|(_, key)| owned(key))
        };
        let name = call.name.as_str();
        if let Some(path) = of_table(READS) {
            return Self::Read(path);
        }
        if let Some(path) = of_table(EDITS) {
            return Self::Edit(path);
        }
        if EDITS_OPEN.contains(&name)
            && let Some(path) = &call.open_file
        {
            return Self::Edit(path.clone());
        }
        match name {
            "Bash" | "bash" | "shell" | "run_shell_command" => owned("command").map(Self::Run),
            "str_replace_editor" => owned("path").map(|path| match text("command") {
                Some("view") => Self::Read(path),
                _ => Self::Edit(path),
            }),
            "TodoWrite" | "todowrite" | "write_todos" => todos(&call.input).map(Self::Todos),
            "TaskCreate" => owned("subject").map(Self::TaskCreate),
            "TaskUpdate" => owned("taskId").map(|id| Self::TaskUpdate {
                id,
                status: owned("status").unwrap_or_default(),
            }),
            // `hud` itself, or as an MCP server's: `mcp__<server>__hud`.
            _ if name == "hud" || (name.starts_with("mcp__") && name.ends_with("__hud")) => {
                Some(Self::Hud(call.input.clone()))
            }
            _ => None,
        }
        .unwrap_or_else(|| Self::Other {
            tool: name.to_owned(),
            target: TARGETS.iter().find_map(|key| owned(key)),
        })
    }

    /// The call with the name that its file has in the session. One of a path that names no file is of
    /// no file.
    pub(super) fn naming(self, name: impl FnOnce(&str) -> Option<String>) -> Self {
        let (path, of) = match self {
            Self::Read(path) => (path, Self::Read as fn(String) -> Self),
            Self::Edit(path) => (path, Self::Edit as fn(String) -> Self),
            other => return other,
        };
        name(&path).map_or_else(
            || Self::Other {
                tool: of(String::new()).tool().to_owned(),
                target: None,
            },
            of,
        )
    }

    /// The tool's name as the HUD shows it.
    pub(super) fn tool(&self) -> &str {
        match self {
            Self::Read(_) => "Read",
            Self::Edit(_) => "Edit",
            Self::Run(_) => "Bash",
            Self::Todos(_) => "TodoWrite",
            Self::TaskCreate(_) => "TaskCreate",
            Self::TaskUpdate { .. } => "TaskUpdate",
            Self::Hud(_) => "hud",
            Self::Other { tool, .. } => tool,
        }
    }

    /// What the call is about: a path, a command.
    pub(super) fn target(&self) -> Option<&str> {
        match self {
            Self::Read(target) | Self::Edit(target) | Self::Run(target) => Some(target),
            Self::Other { target, .. } => target.as_deref(),
            Self::Todos(_) | Self::TaskCreate(_) | Self::TaskUpdate { .. } | Self::Hud(_) => None,
        }
    }

    /// Tool and target in one: `Bash cargo test`. A long target is cut.
    pub(super) fn label(&self) -> String {
        match self.target() {
            Some(target) => format!("{} {}", self.tool(), line(target, 60)),
            None => self.tool().to_owned(),
        }
    }
}

fn todos(input: &Value) -> Option<Vec<Todo>> {
    let todos = input.get("todos")?.as_array()?;
    let text = |todo: &Value, key: &str| Some(todo.get(key)?.as_str()?.to_owned());
    Some(
        todos
            .iter()
            .filter_map(|todo| {
                Some(Todo {
                    content: text(todo, "content").or_else(|| text(todo, "description"))?,
                    status: text(todo, "status").unwrap_or_default(),
                })
            })
            .collect(),
    )
}
