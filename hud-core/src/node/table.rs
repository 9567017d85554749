use crate::Node;
use crate::node::{ToValue, Value};

/// A table of [`Row`]s of [`Cell`]s. The first row is the head.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Table {
    /// How the columns are aligned, from the first one; [`Align::None`] where it is not said.
    #[prop(default)]
    pub align: Vec<Align>,
}

/// A row of a [`Table`].
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Row {}

/// A cell of a [`Row`].
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Cell {}

/// How a column of a [`Table`] is aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Not said.
    #[default]
    None,
    /// To the left.
    Left,
    /// To the middle.
    Center,
    /// To the right.
    Right,
}

/// `left`, `center`, `right`, or none.
impl ToValue for Align {
    fn to_value(&self) -> Value {
        let name = match self {
            Self::None => return Value::None,
            Self::Left => "left",
            Self::Center => "center",
            Self::Right => "right",
        };
        name.to_value()
    }
}
