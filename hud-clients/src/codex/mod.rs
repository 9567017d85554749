//! Codex. Its events are those of Claude Code, with a `turn_id` that no other client has. The event of a
//! session start is recognised by the name of the transcript, which Codex calls a rollout.
//!
//! | tool | action |
//! | --- | --- |
//! | `apply_patch` | write, edit, delete, move, as the patch does with each file |
//! | `Bash` (the name of its shell in hooks), `shell`, `shell_command`, `local_shell`, `exec_command` | run |
//! | `view_image` | read |
//! | `update_plan` | set the plan |
//! | `request_user_input`, `request_user_input_async`, `request_permissions`, `request_plugin_install` | ask |
//! | `spawn_agent`, `send_input`, `resume_agent`, `wait_agent`, `close_agent`, `interrupt_agent`, `list_agents`, `followup_task`, `send_message` | delegate |
//! | `web_search`, `tool_search`, `list_mcp_resources`, `list_mcp_resource_templates`, `read_mcp_resource`, `list_available_plugins_to_install`, `get_context_remaining`, `current_time`, `get_goal` | look |
//! | `write_stdin`, `exec`, `wait`, `sleep`, `wait_for_environment`, `new_context`, `create_goal`, `update_goal`, `send_message_to_user_async`, `image_generation` | other: the commands that they run are reported separately, or belong to a process that already runs |
//!
//! The tools for agents are in a namespace, and hooks put its name before the tool's. Only the rollout
//! contains the exit codes of commands, the calls for which no hook runs (refused patches and commands,
//! patches that the shell was given, failed tools of MCP servers), the summaries of compactions, and the
//! context use.

mod recorded;
mod rollout;

use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hud_observe::action::Action;
use hud_observe::observation::{NotRun, Observation};
use hud_observe::path::file_name;
use serde_json::Value;

use super::chat::any_of_first;
use super::command_hook::{self, Peculiar};
use super::json::text;
use super::printed::{printed, says_failed, with_exit_code};
use super::{Client, Found, HookEvent, Host, Kept, Portion, Tool, home_in, host};
use crate::transcript::{Entry, Summary, TranscriptError};

/// Codex.
#[derive(Debug)]
pub struct Codex;

const TOOLS: &[Tool] = &[
    Tool::patches("apply_patch", &["command", "input", "patch"]),
    Tool::runs("Bash", &["command"]),
    Tool::runs("shell", &["command"]),
    Tool::runs("shell_command", &["command"]),
    Tool::runs("local_shell", &["command"]),
    Tool::runs("exec_command", &["cmd", "command"]),
    Tool::reads("view_image", &["path"]),
    Tool::plans("update_plan", "plan", &["step"]),
    Tool::asks("request_user_input"),
    Tool::asks("request_user_input_async"),
    Tool::asks("request_permissions"),
    Tool::asks("request_plugin_install"),
    Tool::delegates("spawn_agent"),
    Tool::delegates("send_input"),
    Tool::delegates("resume_agent"),
    Tool::delegates("wait_agent"),
    Tool::delegates("close_agent"),
    Tool::delegates("interrupt_agent"),
    Tool::delegates("list_agents"),
    Tool::delegates("followup_task"),
    Tool::delegates("send_message"),
    Tool::looks("web_search"),
    Tool::looks("tool_search"),
    Tool::looks("list_mcp_resources"),
    Tool::looks("list_mcp_resource_templates"),
    Tool::looks("read_mcp_resource"),
    Tool::looks("list_available_plugins_to_install"),
    Tool::looks("get_context_remaining"),
    Tool::looks("current_time"),
    Tool::looks("get_goal"),
    Tool::other("write_stdin"),
    Tool::other("exec"),
    Tool::other("wait"),
    Tool::other("sleep"),
    Tool::other("wait_for_environment"),
    Tool::other("new_context"),
    Tool::other("create_goal"),
    Tool::other("update_goal"),
    Tool::other("send_message_to_user_async"),
    Tool::other("image_generation"),
];

/// The tools for Codex's own agents, which are in a namespace.
const AGENTS: &[&str] = &[
    "spawn_agent",
    "send_input",
    "resume_agent",
    "wait_agent",
    "close_agent",
    "interrupt_agent",
    "list_agents",
    "followup_task",
    "send_message",
];

