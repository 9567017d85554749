//! The actions of tool calls, independent of the client.

use hud_components::text::line;
use hud_store::state::{Attempted, Lines};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::change::Change;

/// An action of a tool call, as far as the HUD needs it.
///
/// Each client maps its own tools to actions. One call may have several: a patch changes any number of files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Reads a file.
    Read {
        /// The file.
        path: String,
        /// The lines, if it reads only a part.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<Lines>,
    },
    /// Creates a file, or replaces all of it.
    Write {
        /// The file.
        path: String,
        /// The change of the file, as far as it is known.
        #[serde(default, skip_serializing_if = "Change::is_unknown")]
        change: Change,
    },
    /// Changes a part of a file.
    Edit {
        /// The file.
        path: String,
        /// The change of the file, as far as it is known.
        #[serde(default, skip_serializing_if = "Change::is_unknown")]
        change: Change,
    },
    /// Removes a file.
    Delete {
        /// The file.
        path: String,
    },
    /// Renames a file.
    Move {
        /// The old path.
        from: String,
        /// The new path.
        to: String,
    },
    /// Runs a shell command.
    Run {
        /// The command line.
        command: String,
    },
    /// Sets the whole plan.
    SetPlan {
        /// The steps, in their order.
        steps: Vec<PlannedStep>,
    },
    /// Adds a step to the plan. The result of the call has the client's number of the step.
    AddStep {
        /// The description of the step.
        description: String,
    },
    /// Updates a step of the plan.
    UpdateStep {
        /// The client's number of the step.
        number: String,
        /// The description of the step, if the client repeats it.
        #[serde(default)]
        description: Option<String>,
        /// The new progress; `None` if the call does not change it.
        progress: Option<Progress>,
    },
    /// Calls the `hud` tool.
    Hud {
        /// The arguments.
        call: Value,
    },
    /// Asks the user for an answer or an approval.
    Ask {
        /// The client's name of the tool.
        tool: String,
        /// The target of the call.
        target: Option<String>,
    },
    /// Looks at something other than a single file: searches, lists, fetches.
    Look {
        /// The client's name of the tool.
        tool: String,
        /// The target of the call.
        target: Option<String>,
    },
    /// Delegates a task to another agent, or sends it a message.
    Delegate {
        /// The client's name of the tool.
        tool: String,
        /// The target of the call.
        target: Option<String>,
    },
    /// Any other call, including calls of unknown tools.
    Other {
        /// The client's name of the tool.
        tool: String,
        /// The target of the call.
        target: Option<String>,
    },
}

/// A step of an agent's plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedStep {
    /// The description of the step.
    pub description: String,
    /// The progress; `None` if the client's word for it is unknown.
    pub progress: Option<Progress>,
}

/// The progress of a step of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// It has not begun.
    Pending,
    /// It is in progress.
    InProgress,
    /// It is done.
    Completed,
    /// It is no longer part of the plan.
    Dropped,
}

impl Action {
    /// Returns a read of a file with unknown lines.
    pub fn read(path: impl Into<String>) -> Self {
        Self::Read {
            path: path.into(),
            lines: None,
        }
    }

    /// Returns a write of a file with an unknown change.
    pub fn write(path: impl Into<String>) -> Self {
        Self::Write {
            path: path.into(),
            change: Change::default(),
        }
    }

    /// Returns an edit of a file with an unknown change.
    pub fn edit(path: impl Into<String>) -> Self {
        Self::Edit {
            path: path.into(),
            change: Change::default(),
        }
    }

    /// Returns the attempted operation that an error in the log has if the action fails.
    pub const fn attempted(&self) -> Attempted {
        match self {
            Self::Read { .. } => Attempted::Read,
            Self::Write { .. } | Self::Edit { .. } | Self::Delete { .. } | Self::Move { .. } => {
                Attempted::Edit
            }
            Self::Run { .. } => Attempted::Run,
            Self::SetPlan { .. }
            | Self::AddStep { .. }
            | Self::UpdateStep { .. }
            | Self::Hud { .. }
            | Self::Ask { .. }
            | Self::Look { .. }
            | Self::Delegate { .. }
            | Self::Other { .. } => Attempted::Call,
        }
    }

