//! What is said of a section that changed since a model was shown it: [`News`].

use hud_core::{Element, rsx};
use hud_store::state::{Change, Step, Task};

use crate::NextSteps;
use crate::section::source;

/// How much of an item is said.
const SHOWN: usize = 300;

/// What is said of a section that changed since a model was shown it, where what it was shown stays as it
/// is: see [`Since`](crate::Since).
#[derive(Clone, Default)]
pub struct News<'a> {
    /// Lines in a list with those of other sections.
    pub lines: Vec<NewsLine>,
    /// What is shown behind the list: the section as a whole, say, where its items say nothing alone.
    pub whole: Option<Element<'a>>,
}

/// What is said of one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewsLine {
    /// What it is called: `decision`, `task`.
    pub name: &'static str,
    /// What it said; `None` if there was none.
    pub before: Option<String>,
    /// What it says; `None` if it no longer holds.
    pub after: Option<String>,
    /// How many characters of it are shown at most.
    pub most: usize,
}

impl NewsLine {
    /// A line for a thing, if it changed.
    pub fn between(
        name: &'static str,
        before: Option<&str>,
        after: Option<&str>,
        most: usize,
    ) -> Option<Self> {
        (before != after).then(|| Self {
            name,
            before: before.map(ToOwned::to_owned),
            after: after.map(ToOwned::to_owned),
            most,
        })
    }
}

impl<'a> News<'a> {
    /// A line for each item that came, changed or left.
    pub fn of(changes: Vec<Change>) -> Self {
        let line = |change: Change| NewsLine {
            name: change.item,
            before: change.before,
            after: change.after,
            most: SHOWN,
        };
        Self {
            lines: changes.into_iter().map(line).collect(),
            whole: None,
        }
    }

    /// The task and the latest request, as far as they changed.
    pub fn of_task<'t>(before: Option<&'t Task>, after: Option<&'t Task>) -> Self {
        let task = |task: Option<&'t Task>| {
            task.map(|task| format!("{}{}", task.description, source("", &task.by)))
        };
        let request = |task: Option<&'t Task>| task.and_then(|task| task.latest_request.as_deref());
        let restated = |task: Option<&'t Task>| {
            let restated = task.and_then(|task| task.restated.as_ref())?;
            Some(format!("{}{}", restated.text, source("", &restated.by)))
        };
        let lines = [
            NewsLine::between("task", task(before).as_deref(), task(after).as_deref(), 600),
            NewsLine::between("latest request", request(before), request(after), SHOWN),
            NewsLine::between(
                "task in other words",
                restated(before).as_deref(),
                restated(after).as_deref(),
                SHOWN,
            ),
        ];
        Self {
            lines: lines.into_iter().flatten().collect(),
            whole: None,
        }
    }

    /// The plan as it is now, if it changed: its steps say little without each other.
    pub fn of_plan(before: &[Step], after: &'a [Step]) -> Self {
        let shown = rsx! {
            if after.is_empty() { "The plan no longer holds." }
            <NextSteps steps={after} />
        };
        Self {
            lines: Vec::new(),
            whole: (before != after).then_some(shown),
        }
    }
}