impl Client for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn tools(&self) -> &'static [Tool] {
        TOOLS
    }

    /// Removes the namespace that hooks put before the name of an agent's tool:
    /// `collaborationspawn_agent`. The user can change the namespace.
    fn own_name<'t>(&self, tool: &'t str) -> &'t str {
        let is_known = |name: &str| TOOLS.iter().any(|known| known.name == name);
        if is_known(tool) || tool.starts_with("mcp__") {
            return tool;
        }
        let of_agents = AGENTS.iter().find(|name| tool.ends_with(**name));
        of_agents.map_or(tool, |name| *name)
    }

    fn session_key(&self) -> Option<&'static str> {
        Some("sessionId")
    }

    fn owns(&self, event: &Value) -> bool {
        let is_rollout = || {
            let path = text(event, "/transcript_path").unwrap_or_default();
            file_name(&path).starts_with("rollout-")
        };
        event["hook_event_name"].is_string() && (event.get("turn_id").is_some() || is_rollout())
    }

    fn read(&self, event: &Value, host: &dyn Host) -> HookEvent {
        let path: Option<PathBuf> = text(event, "/transcript_path").map(Into::into);
        let rollout = path.as_deref().and_then(|path| host::end(host, path));
        let rollout = rollout.unwrap_or_default();
        let read = command_hook::read(event, &Reading { rollout: &rollout });
        let is_of_agent = !command_hook::is_of_sub_agent(event);
        let is_again = command_hook::resumes(event)
            && path
                .as_deref()
                .is_some_and(|path| rollout::has_hud(host, path));
        let is_shown = matches!(
            event["hook_event_name"].as_str(),
            Some("UserPromptSubmit" | "PostToolUse")
        );
        HookEvent {
            found: match is_shown {
                true => rollout::unhooked(&rollout),
                false => Vec::new(),
            },
            shows: match is_again {
                true => Portion::Changes,
                false => read.shows,
            },
            copied: path.clone(),
            // Around a compaction, the rollout may still report the old context use.
            usage: match read.shows {
                // A forked session's rollout has the readings of its original.
                _ if read.is_fork => None,
                Portion::Changes | Portion::Once => rollout::usage(&rollout),
                Portion::Nothing if is_of_agent && command_hook::ends_turn(event) => {
                    rollout::usage(&rollout)
                }
                Portion::Nothing | Portion::Whole => None,
            },
            said: text(event, "/last_assistant_message")
                .filter(|_| is_of_agent)
                .and_then(|text| Found::said(&text, None)),
            missed: path.filter(|_| is_of_agent),
            ..read
        }
    }

    /// The first line of the rollout names the original.
    fn original(&self, beginning: &str) -> Option<String> {
        let line: Value = serde_json::from_str(beginning.lines().next()?).ok()?;
        text(&line, "/payload/forked_from_id").filter(|_| line["type"] == "session_meta")
    }

    /// Returns the agent's texts.
    fn missed(&self, transcript: &Path, from: u64, host: &dyn Host) -> Option<(Vec<Found>, u64)> {
        let (lines, end) = host::lines_behind(host, transcript, from)?;
        let said = lines.iter().flat_map(|line| rollout::said(line));
        Some((said.collect(), end))
    }

    fn answer(&self, event: &Value, hud: &str, _: &str) -> Value {
        command_hook::answer(event, hud)
    }

    /// Codex cuts the middle of a text that has more than 10,000 bytes.
    fn most_bytes(&self) -> Option<usize> {
        Some(10_000)
    }

    fn recognises(&self, beginning: &[u8]) -> bool {
        any_of_first(beginning, recorded::is_rollout)
    }

    fn kept(&self, host: &dyn Host, _: &Path) -> Vec<Kept> {
        let Some(home) = home_in(host, "CODEX_HOME", ".codex") else {
            return Vec::new();
        };
        vec![
            Kept::new(home.join("sessions"), &["*", "*", "*", "rollout-*.jsonl"]),
            Kept::new(home.join("archived_sessions"), &["rollout-*.jsonl"]),
        ]
    }

    fn read_transcript(
        &self,
        path: &Path,
        file: &mut dyn BufRead,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Summary, TranscriptError> {
        super::recorded::read(self, path, file, &mut recorded::Reader::default(), sink)
    }
}

/// An event's reading, with the end of the rollout.
struct Reading<'r> {
    rollout: &'r str,
}

impl Peculiar for Reading<'_> {
    fn results(&self, event: &Value, is_error: bool) -> Vec<Observation> {
        let tool = text(event, "/tool_name").unwrap_or_default();
        let call = text(event, "/tool_use_id").unwrap_or_default();
        let ended = rollout::ended(self.rollout, &call).unwrap_or_default();
        let said = command_hook::said(event);
        let printed = said.map(printed).unwrap_or_default();
        let (content, exit_code) = without_head(&tool, &printed);
        let failed = |code: Option<i64>| code.is_some_and(|code| code != 0);
        vec![Observation::ToolResult {
            actions: Codex.actions(&tool, &event["tool_input"]).into(),
            content: {
                let content = match ended.output {
                    // The pieces before the last one were the results of other calls.
                    Some(all) if all.trim_end().ends_with(content.trim_end()) => all,
                    _ => content.to_owned(),
                };
                with_exit_code(content, ended.exit_code)
            },
            is_error: is_error
                || said.is_some_and(says_failed)
                || failed(exit_code)
                || failed(ended.exit_code),
            not_run: None,
            task: None,
            change: None,
            call,
        }]
    }

    fn kept(&self, _: &Value) -> Option<String> {
        rollout::summary(self.rollout)
    }

    fn summary<'s>(&self, summary: &'s str) -> &'s str {
        summary_of(summary)
    }
}

/// A summary without the line that Codex puts before it.
fn summary_of(summary: &str) -> &str {
    const PREAMBLE: &str = "Another language model started to solve this problem";

    let summary = summary.trim();
    match summary.split_once('\n') {
        Some((_, said)) if summary.starts_with(PREAMBLE) => said.trim(),
        _ => summary,
    }
}

