//! The layout that an agent sets for its own session: [`AgentLayout`].
//!
//! It is a section like any other: each change is an event, so there is a history, time travel and redaction.
//! `hud` has it with the setting `agent_layout`, and another program if it is given it. Whatever an agent sets is read,
//! checked and [tried](crate::accept) before it is recorded, and there is no other way in.
//!
//! What the operations work with besides the state is [provided](Operations::providing) by the program: the layouts of
//! files, as [`Shared`], and a [`Permission`]. With [`Permission::Ask`] an agent proposes a layout, which is taken once
//! its user allows it.

use hud_agent::section::AgentSection;
use hud_agent::settings::Permission;
use hud_agent::tool::{Draft, Operations, Read, ToolError, View, Write, refuse};
use hud_core::{Density, Element, rsx};
use hud_store::event::{Actor, CompactEvent, HudEvent};
use hud_store::section::{Happened, Item, Pace, Section};
use hud_store::state::HudState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::accept::{Accepted, Refused, accept, render};
use crate::catalogue::Catalogue;
use crate::live::{Live, Shared};
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
        /// the agent takes back the last change of its layout, or what it proposed.
        "layout.undo" 1 Undo(
            /// The agent takes back the last change of its layout, or what it proposed.
            LayoutUndo {}
        ),
        /// the session has no layout of its own any more.
        "layout.reset" 1 Reset(
            /// The session has no layout of its own any more.
            LayoutReset {}
        ),
        /// the agent proposes a layout, which its user may allow.
        "layout.propose" 1 Propose(
            /// The agent proposes a layout, which its user may allow.
            LayoutPropose {
                /// The layout, as text.
                source: String,
            }
        ),
        /// the user allows the layout that the agent proposed.
        "layout.allow" 1 Allow(
            /// The user allows the layout that the agent proposed. By anybody else it changes nothing.
            LayoutAllow {
                /// Its hash: another one that was proposed meanwhile is not allowed.
                hash: String,
            }
        ),
        /// the user refuses the layout that the agent proposed.
        "layout.refuse" 1 Refuse(
            /// The user refuses the layout that the agent proposed.
            LayoutRefuse {}
        ),
    }
}

/// The layout of a session, where its agent has set one.
///
/// What an agent sets is shown when its turn is over: when something happens in a later one, the user says something,
/// or the conversation is compacted. Without a client that reports turns it is shown at once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentLayout {
    /// The layout; none where it is that of the project, the user or the program.
    pub source: Option<String>,
    /// What it was before, newest last; none where it was not the agent's.
    pub before: Vec<Option<String>>,
    /// What is shown until the turn is over in which it was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<Held>,
    /// What the agent proposes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed: Option<String>,
}

/// A layout that is shown for the rest of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The layout; none where it is not the agent's.
    pub source: Option<String>,
    /// The turn.
    pub turn: u64,
}

impl AgentLayout {
    /// The layout that is shown, and those before it, newest first.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = Option<&str>> {
        let shown = match &self.held {
            Some(held) => &held.source,
            None => &self.source,
        };
        let all = std::iter::once(shown).chain(self.before.iter().rev());
        all.map(Option::as_deref)
    }

    /// What the HUD says of a layout that is proposed.
    pub(crate) fn proposed(&self) -> Option<String> {
        let hash = hash(self.proposed.as_ref()?);
        Some(format!(
            "you proposed a layout: it is shown once your user runs `hud layout allow {hash}`"
        ))
    }

    /// Goes on with another layout. What was shown stays for the rest of the turn.
    fn change(&mut self, source: Option<String>, when: &Happened<'_>) {
        let before = std::mem::replace(&mut self.source, source);
        if when.turn > 0 {
            let source = self.held.take().map_or(before, |held| held.source);
            let turn = when.turn;
            self.held = (source != self.source).then_some(Held { source, turn });
        }
    }

    fn set(&mut self, source: Option<String>, when: &Happened<'_>) {
        self.before.push(self.source.clone());
        if self.before.len() > HISTORY {
            self.before.remove(0);
        }
        self.change(source, when);
    }

    /// What is held is over with the turn that it is held for.
    fn pass(&mut self, turn: u64) {
        self.held.take_if(|held| held.turn < turn);
    }
}

