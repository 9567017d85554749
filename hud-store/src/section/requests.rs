//! What the user asked for and still wants.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::list::{self, Listed, fitting, newest};
use super::{Bearing, Happened, Item, Relation, Section, Taking};
use crate::event::{Actor, Clip};

/// How many requests are kept.
pub const REQUESTS_CAP: usize = 30;

crate::events! {@built_in
    /// What happens to requests.
    pub enum RequestEvent {
        /// the user asks for something.
        "request.make" 1 Make(
            /// Asks for something.
            RequestMake {
                /// Names it within the session.
                id: String,
                /// What is asked for, in the words of the user.
                text: String,
            }
        ) item id names id words [text],
        /// a request is over.
        "request.close" 1 Close(
            /// Closes a request.
            RequestClose {
                /// Which one.
                id: String,
                /// Why it is over.
                how: RequestEnd,
            }
        ) item id,
    }
}

/// Why a request is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RequestEnd {
    /// It was done.
    Done,
    /// The user no longer wants it.
    Withdrawn,
    /// The user wants something else in its place.
    Replaced,
}

impl Clip for RequestEnd {}

/// Something that the user asked for, in force until it is done, withdrawn or replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Request {
    /// Names it within the session.
    pub id: String,
    /// What is asked for, in the words of the user.
    pub text: String,
    /// Who recorded it: the agent with the tool, or what derives from what is said.
    #[serde(default = "Actor::agent", skip_serializing_if = "Actor::is_agent")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = "agent")))]
    pub by: Actor,
    /// The turn in which it was recorded.
    #[serde(default)]
    pub turn: u64,
    /// When it was recorded.
    pub at: Timestamp,
}

/// The section: requests, oldest first; at most [`REQUESTS_CAP`].
pub type Requests = Vec<Request>;

impl Request {
    /// How it bears on the work: it is open until it is lifted.
    pub const fn bearing(&self) -> Bearing {
        Bearing::holds(self.turn).when(true)
    }
}

impl Section for Requests {
    const NAME: &'static str = "requests";
    const ITEM: &'static str = "request";
    type Event = RequestEvent;

    fn apply(&mut self, event: &RequestEvent, when: &Happened<'_>) {
        match event {
            RequestEvent::Make(e) => {
                let request = Request {
                    id: e.id.clone(),
                    text: e.text.clone(),
                    by: when.actor.clone(),
                    turn: when.turn,
                    at: when.at,
                };
                list::add(self, request, REQUESTS_CAP);
            }
            RequestEvent::Close(e) => list::remove(self, &e.id),
        }
    }

    fn items(&self) -> Vec<Item> {
        self.iter()
            .map(|request| Item::new(&request.id, &request.text))
            .collect()
    }

    fn bearings(&self) -> Vec<Bearing> {
        self.iter().map(Request::bearing).collect()
    }

    fn carry_over(&self, own: &Self, taking: &mut Taking<'_>) -> Vec<RequestEvent> {
        if taking.relation() != Relation::Resumed {
            return Vec::new();
        }
        let same = |one: &Request, other: &Request| one.text == other.text;
        let taken = fitting(self, own, REQUESTS_CAP, same);
        let event = |request: &Request| {
            let make = RequestMake {
                id: taking.name(&request.id),
                text: request.text.clone(),
            };
            make.into()
        };
        taken.into_iter().map(event).collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(self, REQUESTS_CAP);
    }
}

impl Listed for Request {
    fn id(&self) -> &str {
        &self.id
    }

    fn repeats(&self, other: &Self) -> bool {
        self.text == other.text
    }

    fn rewrite(&mut self, other: Self) {
        let id = std::mem::take(&mut self.id);
        *self = Self { id, ..other };
    }
}
