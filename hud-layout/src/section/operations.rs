//! The operations of the `hud` tool on an agent's layout.

use hud_agent::settings::Permission;
use hud_agent::tool::{Draft, Read, ToolError, View, Write, refuse};
use hud_core::Density;
use hud_store::state::HudState;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{AgentLayout, LayoutPropose, LayoutReset, LayoutSet, LayoutUndo, MOST, Present, read};
use crate::accept::{Accepted, Refused, accept, render};
use crate::catalogue::Catalogue;
use crate::live::{Live, Shared};
use crate::report::Mistakes;
use crate::template::{Template, hash};

/// Parses a layout and tries it on the present state. No layout is set or proposed without this check.
fn tried(
    operation: &'static str,
    source: &str,
    state: &HudState,
    live: Option<&Shared>,
) -> Result<(Template, Accepted), ToolError> {
    if source.len() > MOST {
        let message = format!(
            "a layout has at most {MOST} bytes, and this one {}",
            source.len()
        );
        return Err(refuse(operation, message));
    }
    let template = read(source, live).map_err(|wrong| refuse(operation, told(&wrong)))?;
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
pub(super) struct Get {}

impl Read for Get {
    const NAME: &'static str = "layout.get";
    const DOES: &'static str = "the layout of your HUD: markdown with components as tags";
    const EXAMPLE: &'static str = "{}";

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let Present { source, from } = Present::of(view.state(), view.provided());
        let hash = hash(&source);
        Ok(json!({ "source": source, "from": from, "hash": hash }))
    }
}

/// `layout.tags`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Tags {
    /// A tag, for its props and their schema.
    r#for: Option<String>,
}

impl Read for Tags {
    const NAME: &'static str = "layout.tags";
    const DOES: &'static str = "the tags that a layout can use, or the schema of one";
    const EXAMPLE: &'static str = r#"{"for":"NextSteps"}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let live: Option<&Shared> = view.provided();
        let catalogue = live.map_or_else(Catalogue::built_in, |live| {
            live.with(|live| live.of_agents())
        });
        // An empty layout has the components that are available to any layout.
        let components = read("", live).ok();
        let components = components.iter().flat_map(Template::components);
        let Some(name) = self.r#for else {
            let tags = catalogue
                .entries()
                .map(|entry| (entry.meta().name.to_owned(), entry.line().into()));
            let mut tags: Map<String, Value> = tags.collect();
            tags.extend(components.map(|(name, own)| {
                let docs = match own.head.docs.as_str() {
                    "" => "a component of this project or user",
                    docs => docs,
                };
                (name.to_owned(), docs.into())
            }));
            return Ok(Value::Object(tags));
        };
        let components: Vec<_> = components.collect();
        // A component file hides a tag of the same name.
        if let Some((name, own)) = components.iter().find(|(own, _)| *own == name) {
            return Ok(json!({ "tag": name, "docs": own.head.docs, "schema": own.head.props }));
        }
        if let Some(entry) = catalogue.get(&name) {
            return Ok(
                json!({ "tag": entry.meta().name, "docs": entry.line(), "schema": entry.schema() }),
            );
        }
        let mut names: Vec<&str> = catalogue.names().collect();
        names.extend(components.iter().map(|(name, _)| *name));
        Err(refuse(
            Self::NAME,
            match crate::expr::nearest(&name, names) {
                Some(near) => format!("there is no tag `<{name}>`: did you mean `<{near}>`?"),
                None => format!("there is no tag `<{name}>`: `layout.tags` lists them"),
            },
        ))
    }
}

/// `layout.check`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    /// The layout.
    source: String,
}

impl Read for Check {
    const NAME: &'static str = "layout.check";
    const DOES: &'static str = "what is wrong with a layout, without setting it";
    const EXAMPLE: &'static str = r#"{"source":"<TaskSection task={state.task} />"}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        match read(&self.source, view.provided()) {
            Err(wrong) => Ok(json!({ "mistakes": wrong.to_json() })),
            Ok(_) => {
                let (_, accepted) = tried(Self::NAME, &self.source, view.state(), view.provided())?;
                Ok(json!({ "mistakes": [], "takes": figures(&accepted) }))
            }
        }
    }
}

/// `layout.preview`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Preview {
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
        let (template, _) = tried(Self::NAME, &self.source, view.state(), view.provided())?;
        let shown = render(&template.layout(), view.state(), density);
        let shown = shown.map_err(|error| refuse(Self::NAME, error.to_string()))?;
        Ok(json!({ "hud": shown }))
    }
}

/// `layout.set`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Set {
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
    const DOES: &'static str = "your HUD has this layout once this turn is over";
    const EXAMPLE: &'static str = r#"{"old":"<NotesSection notes={state.notes} />","new":""}"#;

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let live: Option<&Shared> = draft.provided();
        let now = &*Present::of(draft.state(), live).source;
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
        let (template, accepted) = tried(Self::NAME, &source, draft.state(), live)?;
        let hash = hash(&source);
        let mut answer = json!({ "hash": hash, "takes": figures(&accepted) });
        if draft.provided() == Some(&Permission::Ask) {
            answer["waits"] = format!(
                "it is proposed, and not shown: ask your user to allow it with `hud layout allow {hash}`"
            )
            .into();
            draft.record(LayoutPropose { source });
            return Ok(answer);
        }
        if let Some(live) = live {
            live.with(|live: &mut Live| live.forgive(&template));
        }
        draft.record(LayoutSet { source });
        Ok(answer)
    }
}

/// `layout.undo`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Undo {}

impl Write for Undo {
    const NAME: &'static str = "layout.undo";
    const DOES: &'static str = "takes back the last change of your layout, or what you proposed";
    const EXAMPLE: &'static str = "{}";

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let layout = draft.section::<AgentLayout>();
        let from = match layout {
            Some(AgentLayout {
                proposed: Some(_),
                source: Some(_),
                ..
            }) => "session".to_owned(),
            Some(AgentLayout {
                proposed: Some(_), ..
            }) => Present::base(draft.provided()).from,
            _ => match layout.and_then(|layout| layout.before.last()) {
                Some(Some(_)) => "session".to_owned(),
                Some(None) => Present::base(draft.provided()).from,
                None => return Err(refuse(Self::NAME, "there is no change to take back")),
            },
        };
        draft.record(LayoutUndo {});
        Ok(json!({ "from": from }))
    }
}

/// `layout.reset`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reset {}

impl Write for Reset {
    const NAME: &'static str = "layout.reset";
    const DOES: &'static str = "your HUD has the layout that it had before you changed it";
    const EXAMPLE: &'static str = "{}";

    fn run(self, draft: &mut Draft<'_>) -> Result<Value, ToolError> {
        let own = draft.section::<AgentLayout>();
        if own.is_none_or(|layout| layout.source.is_none() && layout.proposed.is_none()) {
            return Err(refuse(Self::NAME, "the layout is not one of yours"));
        }
        draft.record(LayoutReset {});
        Ok(json!({ "from": Present::base(draft.provided()).from }))
    }
}
