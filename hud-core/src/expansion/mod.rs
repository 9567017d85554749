//! The items that the macros' expansions use. They are not for users, and change with the macros.

mod again;
mod ambient;
mod check;
mod given;
mod layer;
mod name;
mod place;
mod shown;
mod text;
mod value;

pub use core::option::Option::{None, Some};

pub use crate::ambient::Scope;
pub use crate::component::{Component, Tag, TagKind, TagMeta};
pub use crate::density::Density;
pub use crate::element::{Element, Inner, IntoElement};
pub use crate::node::{Node, Value};
pub use crate::part;
pub use again::{Again, again};
pub use ambient::{AmbientDefault, ambient_default};
pub use check::{Checked, HELPER, Marks, checked, complete, documented, exists, props, takes};
pub use given::{IntoOptional, IntoOptionalProp, IntoProp, PropDefault, or_default};
pub use layer::{EachTurn, steady};
pub use place::{
    Around, Converted, ConvertedOptional, Elements, Exact, IntoInner, Leaf, Nothing, Optional,
    Provided, Within,
};
pub use shown::shown;
pub use value::{AsDebug, AsOpaque, AsValue, PropRef};
