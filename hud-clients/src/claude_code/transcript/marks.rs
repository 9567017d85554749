//! What Claude Code marks on a line of its own: who speaks, and whether a call was carried out. What a
//! tool, a file, a page or another agent says is never a mark, though it may print the same words.
//!
//! | what | is proved by | without the mark |
//! | --- | --- | --- |
//! | the user's words | `origin.kind` is `human`, or a `promptSource` that is not `system` | a text that does not begin as one of the client's does |
//! | a slash command of the user's | `<command-name>` and `<command-args>` in what the user typed, if the client does not carry it out itself | as marked |
//! | a message that waited while the agent worked | a line of type `attachment` with a `queued_command` of mode `prompt`; before there were such, a `queue-operation` that takes it out | there is none |
//! | words of the client, a reminder, a command's text | `isMeta`, another `origin`, `promptSource: system` | they begin as one of the client's does ([`marked`]), and are passed over |
//! | a call that the user declined | `toolDenialKind: user-rejected`, and the client's words from the result's first on | in 2.x without that field: that the result is an error and begins so, that the line's `toolUseResult` is the same, and that the tool is one whose own errors begin otherwise |
//! | a call that was cancelled | `toolDenialKind: interrupted` or `cancelled` | as above |
//! | a call of a tool that there is not | `<tool_use_error>` as below, around the client's words for that with the tool's name | it is a failure as any other |
//! | a call that the client refused | another `toolDenialKind`, or `<tool_use_error>` about the result that `toolUseResult` is without | it is a failure as any other |
//! | a compaction and its summary | a line of type `system` with the subtype `compact_boundary`; `isCompactSummary` | there is none |
//! | a sub-agent's line | `isSidechain` | it is the agent's |

use std::borrow::Cow;

use hud_observe::marked;
use hud_observe::observation::NotRun;

use super::line::Line;
use crate::tools;

/// The client's words for a call that the user did not want.
const DECLINED: &str = "The user doesn't want to proceed with this tool use.";

/// The client's words before what the user said instead.
const SAID: &str = "the user said:\n";

/// What the client may put behind it.
const ADVICE: &str = "\n\nNote: The user's next message may contain a correction";

/// The client's words for a call that was stopped.
const CANCELLED: &[&str] = &[
    "[Request interrupted by user",
    "Sibling tool call errored",
    "Cancelled: parallel tool call",
];

/// Tools whose own errors never begin with what a program, a page or an agent said: of a command, for
/// one, the exit code comes first.
const PLAIN_TOOLS: &[&str] = &[
    "Bash",
    "Edit",
    "ExitPlanMode",
    "Glob",
    "Grep",
    "MultiEdit",
    "NotebookEdit",
    "Read",
    "WebFetch",
    "WebSearch",
    "Write",
];

/// The client's own commands: they are carried out without the model, and ask it for nothing.
const LOCAL: &[&str] = &[
    "add-dir",
    "agents",
    "allowed-tools",
    "approved-tools",
    "background",
    "bashes",
    "branch",
    "bug",
    "checkpoint",
    "chrome",
    "clear",
    "color",
    "compact",
    "config",
    "context",
    "continue",
    "copy",
    "cost",
    "desktop",
    "diff",
    "doctor",
    "effort",
    "exit",
    "export",
    "extra-usage",
    "fast",
    "feedback",
    "fork",
    "help",
    "hooks",
    "ide",
    "install-github-app",
    "install-slack-app",
    "keybindings",
    "login",
    "logout",
    "mcp",
    "memory",
    "migrate-installer",
    "mobile",
    "model",
    "new",
    "output-style",
    "permissions",
    "plugin",
    "privacy-settings",
    "quit",
    "release-notes",
    "reload-plugins",
    "remote-control",
    "remote-env",
    "rename",
    "reset",
    "resume",
    "rewind",
    "sandbox",
    "settings",
    "skills",
    "stats",
    "status",
    "statusline",
    "tag",
    "tasks",
    "teleport",
    "terminal-setup",
    "theme",
    "todos",
    "undo",
    "upgrade",
    "usage",
    "vim",
    "voice",
];

