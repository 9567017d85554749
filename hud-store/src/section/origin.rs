//! Where the session comes from.

use serde::{Deserialize, Serialize};

use super::{Happened, Item, Pace, Section};
use crate::event::{SessionEvent, SessionId};
use crate::state::Change;

/// Where a session comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Origin {
    /// The session that it continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumes: Option<SessionId>,
    /// The session that made it: it is a sub-agent's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<SessionId>,
    /// The session that holds what all sessions of the project begin with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<SessionId>,
    /// The session that it was forked from: it began with a copy of that one's conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forks: Option<SessionId>,
}

/// The section: `None` for a session that comes from nowhere.
pub type SessionOrigin = Option<Origin>;

impl Section for SessionOrigin {
    const NAME: &'static str = "origin";
    const ITEM: &'static str = "session";
    const PACE: Pace = Pace::Working;
    type Event = SessionEvent;

    fn apply(&mut self, event: &SessionEvent, _: &Happened<'_>) {
        match event {
            SessionEvent::Start(e) => {
                *self = Some(Origin {
                    resumes: e.resumes.clone(),
                    parent: e.parent.clone(),
                    project: e.project.clone(),
                    forks: self.take().and_then(|known| known.forks),
                });
            }
            SessionEvent::Restore(e) => {
                if let Some(from) = &e.session {
                    self.get_or_insert_default().forks = Some(from.clone());
                }
            }
            SessionEvent::Delete(_) => *self = None,
        }
    }

    fn items(&self) -> Vec<Item> {
        let links = self.iter().flat_map(|origin| {
            [
                ("resumes", &origin.resumes),
                ("parent", &origin.parent),
                ("project", &origin.project),
                ("forks", &origin.forks),
            ]
        });
        links
            .filter_map(|(name, session)| Some(Item::new(name, session.as_ref()?.as_str())))
            .collect()
    }

    /// The items that came from there are news; the name of a session tells a model nothing.
    fn is_news(&self, _: &Change) -> bool {
        false
    }

    /// A session comes from where it comes from; one that does not know it learns it from its past.
    fn restore(&mut self, then: Self) {
        if self.is_none() {
            *self = then;
        }
    }
}
