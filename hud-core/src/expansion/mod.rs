//! What the macros' expansions call. Not for users: it changes with the macros.

mod ambient;
mod check;
mod derived;
mod given;
mod layer;
mod name;
mod node;
mod text;
mod value;

pub use crate::element::Inner;
pub use ambient::{AmbientDefault, ambient_default};
pub use check::{Check, Marks, checked, given};
pub use derived::{Again, Hidden, Same, SamePlace, Shown, again};
pub use given::{IntoOptional, IntoProp};
pub use layer::{EachTurn, steady};
pub use node::node;
pub use value::{AsDebug, AsOpaque, AsValue, PropRef};