/// What the user says in a part of a line: nothing if it is the client that speaks, and of a slash command
/// what was typed.
pub(super) fn said<'t>(line: &Line<'_>, text: &'t str) -> Cow<'t, str> {
    let said = typed(line, text);
    match said.trim_start() {
        command
            if ["<command-name>", "<command-message>"]
                .iter()
                .any(|tag| command.starts_with(tag)) =>
        {
            Cow::Owned(slash(command).unwrap_or_default())
        }
        _ => Cow::Borrowed(said),
    }
}

/// A slash command as it was typed, from the tags that the client writes of it; none of the client's own.
fn slash(text: &str) -> Option<String> {
    let tag = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        Some(rest.split_once(&format!("</{name}>"))?.0.trim())
    };
    let name = tag("command-name")?.trim_start_matches('/');
    if name.is_empty() || LOCAL.contains(&name) {
        return None;
    }
    let args = tag("command-args").unwrap_or("");
    Some(format!("/{name} {args}").trim_end().to_owned())
}

/// What the user typed in a part of a line: nothing if it is the client that speaks.
fn typed<'t>(line: &Line<'_>, text: &'t str) -> &'t str {
    let origin = line
        .origin
        .as_ref()
        .and_then(|origin| origin.kind.as_deref());
    match (line.is_meta, origin, line.prompt_source.as_deref()) {
        (Some(true), ..) => "",
        (_, Some(origin), _) if origin != "human" => "",
        (_, None, Some("system")) => "",
        (_, None, None) => marked::typed(text),
        _ => text,
    }
}

/// Why the call of a tool was not carried out, by the line that has its failed result.
pub(super) fn not_run(line: &Line<'_>, tool: Option<&str>, content: &str) -> Option<NotRun> {
    let structured = line
        .tool_use_result
        .as_ref()
        .and_then(|result| result.text.as_deref());
    let wrapped = content
        .strip_prefix("<tool_use_error>")
        .and_then(|content| content.strip_suffix("</tool_use_error>"));
    let is_declined = content.starts_with(DECLINED);
    match line.tool_denial_kind.as_deref() {
        Some("user-rejected") if is_declined => return Some(declined(content)),
        Some("interrupted" | "cancelled") => return Some(NotRun::Cancelled),
        Some(_) => return Some(NotRun::Refused),
        None => {}
    }
    let structured = structured?;
    let is_cancelled = |text: &str| CANCELLED.iter().any(|words| text.starts_with(words));
    if let Some(wrapped) = wrapped {
        // What a tool wraps like this is wrapped in both.
        let is_clients = !structured.contains("<tool_use_error>");
        if is_clients && tool.is_some_and(|tool| tools::is_missing(tool, wrapped)) {
            return Some(NotRun::NoSuchTool);
        }
        return is_clients.then(|| match structured == wrapped && is_cancelled(wrapped) {
            true => NotRun::Cancelled,
            false => NotRun::Refused,
        });
    }
    // Before 2.0, the errors of a command began with what it printed.
    let is_known = line
        .version
        .as_deref()
        .is_some_and(|version| version.starts_with("2."));
    let is_whole = structured == "User rejected tool use"
        || structured.strip_prefix("Error: ").unwrap_or(structured) == content;
    if !is_known || !is_whole || !tool.is_some_and(|tool| PLAIN_TOOLS.contains(&tool)) {
        return None;
    }
    match is_declined {
        true => Some(declined(content)),
        false => is_cancelled(content).then_some(NotRun::Cancelled),
    }
}

fn declined(content: &str) -> NotRun {
    let said = content.split_once(SAID).map(|(_, said)| {
        let said = said.split_once(ADVICE).map_or(said, |(said, _)| said);
        said.trim().to_owned()
    });
    NotRun::Declined { said }
}
