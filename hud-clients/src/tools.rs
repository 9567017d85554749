//! The tools of a client as a table. It gives the [`Action`] of each tool and the arguments that the
//! action needs.

use hud_observe::action::{Action, PlannedStep, Progress};
use hud_observe::patch;
use serde_json::Value;

use super::texts;

/// A tool of a client.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// The client's name for the tool.
    pub name: &'static str,
    does: Does,
}

/// The names of arguments. The first one that is present is used.
type Arguments = &'static [&'static str];

/// The kind of a tool's action, with the names of its arguments.
#[derive(Clone, Copy, Debug)]
enum Does {
    Reads(Arguments),
    Writes(Arguments),
    Edits(Arguments),
    Runs(Arguments),
    /// Changes the files that a patch names.
    Patches(Arguments),
    /// Sets the plan to a list of entries.
    Plans {
        list: &'static str,
        says: Arguments,
    },
    Asks,
    Looks,
    Delegates,
    Other,
    /// Does what a function reads from the arguments. The function returns no actions if the arguments
    /// do not fit.
    By(fn(&Value) -> Vec<Action>),
}

impl Tool {
    /// Returns a tool that reads the file named by one of the arguments.
    pub const fn reads(name: &'static str, arguments: Arguments) -> Self {
        Self::new(name, Does::Reads(arguments))
    }

    /// Returns a tool that creates a file or replaces all of it.
    pub const fn writes(name: &'static str, arguments: Arguments) -> Self {
        Self::new(name, Does::Writes(arguments))
    }

    /// Returns a tool that changes a part of a file.
    pub const fn edits(name: &'static str, arguments: Arguments) -> Self {
        Self::new(name, Does::Edits(arguments))
    }

    /// Returns a tool that runs a command line, which may be a list of words.
    pub const fn runs(name: &'static str, arguments: Arguments) -> Self {
        Self::new(name, Does::Runs(arguments))
    }

    /// Returns a tool that applies a patch between `*** Begin Patch` and `*** End Patch`.
    pub const fn patches(name: &'static str, arguments: Arguments) -> Self {
        Self::new(name, Does::Patches(arguments))
    }

    /// Returns a tool that sets the whole plan. `list` is the argument with the entries, and `says` has
    /// the fields of an entry that may contain its description. The progress of an entry is in its
    /// `status`.
    pub const fn plans(name: &'static str, list: &'static str, says: Arguments) -> Self {
        Self::new(name, Does::Plans { list, says })
    }

    /// Returns a tool that asks the user.
    pub const fn asks(name: &'static str) -> Self {
        Self::new(name, Does::Asks)
    }

    /// Returns a tool that searches, lists or fetches.
    pub const fn looks(name: &'static str) -> Self {
        Self::new(name, Does::Looks)
    }

    /// Returns a tool that delegates work to another agent.
    pub const fn delegates(name: &'static str) -> Self {
        Self::new(name, Does::Delegates)
    }

    /// Returns a known tool that does nothing that the HUD shows.
    pub const fn other(name: &'static str) -> Self {
        Self::new(name, Does::Other)
    }

    /// Returns a tool whose arguments are read by a function.
    pub const fn by(name: &'static str, read: fn(&Value) -> Vec<Action>) -> Self {
        Self::new(name, Does::By(read))
    }

    const fn new(name: &'static str, does: Does) -> Self {
        Self { name, does }
    }

    /// Returns the actions of a call. There are none if the arguments do not fit the tool.
    fn actions(&self, tool: &str, input: &Value) -> Vec<Action> {
        let first = |arguments: Arguments| arguments.iter().find_map(|key| text(input, key));
        let one = |action: Option<Action>| action.into_iter().collect();
        let tool = || tool.to_owned();
        let target = || target(input);
        match self.does {
            Does::Reads(arguments) => one(first(arguments).map(Action::read)),
            Does::Writes(arguments) => one(first(arguments).map(Action::write)),
            Does::Edits(arguments) => one(first(arguments).map(Action::edit)),
            Does::Runs(arguments) => {
                let commands = arguments.iter().filter_map(|key| command(input.get(key)?));
                one(commands.map(|command| Action::Run { command }).next())
            }
            Does::Patches(arguments) => {
                first(arguments).map_or_else(Vec::new, |text| patch::actions(&text))
            }
            Does::Plans { list, says } => one(plan(input, list, says)),
            Does::Asks => vec![Action::Ask {
                tool: tool(),
                target: questions(input).or_else(target),
            }],
            Does::Looks => vec![Action::Look {
                tool: tool(),
                target: target(),
            }],
            Does::Delegates => vec![Action::Delegate {
                tool: tool(),
                target: target(),
            }],
            Does::Other => Vec::new(),
            Does::By(read) => read(input),
        }
    }
}

