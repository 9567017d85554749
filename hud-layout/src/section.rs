//! The layout that an agent sets for its own session: [`AgentLayout`].
//!
//! It is a section like any other: each change is an event, so there is a history, time travel and redaction.
//! `hud` has it with the setting `agent_layout`, and another program if it is given it. Whatever an agent sets is read,
//! checked and [tried](crate::accept) before it is recorded, and there is no other way in.

use hud_agent::section::AgentSection;
use hud_agent::tool::{Draft, Operations, Read, ToolError, View, Write, refuse};
use hud_core::{Density, Element, rsx};
use hud_store::section::{Happened, Item, Section};
use hud_store::state::HudState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::accept::{Accepted, Refused, accept, render};
use crate::catalogue::Catalogue;
use crate::report::Mistakes;
use crate::template::{BUILT_IN, Source, Template, hash};

/// How many bytes a layout of an agent may have: it is in each state, and in each event that sets it.
pub const MOST: usize = 8 * 1024;

/// How many layouts `layout.undo` can go back.
const HISTORY: usize = 16;

hud_store::events! {
    /// What happens to the layout of a session.
    pub enum LayoutEvent {
        /// the agent has a layout of its own from now on.
        "layout.set" 1 Set(
            /// The agent has a layout of its own from now on.
            LayoutSet {
                /// The layout, as text.
                source: String,
            }
        ),
        /// the agent takes back the last change of its layout.
        "layout.undo" 1 Undo(
            /// The agent takes back the last change of its layout.
            LayoutUndo {}
        ),
        /// the session has no layout of its own any more.
        "layout.reset" 1 Reset(
            /// The session has no layout of its own any more.
            LayoutReset {}
        ),
    }
}

/// The layout of a session, where its agent has set one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentLayout {
    /// The layout; none where it is that of the project, the user or the program.
    pub source: Option<String>,
    /// What it was before, newest last; none where it was not the agent's.
    pub before: Vec<Option<String>>,
}

impl Section for AgentLayout {
    const NAME: &'static str = "layout";
    type Event = LayoutEvent;

    fn apply(&mut self, event: &LayoutEvent, _: &Happened<'_>) {
        let next = match event {
            LayoutEvent::Set(set) => Some(set.source.clone()),
            LayoutEvent::Reset(_) => None,
            LayoutEvent::Undo(_) => {
                self.source = self.before.pop().flatten();
                return;
            }
        };
        self.before.push(std::mem::replace(&mut self.source, next));
        if self.before.len() > HISTORY {
            self.before.remove(0);
        }
    }

    fn items(&self) -> Vec<Item> {
        Vec::new()
    }
}

impl AgentSection for AgentLayout {
    fn operations(operations: Operations) -> Operations {
        operations
            .read::<Get>()
            .read::<Tags>()
            .read::<Check>()
            .read::<Preview>()
            .write::<Set>()
            .write::<Undo>()
            .write::<Reset>()
    }

    /// Nothing: it is the HUD itself.
    fn component(&self) -> Element<'_> {
        rsx! {}
    }
}

/// What the session's agent has set, read and without mistakes.
pub fn of(state: &HudState, catalogue: &Catalogue) -> Option<Template> {
    let source = state.section::<AgentLayout>()?.source.as_ref()?;
    Template::read(&named(source), &[], catalogue).ok()
}

fn named(source: &str) -> Source {
    Source::new("layout", source)
}

/// The layout that is set, or the built-in one.
fn present(state: &HudState) -> (&str, &'static str) {
    let own = state
        .section::<AgentLayout>()
        .and_then(|layout| layout.source.as_deref());
    own.map_or((BUILT_IN, "built-in"), |source| (source, "session"))
}

/// The one way in: reads a layout and tries it on the present state.
fn tried(
    operation: &'static str,
    source: &str,
    state: &HudState,
) -> Result<(Template, Accepted), ToolError> {
    if source.len() > MOST {
        let message = format!(
            "a layout has at most {MOST} bytes, and this one {}",
            source.len()
        );
        return Err(refuse(operation, message));
    }
    let template = Template::read(&named(source), &[], &Catalogue::built_in())
        .map_err(|wrong| refuse(operation, told(&wrong)))?;
    let accepted = accept(&template, state)
        .map_err(|refused: Refused| refuse(operation, refused.to_string()))?;
    Ok((template, accepted))
}

fn told(wrong: &Mistakes) -> String {
    format!("nothing was changed, {} to mend:\n{wrong}", wrong.count())
}

fn figures(accepted: &Accepted) -> Value {
    let of = |tokens: [u32; 3]| {
        let [full, compact, minimal] = tokens;
        json!({ "full": full, "compact": compact, "minimal": minimal })
    };
    json!({ "tokens": of(accepted.tokens), "built_in": of(accepted.built_in) })
}

/// `layout.get`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Get {}

impl Read for Get {
    const NAME: &'static str = "layout.get";
    const DOES: &'static str = "the layout of your HUD: markdown with components as tags";
    const EXAMPLE: &'static str = "{}";

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let (source, from) = present(view.state());
        Ok(json!({ "source": source, "from": from, "hash": hash(source) }))
    }
}

/// `layout.tags`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Tags {
    /// A tag, for its props and their schema.
    r#for: Option<String>,
}

impl Read for Tags {
    const NAME: &'static str = "layout.tags";
    const DOES: &'static str = "the tags that a layout can use, or the schema of one";
    const EXAMPLE: &'static str = r#"{"for":"NextSteps"}"#;

