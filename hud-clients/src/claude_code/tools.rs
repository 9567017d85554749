//! The tools of Claude Code.

use hud_observe::action::Action;
use serde_json::Value;

use crate::{Tool, tools};

pub(super) const TOOLS: &[Tool] = &[
    Tool::reads("Read", &["file_path"]),
    Tool::reads("NotebookRead", &["notebook_path"]),
    Tool::writes("Write", &["file_path"]),
    Tool::edits("Edit", &["file_path"]),
    Tool::edits("MultiEdit", &["file_path"]),
    Tool::edits("NotebookEdit", &["notebook_path"]),
    Tool::runs("Bash", &["command"]),
    Tool::runs("PowerShell", &["command"]),
    Tool::plans("TodoWrite", "todos", &["content"]),
    Tool::by("TaskCreate", task_create),
    Tool::by("TaskUpdate", task_update),
    Tool::asks("AskUserQuestion"),
    Tool::asks("EnterPlanMode"),
    Tool::asks("ExitPlanMode"),
    Tool::delegates("Agent"),
    Tool::delegates("Task"),
    Tool::delegates("SendMessage"),
    Tool::delegates("Workflow"),
    Tool::delegates("RemoteTrigger"),
    Tool::delegates("ListAgents"),
    Tool::looks("Glob"),
    Tool::looks("Grep"),
    Tool::looks("LS"),
    Tool::looks("LSP"),
    Tool::looks("WebFetch"),
    Tool::looks("WebSearch"),
    Tool::looks("ToolSearch"),
    Tool::looks("TaskGet"),
    Tool::looks("TaskList"),
    Tool::looks("TaskOutput"),
    Tool::looks("BashOutput"),
    Tool::looks("ListMcpResources"),
    Tool::looks("ListMcpResourcesTool"),
    Tool::looks("ReadMcpResource"),
    Tool::looks("ReadMcpResourceTool"),
    Tool::looks("ReadMcpResourceDir"),
    Tool::looks("ReadMcpResourceDirTool"),
    Tool::looks("CronList"),
    Tool::looks("ReadNotifications"),
    Tool::looks("Monitor"),
    Tool::other("Skill"),
    Tool::other("SlashCommand"),
    Tool::other("TaskStop"),
    Tool::other("KillShell"),
    Tool::other("KillBash"),
    Tool::other("Config"),
    Tool::other("REPL"),
    Tool::other("StructuredOutput"),
    Tool::other("SendUserMessage"),
    Tool::other("Brief"),
    Tool::other("CronCreate"),
    Tool::other("CronDelete"),
    Tool::other("ScheduleWakeup"),
    Tool::other("DeferredToolPlaceholder"),
    Tool::other("PushNotification"),
    Tool::other("EnterWorktree"),
    Tool::other("ExitWorktree"),
    Tool::other("RefreshMcpTools"),
    Tool::other("ReportFindings"),
    Tool::other("SendFeedback"),
    Tool::other("Artifact"),
    Tool::other("Projects"),
    Tool::other("ClaudeDesign"),
    Tool::other("ProposeSkills"),
    Tool::other("ProposeGoal"),
    Tool::other("ShowOnboardingRolePicker"),
    Tool::other("OfferChromeSetup"),
];

fn task_create(input: &Value) -> Vec<Action> {
    let subject = tools::text(input, "subject");
    let step = subject.map(|description| Action::AddStep { description });
    step.into_iter().collect()
}

fn task_update(input: &Value) -> Vec<Action> {
    let step = tools::text(input, "taskId").map(|number| Action::UpdateStep {
        number,
        description: None,
        progress: input["status"].as_str().and_then(tools::progress),
    });
    step.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::claude_code::ClaudeCode;
    use crate::tests::{asks, assert_tools, delegates, edits, looks, other, reads, runs, writes};
    use hud_observe::action::{PlannedStep, Progress};

    #[test]
    fn each_tool_is_an_action() {
        let file = || json!({ "file_path": "/p/a" });
        let notebook = || json!({ "notebook_path": "/p/a" });
        let plan = Action::SetPlan {
            steps: vec![PlannedStep {
                description: "test".into(),
                progress: Some(Progress::Pending),
            }],
        };
        let todos =
            json!({ "todos": [{ "content": "test", "status": "pending", "activeForm": "x" }] });
        let update = Action::UpdateStep {
            number: "3".into(),
            description: None,
            progress: Some(Progress::Dropped),
        };
        let mut tried: Vec<(&str, Value, Vec<Action>)> = vec![
            ("Read", file(), vec![reads("/p/a")]),
            ("NotebookRead", notebook(), vec![reads("/p/a")]),
            ("Write", file(), vec![writes("/p/a")]),
            ("Edit", file(), vec![edits("/p/a")]),
            ("MultiEdit", file(), vec![edits("/p/a")]),
            ("NotebookEdit", notebook(), vec![edits("/p/a")]),
            ("Bash", json!({ "command": "make" }), vec![runs("make")]),
            (
                "PowerShell",
                json!({ "command": "make" }),
                vec![runs("make")],
            ),
            ("TodoWrite", todos, vec![plan]),
            (
                "TaskCreate",
                json!({ "subject": "test" }),
                vec![Action::AddStep {
                    description: "test".into(),
                }],
            ),
            (
                "TaskUpdate",
                json!({ "taskId": "3", "status": "deleted" }),
                vec![update],
            ),
        ];
        for tool in ["AskUserQuestion", "EnterPlanMode", "ExitPlanMode"] {
            tried.push((tool, json!({}), vec![asks(tool)]));
        }
        for tool in [
            "Agent",
            "Task",
            "SendMessage",
            "Workflow",
            "ListAgents",
            "RemoteTrigger",
        ] {
            tried.push((
                tool,
                json!({ "description": "x" }),
                vec![delegates(tool, Some("x"))],
            ));
        }
        for tool in [
            "Glob",
            "Grep",
            "LS",
            "LSP",
            "WebFetch",
            "WebSearch",
            "ToolSearch",
            "TaskGet",
            "TaskList",
            "TaskOutput",
            "BashOutput",
            "ListMcpResources",
            "ListMcpResourcesTool",
            "ReadMcpResource",
            "ReadMcpResourceTool",
            "ReadMcpResourceDir",
            "ReadMcpResourceDirTool",
            "CronList",
            "ReadNotifications",
            "Monitor",
        ] {
            tried.push((
                tool,
                json!({ "pattern": "x" }),
                vec![looks(tool, Some("x"))],
            ));
        }
        for tool in [
            "Skill",
            "SlashCommand",
            "TaskStop",
            "KillShell",
            "KillBash",
            "Config",
            "REPL",
            "StructuredOutput",
            "SendUserMessage",
            "Brief",
            "CronCreate",
            "CronDelete",
            "ScheduleWakeup",
            "DeferredToolPlaceholder",
            "PushNotification",
            "EnterWorktree",
            "ExitWorktree",
            "RefreshMcpTools",
            "ReportFindings",
            "SendFeedback",
            "Artifact",
            "Projects",
            "ClaudeDesign",
            "ProposeSkills",
            "ProposeGoal",
            "ShowOnboardingRolePicker",
            "OfferChromeSetup",
        ] {
            tried.push((tool, json!({}), vec![other(tool, None)]));
        }
        let tried: Vec<_> = tried
            .iter()
            .map(|(tool, input, actions)| (*tool, input.clone(), &actions[..]))
            .collect();
        assert_tools(&ClaudeCode, &tried);
    }
}