/// Returns the actions of a call from the table of a client's tools. `own` is the client's own name of
/// the tool.
pub(super) fn actions(tools: &[Tool], tool: &str, own: &str, input: &Value) -> Vec<Action> {
    let known = tools.iter().find(|known| known.name == own);
    let actions = known.map_or_else(Vec::new, |known| known.actions(tool, input));
    match actions.is_empty() {
        // `hud` itself, or the tool of an MCP server: `mcp__<server>__hud`.
        true if tool == "hud" || (tool.starts_with("mcp__") && tool.ends_with("__hud")) => {
            vec![Action::Hud {
                call: input.clone(),
            }]
        }
        true => vec![other(tool, input)],
        false => texts::tell(actions, input),
    }
}

/// Parses the plan in a checklist: `- [x] done`, `- [ ] to be done`. A text without any entry is not a
/// plan.
pub(super) fn checklist(text: &str) -> Vec<Action> {
    let step = |line: &str| {
        let entry = line.trim_start().strip_prefix(['-', '*'])?.trim_start();
        let (mark, description) = entry.strip_prefix('[')?.split_once(']')?;
        Some(PlannedStep {
            description: description.trim().to_owned(),
            progress: Some(match mark {
                "x" | "X" => Progress::Completed,
                "-" | "~" => Progress::InProgress,
                _ => Progress::Pending,
            }),
        })
    };
    let steps: Vec<PlannedStep> = text.lines().filter_map(step).collect();
    match steps.is_empty() {
        true => Vec::new(),
        false => vec![Action::SetPlan { steps }],
    }
}

/// Returns the action of an unknown tool.
pub(super) fn other(tool: &str, input: &Value) -> Action {
    Action::Other {
        tool: tool.to_owned(),
        target: target(input).or_else(|| named(tool, input)),
    }
}

/// The arguments that may contain the target of any call.
const TARGETS: &[&str] = &[
    "pattern",
    "path",
    "url",
    "query",
    "description",
    "file_name",
    "command",
];

/// Returns the questions that a call asks, each with its options: `Which one? (A | B)`.
fn questions(input: &Value) -> Option<String> {
    let one = |asked: &Value| {
        let question = ["question", "prompt", "message", "text"]
            .iter()
            .find_map(|key| text(asked, key))?;
        let options = ["options", "choices", "suggestions"]
            .iter()
            .find_map(|key| asked[*key].as_array());
        let options: Vec<String> = options
            .into_iter()
            .flatten()
            .filter_map(|option| {
                let label = || {
                    ["label", "answer", "title", "value"]
                        .iter()
                        .find_map(|key| text(option, key))
                };
                option.as_str().map(str::to_owned).or_else(label)
            })
            .collect();
        Some(match options.is_empty() {
            true => question,
            false => format!("{question} ({})", options.join(" | ")),
        })
    };
    let asked: Vec<String> = match input["questions"].as_array() {
        Some(questions) => questions.iter().filter_map(one).collect(),
        None => one(input).into_iter().collect(),
    };
    (!asked.is_empty()).then(|| asked.join("\n"))
}

fn target(input: &Value) -> Option<String> {
    TARGETS.iter().find_map(|key| text(input, key))
}

/// Returns the argument that names the target of a call, such as `reservation_id` of
/// `cancel_reservation`. If no argument matches the tool's name, it returns the first that names
/// anything.
fn named(tool: &str, input: &Value) -> Option<String> {
    let names = |(key, value): (&String, &Value)| {
        let key = key.to_lowercase();
        let of = ["id", "key", "name", "number"]
            .iter()
            .find_map(|end| key.strip_suffix(end))?;
        let of = of.trim_end_matches(['_', '-']).to_owned();
        match value {
            Value::String(text) => Some((of, text.clone())),
            Value::Number(number) => Some((of, number.to_string())),
            _ => None,
        }
    };
    let tool = tool.to_lowercase();
    let mut all = input.as_object()?.iter().filter_map(names);
    let first = all.next()?;
    let is_own = |(of, _): &(String, String)| !of.is_empty() && tool.contains(of.as_str());
    let own = match is_own(&first) {
        true => None,
        false => all.find(is_own),
    };
    Some(own.unwrap_or(first).1)
}

/// Returns a string argument.
pub(super) fn text(input: &Value, key: &str) -> Option<String> {
    Some(input.get(key)?.as_str()?.to_owned())
}

