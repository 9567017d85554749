//! What a call of a tool does, in no client's words.

use hud_components::text::line;
use hud_store::state::{Attempted, Lines};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::change::Change;

/// What a call of a tool does, as far as the HUD is concerned.
///
/// Each client says of its own tools which action they are. One call may do several
/// things: a patch changes any number of files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Reads a file.
    Read {
        /// The file.
        path: String,
        /// Which lines, where it is not all of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<Lines>,
    },
    /// Makes a file, or replaces all of it.
    Write {
        /// The file.
        path: String,
        /// What is changed in it, as far as it is known.
        #[serde(default, skip_serializing_if = "Change::is_unknown")]
        change: Change,
    },
    /// Changes a part of a file.
    Edit {
        /// The file.
        path: String,
        /// What is changed in it, as far as it is known.
        #[serde(default, skip_serializing_if = "Change::is_unknown")]
        change: Change,
    },
    /// Removes a file.
    Delete {
        /// The file.
        path: String,
    },
    /// Writes a file under another name.
    Move {
        /// The file as it was called.
        from: String,
        /// The file as it is called from then on.
        to: String,
    },
    /// Runs a shell command.
    Run {
        /// The command line.
        command: String,
    },
    /// Sets the whole plan.
    SetPlan {
        /// Its steps, in their order.
        steps: Vec<PlannedStep>,
    },
    /// Adds a step to the plan. The result of the call has the client's number of it.
    AddStep {
        /// What is to be done.
        description: String,
    },
    /// Moves a step of the plan on.
    UpdateStep {
        /// The client's number of the step.
        number: String,
        /// What is to be done in the step, where the client says it again.
        #[serde(default)]
        description: Option<String>,
        /// How far the step is; none where the call does not change that.
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
        /// What it is about.
        target: Option<String>,
    },
    /// Looks at something that is no single file: searches, lists, fetches.
    Look {
        /// The client's name of the tool.
        tool: String,
        /// What it is about.
        target: Option<String>,
    },
    /// Has another agent do something, or speaks with it.
    Delegate {
        /// The client's name of the tool.
        tool: String,
        /// What it is about.
        target: Option<String>,
    },
    /// Anything else, and what no client is known to have.
    Other {
        /// The client's name of the tool.
        tool: String,
        /// What it is about.
        target: Option<String>,
    },
}

/// A step of a plan, as an agent sets it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedStep {
    /// What is to be done.
    pub description: String,
    /// How far the step is; none where the client's word for that is not known.
    pub progress: Option<Progress>,
}

/// How far a step of a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// It waits.
    Pending,
    /// It is being done.
    InProgress,
    /// It is done.
    Completed,
    /// It is no longer part of the plan.
    Dropped,
}

impl Action {
    /// Reads a file; which lines is not known.
    pub fn read(path: impl Into<String>) -> Self {
        Self::Read {
            path: path.into(),
            lines: None,
        }
    }

    /// Makes a file, or replaces all of it; what changes is not known.
    pub fn write(path: impl Into<String>) -> Self {
        Self::Write {
            path: path.into(),
            change: Change::default(),
        }
    }

    /// Changes a part of a file; which one is not known.
    pub fn edit(path: impl Into<String>) -> Self {
        Self::Edit {
            path: path.into(),
            change: Change::default(),
        }
    }

    /// What an error in the log says was attempted, if the action fails.
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

    /// The action in a word for people: one for its kind, else the client's name of the tool.
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

    /// What the action is about: a path, a command.
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

    /// What is done and to what: `Bash cargo test`. A long target is cut.
    pub fn label(&self) -> String {
        match self.target() {
            Some(target) => format!("{} {}", self.tool(), line(target, 60)),
            None => self.tool().to_owned(),
        }
    }

    /// Changes each text that says something: paths, names, commands, targets, descriptions, arguments.
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

    /// The action with the names that its files have in the session. One on a path that names no file is
    /// on no file.
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

/// Changes each text in a value.
pub fn change_value(value: &mut Value, change: &mut impl FnMut(&mut String)) {
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
