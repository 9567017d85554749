//! The layout that an agent sets for its session: [`AgentLayout`].
//!
//! It is a section like any other. Each change is an event, so it has a history, time travel and redaction. `hud`
//! includes it with the setting `agent_layout`, and other programs can add it. Each layout that an agent sets is
//! parsed, checked and [tried](crate::accept) before it is recorded. There is no other way to set one.
//!
//! The program [provides](Operations::providing) the operations with the layouts of files, as [`Shared`], and with a
//! [`Permission`]. With [`Permission::Ask`] an agent proposes a layout, which is set once its user allows it.
//!
//! [`Permission`]: hud_agent::settings::Permission
//! [`Permission::Ask`]: hud_agent::settings::Permission::Ask

mod operations;

use hud_agent::section::AgentSection;
use hud_agent::tool::Operations;
use hud_core::{Element, rsx};
use hud_store::event::{Actor, CompactEvent, HudEvent};
use hud_store::section::{Happened, Item, Pace, Section};
use hud_store::state::HudState;
use serde::{Deserialize, Serialize};

use crate::accept::{Accepted, accept};
use crate::catalogue::Catalogue;
use crate::live::Shared;
use crate::report::Mistakes;
use crate::template::{BUILT_IN, Source, Template, hash};

/// The maximum size of an agent's layout in bytes. The layout is stored in each state and in each event that sets
/// it.
pub const MOST: usize = 8 * 1024;

/// The number of layouts that `layout.undo` can go back.
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

/// The layout that the agent of a session has set.
///
/// A new layout is shown after the current turn. The turn is over when an event of a later turn is recorded, when an
/// event of the user is recorded, or when the conversation is compacted. Without a client that reports turns, the
/// layout is shown at once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentLayout {
    /// The agent's layout, or `None` if the layout is that of the project, the user or the program.
    pub source: Option<String>,
    /// The previous layouts, newest last. `None` stands for a layout that was not the agent's.
    pub before: Vec<Option<String>>,
    /// The layout that is shown until the turn of the last change is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<Held>,
    /// The layout that the agent proposes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed: Option<String>,
}

/// A layout that is shown for the rest of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The layout, or `None` if it is not the agent's.
    pub source: Option<String>,
    /// The turn.
    pub turn: u64,
}

impl AgentLayout {
    /// The shown layout, followed by the previous ones, newest first.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = Option<&str>> {
        let shown = match &self.held {
            Some(held) => &held.source,
            None => &self.source,
        };
        let all = std::iter::once(shown).chain(self.before.iter().rev());
        all.map(Option::as_deref)
    }

    /// The line that the HUD shows for a proposed layout.
    pub(crate) fn proposed(&self) -> Option<String> {
        let hash = hash(self.proposed.as_ref()?);
        Some(format!(
            "you proposed a layout: it is shown once your user runs `hud layout allow {hash}`"
        ))
    }

    /// Changes the layout. The shown layout is kept for the rest of the turn.
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

    /// Drops the held layout once its turn is over.
    fn pass(&mut self, turn: u64) {
        self.held.take_if(|held| held.turn < turn);
    }
}

impl Section for AgentLayout {
    const NAME: &'static str = "layout";
    const VERSION: u32 = 2;
    /// The layout changes how an epoch is shown, not its content.
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
            .read::<operations::Get>()
            .read::<operations::Tags>()
            .read::<operations::Check>()
            .read::<operations::Preview>()
            .write::<operations::Set>()
            .write::<operations::Undo>()
            .write::<operations::Reset>()
    }

    /// Shows nothing, because the layout is the HUD itself.
    fn component(&self) -> Element<'_> {
        rsx! {}
    }
}

fn read(source: &str, live: Option<&Shared>) -> Result<Template, Mistakes> {
    match live {
        Some(live) => live.with(|live| live.read(source)),
        None => {
            let catalogue = Catalogue::built_in().for_agents();
            Template::read(&Source::new("layout", source), &[], &catalogue)
        }
    }
}

/// The layout that an agent's change is based on.
struct Present {
    source: String,
    /// The origin of the layout: a proposal, the session, a file, or the built-in layout.
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

    /// The layout if the agent has set none.
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

/// A layout that an agent proposes to its user.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The layout, as text.
    pub source: String,
    /// The hash by which the user allows it.
    pub hash: String,
    /// The number of tokens that it takes of the present state, or the reason why it is not accepted any more.
    pub tried: Result<Accepted, String>,
}

impl Proposal {
    /// The proposal of a session's agent. `live` has the components that it can use.
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
