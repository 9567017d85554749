//! The marks that Claude Code puts on a line: who wrote the text, and whether a call was carried out.
//! The output of a tool, a file, a page or another agent is never a mark, even if it contains the same
//! text.
//!
//! | fact | proof | without the mark |
//! | --- | --- | --- |
//! | the user's text | `origin.kind` is `human`, or a `promptSource` that is not `system` | a text that does not begin like one of the client's |
//! | a slash command of the user | `<command-name>` and `<command-args>` in the text that the user typed, if the client does not carry it out itself | as marked |
//! | a message that waited while the agent worked | a line of type `attachment` with a `queued_command` of mode `prompt`; in older versions, a `queue-operation` that removes it | there is none |
//! | a text of the client, a reminder, a command's text | `isMeta`, another `origin`, `promptSource: system` | it begins like one of the client's ([`marked`]), and is passed over |
//! | a call that the user declined | `toolDenialKind: user-rejected`, and a result that begins with the client's text for it | in 2.x without that field: the result is an error and begins so, the line's `toolUseResult` is the same, and the tool's own errors begin otherwise |
//! | a call that was cancelled | `toolDenialKind: interrupted` or `cancelled` | as above |
//! | a call of a tool that does not exist | `<tool_use_error>` as below, around the client's text for it with the tool's name | it is a failure like any other |
//! | a call that the client refused | another `toolDenialKind`, or a result in `<tool_use_error>` whose `toolUseResult` is without that tag | it is a failure like any other |
//! | a compaction and its summary | a line of type `system` with the subtype `compact_boundary`; `isCompactSummary` | there is none |
//! | a sub-agent's line | `isSidechain` | it is the agent's |

use std::borrow::Cow;

use hud_observe::marked;
use hud_observe::observation::NotRun;

use super::line::Line;
use crate::tools;

/// The client's text for a call that the user declined.
const DECLINED: &str = "The user doesn't want to proceed with this tool use.";

/// The client's text before the user's answer to a declined call.
const SAID: &str = "the user said:\n";

/// The client's remark that may follow the user's answer.
const ADVICE: &str = "\n\nNote: The user's next message may contain a correction";

/// The client's texts for a call that was stopped.
const CANCELLED: &[&str] = &[
    "[Request interrupted by user",
    "Sibling tool call errored",
    "Cancelled: parallel tool call",
];

/// The tools whose own errors never begin with the output of a program, a page or an agent. The error of
/// a command, for example, begins with the exit code.
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

/// The client's own commands. The client carries them out without the model.
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

/// Returns the user's text in a part of a line. It is empty if the client wrote the part. For a slash
/// command, it is the command as the user typed it.
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

/// Returns a slash command as the user typed it, from the client's tags. Returns `None` for the client's
/// own commands.
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

/// Returns the text that the user typed in a part of a line. It is empty if the client wrote the part.
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

/// Returns the reason why a tool call was not carried out, from the line that has its failed result.
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
        // If the tool itself wrote this tag, both texts contain it.
        let is_clients = !structured.contains("<tool_use_error>");
        if is_clients && tool.is_some_and(|tool| tools::is_missing(tool, wrapped)) {
            return Some(NotRun::NoSuchTool);
        }
        return is_clients.then(|| match structured == wrapped && is_cancelled(wrapped) {
            true => NotRun::Cancelled,
            false => NotRun::Refused,
        });
    }
    // Before 2.0, the errors of a command began with its output.
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
