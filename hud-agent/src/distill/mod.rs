//! What another model makes of what user and agent said: what it is asked, and what of its answer is
//! recorded.
//!
//! ```text
//! transcript ─ Conversation ─ Batch ─ request ──▶ model ──▶ Reply ─ items ─ verify ─ Proposal ─ events
//! ```
//!
//! Nothing here opens a connection, a file or a clock: whoever asks the model does that.
//!
//! A [`Conversation`] holds what user and agent said and nothing else, with its secrets masked: no output of
//! a tool is sent. A model is not believed. Each item of its answer names a turn and quotes a sentence of
//! it, and [`verify`] refuses what nobody said there:
//!
//! | item | must quote | what is recorded |
//! | --- | --- | --- |
//! | `request`, `constraint` | the user | the user's own sentence, and not a word of the model's |
//! | `decision`, `finding` | the user or the agent | the model's line, if most of its words and all of its names are in what was said |
//! | `done`, `next` | the same | the same; a step of the plan is completed if the line says all of it |
//! | `resolved` | the same | that the error is over which the line speaks of, if it is older than the turn |
//!
//! What is known already is not recorded again, what is over stays over, and what the agent records itself
//! takes the place of what a model made of its words. The events are those of [`Actor::Distilled`].
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
