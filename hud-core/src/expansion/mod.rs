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

pub use core::clone::Clone;
pub use core::cmp::PartialEq;
pub use core::convert::Into;
pub use core::fmt;
pub use core::marker::PhantomData;
pub use core::option::Option::{self, None, Some};

pub use crate::ambient::{IntoAmbient, Scope};
pub use crate::component::{Component, PropMeta, Tag, TagKind, TagMeta};
pub use crate::density::Density;
pub use crate::element::{Element, Inner, IntoElement};
pub use crate::node::{Node, Value};
pub use crate::part;
pub use ambient::{AmbientDefault, ambient_default};
pub use check::{Check, Checked, Marks, checked, complete, given, known};
pub use derived::{Again, Hidden, Same, SamePlace, Shown, again, debug};
pub use given::{IntoOptional, IntoProp, PropDefault, or_default};
pub use layer::{EachTurn, steady};
pub use node::node;
pub use value::{AsDebug, AsOpaque, AsValue, PropRef};
