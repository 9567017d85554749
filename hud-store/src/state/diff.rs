//! The difference between two states.

use super::{FileStatus, HudState, MemoryBlock, Section, StepStatus};

/// Something that is not the same in two states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The section.
    pub section: Section,
    /// The item in it: its id, a file's path, a block's name; empty where the section is one thing.
    pub item: String,
    /// What was there; `None` if nothing was.
    pub before: Option<String>,
    /// What is there; `None` if nothing is.
    pub after: Option<String>,
}

/// What has to be said to turn one state into another: the items that left, that came and that
/// changed, by section in the order of the state. When something was touched is no difference, and
/// neither is the order of items.
///
/// ```
/// use hud_store::state::{HudState, Note, changes};
///
/// let before = HudState::default();
/// let mut after = HudState::default();
/// after.notes.push(Note {
///     id: "n1".into(),
///     content: "tests need redis".into(),
///     updated_at: "2026-11-20T12:00:00Z".parse()?,
/// });
/// let changes = changes(&before, &after);
/// assert_eq!((changes[0].item.as_str(), changes[0].before.as_deref()), ("n1", None));
/// assert_eq!(changes[0].after.as_deref(), Some("tests need redis"));
/// # Ok::<(), jiff::Error>(())
/// ```
pub fn changes(before: &HudState, after: &HudState) -> Vec<Change> {
    let mut changes = Vec::new();
    for &section in Section::ALL {
        let (old, new) = (items(before, section), items(after, section));
        for (item, text) in &old {
            let now = find(&new, item);
            if now != Some(text) {
                changes.push(Change {
                    section,
                    item: item.clone(),
                    before: Some(text.clone()),
                    after: now.cloned(),
                });
            }
        }
        for (item, text) in new {
            if find(&old, &item).is_none() {
                changes.push(Change {
                    section,
                    item,
                    before: None,
                    after: Some(text),
                });
            }
        }
    }
    changes
}

fn find<'i>(items: &'i [(String, String)], item: &str) -> Option<&'i String> {
    let found = items.iter().find(|(other, _)| other == item);
    found.map(|(_, text)| text)
}

/// The items of a section, each with what it says.
fn items(state: &HudState, section: Section) -> Vec<(String, String)> {
    let one = |text: Option<String>| text.map(|text| (String::new(), text)).into_iter().collect();
    match section {
        Section::Origin => {
            let origin = state.origin.iter().flat_map(|origin| {
                [
                    ("resumes", &origin.resumes),
                    ("parent", &origin.parent),
                    ("project", &origin.project),
                    ("forks", &origin.forks),
                ]
            });
            origin
                .filter_map(|(name, session)| {
                    Some((name.to_owned(), session.as_ref()?.to_string()))
                })
                .collect()
        }
        Section::Task => one(state.task.as_ref().map(|task| {
            with(
                &task.description,
                "; asked last: ",
                task.latest_request.as_deref(),
            )
        })),
        Section::Decisions => state
            .decisions
            .iter()
            .map(|decision| {
                let text = with(&decision.summary, ": ", decision.details.as_deref());
                (decision.id.clone(), text)
            })
            .collect(),
        Section::Notes => state
            .notes
            .iter()
            .map(|note| (note.id.clone(), note.content.clone()))
            .collect(),
        Section::ActiveFiles => state
            .active_files
            .iter()
            .map(|file| {
                let status = match file.status {
                    FileStatus::Reading => "reading",
                    FileStatus::Editing => "editing",
                    FileStatus::Referenced => "referenced",
                };
                (file.path.clone(), status.to_owned())
            })
            .collect(),
        Section::NextSteps => state
            .next_steps
            .iter()
            .map(|step| {
                let status = match step.status {
                    StepStatus::Pending => "pending",
                    StepStatus::InProgress => "in progress",
                    StepStatus::Completed => "completed",
                };
                (step.id.clone(), format!("{} ({status})", step.description))
            })
            .collect(),
        Section::Blockers => state
            .blockers
            .iter()
            .map(|blocker| (blocker.id.clone(), blocker.description.clone()))
            .collect(),
        Section::Errors => state
            .errors
            .iter()
            .map(|error| {
                let message = error.message.as_str();
                let mut text = match &error.target {
                    Some(target) => with(target, ": ", Some(message)),
                    None => message.to_owned(),
                };
                if error.is_resolved() {
                    text.push_str(" (resolved)");
                }
                (error.id.clone(), text)
            })
            .collect(),
        Section::Context => one(state.context.as_ref().map(|context| match context.limit {
            Some(limit) => format!("{} of {limit} tokens", context.used),
            None => format!("{} tokens", context.used),
        })),
        Section::Compacted => one(state.compacted.as_ref().map(|compacted| {
            with(
                &format!("compaction {}", compacted.count),
                ": ",
                compacted.summary.as_deref(),
            )
        })),
        Section::CoreMemory => [
            ("goal", MemoryBlock::Goal),
            ("progress", MemoryBlock::Progress),
            ("context", MemoryBlock::Context),
        ]
        .into_iter()
        .map(|(name, block)| (name.to_owned(), state.core_memory.block(block)))
        .filter(|(_, block)| !block.content.is_empty())
        .map(|(name, block)| (name, block.content.clone()))
        .collect(),
        Section::WorkingMemory => {
            let memory = &state.working_memory;
            let slots = [
                ("error", &memory.slots.error),
                ("decision", &memory.slots.decision),
                ("todo", &memory.slots.todo),
                ("dependency", &memory.slots.dependency),
            ];
            let slots = slots
                .into_iter()
                .flat_map(|(place, items)| items.iter().map(move |item| (place, &item.content)));
            let pool = memory.pool.iter().map(|item| ("pool", &item.content));
            slots
                .chain(pool)
                .map(|(place, content)| (format!("{place}: {content}"), content.clone()))
                .collect()
        }
    }
}

fn with(text: &str, between: &str, more: Option<&str>) -> String {
    match more {
        Some(more) => format!("{text}{between}{more}"),
        None => text.to_owned(),
    }
}
