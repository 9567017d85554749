//! The agent's interface to a section: its operations, its name in the tool, and its default component.

use std::fmt;

use hud_components::SectionItems;
use hud_components::news::News;
use hud_core::{Element, rsx};
use hud_store::event::HudEvent;
use hud_store::section::{Item, Section};
use hud_store::state::{Change, HudState};
use serde_json::Value;

use crate::tool::{Draft, Operations, ToolError, refuse};

/// A section that the agent reads and writes with the `hud` tool.
///
/// Each built-in section implements it in the file of its operations (`tool/notes.rs`).
///
/// ```
/// use hud_agent::section::AgentSection;
/// use hud_agent::setup::Setup;
/// use hud_agent::tool::{Draft, Operations, ToolError, Write, said};
/// use hud_store::section::{Happened, Item, Section};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::{Value, json};
///
/// hud_store::events! {
///     /// What happens to risks.
///     pub enum RiskEvent {
///         /// the agent sees a risk.
///         "risk.add" 1 Add(
///             /// Adds a risk.
///             RiskAdd { id: String, description: String }
///         ) item id names id,
///     }
/// }
///
/// #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
/// struct Risks(Vec<RiskAdd>);
///
/// impl Section for Risks {
///     const NAME: &'static str = "risks";
///     type Event = RiskEvent;
///
///     fn apply(&mut self, event: &RiskEvent, _: &Happened<'_>) {
///         match event {
///             RiskEvent::Add(risk) => self.0.push(risk.clone()),
///         }
///     }
///
///     fn items(&self) -> Vec<Item> {
///         self.0.iter().map(|risk| Item::new(&risk.id, &risk.description)).collect()
///     }
/// }
///
/// #[derive(Deserialize, JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// struct Add {
///     /// What may go wrong.
///     description: String,
/// }
///
/// impl Write for Add {
///     const NAME: &'static str = "risks.add";
///     const DOES: &'static str = "something may go wrong";
///     const EXAMPLE: &'static str = r#"{"description":"The cache is cold"}"#;
///
///     fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
///         let description = said(Self::NAME, "description", self.description)?;
///         let id = draft.next_id('r');
///         draft.record(RiskAdd { id: id.clone(), description });
///         Ok(json!({ "id": id }))
///     }
/// }
///
/// impl AgentSection for Risks {
///     fn operations(operations: Operations) -> Operations {
///         operations.write::<Add>()
///     }
/// }
///
/// let setup = Setup::default().with::<Risks>()?;
/// assert!(!setup.operations.only_reads(&json!({ "tool": "risks.add" })));
/// # Ok::<(), hud_agent::setup::SetupError>(())
/// ```
pub trait AgentSection: Section {
    /// The name of the section in the tool: `files` for the section `active_files`.
    const NOUN: &'static str = Self::NAME;

    /// Other names by which agents know it, in addition to its [name](Section::NAME) in the state.
    const ALIASES: &'static [&'static str] = &[];

    /// Adds its operations to the registry.
    #[must_use]
    fn operations(operations: Operations) -> Operations {
        operations
    }

    /// Drafts the events that replace its items with these texts, for `section.update`. Refuses by default.
    ///
    /// # Errors
    ///
    /// [`ToolError`], for the agent to read; `operation` is the one that was called.
    fn replace(
        &self,
        texts: Vec<String>,
        operation: &'static str,
        draft: &mut Draft<'_>,
    ) -> Result<Value, ToolError> {
        let _ = (texts, draft);
        let noun = Self::NOUN;
        Err(refuse(
            operation,
            format!("`{noun}` is not replaced as a whole: see its operations with `help`"),
        ))
    }

    /// Drafts the events that empty it, for `section.clear`. Returns true if it can be emptied; false by
    /// default.
    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        let _ = draft;
        false
    }

    /// Returns the events that record a review of the item `id`, which exists. The list is empty if nothing
    /// changes. `None` if its items can't be reviewed, which is the default.
    fn reviewed(&self, id: &str, verdict: &Verdict<'_>) -> Option<Vec<HudEvent>> {
        let _ = (id, verdict);
        None
    }

    /// Returns its news since `before`, the state that the system prompt shows. They follow the conversation:
    /// see [`Placement::Epoch`](crate::placement::Placement::Epoch). The default is one line for each of the
    /// `changes`: the added, changed and removed items.
    fn since<'a>(&'a self, before: &'a Self, changes: Vec<Change>) -> News<'a> {
        let _ = before;
        News::of(changes)
    }

    /// Renders it when the layout does not show it: a list of its [items](Section::items).
    fn component(&self) -> Element<'_> {
        let items = self.items();
        rsx! { <SectionItems name={Self::NAME} items bearings={self.bearings()} /> }
    }
}

/// The agent's verdict on an item, from the operation `review`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'v> {
    /// It is correct, and belongs to the agent from now on.
    Confirm,
    /// The corrected text.
    Correct(&'v str),
    /// It is wrong or useless.
    Drop,
}

/// The erased form of a section type.
#[derive(Clone, Copy)]
pub(crate) struct Noun {
    pub(crate) noun: &'static str,
    pub(crate) name: &'static str,
    pub(crate) aliases: &'static [&'static str],
    pub(crate) operations: fn(Operations) -> Operations,
    pub(crate) replace: Replace,
    pub(crate) clear: fn(&mut Draft<'_>) -> bool,
    pub(crate) items: fn(&HudState) -> Vec<Item>,
    pub(crate) reviewed: Reviewed,
    pub(crate) since: Since,
}

/// Returns `None` if the section has no item of that id.
type Reviewed = fn(&HudState, &str, &Verdict<'_>) -> Option<Option<Vec<HudEvent>>>;

type Since = for<'a> fn(&'a HudState, &'a HudState, Vec<Change>) -> News<'a>;

type Replace = fn(Vec<String>, &'static str, &mut Draft<'_>) -> Result<Value, ToolError>;

impl fmt::Debug for Noun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.noun)
    }
}

impl Noun {
    pub(crate) fn of<S: AgentSection>() -> Self {
        Self {
            noun: S::NOUN,
            name: S::NAME,
            aliases: S::ALIASES,
            operations: S::operations,
            replace: |texts, operation, draft| match draft.section::<S>() {
                Some(section) => section.replace(texts, operation, draft),
                None => S::default().replace(texts, operation, draft),
            },
            clear: |draft| {
                draft
                    .section::<S>()
                    .is_some_and(|section| section.clear(draft))
            },
            items: |state| state.section::<S>().map(S::items).unwrap_or_default(),
            reviewed: |state, id, verdict| {
                let section = state.section::<S>()?;
                let has_it = section.items().iter().any(|known| known.id == id);
                has_it.then(|| section.reviewed(id, verdict))
            },
            since: since::<S>,
        }
    }

    /// True if `name` is one of its names.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.noun == name || self.name == name || self.aliases.contains(&name)
    }
}

fn since<'a, S: AgentSection>(
    begun: &'a HudState,
    state: &'a HudState,
    changes: Vec<Change>,
) -> News<'a> {
    match (begun.section::<S>(), state.section::<S>()) {
        (Some(before), Some(now)) => now.since(before, changes),
        _ => News::of(changes),
    }
}