/// Returns a command line from a string or a list of words. For a shell that gets a script (`bash -lc
/// ..`), it returns the script.
pub(super) fn command(given: &Value) -> Option<String> {
    let Value::Array(words) = given else {
        return given.as_str().map(ToOwned::to_owned);
    };
    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
    match words[..] {
        [] => None,
        [shell, "-c" | "-lc", script] if shell.ends_with("sh") => Some(script.to_owned()),
        _ => Some(words.join(" ")),
    }
}

fn plan(input: &Value, list: &str, says: Arguments) -> Option<Action> {
    let entries = input.get(list)?.as_array()?;
    let step = |entry: &Value| {
        Some(PlannedStep {
            description: says.iter().find_map(|key| text(entry, key))?,
            progress: text(entry, "status").as_deref().and_then(progress),
        })
    };
    Some(Action::SetPlan {
        steps: entries.iter().filter_map(step).collect(),
    })
}

/// Parses the progress of a step, in the terms that all clients with a list of steps use.
pub(super) fn progress(status: &str) -> Option<Progress> {
    match status {
        "pending" => Some(Progress::Pending),
        "in_progress" => Some(Progress::InProgress),
        "completed" => Some(Progress::Completed),
        "deleted" | "cancelled" => Some(Progress::Dropped),
        _ => None,
    }
}

/// The messages with which clients report a missing tool, without quotation marks. `{}` is the name of
/// the tool.
const MISSING: &[&str] = &[
    "no such tool available: {}",
    "no such tool: {}",
    "no tool named {}",
    "unknown tool: {}",
    "unknown tool {}",
    "unknown function: {}",
    "unsupported call: {}",
    "unsupported custom tool call: {}",
    "tool {} not found",
    "tool not found: {}",
    "function {} not found",
    "tool {} does not exist",
    "tool {} is not available",
    "model tried to call unavailable tool {}",
    "{} is not a valid tool",
];

/// True if a result begins with a message that the called tool does not exist. The message must have the
/// name of the called tool, because a tool may print such a message about another one.
pub(super) fn is_missing(tool: &str, said: &str) -> bool {
    let is_mark = |c: char| matches!(c, '"' | '\'' | '`');
    let plain = |text: &str| text.replace(is_mark, "").to_lowercase();
    let first = said.trim_start().lines().next().unwrap_or_default();
    if tool.is_empty() || first.len() > 4_096 {
        return false;
    }
    let first = plain(first);
    let mut rest = first.trim_start_matches("error:").trim_start();
    // An error code of a protocol: `-32002: Tool 'x' not found`.
    if let Some((code, behind)) = rest.split_once(": ")
        && code.parse::<i64>().is_ok()
    {
        rest = behind;
    }
    let tool = plain(tool);
    MISSING.iter().any(|words| {
        let words = words.replace("{}", &tool);
        let behind = rest.strip_prefix(words.as_str());
        behind.is_some_and(|behind| {
            !behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'))
        })
    })
}

/// Returns the actions of an editor tool that has several commands.
pub(super) fn editor(input: &Value) -> Vec<Action> {
    let action = text(input, "path").map(|path| match input["command"].as_str() {
        Some("view") => Action::read(path),
        Some("create" | "write") => Action::write(path),
        _ => Action::edit(path),
    });
    action.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_tool_is_missing_where_the_client_says_so_of_the_tool_that_was_called() {
        for said in [
            "No such tool available: Grep",
            "Error: No such tool available: Grep. Grep is disabled for this session.",
            "Tool \"Grep\" not found. Did you mean one of: \"grep_search\"?",
            "-32002: Tool 'Grep' not found",
            "Unknown tool: Grep",
            "unsupported call: Grep",
            "Model tried to call unavailable tool 'Grep'. Available tools: bash.",
        ] {
            assert!(is_missing("Grep", said), "{said}");
        }
        for (tool, said) in [
            ("Grep", "No such tool available: Glob"),
            ("Grep", "a line\nUnknown tool: Grep"),
            ("Grep", "Unknown tool: GrepAll"),
            ("read", "File read.md not found"),
            ("Bash", "Exit code 127\nbash: tool: command not found"),
            ("", "Unknown tool: "),
        ] {
            assert!(!is_missing(tool, said), "{said}");
        }
    }

    #[test]
    fn a_command_is_a_line_whether_it_comes_as_a_text_or_as_words() {
        for (given, line) in [
            (json!("make -j"), Some("make -j")),
            (
                json!(["bash", "-lc", "make && make test"]),
                Some("make && make test"),
            ),
            (json!(["git", "status"]), Some("git status")),
            (json!([]), None),
            (json!(7), None),
        ] {
            assert_eq!(command(&given).as_deref(), line, "{given}");
        }
    }
}
