use crate::Node;

/// A heading and what belongs under it. Where that is nothing, there is no heading either.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Section {
    /// The heading's text.
    #[prop(into)]
    pub title: String,
    /// The heading's level, 1 to 6. By default one more than that of the section around it.
    pub level: Option<u8>,
}

/// A heading alone. One of plain text that has something under it is a [`Section`].
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Heading {
    /// Its level, 1 to 6.
    pub level: u8,
}

/// A paragraph. Text without one becomes one by itself.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Paragraph {}

/// What somebody else said.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Quote {}

/// A remark that must be seen, with a label in front.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Callout {
    /// What kind of remark it is, for example `Warning`.
    #[prop(into)]
    pub label: String,
}

/// A line across, between two thoughts.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
#[node(leaf)]
pub struct ThematicBreak {}
