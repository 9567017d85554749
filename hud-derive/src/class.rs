//! The class of the output of a call.

use hud_observe::action::Action;
use hud_store::state::{Lines, OutputClass};

/// The facts about an output that are known before anybody reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its class.
    pub class: OutputClass,
    /// The tool, as a word for people.
    pub tool: String,
    /// The subject of the output: a path, a command.
    pub target: Option<String>,
    /// The lines of the file in the output, if it is not the whole file.
    pub lines: Option<Lines>,
}

impl Seen {
    /// Returns the facts about the output of a call with these actions. Only the first action counts, because a patch
    /// that changes many files has one output.
    pub fn of(actions: &[Action]) -> Self {
        let Some(action) = actions.first() else {
            return Self {
                class: OutputClass::Look,
                tool: String::new(),
                target: None,
                lines: None,
            };
        };
        let lines = match action {
            Action::Read { lines, .. } => *lines,
            _ => None,
        };
        Self {
            class: class(action),
            tool: action.tool().to_owned(),
            target: action.target().map(ToOwned::to_owned),
            lines,
        }
    }
}

/// The class of the output of an action.
fn class(action: &Action) -> OutputClass {
    match action {
        Action::Read { .. } => OutputClass::Read,
        Action::Look { target, .. } if is_of_the_web(target.as_deref()) => OutputClass::Report,
        Action::Run { .. } | Action::Look { .. } | Action::Other { .. } => OutputClass::Look,
        Action::Delegate { .. } => OutputClass::Report,
        Action::Write { .. }
        | Action::Edit { .. }
        | Action::Delete { .. }
        | Action::Move { .. }
        | Action::SetPlan { .. }
        | Action::AddStep { .. }
        | Action::UpdateStep { .. } => OutputClass::Ack,
        Action::Hud { .. } | Action::Ask { .. } => OutputClass::Kept,
    }
}

/// True if the target is a web page.
fn is_of_the_web(target: Option<&str>) -> bool {
    target.is_some_and(|target| target.starts_with("https://") || target.starts_with("http://"))
}