/// Returns a result without the head that Codex puts before it, and the exit code in that head.
fn without_head<'s>(tool: &str, said: &'s str) -> (&'s str, Option<i64>) {
    const TRUNCATED: &str = "Warning: truncated output (original token count: ";

    if tool == "apply_patch"
        && let Some((head, output)) = said.split_once("\nOutput:\n")
        && let Some(code) = head.strip_prefix("Exit code: ")
    {
        let code = code.lines().next().unwrap_or_default();
        return (output, code.trim().parse().ok());
    }
    match said.split_once("\n\n") {
        Some((head, output)) if head.starts_with(TRUNCATED) => (output, None),
        _ => (said, None),
    }
}

/// Returns a refused patch as the edits that failed.
fn refused(call: &str, patch: &str, reason: &str, not_run: Option<&NotRun>) -> Vec<Observation> {
    let actions = Codex.actions("apply_patch", &Value::from_iter([("input", patch)]));
    let failed = |action: Action| Observation::ToolResult {
        call: format!("{call} {}", action.target().unwrap_or_default()),
        actions: action.into(),
        content: reason.to_owned(),
        is_error: true,
        not_run: not_run.cloned(),
        task: None,
        change: None,
    };
    actions.into_iter().map(failed).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tests::{asks, assert_tools, delegates, edits, looks, makes, other, reads, runs};
    use hud_observe::action::{PlannedStep, Progress};

    #[test]
    fn each_tool_is_an_action() {
        let patch = "*** Begin Patch\n*** Add File: n\n+x\n*** Update File: a\n*** Move to: b\n@@\n\
                     *** Update File: c\n@@\n*** End Patch";
        let patched = vec![
            makes("n"),
            Action::Move {
                from: "a".into(),
                to: "b".into(),
            },
            edits("c"),
        ];
        let plan = Action::SetPlan {
            steps: vec![PlannedStep {
                description: "test".into(),
                progress: Some(Progress::Completed),
            }],
        };
        let planned =
            json!({ "explanation": "x", "plan": [{ "step": "test", "status": "completed" }] });
        let mut tried: Vec<(&str, Value, Vec<Action>)> = vec![
            ("apply_patch", json!({ "command": patch }), patched.clone()),
            ("apply_patch", json!({ "input": patch }), patched),
            ("Bash", json!({ "command": "make" }), vec![runs("make")]),
            (
                "shell",
                json!({ "command": ["bash", "-lc", "make"] }),
                vec![runs("make")],
            ),
            (
                "shell_command",
                json!({ "command": "make" }),
                vec![runs("make")],
            ),
            (
                "local_shell",
                json!({ "command": ["make", "-j"] }),
                vec![runs("make -j")],
            ),
            ("exec_command", json!({ "cmd": "make" }), vec![runs("make")]),
            (
                "view_image",
                json!({ "path": "a.png" }),
                vec![reads("a.png")],
            ),
            ("update_plan", planned, vec![plan]),
        ];
        for tool in [
            "request_user_input",
            "request_user_input_async",
            "request_permissions",
            "request_plugin_install",
        ] {
            tried.push((tool, json!({}), vec![asks(tool)]));
        }
        for tool in AGENTS {
            tried.push((tool, json!({}), vec![delegates(tool, None)]));
        }
        let in_namespace = "collaborationspawn_agent";
        let spawned = vec![delegates(in_namespace, None)];
        tried.push((in_namespace, json!({}), spawned));
        for tool in [
            "web_search",
            "tool_search",
            "list_mcp_resources",
            "list_mcp_resource_templates",
            "read_mcp_resource",
            "list_available_plugins_to_install",
            "get_context_remaining",
            "current_time",
            "get_goal",
        ] {
            tried.push((tool, json!({ "query": "q" }), vec![looks(tool, Some("q"))]));
        }
        for tool in [
            "write_stdin",
            "exec",
            "wait",
            "sleep",
            "wait_for_environment",
            "new_context",
            "create_goal",
            "update_goal",
            "send_message_to_user_async",
            "image_generation",
        ] {
            tried.push((tool, json!({}), vec![other(tool, None)]));
        }
        let tried: Vec<_> = tried
            .iter()
            .map(|(tool, input, actions)| (*tool, input.clone(), &actions[..]))
            .collect();
        assert_tools(&Codex, &tried);
    }

    #[test]
    fn a_summarys_preamble_is_left_out() {
        let said = "Another language model started to solve this problem and made a summary:\n## Done\nhalf";
        assert_eq!(summary_of(said), "## Done\nhalf");
        assert_eq!(summary_of(" plain "), "plain");
    }

    #[test]
    fn the_start_of_a_session_is_known_by_its_rollout() {
        let start =
            |path: &str| json!({ "hook_event_name": "SessionStart", "transcript_path": path });
        assert!(Codex.owns(&start("/h/sessions/2026/rollout-2026-11-20T21.jsonl")));
        assert!(!Codex.owns(&start("/h/projects/rollout-it/5a63.jsonl")));
    }
}
