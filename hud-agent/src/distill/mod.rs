//! Distills events from a conversation with another model: the question, and the checks of its answer.
//!
//! ```text
//! transcript ─ Conversation ─ Batch ─ request ──▶ model ──▶ Reply ─ items ─ verify ─ Proposal ─ events
//! ```
//!
//! This module opens no connection, file or clock. The caller sends the request.
//!
//! A [`Conversation`] holds only the messages of the user and the agent, with masked secrets. No tool output
//! is sent. The answer is not trusted: each item names a turn and quotes a sentence of it, and [`verify`]
//! refuses items whose quote is not there.
//!
//! | item | must quote | recorded event |
//! | --- | --- | --- |
//! | `request`, `constraint` | the user | the user's own sentence, without any words of the model |
//! | `decision`, `finding` | user or agent | the model's line, if messages have most of its words and all its names |
//! | `done`, `next` | the same | the same; a step of the plan is completed if the line contains all of it |
//! | `resolved` | the same | the resolution of the error that the line names, if the error is not later than the turn |
//!
//! Known items are not recorded again, and items that have ended do not return. Items that the agent records
//! itself replace those of a model. The events have the actor [`Actor::Distilled`].
//!
//! [`Actor::Distilled`]: hud_store::event::Actor::Distilled

mod budget;
mod conversation;
mod prompt;
mod record;
mod reply;
mod verify;

pub use self::budget::{Budget, OverBudget, Prices, Tokens};
pub use self::conversation::{Batch, Conversation, Message, Speaker};
pub use self::prompt::{Dialect, question, request};
pub use self::record::{Past, Recorded, events};
pub use self::reply::{Item, Reply, ReplyError};
pub use self::verify::{Kind, Proposal, Refused, Why, verify};