    fn run(self, _: &View<'_>) -> Result<Value, ToolError> {
        let catalogue = Catalogue::built_in();
        let Some(name) = self.r#for else {
            let tags = catalogue
                .entries()
                .map(|entry| (entry.meta().name.to_owned(), entry.line().into()));
            return Ok(Value::Object(tags.collect()));
        };
        let entry = catalogue.get(&name).ok_or_else(|| {
            let near = crate::expr::nearest(&name, catalogue.names());
            refuse(
                Self::NAME,
                match near {
                    Some(near) => format!("there is no tag `<{name}>`: did you mean `<{near}>`?"),
                    None => format!("there is no tag `<{name}>`: `layout.tags` lists them"),
                },
            )
        })?;
        Ok(json!({ "tag": entry.meta().name, "docs": entry.line(), "schema": entry.schema() }))
    }
}

/// `layout.check`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Check {
    /// The layout.
    source: String,
}

impl Read for Check {
    const NAME: &'static str = "layout.check";
    const DOES: &'static str = "what is wrong with a layout, without setting it";
    const EXAMPLE: &'static str = r#"{"source":"<TaskSection task={state.task} />"}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        match Template::read(&named(&self.source), &[], &Catalogue::built_in()) {
            Err(wrong) => Ok(json!({ "mistakes": wrong.to_json() })),
            Ok(_) => {
                let (_, accepted) = tried(Self::NAME, &self.source, view.state())?;
                Ok(json!({ "mistakes": [], "takes": figures(&accepted) }))
            }
        }
    }
}

/// `layout.preview`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Preview {
    /// The layout.
    source: String,
    /// full, compact or minimal; full by default.
    density: Option<String>,
}

impl Read for Preview {
    const NAME: &'static str = "layout.preview";
    const DOES: &'static str = "the HUD as a layout would show it now";
    const EXAMPLE: &'static str =
        r#"{"source":"<TaskSection task={state.task} />","density":"compact"}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let density = self
            .density
            .as_deref()
            .map_or(Ok(Density::Full), str::parse);
        let density: Density = density
            .map_err(|_| refuse(Self::NAME, "`density` is `full`, `compact` or `minimal`"))?;
        let (template, _) = tried(Self::NAME, &self.source, view.state())?;
        let shown = render(&template.layout(), view.state(), density);
        let shown = shown.map_err(|error| refuse(Self::NAME, error.to_string()))?;
        Ok(json!({ "hud": shown }))
    }
}

/// `layout.set`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Set {
    /// The whole layout; or else `old` and `new`.
    source: Option<String>,
    /// What is in the layout once, to be replaced.
    old: Option<String>,
    /// What takes its place.
    new: Option<String>,
    /// The hash of the layout that was read: the change is refused if it is another by now.
    base: Option<String>,
}

impl Write for Set {
    const NAME: &'static str = "layout.set";
    const DOES: &'static str = "your HUD has this layout from the next turn on";
    const EXAMPLE: &'static str = r#"{"old":"<NotesSection notes={state.notes} />","new":""}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let (now, _) = present(draft.state());
        if self.base.as_ref().is_some_and(|base| *base != hash(now)) {
            let message = format!(
                "the layout is another by now, with the hash {}:\n{now}",
                hash(now)
            );
            return Err(refuse(Self::NAME, message));
        }
        let source = match (self.source, self.old, self.new) {
            (Some(source), None, None) => source,
            (None, Some(old), Some(new)) if !old.is_empty() => match now.matches(&*old).count() {
                1 => now.replacen(&*old, &new, 1),
                0 => {
                    return Err(refuse(
                        Self::NAME,
                        format!("`old` is not in the layout:\n{now}"),
                    ));
                }
                count => {
                    let message = format!(
                        "`old` is in the layout {count} times: give more of what is around it"
                    );
                    return Err(refuse(Self::NAME, message));
                }
            },
            _ => return Err(refuse(Self::NAME, "give `source`, or `old` and `new`")),
        };
        let (_, accepted) = tried(Self::NAME, &source, draft.state())?;
        let answer = json!({ "hash": hash(&source), "takes": figures(&accepted) });
        draft.record(LayoutSet { source });
        Ok(answer)
    }
}

/// `layout.undo`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Undo {}

impl Write for Undo {
    const NAME: &'static str = "layout.undo";
    const DOES: &'static str = "takes back the last change of your layout";
    const EXAMPLE: &'static str = "{}";

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let layout = draft.section::<AgentLayout>();
        let Some(before) = layout.and_then(|layout| layout.before.last()) else {
            return Err(refuse(Self::NAME, "there is no change to take back"));
        };
        let from = if before.is_some() {
            "session"
        } else {
            "built-in"
        };
        draft.record(LayoutUndo {});
        Ok(json!({ "from": from }))
    }
}

/// `layout.reset`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reset {}

impl Write for Reset {
    const NAME: &'static str = "layout.reset";
    const DOES: &'static str = "your HUD has the layout that it had before you changed it";
    const EXAMPLE: &'static str = "{}";

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let own = draft.section::<AgentLayout>();
        if own.is_none_or(|layout| layout.source.is_none()) {
            return Err(refuse(Self::NAME, "the layout is not one of yours"));
        }
        draft.record(LayoutReset {});
        Ok(json!({}))
    }
}
