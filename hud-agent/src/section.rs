//! What an agent does with a section: its operations, its name in the tool, and how it looks where no
//! layout shows it.

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
/// The built-in sections are made with it, in a file each beside the operations (`tool/notes.rs`).
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
    /// What the agent calls it: `files` for the section `active_files`.
    const NOUN: &'static str = Self::NAME;

    /// Other names that agents know it by, besides its [name](Section::NAME) in the state.
    const ALIASES: &'static [&'static str] = &[];

    /// Adds its operations to the others.
    #[must_use]
    fn operations(operations: Operations) -> Operations {
        operations
    }

    /// Drafts what makes it consist of these texts, for `section.update`. By default it is refused.
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

    /// Drafts what empties it, for `section.clear`, and says whether it can be emptied. By default it
    /// can't.
    fn clear(&self, draft: &mut Draft<'_>) -> bool {
        let _ = draft;
        false
    }

    /// What follows where the agent reviews one of its items, which is there: the events that it records,
    /// none where nothing changes. `None` where its items are not reviewed, as by default.
    fn reviewed(&self, id: &str, verdict: &Verdict<'_>) -> Option<Vec<HudEvent>> {
        let _ = (id, verdict);
        None
    }

    /// What is said of it behind the conversation, where the system prompt shows it as it was `before`: see
    /// [`Placement::Epoch`](crate::placement::Placement::Epoch). By default it is a line for each of its
    /// items that came, changed or left, which are the `changes`.
    fn since<'a>(&'a self, before: &'a Self, changes: Vec<Change>) -> News<'a> {
        let _ = before;
        News::of(changes)
    }

    /// How it looks where the layout does not show it: a list of its [items](Section::items).
    fn component(&self) -> Element<'_> {
        let items = self.items();
        rsx! { <SectionItems name={Self::NAME} items bearings={self.bearings()} /> }
    }
}

/// What the agent says of an item with the operation `review`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'v> {
    /// It holds, and is the agent's own from now on.
    Confirm,
    /// It says something else.
    Correct(&'v str),
    /// It is wrong, or worth nothing.
    Drop,
}

/// A section by its type.
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

/// `None` where the section has no item of that id.
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

    /// Whether it is called so.
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