impl Section for AgentLayout {
    const NAME: &'static str = "layout";
    const VERSION: u32 = 2;
    /// It is how an epoch is shown, and nothing that an epoch shows.
    const PACE: Pace = Pace::EachTurn;
    const OVERHEARS: bool = true;
    type Event = LayoutEvent;

    fn apply(&mut self, event: &LayoutEvent, when: &Happened<'_>) {
        self.pass(when.turn);
        match event {
            LayoutEvent::Set(set) => self.set(Some(set.source.clone()), when),
            LayoutEvent::Reset(_) => {
                self.proposed = None;
                if self.source.is_some() {
                    self.set(None, when);
                }
            }
            LayoutEvent::Undo(_) => {
                if self.proposed.take().is_none() {
                    let before = self.before.pop().flatten();
                    self.change(before, when);
                }
            }
            LayoutEvent::Propose(propose) => self.proposed = Some(propose.source.clone()),
            LayoutEvent::Allow(allow) => {
                let is_meant = |source: &mut String| hash(source) == allow.hash;
                if *when.actor == Actor::User
                    && let Some(source) = self.proposed.take_if(is_meant)
                {
                    self.set(Some(source), when);
                }
            }
            LayoutEvent::Refuse(_) => self.proposed = None,
        }
    }

    fn overhear(&mut self, event: &HudEvent, when: &Happened<'_>) {
        self.pass(when.turn);
        let is_compacted = matches!(event, HudEvent::Compact(CompactEvent::After(_)));
        if is_compacted || *when.actor == Actor::User {
            self.held = None;
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

fn read(source: &str, live: Option<&Shared>) -> Result<Template, Mistakes> {
    match live {
        Some(live) => live.with(|live| live.read(source)),
        None => Template::read(&Source::new("layout", source), &[], &Catalogue::built_in()),
    }
}

/// A layout that an agent goes on from.
struct Present {
    source: String,
    /// Whose it is: a proposal, the session's, that of a file, or the built-in one.
    from: String,
}

impl Present {
    fn of(state: &HudState, live: Option<&Shared>) -> Self {
        let own = state.section::<AgentLayout>();
        let is = |source: &String, from: &str| Self {
            source: source.clone(),
            from: from.to_owned(),
        };
        let proposed = own.and_then(|layout| layout.proposed.as_ref());
        let own = own.and_then(|layout| layout.source.as_ref());
        match (proposed, own) {
            (Some(proposed), _) => is(proposed, "proposed"),
            (None, Some(own)) => is(own, "session"),
            (None, None) => Self::base(live),
        }
    }

    /// Where the agent has set none.
    fn base(live: Option<&Shared>) -> Self {
        match live.and_then(|live| live.with(|live| live.base())) {
            Some(template) => Self {
                source: template.source().text.clone(),
                from: template.source().name.clone(),
            },
            None => Self {
                source: BUILT_IN.to_owned(),
                from: "built-in".to_owned(),
            },
        }
    }
}

/// A layout that an agent proposes, for its user.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The layout, as text.
    pub source: String,
    /// By which it is allowed.
    pub hash: String,
    /// How many tokens it takes of the present state, or why it can not be taken any more.
    pub tried: Result<Accepted, String>,
}

impl Proposal {
    /// What the agent of a session proposes. `live` has the components that it can use.
    pub fn of(state: &HudState, live: Option<&Shared>) -> Option<Self> {
        let source = state.section::<AgentLayout>()?.proposed.clone()?;
        let tried = match read(&source, live) {
            Ok(template) => accept(&template, state).map_err(|refused| refused.to_string()),
            Err(wrong) => Err(wrong.to_string()),
        };
        Some(Self {
            hash: hash(&source),
            tried,
            source,
        })
    }
}

/// The one way in: reads a layout and tries it on the present state.
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
struct Get {}

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
struct Tags {
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
        // An empty layout has the components that any layout has.
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
        // A component that is declared in a file hides a tag of its name.
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
struct Check {
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
        let (template, _) = tried(Self::NAME, &self.source, view.state(), view.provided())?;
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
struct Undo {}

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
struct Reset {}

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
