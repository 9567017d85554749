//! Operations: what reads, what writes, and what they work on.

use std::any::Any;

use hud_components::text;
use hud_store::event::{Actor, HudEvent, SessionId};
use hud_store::section::Section;
use hud_store::state::HudState;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Item, Lookup, Numbering, Operations, ToolError};
use hud_observe::path;

/// An operation that reads. Its arguments are its fields.
///
/// ```
/// use hud_agent::tool::{Operations, Read, ToolError, View};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use serde_json::{Value, json};
///
/// #[derive(Deserialize, JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// struct Count {}
///
/// impl Read for Count {
///     const NAME: &'static str = "notes.count";
///     const DOES: &'static str = "how many notes there are";
///     const EXAMPLE: &'static str = "{}";
///
///     fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
///         Ok(json!({ "notes": view.state().notes.len() }))
///     }
/// }
///
/// let operations = Operations::built_in().reading::<Count>()?;
/// assert!(operations.only_reads(&json!({ "tool": "notes.count" })));
/// # Ok::<(), hud_agent::tool::OperationError>(())
/// ```
pub trait Read: DeserializeOwned + JsonSchema + 'static {
    /// The name that it is called by: a noun and a verb with a dot between them.
    const NAME: &'static str;
    /// What it does, in few words.
    const DOES: &'static str;
    /// Arguments that would do, as JSON.
    const EXAMPLE: &'static str;

    /// Answers from the state and the log.
    ///
    /// # Errors
    ///
    /// [`ToolError`], for the agent to read.
    fn run(self, view: &View<'_>) -> Result<Value, ToolError>;
}

/// An operation that writes. Its arguments are its fields. It decides on the state that it is given, on what the
/// program [provides](Operations::providing) and on nothing else: where another process was quicker, it is run again on the state as it then is.
pub trait Write: DeserializeOwned + JsonSchema + 'static {
    /// The name that it is called by: a noun and a verb with a dot between them.
    const NAME: &'static str;
    /// What it does, in few words.
    const DOES: &'static str;
    /// Arguments that would do, as JSON.
    const EXAMPLE: &'static str;

    /// Drafts the events that are to be recorded, and answers.
    ///
    /// # Errors
    ///
    /// [`ToolError`], for the agent to read. Nothing is recorded then.
    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError>;
}

/// What an operation reads from.
#[derive(Clone, Copy)]
pub struct View<'v> {
    pub(super) state: &'v HudState,
    pub(super) lookup: &'v dyn Lookup,
    pub(super) operations: &'v Operations,
}

impl<'v> View<'v> {
    /// The state of the session.
    pub const fn state(&self) -> &'v HudState {
        self.state
    }

    /// What can be looked up beyond the state.
    pub const fn lookup(&self) -> &'v dyn Lookup {
        self.lookup
    }

    /// The operations that there are.
    pub const fn operations(&self) -> &'v Operations {
        self.operations
    }

    /// A section that is not built in; `None` if the log was opened without it.
    pub fn section<S: Section>(&self) -> Option<&'v S> {
        self.state.section()
    }

    /// What the program [provides](Operations::providing) of a type.
    pub fn provided<T: Any>(&self) -> Option<&'v T> {
        self.operations.provided()
    }
}

/// What an operation writes: the events that follow from a call.
pub struct Draft<'d> {
    state: &'d HudState,
    numbering: &'d mut Numbering,
    directory: Option<&'d str>,
    operations: &'d Operations,
    actor: &'d Actor,
    pub(super) events: Vec<HudEvent>,
    pub(super) resumes: Option<SessionId>,
}

impl<'d> Draft<'d> {
    pub(super) const fn new(
        state: &'d HudState,
        numbering: &'d mut Numbering,
        directory: Option<&'d str>,
        operations: &'d Operations,
        actor: &'d Actor,
    ) -> Self {
        Self {
            state,
            numbering,
            directory,
            operations,
            actor,
            events: Vec::new(),
            resumes: None,
        }
    }

    /// True if the user makes the call, by hand.
    pub fn is_users(&self) -> bool {
        *self.actor == Actor::User
    }

    /// The state of the session, without what is drafted.
    pub const fn state(&self) -> &'d HudState {
        self.state
    }

    /// A section that is not built in; `None` if the log was opened without it.
    pub fn section<S: Section>(&self) -> Option<&'d S> {
        self.state.section()
    }

    /// What the program [provides](Operations::providing) of a type.
    pub fn provided<T: Any>(&self) -> Option<&'d T> {
        self.operations.provided()
    }

    /// Drafts an event.
    pub fn record(&mut self, event: impl Into<HudEvent>) {
        self.events.push(event.into());
    }

    /// A name for a new item, such as `n1` for `Item::Note` or `r1` for `'r'`: one that none ever had.
    pub fn next_id(&mut self, item: impl Into<Item>) -> String {
        self.numbering.next(item.into())
    }

    pub(super) const fn operations(&self) -> &'d Operations {
        self.operations
    }

    /// The name that a file has in the session.
    pub(super) fn file(&self, operation: &'static str, path: &str) -> Result<String, ToolError> {
        let named = path::name(path, self.directory, &self.state.active_files);
        named.ok_or_else(|| {
            let path = text::line(path, 60);
            refuse(operation, format!("`{path}` names no file"))
        })
    }
}

/// Refuses a call: the arguments fit, but not this session. The reason says what would do.
pub fn refuse(operation: &'static str, reason: impl Into<String>) -> ToolError {
    ToolError::Refused {
        operation,
        reason: reason.into(),
    }
}

/// Refuses an id that none of the items has, and says which there are. `what` is what an item is called.
///
/// # Errors
///
/// [`ToolError::Refused`].
pub fn known<'i>(
    operation: &'static str,
    what: &str,
    id: &str,
    ids: impl Iterator<Item = &'i String> + Clone,
) -> Result<(), ToolError> {
    if ids.clone().any(|known| known == id) {
        return Ok(());
    }
    let ids: Vec<&str> = ids.map(String::as_str).collect();
    Err(refuse(
        operation,
        if ids.is_empty() {
            format!("there is no {what} `{id}`, and no other")
        } else {
            format!("there is no {what} `{id}`: there are {}", ids.join(", "))
        },
    ))
}

/// Refuses a text without anything to see in it. `name` is that of the argument.
///
/// # Errors
///
/// [`ToolError::Refused`].
pub fn said(operation: &'static str, name: &str, text: String) -> Result<String, ToolError> {
    if text::is_blank(&text) {
        return Err(refuse(
            operation,
            format!("`{name}` is empty: say something"),
        ));
    }
    Ok(text)
}