    /// Returns a name of the tool for people: a fixed one for the kind of the action, or the client's own.
    pub fn tool(&self) -> &str {
        match self {
            Self::Read { .. } => "Read",
            Self::Write { .. } | Self::Edit { .. } | Self::Delete { .. } | Self::Move { .. } => {
                "Edit"
            }
            Self::Run { .. } => "Bash",
            Self::SetPlan { .. } => "TodoWrite",
            Self::AddStep { .. } => "TaskCreate",
            Self::UpdateStep { .. } => "TaskUpdate",
            Self::Hud { .. } => "hud",
            Self::Ask { tool, .. }
            | Self::Look { tool, .. }
            | Self::Delegate { tool, .. }
            | Self::Other { tool, .. } => tool,
        }
    }

    /// Returns the target of the action, such as a path or a command.
    pub fn target(&self) -> Option<&str> {
        match self {
            Self::Read { path, .. }
            | Self::Write { path, .. }
            | Self::Edit { path, .. }
            | Self::Delete { path }
            | Self::Move { from: path, .. }
            | Self::Run { command: path } => Some(path),
            Self::Ask { target, .. }
            | Self::Look { target, .. }
            | Self::Delegate { target, .. }
            | Self::Other { target, .. } => target.as_deref(),
            Self::SetPlan { .. }
            | Self::AddStep { .. }
            | Self::UpdateStep { .. }
            | Self::Hud { .. } => None,
        }
    }

    /// Returns the tool and its target: `Bash cargo test`. A long target is cut.
    pub fn label(&self) -> String {
        match self.target() {
            Some(target) => format!("{} {}", self.tool(), line(target, 60)),
            None => self.tool().to_owned(),
        }
    }

    /// Applies a function to each text: paths, names, commands, targets, descriptions, arguments.
    pub fn change_texts(&mut self, mut change: impl FnMut(&mut String)) {
        if let Self::Write { change: made, .. } | Self::Edit { change: made, .. } = self {
            made.names.iter_mut().for_each(&mut change);
            made.dependencies.iter_mut().for_each(&mut change);
            change(&mut made.diff);
        }
        match self {
            Self::Read { path, .. }
            | Self::Write { path, .. }
            | Self::Edit { path, .. }
            | Self::Delete { path }
            | Self::Run { command: path }
            | Self::AddStep { description: path } => change(path),
            Self::Move { from, to } => {
                change(from);
                change(to);
            }
            Self::SetPlan { steps } => {
                let descriptions = steps.iter_mut().map(|step| &mut step.description);
                descriptions.for_each(change);
            }
            Self::UpdateStep {
                description: target,
                ..
            }
            | Self::Ask { target, .. }
            | Self::Look { target, .. }
            | Self::Delegate { target, .. }
            | Self::Other { target, .. } => target.iter_mut().for_each(change),
            Self::Hud { call } => change_value(call, &mut change),
        }
    }

    /// Returns the action with the session's names of its files. If a path is not the name of a file, the
    /// result is an [`Other`](Self::Other) action without a target.
    pub fn naming(mut self, name: impl Fn(&str) -> Option<String>) -> Self {
        let rename = |path: &mut String| name(path).map(|named| *path = named).is_some();
        let is_named = match &mut self {
            Self::Read { path, .. }
            | Self::Write { path, .. }
            | Self::Edit { path, .. }
            | Self::Delete { path } => rename(path),
            Self::Move { from, to } => rename(from) && rename(to),
            _ => true,
        };
        match is_named {
            true => self,
            false => Self::Other {
                tool: self.tool().to_owned(),
                target: None,
            },
        }
    }
}

/// Applies a function to each text in a value.
fn change_value(value: &mut Value, change: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(values) => {
            for value in values {
                change_value(value, change);
            }
        }
        Value::Object(values) => {
            for value in values.values_mut() {
                change_value(value, change);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_on_a_path_that_names_no_file_is_on_none() {
        let moved = Action::Move {
            from: "a".into(),
            to: String::new(),
        };
        let named = moved.naming(|path| Some(path.to_owned()).filter(|path| !path.is_empty()));
        assert_eq!(named.label(), "Edit");
    }
}
